package page

import (
	"html"
	"testing"

	"github.com/stretchr/testify/require"
)

// saysNone reports whether a page that says this says that there are no open roles.
func saysNone(tb testing.TB, text string) bool {
	tb.Helper()
	page := `<!doctype html><html><head><title>Lakeside Mill</title></head><body><main><p>` + html.EscapeString(text) + `</p></main></body></html>`
	return Parse([]byte(page), fuzzAddress(tb)).SaysNone()
}

func TestSentencesThatDenyRoles(t *testing.T) {
	t.Parallel()
	for language, sentences := range map[string][]string{
		"English": {
			"Our ranks are filled and we are not hiring but do write to us if you love grain.", "Crew is complete for the season.", "We have no openings right now but please leave your name when you visit.", "There are no positions but we keep every letter.",
			"Thank you for your interest in joining the team; we have no vacancies at present.", "We've now filled all of our current openings.", "There are zero vacancies this week.",
			"Nothing posted at the moment.", "Nothing on our board today.", "We have everyone we need for now.",
			"We currently have no available positions.", "The mill is not hiring at present.", "All our positions have been filled until summer.", "Vacant posts: 0",
			"0 vacant positions", "Hiring is on hold until April.", "Our team is full.", "We have no openings now, but please do visit the museum.", "We aren't looking for anyone new.",
		},
		"German": {
			"Wir stellen zurzeit nicht aktiv ein.", "Momentan keine Stellen frei aber melden Sie sich gern, wenn Sie die Mühle kennen.",
			"Wir haben aktuell keine konkreten Stellen ausgeschrieben.", "Unsere freien Stellen sind momentan alle vergeben.",
			"Für die laufende Saison sind wir komplett – danke für die vielen Briefe!",
			"Wir suchen zurzeit niemanden.", "Bei uns sind momentan alle Arbeitsplätze besetzt.", "Offene Positionen: keine", "0 freie Stellen", "Unser Team ist vollzählig.",
			"Leider haben wir gerade keine freien Ausbildungsplätze zu vergeben.", "Wir stellen vorerst niemanden ein.", "Einstellungsstopp bis Ostern",
		},
		"French": {
			"Nous n'avons pas d'offre actuellement, mais nous restons à la recherche de belles rencontres.", "Nous ne recrutons pas activement cette année.",
			"Nous n'avons pas d'offre en ce moment mais nous lisons tous les courriers.",
			"Aucun poste disponible pour l'instant.", "L'équipe est au complet.", "Nous n'embauchons personne cette année.", "Tous nos postes sont occupés.", "Nos recrutements sont suspendus jusqu'en mai.",
			"Nous n'avons malheureusement pas d'emploi à proposer.", "0 offre disponible", "Postes vacants : aucun",
		},
		"Spanish": {
			"No estamos contratando activamente.", "Ahora no hay vacantes pero escríbenos cuando quieras.",
			"Por ahora tenemos a toda la gente que necesitamos.",
			"No hay plazas libres por ahora.", "El equipo está lleno.", "Actualmente no contratamos a nadie.", "Todos los puestos están cubiertos.", "Vacantes: ninguna",
			"0 vacantes abiertas", "La contratación está suspendida hasta mayo.", "Lamentablemente, en la empresa no tenemos ofertas de trabajo.",
		},
		"Italian": {
			"Nessun annuncio disponibile.", "Non stiamo attivamente assumendo.",
			"Non ci sono posti liberi.", "Il nostro team è al completo.", "Al momento non assumiamo nessuno.", "Tutti i posti sono occupati.", "Offerte di lavoro: nessuna",
			"0 posizioni aperte", "Le assunzioni sono ferme fino a maggio.", "Purtroppo oggi nessun impiego disponibile.",
		},
		"Portuguese": {
			"Não há lugares disponíveis de momento.", "O nosso time está completo.", "Atualmente não contratamos ninguém.", "Todas as vagas estão ocupadas.", "Vagas abertas: nenhuma",
			"0 vagas disponíveis", "As contratações estão suspensas até maio.", "Infelizmente não temos ofertas de emprego.",
		},
		"Dutch": {
			"Er zijn nu geen lopende vacatures.", "We hebben nu geen vacatures maar laat gerust je naam achter als je de molen kent.",
			"Er zijn nu geen openstaande vacatures, maar open sollicitaties lezen we altijd.", "Geen vacatures vandaag, maar een open sollicitatie is altijd welkom.", "Onze vacatures zijn allemaal vervuld.",
			"Op dit moment hebben we alle mensen die we nodig hebben.",
			"Er zijn momenteel geen banen vrij.", "Ons team is voltallig.", "We zoeken nu niemand.", "Alle functies zijn vervuld.", "Openstaande vacatures: geen",
			"0 vacatures", "Vacaturestop tot mei", "Helaas hebben we geen werk beschikbaar.",
		},
		"Swedish": {
			"Vi har inga publicerade tjänster.", "Det finns inga tjänster att visa.",
			"Just nu har vi alla medarbetare vi behöver.",
			"Vi har inga vakanta tjänster just nu.", "Teamet är fulltaligt.", "Vi rekryterar inte för närvarande.", "Alla tjänster är tillsatta.", "Lediga tjänster: inga",
			"0 lediga tjänster", "Anställningsstopp till maj", "Tyvärr finns inget ledigt jobb i dag.",
		},
		"Danish": {
			"Lige nu har vi alle de folk vi har brug for.",
			"Vi har ingen åbne stillinger lige nu.", "Holdet er komplet.", "Vi rekrutterer ikke for tiden.", "Alle stillinger er besat.", "Ledige stillinger: ingen",
			"0 åbne stillinger", "Ansættelsesstop indtil maj", "Desværre har vi ikke brug for flere folk.",
		},
		"Norwegian": {
			"Akkurat nå har vi alle medarbeiderne vi trenger.",
			"Vi har ingen vakante stillinger akkurat nå.", "Laget er fulltallig.", "Vi rekrutterer ikke for øyeblikket.", "Alle stillinger er besatt.", "Ledige stillinger: ingen",
			"0 åpne stillinger", "Ansettelsesstopp til mai", "Dessverre trenger vi ikke flere medarbeidere.",
		},
		"Finnish": {
			"Juuri nyt ei ole avoimia tehtäviä.", "Tiimi on täysilukuinen.", "Emme rekrytoi tällä hetkellä.", "Kaikki paikat on täytetty.", "Avoimet työpaikat: ei yhtään",
			"0 avointa paikkaa", "Rekrytointi on keskeytetty toistaiseksi.", "Valitettavasti emme hae uusia työntekijöitä.",
		},
		"Polish": {
			"Nie poszukujemy nowych członków załogi.",
			"Jest nas dwoje — żadnych rekrutacji do wiosny.",
			"Nie mamy obecnie wolnych etatów.", "Nasz zespół jest w komplecie.", "Aktualnie nikogo nie zatrudniamy.", "Wszystkie stanowiska są obsadzone.", "Wolne etaty: brak",
			"0 wolnych miejsc", "Rekrutacja została wstrzymana do maja.", "Niestety nie szukamy nowych pracowników.",
		},
		"Czech": {
			"Nyní nemáme volné pozice.", "Tým je kompletní.", "Aktuálně nikoho nepřijímáme.", "Všechny pozice jsou obsazeny.", "Volné pozice: žádné",
			"0 volných míst", "Nábor je pozastaven do května.", "Bohužel nehledáme nové kolegy.",
		},
		"Hungarian": {
			"Most nincs meghirdetett pozíciónk.", "Csapatunk teljes.", "Jelenleg nem veszünk fel senkit.", "Minden pozíció betelt.", "Nyitott pozíciók: nincs",
			"0 nyitott állás", "A felvétel májusig szünetel.", "Sajnos nem keresünk új kollégát.",
		},
		"Romanian": {
			"Acum nu sunt posturi libere.", "Echipa noastră este completă.", "Momentan nu angajăm pe nimeni.", "Toate posturile sunt ocupate.", "Posturi vacante: niciunul",
			"0 posturi deschise", "Recrutarea este suspendată până în mai.", "Din păcate nu căutăm colegi noi.",
		},
		"Russian": {
			"Активно не нанимаем.",
			"Штат укомплектован полностью.",
			"Пока нет открытых вакансий.", "Штат полностью укомплектован.", "Сейчас мы никого не нанимаем.", "Все вакансии закрыты.", "Вакансии: нет",
			"0 открытых вакансий", "Набор приостановлен до мая.", "К сожалению, новых сотрудников не ищем.",
		},
		"Turkish": {
			"Mevcut bir ilanımız yok.",
			"Şimdilik açık kadromuz yok.", "Ekibimiz tam.", "Şu anda kimseyi işe almıyoruz.", "Tüm pozisyonlar dolu.", "Açık pozisyonlar: yok",
			"0 açık pozisyon", "İşe alımlar mayısa kadar durduruldu.", "Maalesef yeni çalışan aramıyoruz.",
		},
		"Japanese": {
			"いまのところ人員は足りており、次は春の予定です。",
			"現在、求人募集はしておりません。", "ただいま公開中の求人はございません。", "今期の募集はすべて終了いたしました。", "すべての職種が埋まりました。", "スタッフは足りています。",
			"当面、採用を休止しております。", "求人情報なし", "申し訳ありませんが、現在採用は行っておりません。",
		},
		"Chinese": {
			"目前没有招聘计划。", "近期沒有對外徵才的計畫。", "暂不招聘新员工。", "招聘工作已结束。", "所有职位均已招满。", "人手已足够。",
		},
		"Korean": {
			"현재 채용을 진행하고 있지 않습니다.", "당분간 채용 계획이 없습니다.", "모든 포지션의 모집이 마감되었습니다.", "인원이 모두 찼습니다.",
		},
		"Ukrainian": {
			"Зараз ми нікого не наймаємо.", "Усі вакансії заповнені.", "Набір призупинено до травня.", "Наша команда повністю укомплектована.", "Відкритих вакансій немає.",
		},
		"Slovak": {
			"Momentálne nemáme voľné pracovné miesta.", "Nikoho nehľadáme.", "Všetky pozície sú obsadené.", "Náš tím je kompletný.", "Nábor je pozastavený do mája.",
		},
		"Croatian": {
			"Trenutno nemamo otvorenih radnih mjesta.", "Ne tražimo nove kolege.", "Sva radna mjesta su popunjena.", "Naš tim je potpun.", "Zapošljavanje je obustavljeno do svibnja.",
		},
		"Slovenian": {
			"Trenutno nimamo prostih delovnih mest.", "Ne iščemo novih sodelavcev.", "Vsa delovna mesta so zasedena.", "Naša ekipa je popolna.", "Zaposlovanje je ustavljeno do maja.",
		},
		"Bulgarian": {
			"В момента нямаме свободни позиции.", "Не търсим нови колеги.", "Всички позиции са заети.", "Екипът ни е пълен.", "Подборът е спрян до май.",
		},
		"Greek": {
			"Αυτή τη στιγμή δεν έχουμε ανοιχτές θέσεις εργασίας.", "Δεν προσλαμβάνουμε.", "Όλες οι θέσεις έχουν καλυφθεί.", "Η ομάδα μας είναι πλήρης.",
		},
		"Catalan": {
			"Ara mateix no busquem ningú.", "Totes les places estan ocupades.", "El nostre equip està complet.", "De moment no tenim vacants.",
		},
		"Indonesian": {
			"Saat ini kami tidak membuka lowongan.", "Semua posisi sudah terisi.", "Tim kami sudah lengkap.",
		},
	} {
		for _, sentence := range sentences {
			require.True(t, saysNone(t, sentence), "%s: %s", language, sentence)
		}
	}
}

func TestSentencesThatDenyNoRoles(t *testing.T) {
	t.Parallel()
	for language, sentences := range map[string][]string{
		"English": {
			"There are no jobs but one: a miller.", "We have no openings but we need a baker.", "No roles open to people outside the valley.", "There are no similar jobs.", "No related positions right now.",
			"Thank you for your interest in working with us: no vacancies in milling, but we need two bakers.", "We have filled all our sacks.",
			"Nothing listed in the bakery.", "There is nothing on the board about prices.",
			"If we have no open positions, leave us your name.", "No openings in the bakery.", "We have no vacancies in milling, but we need two bakers.", "The position of miller has been filled.",
			"There are no jobs too dirty for our miller.", "No vacancies for students this year.", "Are there no open positions?", "We have two open positions.", "The museum is not open today.", "Our team is complete with you.",
		},
		"German": {
			"Keine Stellen verfallen bei uns.", "Derzeit keine ähnlichen Stellen.", "Bei uns werden keine Stellen gestrichen.",
			"Auch wenn wir derzeit keine Stellen frei haben, lernen wir dich gern kennen.", "Unsere Mühlen sind alle besetzt.", "Aktuell keine freien Stellen im Büro, aber Initiativbewerbungen für die zwei offenen Plätze in der Mühle lesen wir.",
			"Wenn wir keine offenen Stellen haben, merken wir uns deinen Namen.", "In der Bäckerei haben wir keine offenen Stellen.", "Wir haben keine freien Stellen im Büro, aber wir suchen zwei Müller.",
			"Die Stelle des Müllers ist besetzt.", "Bei uns ist keine Stelle zu klein.", "Keine freien Stellen für Studierende.", "Gibt es keine offenen Stellen?", "Wir haben zwei offene Stellen.", "Ohne dich ist unser Team nicht komplett.",
		},
		"French": {
			"Pas d'offre au bureau, mais nous sommes à la recherche de deux meuniers.", "Aucune offre similaire en ce moment.", "Aucun poste pour votre recherche.",
			"Pas d'offre au bureau mais nous cherchons deux meuniers.",
			"Si aucun poste n'est disponible, laissez-nous votre nom.", "Aucun poste disponible en boulangerie.", "Aucun poste au bureau, mais nous cherchons deux meuniers.", "Le poste de meunier est pourvu.",
			"Ce poste n'est plus disponible.", "Il n'y a pas de place pour la routine.", "Aucun poste disponible ?", "Deux postes sont ouverts.", "Le musée n'est pas ouvert aujourd'hui.",
		},
		"Spanish": {
			"No hay vacantes para este turno.", "No hay vacantes para este curso.", "No hay vacantes similares.",
			"Si no hay vacantes, déjanos tu nombre.", "En la panadería no hay vacantes.", "No hay vacantes en la oficina, pero buscamos dos molineros.", "El puesto de molinero está cubierto.",
			"No buscamos, encontramos.", "No hay plazas para estudiantes.", "¿No hay vacantes?", "Hay dos vacantes abiertas.", "El museo no está abierto hoy.",
		},
		"Italian": {
			"Nessuna posizione simile.", "Nessuna offerta affine al momento.",
			"Se non ci sono posti liberi, lasciaci il tuo nome.", "In panetteria non ci sono posti liberi.", "Nessuna posizione in ufficio, ma cerchiamo due mugnai.", "Il posto di mugnaio è occupato.",
			"Non ci sono offerte per studenti.", "Questa posizione non è più aperta.", "Non ci sono posizioni aperte?", "Ci sono due posizioni aperte.", "Il museo non è aperto oggi.",
		},
		"Portuguese": {
			"Não há vagas semelhantes.", "Nenhuma vaga para esta busca.",
			"Se não houver vagas, deixe o seu nome.", "Na padaria não há vagas.", "Não há vagas no escritório, mas procuramos dois moleiros.", "A vaga de moleiro foi preenchida.",
			"Não há vagas para estudantes.", "Quando não temos vagas, guardamos o seu nome.", "Não há vagas?", "Temos duas vagas abertas.", "O museu não está aberto hoje.",
		},
		"Dutch": {
			"Geen vergelijkbare vacatures op dit moment.", "Geen vacatures maar we zoeken twee molenaars.",
			"Geen vacatures op kantoor, maar naast een open sollicitatie zijn er twee plekken in de molen open.", "Onze molens zijn allemaal bezet.",
			"Als er geen vacatures zijn, laat dan je naam achter.", "In de bakkerij zijn geen vacatures.", "Geen vacatures op kantoor, maar we zoeken twee molenaars.", "De functie van molenaar is vervuld.",
			"Geen vacatures voor studenten.", "We zoeken niet, we vinden.", "Zijn er geen vacatures?", "Er zijn twee vacatures.", "Het museum is vandaag niet open.",
		},
		"Swedish": {
			"Inga liknande tjänster just nu.",
			"Om vi inte har några lediga jobb sparar vi ditt namn.", "I bageriet finns inga lediga jobb.", "Inga lediga jobb på kontoret, men vi söker två mjölnare.", "Tjänsten som mjölnare är tillsatt.",
			"Inga lediga jobb för studenter.", "Personligt brev behöver vi inte.", "Finns det inga lediga jobb?", "Vi har två lediga jobb.", "Inga öppna kontorslandskap.",
		},
		"Danish": {
			"Ingen lignende stillinger lige nu.",
			"Hvis der ingen ledige stillinger er, gemmer vi dit navn.", "I bageriet er der ingen ledige stillinger.", "Ingen ledige stillinger på kontoret, men vi søger to møllere.", "Stillingen som møller er besat.",
			"Ingen ledige stillinger for studerende.", "Billede mangler vi ikke.", "Kurset er fuldt besat.", "Er der ingen ledige stillinger?", "Der er to ledige stillinger.", "Museet er ikke åbent i dag.",
		},
		"Norwegian": {
			"Ingen lignende stillinger akkurat nå.",
			"Hvis det ikke er ledige stillinger, tar vi vare på navnet ditt.", "I bakeriet er det ingen ledige stillinger.", "Ingen ledige stillinger på kontoret, men vi søker to møllere.", "Stillingen som møller er besatt.",
			"Ingen ledige stillinger for studenter.", "Søknadsbrev trenger vi ikke.", "Er det ingen ledige stillinger?", "Det er to ledige stillinger.", "Museet er ikke åpent i dag.",
		},
		"Finnish": {
			"Jos avoimia paikkoja ei ole, jätä nimesi.", "Leipomossa ei ole avoimia paikkoja.", "Toimistossa ei ole paikkoja, mutta etsimme kahta mylläriä.", "Myllärin paikka on täytetty.",
			"Todistuksia emme tarvitse.", "Tämä tehtävä ei ole enää avoinna.", "Eikö avoimia paikkoja ole?", "Meillä on kaksi avointa paikkaa.", "Museo ei ole tänään auki.",
		},
		"Polish": {
			"Brak podobnych ofert pracy.", "Nie prowadzimy rekrutacji przez telefon.",
			"Jeśli nie mamy wolnych etatów, zostaw nam swoje imię.", "W piekarni nie mamy wolnych etatów.", "Brak wakatów w biurze, ale szukamy dwóch młynarzy.", "Etat młynarza jest obsadzony.",
			"Nie mamy ofert dla studentów.", "Zdjęć nie potrzebujemy.", "Nie ma wolnych etatów?", "Mamy dwa wolne etaty.", "Muzeum jest dziś nieczynne.",
		},
		"Czech": {
			"Žádné volné pozice pro zadané kritérium.",
			"Pokud nemáme volné pozice, nechte nám své jméno.", "V pekárně nemáme volné pozice.", "Volné pozice v kanceláři nemáme, ale hledáme dva mlynáře.", "Pozice mlynáře je obsazena.",
			"Nemáme volné pozice pro studenty.", "Fotografie nepotřebujeme.", "Nemáte volné pozice?", "Máme dvě volné pozice.", "Žádné pracovní soboty.",
		},
		"Hungarian": {
			"Ha nincs nyitott állás, hagyd meg a neved.", "A pékségben nincs nyitott állás.", "Az irodában nincs állás, de két molnárt keresünk.", "A molnári állás betelt.",
			"Hétvégi munka nincs.", "Diákoknak nincs állásunk, csak gyakorlatunk.", "Nincs nyitott állás?", "Két nyitott állásunk van.", "A múzeum ma nincs nyitva.",
		},
		"Romanian": {
			"Nu avem posturi pentru căutarea ta.",
			"Dacă nu avem posturi libere, lasă-ne numele.", "La brutărie nu avem posturi libere.", "Nu avem posturi la birou, dar căutăm doi morari.", "Postul de morar este ocupat.",
			"Nu avem posturi pentru studenți.", "Poze nu primim.", "Nu sunt posturi libere?", "Avem două posturi libere.", "Muzeul nu este deschis azi.",
		},
		"Russian": {
			"Для вас вакансий нет.", "Вакансий по вашему поиску нет.",
			"Если вакансий нет, оставьте своё имя.", "В пекарне вакансий нет.", "В офисе мест нет, но мы ищем двух мельников.", "Место мельника занято.",
			"Нет вакансий для студентов.", "Фотографии не нужны, возраст не важен.", "Нет открытых вакансий?", "У нас две открытые вакансии.", "Музей сегодня не открыт.",
		},
		"Turkish": {
			"Bu arama için açık pozisyon yok.",
			"Açık pozisyon yoksa adınızı bırakın.", "Fırında açık pozisyon yok.", "Ofiste yer yok, ama iki değirmenci arıyoruz.", "Değirmenci pozisyonu dolmuştur.",
			"Pozisyon için yaş sınırı yok.", "Fotoğraf istemiyoruz.", "Açık pozisyon yok mu?", "İki açık pozisyonumuz var.", "Müze bugün açık değil.",
		},
		"Japanese": {
			"求人がない場合も、お名前をお知らせください。", "製粉職の募集は終了しました。", "事務の募集はありませんが、職人を募集しています。", "この求人の募集は終了いたしました。",
			"電話での応募は受け付けておりません。", "採用に年齢は関係ありません。", "募集はありませんか？", "現在二つの職種で募集中です。", "説明会は定員に達しました。",
		},
		"Chinese": {
			"如果没有招聘计划，请留下您的名字。", "面粉部没有空缺。", "面包店的职位已招满，但我们需要两名磨坊工。", "目前有两个职位。", "博物馆今天不开放。", "年龄不限。",
		},
		"Korean": {
			"채용 계획이 없더라도 이름을 남겨 주세요.", "이 공고의 모집은 마감되었습니다.", "제빵팀은 채용 계획이 없습니다.", "두 자리가 열려 있습니다.", "박물관은 오늘 열지 않습니다.",
		},
		"Ukrainian": {
			"Якщо вакансій немає, залиште своє ім'я.", "У пекарні вакансій немає.", "Місце мельника зайняте.", "Фото не потрібне.", "Маємо дві вакансії.", "Музей сьогодні не працює.",
		},
		"Slovak": {
			"Ak nemáme voľné miesta, nechajte nám svoje meno.", "V pekárni nemáme voľné miesta.", "Miesto mlynára je obsadené.", "Voľné miesta nemáme, ale hľadáme dvoch mlynárov.", "Nemáme voľné miesta pre študentov.", "Máme dve voľné miesta.", "Múzeum dnes nie je otvorené.",
		},
		"Croatian": {
			"Ako nemamo otvorenih radnih mjesta, ostavite nam svoje ime.", "U pekari nemamo slobodnih mjesta.", "Mjesto mlinara je popunjeno.", "Nemamo slobodnih mjesta, ali tražimo dva mlinara.", "Imamo dva otvorena radna mjesta.", "Muzej danas nije otvoren.",
		},
		"Slovenian": {
			"Če nimamo prostih delovnih mest, nam pustite svoje ime.", "V pekarni nimamo prostih mest.", "Mesto mlinarja je zasedeno.", "Prostih mest nimamo, vendar iščemo dva mlinarja.", "Imamo dve prosti mesti.", "Muzej danes ni odprt.",
		},
		"Bulgarian": {
			"Ако нямаме свободни позиции, оставете ни името си.", "В пекарната нямаме свободни места.", "Мястото на мелничаря е заето.", "Нямаме свободни места, но търсим двама мелничари.", "Имаме две свободни места.", "Музеят днес не е отворен.",
		},
		"Greek": {
			"Αν δεν έχουμε ανοιχτές θέσεις, αφήστε μας το όνομά σας.", "Στο αρτοποιείο δεν έχουμε ανοιχτές θέσεις.", "Η θέση του μυλωνά έχει καλυφθεί.", "Έχουμε δύο ανοιχτές θέσεις.", "Το μουσείο δεν είναι ανοιχτό σήμερα.",
		},
		"Catalan": {
			"Si no tenim vacants, deixa'ns el teu nom.", "La plaça de moliner està coberta.", "Tenim dues vacants.", "El museu no és obert avui.",
		},
		"Indonesian": {
			"Jika kami tidak membuka lowongan, tinggalkan nama Anda.", "Posisi penggiling sudah terisi.", "Ada dua lowongan.", "Museum hari ini tidak buka.",
		},
	} {
		for _, sentence := range sentences {
			require.False(t, saysNone(t, sentence), "%s: %s", language, sentence)
		}
	}
}

func TestAClauseThatSeeksPeopleContradictsThatNothingIsOpen(t *testing.T) {
	t.Parallel()
	for _, sentence := range []string{
		"We have no vacancies, but we are always looking for two bakers.",
		"We have no vacancies at the moment, but we seek two bakers.",
		"We have no vacancies, but you are always welcome, and a baker is needed.",
		"No openings, but the bakery is hiring.",
		"Wir haben keine freien Stellen, aber wir suchen immer zwei Müller.",
		"Wir haben keine freien Stellen, aber zwei Müller brauchen wir doch.",
		"Keine freien Stellen, aber zwei Ausbildungsplätze.",
		"No hay vacantes pero buscamos dos molineros.",
		"No hay vacantes, pero queda una plaza de molinero.",
		"Nous n'avons pas d'offre, mais nous cherchons deux meuniers.",
		"Nous n'avons aucune offre, mais un poste de meunier.",
		"Geen vacatures, maar we zoeken wel twee molenaars.",
		"Er zijn geen vacatures, maar wel twee stageplekken.",
		"Non ci sono posizioni aperte, ma cerchiamo due mugnai.",
		"Non ci sono posizioni aperte, ma stiamo cercando due mugnai.",
		"Não há vagas, mas procuramos dois moleiros.",
		"Não há vagas, mas precisamos de dois moleiros.",
		"Vi har inga lediga jobb, men vi söker två mjölnare.",
		"Vi har ingen ledige stillinger, men vi søger to møllere.",
		"Vi har ingen ledige stillinger, men vi søker to møllere.",
		"Meillä ei ole avoimia paikkoja, mutta etsimme kahta mylläriä.",
		"Nie mamy ofert pracy, ale szukamy dwóch młynarzy.",
		"Nemáme volné pozice, ale hledáme dva mlynáře.",
		"Nincs nyitott állás, de két molnárt keresünk.",
		"Nu avem posturi, dar căutăm doi morari.",
		"Открытых вакансий нет, но ищем двух мельников.",
		"Açık pozisyon yok, ama iki değirmenci arıyoruz.",
		"Вакансій немає, але шукаємо двох мельників.",
		"Nemáme voľné miesta, ale hľadáme dvoch mlynárov.",
		"Nemamo otvorenih radnih mjesta, ali tražimo dva mlinara.",
		"Nimamo prostih delovnih mest, ampak iščemo dva mlinarja.",
		"Нямаме свободни позиции, но търсим двама мелничари.",
		"Δεν έχουμε ανοιχτές θέσεις, αλλά ψάχνουμε δύο μυλωνάδες.",
		"No tenim vacants, però busquem dos moliners.",
		"Tidak ada lowongan, tetapi kami mencari dua penggiling.",
		"現在求人はありませんが、製粉係を二名募集しています。",
		"目前没有职位，但我们在招聘两名磨坊工。",
		"현재 채용 공고가 없지만 제분사 두 명을 모집합니다.",
	} {
		require.False(t, saysNone(t, sentence), sentence)
	}
}

func TestAClauseThatInvitesDoesNotContradictThatNothingIsOpen(t *testing.T) {
	t.Parallel()
	for _, sentence := range []string{
		"Aktuell haben wir keine offenen Stellen, aber eine Initiativbewerbung ist jederzeit willkommen.",
		"Derzeit keine offenen Stellen, aber wir sind immer offen für gute Leute.",
		"Zurzeit keine freien Stellen, aber wir sind immer an netten Menschen interessiert.",
		"Zurzeit keine freien Stellen, aber wir suchen immer nach guten Leuten.",
		"Zurzeit haben wir keine freien Stellen, aber wir freuen uns über Post.",
		"Aucun poste ouvert, mais nous sommes toujours intéressés par les belles rencontres.",
		"Aucun poste ouvert, mais votre candidature est la bienvenue.",
		"Aucun poste ouvert, mais nous restons ouverts aux candidatures.",
		"No hay vacantes, pero siempre estamos abiertos a conocer gente.",
		"No hay vacantes, pero si te interesa escríbenos.",
		"No hay vacantes, pero siempre buscamos talento.",
		"Non ci sono posizioni aperte, ma siamo sempre aperti a nuove candidature.",
		"Non ci sono posizioni aperte, ma se vuoi puoi scriverci.",
		"Non ci sono posizioni aperte, ma cerchiamo sempre persone in gamba.",
		"Não há vagas, mas estamos sempre abertos a conhecer pessoas.",
		"Não há vagas, mas estamos sempre à procura de talento.",
		"Nie mamy ofert pracy, ale zawsze jesteśmy otwarci na nowe osoby.",
		"Nie mamy ofert pracy, ale zawsze szukamy talentów.",
		"Nu avem posturi, dar suntem mereu deschiși.",
		"Открытых вакансий нет, но мы всегда ищем талантливых людей.",
		"Er zijn geen vacatures, maar we staan altijd open voor een praatje.",
		"Vi har inga lediga jobb, men vi söker alltid duktigt folk.",
		"Vi har ingen ledige stillinger, men vi er altid åbne for en snak.",
		"Vi har ingen ledige stillinger, men vi søker alltid flinke folk.",
		"We have no vacancies, but we are always looking for good people.",
		"Aktuell gibt es keine offenen Stellen, aber vielleicht ist im Mai etwas dabei.",
		"Aktuell suchen wir niemanden, aber wir sind neugierig auf Besuch.",
		"Nous n'avons pas de poste, mais si le moulin vous plaît, passez nous voir.",
		"Nous n'avons pas de poste, mais de nouvelles offres seront affichées ici.",
		"No hay vacantes ahora, pero pronto tendremos puestos disponibles.",
		"De momento não temos vagas, mas estamos interessados em boas histórias.",
		"Er zijn geen vacatures, maar schrijf gerust naar de baas van de molen.",
		"Nessuna posizione aperta, ma se ti piace il pane siamo aperti a conoscerti.",
	} {
		require.True(t, saysNone(t, sentence), sentence)
	}
}
