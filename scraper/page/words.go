package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/boardwatch/boardwatch/internal/match"
)

// The lists below are in folded form: lower case, Latin letters without their marks. They never decide alone; they are
// one sign among several, so a language or trade that is missing costs certainty, not the page.

// Fold is the form in which words are compared.
func Fold(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf {
			return foldWide(s)
		} else if 'A' <= c && c <= 'Z' {
			return foldNarrow(s)
		}
	}
	return s
}

// foldNarrow folds text that is ASCII, or nearly.
func foldNarrow(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return foldWide(s)
		}
	}
	return strings.ToLower(s)
}

func foldWide(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			b.WriteRune(r)
		case int(r) < len(foldedRunes):
			if r >= 0x300 && r <= 0x36f && i > 0 {
				return foldMarks(s)
			}
			b.WriteString(foldedRunes[r])
		case r >= 0x1e00 && r < 0x2000 || r >= 0x1100 && r <= 0x11ff || r == 0x3099 || r == 0x309a || r >= 0xfb00 && r <= 0xfb4f:
			return foldMarks(s)
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// foldMarks folds text whose letters and marks have to be put together or taken apart.
func foldMarks(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last := rune(0)
	for _, r := range norm.NFD.String(strings.ToLower(s)) {
		switch {
		case r >= 0x300 && r <= 0x36f:
			if r == 0x306 && last == 'и' {
				b.WriteRune(r) // "й" is a letter of its own
			}
			continue
		case r == 'ł':
			r = 'l'
		case r == 'ø':
			r = 'o'
		case r == 'ı':
			r = 'i'
		case r == 'đ':
			r = 'd'
		case r == 'ß':
			b.WriteByte('s')
			r = 's'
		case r == 'æ':
			b.WriteByte('a')
			r = 'e'
		}
		b.WriteRune(r)
		last = r
	}
	return norm.NFC.String(b.String())
}

// foldedRunes are the letters of the European alphabets, folded one by one.
//
//nolint:gochecknoglobals // a constant table
var foldedRunes = func() (table [0x530]string) {
	for r := range table {
		table[r] = foldMarks(string(rune(r)))
	}
	return table
}()

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Words splits folded text at everything that is neither letter nor digit.
func Words(folded string) []string { return strings.FieldsFunc(folded, partsWords) }

func partsWords(r rune) bool {
	if r < utf8.RuneSelf {
		return (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9')
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func isWordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func set(text string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(text) {
		m[w] = true
	}
	return m
}

// byByte sorts texts by one of their bytes, so that those need not be tried that cannot be it.
func byByte(of func(string) byte, texts []string) (sorted [256][]string) {
	for _, text := range texts {
		sorted[of(text)] = append(sorted[of(text)], text)
	}
	return sorted
}

//nolint:gochecknoglobals // constant tables; Go has no constant maps, slices or patterns
var (
	// roleWords name what people are hired as, as whole words.
	roleWords = set(`
		lead head officer director manager associate assistant intern interns internship internships trainee apprentice apprenticeship
		engineer  engineering developer  designer  analyst  architect consultant specialist coordinator co-ordinator administrator
		technician scientist researcher representative executive accountant recruiter nurse teacher driver operator mechanic electrician
		welder machinist buyer planner writer editor producer strategist advisor adviser agent clerk cashier chef cook waiter waitress
		barista bartender receptionist secretary supervisor foreman inspector auditor controller counsel lawyer attorney paralegal
		physician doctor dentist pharmacist therapist psychologist caregiver carer cleaner janitor guard handler packer picker loader
		assembler fitter plumber carpenter painter fabricator postdoc postdoctoral professor lecturer fellow fellowship phd programmer
		admin admins sysadmin devops sre tester partner principal president vp chief cto cfo ceo coo cmo ciso expert generalist marketer merchandiser
		stylist hairstylist photographer animator artist illustrator copywriter translator interpreter trainer coach instructor tutor
		educator librarian curator dispatcher courier pilot captain crew worker laborer labourer helper technologist biologist chemist
		physicist geologist statistician economist actuary underwriter broker trader banker teller treasurer bookkeeper salesperson
		seller promoter ambassador host hostess concierge housekeeper attendant moderator evangelist advocate staff superintendent
		estimator surveyor drafter draftsman rigger machinists fundraiser facilitator rep sdr bdr ae csm chauffeur
		butcher baker gardener landscaper electricians mechanics interns volunteer volunteers technicians scientists managers
		consultants specialists nurses drivers operators apprentices trainees directors supervisor's
		entwickler ingenieur leiter berater techniker mitarbeiter sachbearbeiter referent praktikant praktikum azubi auszubildende
		auszubildender ausbildung arzt arztin koch kochin aushilfe minijob meister helfer fahrer lehrer leitung werkstudent duales
		duale jurist volljurist anwalt doktorand volontariat volontar initiativ elternzeitvertretung quereinsteiger
		ingenieure developpeur developpeuse responsable charge chargee directeur directrice technicien technicienne stagiaire alternant
		alternante alternance apprenti vendeur vendeuse conseiller conseillere gestionnaire comptable commercial commerciale attache
		attachee animateur animatrice infirmier infirmiere medecin cuisinier serveur conducteur operateur redacteur architecte analyste
		concepteur coordinateur coordinatrice electricien ouvrier formateur juriste avocat secretaire adjoint preparateur mecanicien
		soudeur magasinier assistante consultante cheffe stage
		ingeniero ingeniera desarrollador desarrolladora gerente jefe jefa analista disenador disenadora tecnico tecnica asistente
		auxiliar becario becaria consultor consultora asesor asesora vendedor vendedora contador contable administrativo administrativa
		operario operaria soldador mecanico metalmecanico electricista conductor chofer cocinero camarero enfermero enfermera medico
		profesor abogado encargado encargada especialista coordinador coordinadora ejecutivo ejecutiva programador arquitecto ayudante
		dependiente recepcionista practicas tornero fresador
		engenheiro engenheira desenvolvedor desenvolvedora assistente estagiario estagio coordenador coordenadora operador motorista
		enfermeiro advogado lider cozinheiro
		ingegnere sviluppatore sviluppatrice responsabile addetto addetta impiegato impiegata operaio venditore magazziniere autista
		progettista sistemista programmatore consulente stagista tirocinio apprendista ragioniere disegnatore meccanico elettricista
		cuoco cameriere infermiere insegnante coordinatore direttore capo manutentore saldatore tornitore commerciale contabile
		ontwikkelaar medewerker medewerkster adviseur beheerder stagiair vrijwilliger monteur verkoper verpleegkundige docent leraar
		onderzoeker promovendus leidinggevende teamleider hoofd begeleider boekhouder technicus werkvoorbereider projectleider
		utvecklare ingenjor chef saljare projektledare konsult tekniker medarbetare larare sjukskoterska lakare handlaggare ekonom
		montor forare kock udvikler ingenior medarbejder konsulent leder elev studentermedhjaelper saelger utvikler radgiver selger
		kehittaja insinoori asiantuntija paallikko myyja harjoittelija konsultti suunnittelija hoitaja opettaja asentaja johtaja
		kierownik specjalista specjalistka analityk asystent asystentka doradca handlowiec sprzedawca ksiegowy ksiegowa magazynier
		kierowca mechanik elektryk spawacz monter pracownik projektant dyrektor koordynator koordynatorka technik lekarz nauczyciel
		kucharz kelner mlodszy starszy inzynier programista stazysta stazystka praktykant
		inzenyr vyvojar programator manazer asistent ucetni skladnik ridic obchodnik prodavac konzultant konstrukter elektrikar svarec
		vedouci pracovnik mernok fejleszto vezeto munkatars asszisztens gyakornok tanacsado ertekesito konyvelo szakerto karbantarto
		inginer dezvoltator contabil sofer vanzator tehnician lucrator reprezentant coordonator muhendis muhendisi gelistirici
		acheteur agent animateur boulanger boucher caissier charpentier chauffeur chercheur cariste couvreur carreleur cuisiniere decorateur dessinateur econome
		enseignant educateur facteur fraiseur graphiste ingenieur jardinier kinesitherapeute livreur macon menuisier metreur moniteur orthophoniste patissier
		peintre pharmacien plombier psychologue receptionniste serrurier soignant surveillant usineur veterinaire webmaster documentaliste approvisionneur
		abogada albanil almacenero arquitecta bombero carpintero carretillero cajero cirujano cocinera comprador conserje cuidador delegado dependienta
		educador encofrador escritor farmaceutico fisioterapeuta fontanero formador informatico investigador jardinero limpiador logopeda maestro matricero
		mozo nutricionista odontologo orientador peluquero peon periodista pintor psicologo repartidor secretario socorrista teleoperador traductor vigilante
		veterinario administrador agente asistenta comercial
		acquirente agronomo barista biologo cameriera carrellista chimico commesso cuoca custode docente educatore elettrauto fabbro facchino farmacista
		fattorino fisioterapista fresatore geometra giardiniere grafico idraulico imbianchino muratore operatore panettiere parrucchiere pasticcere perito
		pizzaiolo postino receptionist revisore ricercatore segretario stampatore tappezziere tecnico tornitore verniciatore buyer
		analista atendente auxiliar cabeleireiro caixa carpinteiro cientista comprador contador cozinheira desenhador dentista eletricista encarregado
		escriturario farmaceutico fisioterapeuta instalador investigador jardineiro mecanico medico padeiro pedreiro pesquisador pintor porteiro professor
		programador psicologo rececionista recepcionista repositor serralheiro supervisor tecnico tesoureiro torneiro tradutor vendedor vigilante
		apotheker bakker bouwvakker kapper loodgieter metselaar onderwijzer piloot receptionist schilder schoonmaker slager timmerman tuinman vrachtwagenchauffeur
		controller inkoper planner secretaresse uitvoerder verzorgende pedagoog psycholoog arts huisarts apothekersassistent tekenaar constructeur lasser
		pielegniarka pielegniarz ksiegowa recepcjonistka sekretarka kucharka piekarz rzeznik hydraulik murarz malarz stolarz slusarz tokarz frezer lakiernik
		operator farmaceuta fizjoterapeuta psycholog opiekun opiekunka nauczycielka przedstawiciel zaopatrzeniowiec logistyk konstruktor tester grafik
		konstruktor sjukgymnast fysioterapeut frisor snickare malare svetsare maskinforare chauffor receptionist inkopare logistiker barnskotare
		fritidsledare socionom psykolog apotekare tandlakare veterinar jurist revisor projektor utredare administrator medarbetare truckforare saljledare
		zamecnik obrabec lakyrnik kuchar kuchyne cisnik pekar reznik truhlar zednik malir instalater sestra lekarnik ucitel ucitelka psycholog pravnik
		sekretarka recepcni analytik tester spravce operator mistr technolog nakupci dispecer
		arbetare ekonom vaktmastare underskoterska samordnare specialist strateg controller redovisningsekonom
		sygeplejerske paedagog maskinmester elektriker tomrer chauffor kontorassistent bogholder sykepleier rorlegger snekker saksbehandler
		sairaanhoitaja myyja tyonjohtaja kokki siivooja varastotyontekija kirjanpitaja ohjelmistokehittaja
		apolo varrat lakatos villanyszerelo hegeszto gepkezelo raktaros szakacs
		asistenta ingenera electrician mecanic sudor bucatar ospatar muncitor casier medic profesor
		doktor hemsire ogretmen muhasebeci avukat sofor asci garson kaynakci tekniker operatoru
		yonetici yoneticisi mudur muduru uzman uzmani stajyer asistan danisman danismani teknisyen temsilcisi elemani
	`)
	// roleStems begin such words in languages that bend them.
	roleStems = byByte(func(stem string) byte { return stem[0] }, []string{
		"инжен", "разработ", "програм", "менедж", "специалист", "аналитик", "руковод", "начальник", "директор", "админист",
		"дизайн", "архитект", "тестиров", "бухгалт", "юрист", "оператор", "водител", "механик", "монтаж", "слесар", "сварщик",
		"электр", "геодез", "прораб", "мастер", "стаж", "помощник", "ассистент", "консультант", "продавец", "кассир", "маркетол",
		"рекрут", "экономист", "техник", "технолог", "конструктор", "проектиров", "машинист", "кладовщик", "рабоч", "врач",
		"медсестр", "учител", "повар", "координат", "эксперт", "ведущ", "главн", "старш", "сметчик", "логист", "закупщ", "официант", "бармен", "охран", "убор", "кладов", "фрезеров", "токар", "маляр", "плотник", "столяр", "штукатур", "психолог", "педагог", "воспитат", "переводч", "редактор", "журналист", "копирайт", "контролер", "диспетчер", "курьер", "грузчик", "крановщ", "комплектовщ", "упаковщ", "наладчик", "энергетик", "химик", "лаборант", "фармацевт", "провизор", "адвокат", "секретар", "делопроизвод", "представител", "торгов", "супервайзер", "тренер", "куратор", "продюсер", "верстальщ", "девопс", "розробник", "фахівець",
		"μηχανικ", "προγραμματιστ", "υπευθυν", "συμβουλ", "πωλητ", "λογιστ", "αναλυτ", "διευθυντ", "βοηθο",
		"specjalist", "programist", "inzynier", "ingenieur", "engineer", "develop", "technik", "mechanik",
		"manager", "konsult", "projektleit", "sachbearbeit", "mitarbeit", "auszubild", "praktik", "fachkraft",
	})
	// roleEnds end compound words of Germanic languages.
	roleEnds = byByte(func(end string) byte { return end[len(end)-1] }, []string{
		"entwickler", "entwicklerin", "ingenieur", "ingenieurin", "leiter", "leiterin", "berater", "beraterin", "techniker", "technikerin",
		"mitarbeiter", "mitarbeiterin", "sachbearbeiter", "kaufmann", "kauffrau", "kaufleute", "fachkraft", "kraft", "mechaniker",
		"mechatroniker", "elektroniker", "elektriker", "monteur", "schlosser", "schweisser", "fahrer", "verkaufer", "verkauferin", "pfleger",
		"pflegerin", "erzieher", "erzieherin", "lehrer", "assistenz", "assistent", "assistentin", "buchhalter", "jurist", "juristin", "anwalt",
		"architekt", "planer", "meister", "helfer", "lagerist", "disponent", "redakteur", "gestalter", "beauftragte", "beauftragter",
		"spezialist", "spezialistin", "experte", "expertin", "wissenschaftler", "wissenschaftlerin", "forscher", "student", "studentin",
		"studierende", "praktikant", "leitung", "manager", "managerin", "referent", "referentin", "betreuer", "betreuerin", "psychologe",
		"geologe", "medewerker", "adviseur", "beheerder", "ontwikkelaar", "leider", "monteur", "ingenjor", "utvecklare", "ledare", "arbetare", "ekonom", "chef", "larare", "lakare", "montor", "arbejder", "laerer", "pleier", "plejerske", "handlaggare", "kundige", "planner", "tekniker", "voorbereider", "houder", "werker", "laborant", "laborantin", "prufer", "pruferin", "zeichner", "konstrukteur", "schweisserin", "koordinator", "koordinatorin", "trainer", "trainerin", "arbeiter", "arbeiterin", "fuhrer", "fuhrerin", "wart", "wirt", "wirtin", "jurist", "tyontekija", "avustaja", "vastaava",
		"saljare", "konsult", "tekniker", "assistent", "skoterska", "ingenior", "konsulent", "medarbejder", "utvikler", "radgiver",
		"builder", "wright", "insinoori", "paallikko", "asiantuntija", "hoitaja", "kehittaja", "analyst", "architect", "engineer", "developer", "koch", "arzt",
	})
	// roleParts stand anywhere in scripts that do not part words.
	roleParts = []string{
		"エンジニア", "マネージャ", "マネジャー", "デザイナ", "ディレクタ", "プランナ", "プロデューサ", "プログラマ", "アーティスト", "スペシャリスト",
		"コンサルタント", "アナリスト", "リーダー", "アシスタント", "アドバイザ", "スタッフ", "プランニング", "担当", "責任者", "営業", "事務", "経理", "人事",
		"総務", "法務", "広報", "企画", "開発", "技術者", "研究員", "部長", "課長", "店長", "講師", "インターン", "看護師", "医師", "ドライバー", "オペレータ",
		"マーケタ", "マーケティング", "マーケター", "セールス", "リクルータ", "ライター", "編集", "弁護士", "ポジション", "候補", "アーキテクト", "サイエンティスト",
		"カスタマーサクセス", "テスター", "パートナー", "職", "監査", "財務", "経営", "管理", "オフィサー", "診断士", "整備士", "保育士", "介護", "販売", "施工",
		"工程師", "工程师", "經理", "经理", "主管", "專員", "专员", "助理", "總監", "总监", "設計師", "设计师", "分析師", "分析师", "顧問", "顾问",
		"實習", "实习", "會計", "会计", "技術員", "技术员", "開發", "开发", "銷售", "销售", "客服", "教師", "教师", "司機", "护士", "律师", "架构师",
		"架構師", "运营", "營運", "工程", "人员", "人員", "代表", "专家", "專家",
		"엔지니어", "매니저", "개발자", "디자이너", "담당", "기획", "마케터", "연구원", "컨설턴트", "인턴", "팀장", "리더", "분석가", "운영", "영업",
		"전문가", "사원", "개발", "디렉터", "프로듀서", "아티스트", "모집", "마케팅", "관리자", "어시스턴트", "간호사",
		"مهندس", "مدير", "مطور", "محاسب", "مسؤول", "أخصائي", "اخصائي", "محلل", "مساعد", "مصمم", "مندوب", "مشرف", "منسق", "فني", "سائق",
		"طبيب", "ممرض", "معلم", "مستشار", "رئيس", "مبرمج",
		"מהנדס", "מפתח", "מנהל", "מתכנת", "אנליסט", "רכז", "יועץ", "מעצב", "נציג", "טכנאי",
		"kỹ sư", "nhân viên", "trưởng", "chuyên viên", "lập trình", "kế toán", "วิศวกร", "ผู้จัดการ", "เจ้าหน้าที่", "พนักงาน", "นักพัฒนา",
	}

	// genderMark is the "(m/f/d)" and its kin that German, French, Polish and Dutch titles carry, and shares of full time.
	genderMark = match.New(`(?i)\(?\b[mfwhkv]\s*[/|:]\s*[mfwhkvdxi*](\s*[/|:]\s*[dxiav*])?\b\)?|\(all( genders)?\)|all genders|[a-zäöü][:*_]in(nen)?\b|/-?in\b|\(in\)|\(\s*\d{1,3}\s*(%|-\s*\d{1,3}\s*%)\s*\)|\(h[./]f\)|\bm/k\b`)

	// openings are the headings that stand above a list of roles.
	openings = match.New(`\b((our|all|see|view|browse|explore|search)\s+)?(open|current|available|vacant|latest|featured|active|job)\s+(job\s+|career\s+|employment\s+)?(position|role|job|vacanc|opportunit|opening|posting|listing|requisition)` +
		`|\bjob openings?\b|^(our )?(jobs|vacancies|openings|open positions|positions|careers?|opportunities|roles)$|\b(job|career) opportunities|\bwe.?re hiring\b|\bwe are hiring\b|\bjoin (us|our team|the team)\b` +
		`|\b(offene|aktuelle|unsere|alle|freie)\s+(stellen|jobs|position|vakanz)|stellenangebot|jobangebot|stellenausschreibung|stellenanzeigen|\bfreie stellen` +
		`|\b(nos|les)\s+(offres|postes|opportunites)|offres? d.?emploi|postes? (ouverts?|a pourvoir)|offres en cours|recrutements? en cours|nous recrutons` +
		`|(ofertas?|vacantes?|puestos?|posiciones|plazas|empleos?|trabajos?)\s+(de\s+)?(empleo|trabajo|abiert|disponible|vacante|laboral)|vacantes|ofertas laborales|trabaja con nosotros|unete` +
		`|vagas|oportunidades|trabalhe con` + `|posizioni (aperte|disponibili|attive|lavorative)|offerte di lavoro|lavora con noi|opportunita di lavoro|figure ricercate|stiamo cercando` +
		`|vacatures?|openstaande|werken bij` + `|lediga? (jobb|tjanster|stillinger|stillinger|job)|ledige|aktuella (tjanster|jobb)|avoimet (tyopaikat|tehtavat|paikat)` +
		`|(aktualne|otwarte|nasze|wolne)\s+(oferty|rekrutacje|stanowiska|miejsca|pozycje)|oferty pracy|volna mista|volne pozice|otevrene pozice|nyitott poziciok|allasajanlat|posturi (disponibile|vacante|deschise)|locuri de munca|pozitii deschise` +
		`|acik pozisyon|is ilan|вакансии|відкриті вакансії|открытые|ανοιχτες θεσεις|θεσεις εργασιας|` +
		`募集職種|求人|採用情報|募集中|募集要項|キャリア採用|中途採用|職缺|招聘|职位|職位|招募|채용|모집|الوظائف|وظائف|الشاغرة|משרות|tuyen dung|lowongan|ตำแหน่งงาน`)

	// closings are the headings above what is no open role, though it may look like one.
	closings = match.New(`\b(closed|past|previous|former|expired|filled|archived)\s+(\w+\s+)?(position|role|job|vacanc|opportunit|opening|posting|call)|no longer (open|accepting)|\b(roles|positions|profiles|people|jobs|talents?)\s+(that\s+|which\s+)?we\s+(usually|typically|often|normally|regularly|generally)\s+(look|hire|recruit|search|need)|\bwe\s+(usually|typically|often|normally|regularly)\s+(look\s+for|hire|recruit)|geschlossene|vergangene|besetzt|offres? (pourvues?|expirees?|cloturees?)|(vacantes|ofertas) cerradas|gesloten vacatures|posizioni chiuse|archiw|募集終了|已結束|(student|thesis|research|master|bachelor|open source)\s+(student\s+)?projects?|theses|abschlussarbeit|(bachelor|master)arbeiten|scripties`)

	// asides are the headings above other matter of a careers page.
	asides = match.New(`\b(benefits?|perks|values|culture|our team|meet the|leadership|management team|the team behind|testimonials?|what our|life at|why (work|join|us|you)|process|how (to apply|we hire|it works)|faq|frequently|news|blog|articles?|stories|events?|products?|services|solutions|partners|customers|clients|investors|locations|offices|contact|about|follow us|newsletter|legal|privacy|related|resources|team members|founders?|board of|advisors|people|responsibilities|requirements|qualifications|what you|who you|your profile|skills|we offer|our offer)\b` +
		`|benefiz|vorteile|werte|kultur|unser team|bewerbungsprozess|so bewerben|haufige fragen|aktuelles|neuigkeiten|kontakt|wir bieten|dein profil|ihr profil|deine aufgaben|ihre aufgaben` +
		`|avantages|valeurs|notre equipe|nos equipes|temoignages|processus|actualites|profil recherche|vos missions|beneficios|valores|nuestro equipo|proceso|noticias|requisitos|contacto|i nostri valori|cosa offriamo|chi siamo|il team|requisiti|contatti` +
		`|korzysci|oferujemy|wymagania|proces|zespol|wartosci|voordelen|ons team|waarden|formaner|vart team|varderingar|преимущества|команда|ценности|новости|контакты|о компании|要件|福利厚生|社員|メンバー|文化|お知らせ|ニュース|プロダクト|福利|團隊|团队|新闻|복지|문화|팀원|مزايا|قيم`)

	// unsolicited are entries that invite applications without a role.
	unsolicited = match.New(`\b(open|general|spontaneous|speculative|unsolicited|initiative)\s+(application|interest|applicant|submission|candida)|general (interest|position|inquir|consideration)|expressions? of interest|talent (community|pool|network|pipeline)|join our (talent|network|community)|future (opportunit|opening|role|consideration)|(don.?t|do not|didn.?t|did not|can.?t|cannot|not) (see|find|finding|seeing) |drop (us )?your (resume|cv)|submit your (resume|cv)|send (us )?your (resume|cv)|nothing (that )?(fits|for you)|other positions|stay in touch|any other role` +
		`|initiativ(e|bewerbung|stelle)|spontanbewerbung|blindbewerbung|nicht(s)? (das )?(passende|dabei|gefunden)|keine passende|talentpool|candidatures? (spontanee|libre)|spontanee|candidatura (espontanea|spontanea|libre)|autocandidatura|espontanea|banco de talentos|no encuentras|non hai trovato|nao encontrou|open sollicitatie|openbare sollicitatie|geen (passende|geschikte)|spontanansokan|oppositionsansokan|uopfordret|apen soknad|avoin hakemus|nie znalazl|aplikacja (ogolna|spontaniczna)|spontaniczna|spontanni|nenasli jste|otwarta rekrutacja|genel basvuru|отправ\S* резюме|не нашли|オープンエントリー|オープンポジションエントリー|キャリア登録|人材登録|カジュアル面談|人才庫|人才库|人材プール|상시채용|인재풀|인재 풀|سيرتك الذاتية|קורות חיים`)

	// actions are the texts of buttons: never a title.
	actions = match.New(`^(apply|apply (now|here|online|today|for (this )?(job|role|position))|view|see|open|show|read|learn|find out|discover|get|click|info & apply|職種|勤務地|部門|details?|more|expand|collapse|close|back|next|previous|prev|search|filter|filters|reset|clear|submit|send|share|save|login|log in|sign (in|up)|register|home|subscribe|continue|download|select|menu|skip|sort|all|yes|no|ok|new|neu|job|jobs|careers?|title|position|location|department|type|team|category|date|company|closed|expired|featured|urgent|engineering|marketing|design|sales|finance|operations|management)\b.{0,3}$` +
		`|^(view|see|show|read|learn|explore|browse|discover|click|go to|back to|sign|apply|clear|reset|job alert|join (us|our|the|now)|download) .{0,40}$` +
		`|^(jetzt bewerben|mehr (erfahren|anzeigen|lesen|infos?)|zur stelle|zum job|zu den|alle (stellen|jobs|anzeigen)|hier bewerben|postuler|en savoir|voir (l|plus|toutes|le|la|tous|les)|plus d|lire la|decouvrir|ver (mas|oferta|todas|vaga|detalles)|leer mas|saber mas|saiba mais|scopri|leggi|vedi|candidati|torna|proponiti|lees meer|bekijk|solliciteer|meer (info|weten|lezen)|las mer|ansok|lue lisaa|hae|zobacz|aplikuj|sprawdz|wiecej|czytaj|zjistit|reagovat|vice informaci|tovabb|jelentkezes|jelentkezz|vezi|aplica|basvur|incele|detay|detaylar)\b.{0,30}$` +
		`|^(職種|勤務地|部門|部署|雇用形態|カテゴリー?|職位|職缺|地點|地点|部门|직군|지역|должность|отдел|город)$|\bdownload\b|^(zuruck|retour|volver|voltar|terug|tillbaka|wroc|powrot|zpet) ` +
		`|^(подробнее|откликнуться|смотреть|показать|узнать|назад|詳細|詳しく|応募|もっと|一覧|続き|戻る|検索|職務內容|查看|申請|申请|了解|更多|應徵|지원하기|자세히|더보기|목록|التفاصيل|قدم|اقرأ|المزيد).{0,8}$`)

	// sentences tells running text from a title: a full stop or the like inside, after a whole word.
	sentences = match.New(`\p{L}{4,}[.!?] +\p{Lu}`)

	// idleWords begin texts that are no title unless they name a role: "Contact" is none, "Contact Center Agent" may be.
	idleWords = set(`
		all open current available join create follow skip contact about how why what who when where our we your you search
		filter load check find meet watch get let to for in at share this these that it here did do are is if as and or with
		please thank copyright salary gehalt deadline posted published opublikowano veroffentlicht publie employment contract
		status id ref reference kennziffer fragen uber wir unser unsere dein deine ihr ihre was wie warum download brochure
		kontakt impressum datenschutz nos notre votre pourquoi comment nuestro nuestra nuestros nuestras quienes contacto
		trabaja chi come perche contatti cosa nasz nasza nasze nasi dlaczego over onze waarom om vara
	`)

	// none says that there are no open roles at all. Between "no" and what there are none of, only words that do not
	// change the meaning may stand: "no closed doors: our jobs are open to all" says nothing of the kind.
	none = match.New(`\bno,? (` + idleAdjective + `,? ){0,4}` + vacantNoun + `\b|\b(there (is|are)|there.s|we have|we.ve) (` + idleAdjective + `,? ){0,2}no (` + idleAdjective + `,? ){1,4}(position|opening|job|role|opportunity)\b` +
		`|(n.?t|not) (` + idleAdjective + ` )?(have |got )?(` + idleAdjective + ` )?any (` + idleAdjective + `,? ){0,4}(` + vacantNoun + `|position|opening|job|role|opportunity)\b` +
		`|\b(we.?re|we are|are|is|company is) (` + idleAdjective + ` )?not (` + idleAdjective + ` )?(hiring|recruiting|looking to hire|advertising|seeking candidates|accepting applications)\b|(isn.?t|aren.?t) (` + idleAdjective + ` )?(hiring|recruiting)\b|\ball (of )?(our )?(positions|roles|vacancies|jobs) (are|have been) (` + idleAdjective + ` )?filled|currently have none (open|available)` +
		`|\b(derzeit|aktuell|momentan|zurzeit|zur zeit|im moment|leider|gegenwartig|im augenblick)\b[^.!?]{0,40}\b(keine|kein)\b( \S+){0,3} (stelle|position|vakanz|job|ausschreibung|mitarbeiter|vakant|personal)|\bkeine (offenen |freien |aktuellen |vakanten |weiteren |passenden ){0,2}(stellen|positionen|vakanzen|jobs|stellenangebote|stellenausschreibungen|vakanten)\b|(haben|gibt es|sind)( wir)?( bei uns)?( \S+){0,2} keine (\S+ ){0,2}(stellen|positionen|vakanzen|jobs|stellenangebote)\b|alle (unsere )?(stellen|positionen) (sind )?(\S+ )?besetzt` +
		`|\b(aucune? |pas d.|pas de )(nouvelle |nouveau )?(poste|offre|emploi|opportunite|recrutement)s?( d.emploi)?( \S+){0,4} ?(pour l|pour le|ouvert|disponible|actuel|en ce|en cours|a pourvoir|moment|publie|a ce jour)|\b(n.y a|n.avons|il y a)( \S+){0,3} (aucune? |pas d.|pas de )(\S+ )?(poste|offre|emploi|opportunite|recrutement)|\b(aucune offre( d.emploi)?|aucun poste( disponible)?|aucun recrutement)$|ne (recrutons|recrute) (pas|plus|personne)` +
		`|\b(no (hay|tenemos|existen|contamos con|disponemos de)|sin)( (actualmente|ahora|en este momento|por el momento|por ahora|ninguna?s?))?( nuev[oa]s| mas)? (vacante|puesto|oferta|posicion|plaza|empleo|proceso|busqueda)|\b(actualmente|por el momento|en este momento|por ahora|de momento),? no (hay|tenemos|existen|contamos con|disponemos de|estamos contratando|buscamos)\b` +
		`|\b(nao (ha|temos|existem|estamos com)|sem)( (atualmente|agora|neste momento|no momento|de momento|quaisquer|nenhuma))? ?(novas |mais )?(vaga|oportunidade|posic)|\b(no momento|de momento|atualmente|neste momento|por enquanto),? nao (ha|temos|existem|estamos (a )?(contrat|recrut))|nenhuma (vaga|oportunidade|posicao)|sem vagas` +
		`|\b(non (ci sono|abbiamo|vi sono))( (attualmente|al momento|ora|adesso))? ?(nuove |altre )?(posizion|offert|opportunit|ricerc|selezion)|\bnon sono (attualmente |al momento |ora )?(disponibili|aperte|presenti|previste|attive)( \S+){0,2} (posizion|offert|opportunit|ricerc|selezion)|\bnessun[ao]? (nuova )?(posizion|offert|opportunit|ricerc|selezion)|(posizioni|offerte|selezioni) (\S+ ){0,2}non sono (attualmente |al momento )?(disponibili|aperte)` +
		`|\bgeen (openstaande |open |actuele |passende |vacante |beschikbare |nieuwe ){0,2}(vacature|posities|functies beschikbaar)|\binga (\S+ )?(lediga|utlysta|oppna)|\binga (tjanster|jobb|vakanser)\b( \S+){0,2} ?(just|for|ute|lediga|tillgangliga)?$|\bingen (ledige |apne |opslaede )?(stillinger|jobb|job|vakante)\b|\bei( ole)?( \S+){0,4} (avoimia|avoinna|auki)\b|\bei avoimia` +
		`|\b(brak|nie ma|nie mamy|nie prowadzimy|nie posiadamy)( (aktualnie|obecnie|otwartych|wolnych|aktualnych|nowych|zadnych|aktywnych|dostepnych|biezacych|teraz)){0,3} (ofert|rekrutac|wakat|stanowisk|pozycj)|\b(nemame|nejsou|neni|nie su)\b( \S+){0,3} (voln|otevren|vypsan|zadn|otvoren)\S*|\b(zadne|ziadne) (\S+ )?(voln|otevren|otvoren|pozic|pracovn)|\b(nincs|nincsenek)( \S+){0,2} (nyitott|betoltetlen|allas|pozici|ureseds)|\bnu (avem|exista|sunt)( \S+){0,2} (posturi|pozitii|locuri( de munca)? (vacante|disponibile)|joburi|oferte)` +
		`|(pozisyon|ilan|kadro)\S*( \S+){0,2} (yok|bulunma)\S*|\bhenuz (acik )?(pozisyon|ilan)` +
		`|(^| )(нет|отсутствуют)( \S+){0,3} (ваканс|открытых)|ваканси\S+( \S+){0,3} (нет|отсутству)|немає( \S+){0,3} ваканс|ваканс\S+( \S+){0,3} (немає|нема|відсутн)|\bno (tenim|hi ha)( \S+){0,2} (oferta|ofertes|vacant|vacants|posicio|posicions)|вакансіі? відсутні|δεν υπαρχουν( \S+){0,4} (θεσεις|θεση)|няма( \S+)? (свободни|отворени)|trenutno (nema|ni)\S*( \S+){0,2} (otvoren|slobodn|prost|radn)` +
		`|(募集|求人|採用)(行って|行なって|おり|い|して|されて|を|行って|行なって|いる|おります|中|情報|職種|案件|ポジション|要項|予定|枠|お?仕事|現在|ただいま|只今|の|は|が|も|、){0,8}(ありません|ございません|ません|いたしておりません|終了)|(没有|沒有|無|无|暂无|暫無|尚無)(开放|開放|空缺|新|合适|合適|相关|相關|任何|可用|在招|招聘|的){0,4}(職缺|职位|職位|招聘|岗位|空缺)|(채용|공고|포지션|모집)( ?(채용|공고|포지션|모집|중인|진행|진행중인|정보|내역|직무|은|는|이|가|현재)){0,5} ?(없습니다|없음|없어요)|لا (توجد|يوجد)( \S+){0,3} (وظائف|شواغر|وظيفة|شاغرة)|אין (כרגע )?(משרות|משרה)|(khong co|chua co)( \S+){0,3} (vi tri|viec lam|tuyen dung)|(tidak ada|belum ada) (lowongan|posisi)|ไม่มีตำแหน่ง`)

	// conditional tells that a none-sentence only supposes: "if there are no open positions".
	conditional = match.New(`\b(if|whenever|even when|wenn|falls|sollten?|jesli|indien)\b|^(si|se|als|om|gdy) |если`)

	// aboutFilter tells that a none-sentence is about a search, not about the whole list.
	aboutFilter = match.New(`\b(match\w*|criteria|filters?|search|suchanfrage|suchbegriff|auswahl|recherche|criteres?|filtres?|busqueda|criterios?|filtros?|ricerca|criteri|filtri|zoekopdracht|suche|sokning|kriteri\w*|wyszukiw\w*|фильтр\w*|запрос\w*|selection|keyword|query|that fits?)\b|検索|条件|絞り込み|筛选|搜尋|搜索|검색|조건`)
)

// Parts of the pattern none.
const (
	idleAdjective = `(current|currently|open|available|job|active|actively|new|vacant|suitable|live|published|further|immediate|present|presently|employment|career|advertised|posted|listed|full.?time|part.?time|permanent|specific|public|external|vacancies or|jobs or|at (this time|the moment|present)|right now)`
	vacantNoun    = `(positions|vacanc(y|ies)|openings|jobs|roles|opportunities|postings|requisitions|hiring needs|vacant posts)`
)

// namesRole reports whether a text reads like the name of a role.
func namesRole(text string) bool { return roleNamed(text, Fold(text)) }

// roleNamed is namesRole for a text that is folded already.
func roleNamed(text, folded string) bool {
	if namesPart(folded) {
		return false
	}
	first := true
	for w := range strings.FieldsFuncSeq(folded, partsWords) {
		if isRoleWord(w, first) {
			return true
		}
		first = false
	}
	if marksGender(text) {
		return true
	}
	if isASCII(folded) {
		return false
	}
	for _, part := range roleParts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// isRoleWord reports whether a word of a text, perhaps its first one, names what people are hired as.
func isRoleWord(w string, first bool) bool {
	if roleWords[w] && (first || !roleAdjectives[w]) || isFeminine(w, first) {
		return true
	}
	for _, end := range roleEnds[w[len(w)-1]] {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	for _, stem := range roleStems[w[0]] {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return false
}

// roleAdjectives name roles at the beginning of a title only; elsewhere they say what kind: "seguro médico".
//
//nolint:gochecknoglobals // a constant table
var roleAdjectives = set(`medico medica comercial commercial commerciale commerciali tecnico tecnica administrativo administrativa contable mecanico
	mecanica practicas administratif`)

// feminine are the ends of words for women and those of the words that they are made from. The first are only taken at
// the beginning of a title, because they end many other words.
//
//nolint:gochecknoglobals // a constant table
var feminine = [...]struct {
	end, base string
	first     bool
}{
	{"a", "o", true},
	{"a", "", true},
	{"in", "", false},
	{"ka", "", false},
	{"ka", "k", false},
	{"euse", "eur", false},
	{"trice", "teur", false},
	{"trice", "tore", false},
	{"iere", "ier", false},
	{"ienne", "ien", false},
	{"essa", "e", true},
	{"innen", "", false},
	{"ica", "ico", true},
	{"ora", "or", true},
	{"iera", "iere", true},
	{"ова", "", true},
}

// isFeminine reports whether a word is a form, for women or for several, of a word for a role.
func isFeminine(w string, first bool) bool {
	if len(w) < 5 {
		return false
	}
	for _, f := range feminine {
		if stem, found := strings.CutSuffix(w, f.end); found && (first || !f.first) && len(stem) > 3 && roleWords[stem+f.base] && !roleAdjectives[stem+f.base] {
			return true
		}
	}
	return false
}

// namesPart reports whether a text in a script without gaps names a part of a company.
func namesPart(folded string) bool {
	if isASCII(folded) || strings.ContainsRune(folded, ' ') {
		return false
	}
	for _, end := range [...]string{"部", "部门", "部門", "本部", "課", "室", "グループ", "チーム", "中心", "팀", "본부", "그룹"} {
		if strings.HasSuffix(folded, end) {
			return true
		}
	}
	return false
}

//nolint:gochecknoglobals // a constant pattern
var applyButton = match.New(`^(apply|jetzt bewerben|bewerben|postuler|candidati|solliciteer|aplikuj|ansok|apply for|postular|candidatar|応募|立即申請|申请|지원)`)

//nolint:gochecknoglobals // a constant pattern
var applies = match.New(`\b(apply|details?|more|bewerben|postuler|candidat|solliciteer|aplikuj|postular|form|anmeld)`)

// marksGender reports whether a text carries a mark that only titles carry, such as "(m/f/d)".
func marksGender(text string) bool {
	return (strings.ContainsAny(text, "/|:*_(") || strings.Contains(text, "enders")) && genderMark.MatchString(text)
}
