package scraper

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The lists below are in folded form: lower case, Latin letters without their marks. They never decide alone; they are
// one sign among several, so a language or trade that is missing costs certainty, not the page.

// fold is the form in which words are compared.
func fold(s string) string {
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
			b.WriteByte(byte(r))
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
	for _, r := range norm.NFD.String(strings.ToLower(s)) {
		switch {
		case r >= 0x300 && r <= 0x36f:
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

// words splits folded text at everything that is neither letter nor digit.
func words(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func set(text string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(text) {
		m[w] = true
	}
	return m
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
		sysadmin devops sre tester partner principal president vp chief cto cfo ceo coo cmo ciso expert generalist marketer merchandiser
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
		arbetare ekonom vaktmastare underskoterska samordnare specialist strateg controller redovisningsekonom
		sygeplejerske paedagog maskinmester elektriker tomrer chauffor kontorassistent bogholder sykepleier rorlegger snekker saksbehandler
		sairaanhoitaja myyja tyonjohtaja kokki siivooja varastotyontekija kirjanpitaja ohjelmistokehittaja
		apolo varrat lakatos villanyszerelo hegeszto gepkezelo raktaros szakacs
		asistenta ingenera electrician mecanic sudor bucatar ospatar muncitor casier medic profesor
		doktor hemsire ogretmen muhasebeci avukat sofor asci garson kaynakci tekniker operatoru
		yonetici yoneticisi mudur muduru uzman uzmani stajyer asistan danisman danismani teknisyen temsilcisi elemani
	`)
	// roleStems begin such words in languages that bend them.
	roleStems = []string{
		"инжен", "разработ", "програм", "менедж", "специалист", "аналитик", "руковод", "начальник", "директор", "админист",
		"дизайн", "архитект", "тестиров", "бухгалт", "юрист", "оператор", "водител", "механик", "монтаж", "слесар", "сварщик",
		"электр", "геодез", "прораб", "мастер", "стаж", "помощник", "ассистент", "консультант", "продавец", "кассир", "маркетол",
		"рекрут", "экономист", "техник", "технолог", "конструктор", "проектиров", "машинист", "кладовщик", "рабоч", "врач",
		"медсестр", "учител", "повар", "координат", "эксперт", "ведущ", "главн", "старш", "сметчик", "розробник", "фахівець",
		"μηχανικ", "προγραμματιστ", "υπευθυν", "συμβουλ", "πωλητ", "λογιστ", "αναλυτ", "διευθυντ", "βοηθο",
		"specjalist", "programist", "inzynier", "ingenieur", "engineer", "develop", "technik", "mechanik",
		"manager", "konsult", "projektleit", "sachbearbeit", "mitarbeit", "auszubild", "praktik", "fachkraft",
	}
	// roleEnds end compound words of Germanic languages.
	roleEnds = []string{
		"entwickler", "entwicklerin", "ingenieur", "ingenieurin", "leiter", "leiterin", "berater", "beraterin", "techniker", "technikerin",
		"mitarbeiter", "mitarbeiterin", "sachbearbeiter", "kaufmann", "kauffrau", "kaufleute", "fachkraft", "kraft", "mechaniker",
		"mechatroniker", "elektroniker", "elektriker", "monteur", "schlosser", "schweisser", "fahrer", "verkaufer", "verkauferin", "pfleger",
		"pflegerin", "erzieher", "erzieherin", "lehrer", "assistenz", "assistent", "assistentin", "buchhalter", "jurist", "juristin", "anwalt",
		"architekt", "planer", "meister", "helfer", "lagerist", "disponent", "redakteur", "gestalter", "beauftragte", "beauftragter",
		"spezialist", "spezialistin", "experte", "expertin", "wissenschaftler", "wissenschaftlerin", "forscher", "student", "studentin",
		"studierende", "praktikant", "leitung", "manager", "managerin", "referent", "referentin", "betreuer", "betreuerin", "psychologe",
		"geologe", "medewerker", "adviseur", "beheerder", "ontwikkelaar", "leider", "monteur", "ingenjor", "utvecklare", "ledare", "arbetare", "ekonom", "chef", "larare", "lakare", "montor", "arbejder", "laerer", "pleier", "plejerske", "handlaggare", "kundige", "planner", "tekniker", "voorbereider", "houder", "werker", "laborant", "laborantin", "prufer", "pruferin", "zeichner", "konstrukteur", "schweisserin", "koordinator", "koordinatorin", "trainer", "trainerin", "arbeiter", "arbeiterin", "fuhrer", "fuhrerin", "wart", "wirt", "wirtin", "jurist", "tyontekija", "avustaja", "vastaava",
		"saljare", "konsult", "tekniker", "assistent", "skoterska", "ingenior", "konsulent", "medarbejder", "utvikler", "radgiver",
		"insinoori", "paallikko", "asiantuntija", "hoitaja", "kehittaja", "analyst", "architect", "engineer", "developer", "koch", "arzt",
	}
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
	genderMark = regexp.MustCompile(`(?i)\(?\b[mfwhkv]\s*[/|:]\s*[mfwhkvdxi*](\s*[/|:]\s*[dxiav*])?\b\)?|\(all( genders)?\)|all genders|[a-zäöü][:*_]in(nen)?\b|/-?in\b|\(in\)|\(\s*\d{1,3}\s*(%|-\s*\d{1,3}\s*%)\s*\)|\(h[./]f\)|\bm/k\b`)

	// openings are the headings that stand above a list of roles.
	openings = newPattern(`\b((our|all|see|view|browse|explore|search)\s+)?(open|current|available|vacant|latest|featured|active|job)\s+(job\s+|career\s+|employment\s+)?(position|role|job|vacanc|opportunit|opening|posting|listing|requisition)` +
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
	closings = newPattern(`\b(closed|past|previous|former|expired|filled|archived)\s+(\w+\s+)?(position|role|job|vacanc|opportunit|opening|posting|call)|no longer (open|accepting)|geschlossene|vergangene|besetzt|offres? (pourvues?|expirees?|cloturees?)|(vacantes|ofertas) cerradas|gesloten vacatures|posizioni chiuse|archiw|募集終了|已結束|(student|thesis|research|master|bachelor|open source)\s+(student\s+)?projects?|theses|abschlussarbeit|(bachelor|master)arbeiten|scripties`)

	// asides are the headings above other matter of a careers page.
	asides = newPattern(`\b(benefits?|perks|values|culture|our team|meet the|leadership|management team|the team behind|testimonials?|what our|life at|why (work|join|us|you)|process|how (to apply|we hire|it works)|faq|frequently|news|blog|articles?|stories|events?|products?|services|solutions|partners|customers|clients|investors|locations|offices|contact|about|follow us|newsletter|legal|privacy|related|resources|team members|founders?|board of|advisors|people|responsibilities|requirements|qualifications|what you|who you|your profile|skills|we offer|our offer)\b` +
		`|benefiz|vorteile|werte|kultur|unser team|bewerbungsprozess|so bewerben|haufige fragen|aktuelles|neuigkeiten|kontakt|wir bieten|dein profil|ihr profil|deine aufgaben|ihre aufgaben` +
		`|avantages|valeurs|notre equipe|nos equipes|temoignages|processus|actualites|profil recherche|vos missions|beneficios|valores|nuestro equipo|proceso|noticias|requisitos|contacto|i nostri valori|cosa offriamo|chi siamo|il team|requisiti|contatti` +
		`|korzysci|oferujemy|wymagania|proces|zespol|wartosci|voordelen|ons team|waarden|formaner|vart team|varderingar|преимущества|команда|ценности|новости|контакты|о компании|要件|福利厚生|社員|メンバー|文化|お知らせ|ニュース|プロダクト|福利|團隊|团队|新闻|복지|문화|팀원|مزايا|قيم`)

	// unsolicited are entries that invite applications without a role.
	unsolicited = newPattern(`\b(open|general|spontaneous|speculative|unsolicited|initiative)\s+(application|interest|applicant|submission|candida)|general (interest|position|inquir|consideration)|expressions? of interest|talent (community|pool|network|pipeline)|join our (talent|network|community)|future (opportunit|opening|role|consideration)|(don.?t|do not|didn.?t|did not|can.?t|cannot|not) (see|find|finding|seeing) |drop (us )?your (resume|cv)|submit your (resume|cv)|send (us )?your (resume|cv)|nothing (that )?(fits|for you)|other positions|stay in touch|any other role` +
		`|initiativ(e|bewerbung|stelle)|spontanbewerbung|blindbewerbung|nicht(s)? (das )?(passende|dabei|gefunden)|keine passende|talentpool|candidatures? (spontanee|libre)|spontanee|candidatura (espontanea|spontanea|libre)|autocandidatura|espontanea|banco de talentos|no encuentras|non hai trovato|nao encontrou|open sollicitatie|openbare sollicitatie|geen (passende|geschikte)|spontanansokan|oppositionsansokan|uopfordret|apen soknad|avoin hakemus|nie znalazl|aplikacja (ogolna|spontaniczna)|spontaniczna|spontanni|nenasli jste|otwarta rekrutacja|genel basvuru|отправ\S* резюме|не нашли|オープンエントリー|オープンポジションエントリー|キャリア登録|人材登録|カジュアル面談|人才庫|人才库|人材プール|상시채용|인재풀|인재 풀|سيرتك الذاتية|קורות חיים`)

	// actions are the texts of buttons: never a title.
	actions = newPattern(`^(apply|apply (now|here|online|today|for (this )?(job|role|position))|view|see|open|show|read|learn|find out|discover|get|click|info & apply|職種|勤務地|部門|details?|more|expand|collapse|close|back|next|previous|prev|search|filter|filters|reset|clear|submit|send|share|save|login|log in|sign (in|up)|register|home|subscribe|continue|download|select|menu|skip|sort|all|yes|no|ok|new|neu|job|jobs|careers?|title|position|location|department|type|team|category|date|company|closed|expired|featured|urgent|engineering|marketing|design|sales|finance|operations|management)\b.{0,3}$` +
		`|^(view|see|show|read|learn|explore|browse|discover|click|go to|back to|sign|apply|clear|reset|job alert|join (us|our|the|now)|download) .{0,40}$` +
		`|^(jetzt bewerben|mehr (erfahren|anzeigen|lesen|infos?)|zur stelle|zum job|zu den|alle (stellen|jobs|anzeigen)|hier bewerben|postuler|en savoir|voir (l|plus|toutes|le|la|tous|les)|plus d|lire la|decouvrir|ver (mas|oferta|todas|vaga|detalles)|leer mas|saber mas|saiba mais|scopri|leggi|vedi|candidati|torna|proponiti|lees meer|bekijk|solliciteer|meer (info|weten|lezen)|las mer|ansok|lue lisaa|hae|zobacz|aplikuj|sprawdz|wiecej|czytaj|zjistit|reagovat|vice informaci|tovabb|jelentkezes|jelentkezz|vezi|aplica|basvur|incele|detay|detaylar)\b.{0,30}$` +
		`|^(職種|勤務地|部門|部署|雇用形態|カテゴリー?|職位|職缺|地點|地点|部门|직군|지역|должность|отдел|город)$|\bdownload\b|^(zuruck|retour|volver|voltar|terug|tillbaka|wroc|powrot|zpet) ` +
		`|^(подробнее|откликнуться|смотреть|показать|узнать|назад|詳細|詳しく|応募|もっと|一覧|続き|戻る|検索|職務內容|查看|申請|申请|了解|更多|應徵|지원하기|자세히|더보기|목록|التفاصيل|قدم|اقرأ|المزيد).{0,8}$`)

	// sentences tells running text from a title: a full stop or the like inside, after a whole word.
	sentences = regexp.MustCompile(`\p{L}{4,}[.!?] +\p{Lu}`)

	// idleWords begin texts that are no title unless they name a role: "Contact" is none, "Contact Center Agent" may be.
	idleWords = set(`
		all open current available join create follow skip contact about how why what who when where our we your you search
		filter load check find meet watch get let to for in at share this these that it here did do are is if as and or with
		please thank copyright salary gehalt deadline posted published opublikowano veroffentlicht publie employment contract
		status id ref reference kennziffer fragen uber wir unser unsere dein deine ihr ihre was wie warum download brochure
		kontakt impressum datenschutz nos notre votre pourquoi comment nuestro nuestra nuestros nuestras quienes contacto
		trabaja chi come perche contatti cosa nasz nasza nasze nasi dlaczego over onze waarom om vara
	`)

	// none says that there are no open roles at all.
	none = newPattern(`\b(there (are|is)|we (have|are)|we.?ve|there.?s)\b[^.!?]{0,30}\b(no|not any|n.t any|not)\b[^.!?]{0,40}\b(open|opening|openings|positions?|vacanc\w*|roles?|jobs?|opportunit\w*|hiring|recruiting|advertising)\b` +
		`|\bno\b (current(ly)? |open |available |job |active |new |vacant |suitable |live |published ){0,3}(positions|vacanc(y|ies)|openings|jobs|roles|opportunities|postings)\b` +
		`|\b(we.?re|we are|are) (currently )?not (currently |actively )?(hiring|recruiting|looking to hire|advertising)|(isn.?t|aren.?t|are not|is not) (currently )?(hiring|any (open|current|vacan|job))|(don.?t|do not) (currently )?have any (open|current|available|job|vacan|position|role)|\ball positions (are|have been) (currently )?filled|currently have no|no open roles` +
		`|(derzeit|aktuell|momentan|zurzeit|zur zeit|im moment|leider|gegenwartig)[^.!?]{0,60}\b(keine|kein)\b[^.!?]{0,40}(stelle|position|vakanz|job|ausschreibung)|\bkeine (offenen |freien |aktuellen |vakanten ){0,2}(stelle|position|vakanz|job)[^.!?]{0,40}|(haben|gibt es|sind)[^.!?]{0,30}\bkeine\b[^.!?]{0,20}(stellen|positionen|vakanzen|jobs)` +
		`|(aucun|aucune|pas d.?|pas de)\b[^.!?]{0,15}(poste|offre|emploi|opportunite|recrutement)[^.!?]{0,40}|ne recrut\S* pas|nous n.avons (pas|aucun)` +
		`|(no (hay|tenemos|existen|contamos con)|actualmente no|por el momento no|en este momento no|sin)\b[^.!?]{0,40}(vacante|puesto|oferta|posicion|plaza|empleo|proceso)|(nao (ha|temos|existem)|no momento nao|sem vagas|nenhuma vaga)[^.!?]{0,40}(vaga|oportunidade|posic)?` +
		`|(non (ci sono|abbiamo|sono)|al momento non|nessun)\b[^.!?]{0,40}(posizion|offert|opportunit|ricerc|candidatur)` +
		`|(geen|momenteel geen|op dit moment geen)\b[^.!?]{0,25}(vacature|openstaande|positie|functie)|(inga|just nu inga|for narvarande inga|vi har inga)\b[^.!?]{0,25}(lediga|tjanster|jobb)|\bingen\b[^.!?]{0,20}(ledige|stillinger|jobb|job)|\bei (avoimia|tyopaikkoja)|ei ole (avoimia|talla hetkella avoimia)` +
		`|(brak|nie ma|nie mamy|nie prowadzimy|nie posiadamy)\b[^.!?]{0,30}(ofert|rekrutac|wakat|stanowisk|pozycj)|(nemame|nejsou|neni|zadne)\b[^.!?]{0,30}(volne|volna|otevren|pozic|mist)|(nincs|jelenleg nincs)[^.!?]{0,25}(nyitott|allas|pozici)|(nu (avem|exista)|momentan nu)[^.!?]{0,25}(posturi|pozitii|locuri|joburi)|(acik|uygun)[^.!?]{0,15}(pozisyon|ilan)[^.!?]{0,15}(yok|bulunm)|bulunmamaktadir` +
		`|(нет|отсутствуют)\s[^.!?]{0,20}(ваканс|открыт)|ваканси\S+ (нет|отсутству)|немає (відкритих )?ваканс|δεν υπαρχουν[^.!?]{0,30}(θεσεις|θεση)|няма (свободни|отворени)|trenutno (nema|ni)\S*[^.!?]{0,25}(otvoren|slobodn|prost|radn)` +
		`|(現在|ただいま|只今)?[^。！？]{0,20}(募集|求人|採用)[^。！？]{0,15}(ありません|ございません|行っておりません|行っていません|しておりません|していません|終了)|(目前|現時|暂时|暫時|当前)?(没有|沒有|無|无|暂无|暫無)[^。！？]{0,12}(職缺|职位|職位|招聘|岗位|空缺)|(현재|지금)?[^.]{0,15}(채용|공고|포지션|모집)[^.]{0,15}(없습니다|없음|없어요)|لا (توجد|يوجد)[^.]{0,25}(وظائف|شواغر|وظيفة)|אין (כרגע )?(משרות|כרגע)|(hien|hien tai)[^.!?]{0,20}(khong co|chua co)[^.!?]{0,25}|(tidak ada|belum ada) (lowongan|posisi)|ไม่มีตำแหน่ง`)

	// conditional tells that a none-sentence only supposes: "if there are no open positions".
	conditional = newPattern(`\b(if|whenever|even when|wenn|falls|sollten?|jesli|indien)\b|^(si|se|als|om|gdy) |если`)

	// aboutFilter tells that a none-sentence is about a search, not about the whole list.
	aboutFilter = newPattern(`\b(match\w*|criteria|filters?|search|suchanfrage|suchbegriff|auswahl|recherche|criteres?|filtres?|busqueda|criterios?|filtros?|ricerca|criteri|filtri|zoekopdracht|sokning|kriteri\w*|wyszukiw\w*|фильтр\w*|запрос\w*|selection|keyword|query|that fits?)\b|検索|条件|絞り込み|筛选|搜尋|搜索|검색|조건`)
)

// namesRole reports whether a text reads like the name of a role.
func namesRole(text string) bool {
	if marksGender(text) {
		return true
	}
	folded := fold(text)
	if namesPart(folded) {
		return false
	}
	for i, w := range words(folded) {
		if roleWords[w] && (i == 0 || !roleAdjectives[w]) || i == 0 && isFeminine(w) {
			return true
		}
		for _, end := range roleEnds {
			if strings.HasSuffix(w, end) {
				return true
			}
		}
		for _, stem := range roleStems {
			if strings.HasPrefix(w, stem) {
				return true
			}
		}
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

// roleAdjectives name roles at the beginning of a title only; elsewhere they say what kind: "seguro médico".
//
//nolint:gochecknoglobals // a constant table
var roleAdjectives = set(`medico medica comercial commercial commerciale commerciali tecnico tecnica administrativo administrativa contable mecanico
	mecanica practicas administratif`)

// isFeminine reports whether a word is the form for women of a role in Spanish, Portuguese or Italian.
func isFeminine(w string) bool {
	stem, found := strings.CutSuffix(w, "a")
	return found && len(stem) > 3 && (roleWords[stem+"o"] || roleWords[stem])
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
var applyButton = newPattern(`^(apply|jetzt bewerben|bewerben|postuler|candidati|solliciteer|aplikuj|ansok|apply for|postular|candidatar|応募|立即申請|申请|지원)`)

//nolint:gochecknoglobals // a constant pattern
var applies = newPattern(`\b(apply|details?|more|bewerben|postuler|candidat|solliciteer|aplikuj|postular|form|anmeld)`)

// marksGender reports whether a text carries a mark that only titles carry, such as "(m/f/d)".
func marksGender(text string) bool {
	return (strings.ContainsAny(text, "/|:*_(") || strings.Contains(text, "enders")) && genderMark.MatchString(text)
}
