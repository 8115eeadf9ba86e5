package scraper_test

// tongue is what careers pages of one language say.
type tongue struct {
	code     string
	heading  string // above the list
	path     string // of roles
	apply    string
	more     string
	location string // label
	team     string // label
	titles   []string
	places   []string
	teams    []string
	benefits []string
	steps    []string
	open     string // an invitation to apply without a role
	closed   string // a heading over what is closed
	about    string // a sentence
	contract string
}

func tongues() []tongue {
	return []tongue{
		{
			code: "en", heading: "Open positions", path: "/careers/", apply: "Apply now", more: "Learn more", location: "Location", team: "Department",
			titles: []string{
				"Senior Backend Engineer", "Harbour Pilot", "Head of Partnerships", "Customer Success Manager, EMEA", "Welder (night shift)", "Paralegal",
				"Staff Machine Learning Scientist", "Forklift Operator", "Office Coordinator", "VP of Finance", "Graphic Designer", "Registered Nurse - ICU",
				"Field Service Technician II", "Head Baker", "Growth Marketing Lead", "Treasury Analyst", "Line Cook", "Data Center Technician", "Legal Counsel",
				"Chief of Staff", "QA Tester", "Barista", "Principal Product Manager", "Warehouse Associate", "People Operations Partner",
			},
			places: []string{"London, UK", "Austin, TX", "Remote", "Dublin", "Toronto, Canada", "Leeds"}, teams: []string{"Engineering", "Sales", "Operations", "Finance"},
			benefits: []string{"Health insurance", "Flexible hours", "Learning budget", "Parental leave"}, steps: []string{"Send your application", "Meet the team", "Get an offer"},
			open: "Didn't find the right role? Send us your CV", closed: "Closed positions", about: "We build pumps that keep cities dry, and we like people who ask why.", contract: "Full-time",
		},
		{
			code: "de", heading: "Offene Stellen", path: "/karriere/stellen/", apply: "Jetzt bewerben", more: "Mehr erfahren", location: "Standort", team: "Bereich",
			titles: []string{
				"Softwareentwickler (m/w/d)", "Bauleiter Tiefbau", "Sachbearbeiterin Einkauf", "Pflegefachkraft (w/m/d)", "Elektroniker für Betriebstechnik", "Werkstudent Marketing",
				"Leitung Finanzbuchhaltung", "Kundenberaterin im Innendienst", "Konstrukteur Maschinenbau", "Ausbildung zum Industriekaufmann", "Berufskraftfahrer CE", "Systemadministrator Linux",
				"Vertriebsmitarbeiter Außendienst", "Chemielaborant", "Projektmanager Digitalisierung", "Erzieherin", "Schweißer (m/w/d)", "Wirtschaftsprüfer",
			},
			places: []string{"Hamburg", "München", "Köln", "Berlin", "Leipzig"}, teams: []string{"Technik", "Vertrieb", "Verwaltung", "Produktion"},
			benefits: []string{"30 Tage Urlaub", "Betriebliche Altersvorsorge", "Jobrad", "Kantine"}, steps: []string{"Bewerbung absenden", "Kennenlernen", "Vertrag"},
			open: "Initiativbewerbung", closed: "Besetzte Stellen", about: "Seit 1920 bauen wir Pumpen, auf die sich ganze Städte verlassen.", contract: "Vollzeit",
		},
		{
			code: "fr", heading: "Nos offres d'emploi", path: "/recrutement/offres/", apply: "Postuler", more: "En savoir plus", location: "Lieu", team: "Service",
			titles: []string{
				"Développeur Full Stack (H/F)", "Chargée de communication", "Responsable d'atelier", "Infirmier de nuit", "Comptable fournisseurs", "Technicien de maintenance",
				"Chef de projet", "Assistante commerciale", "Ingénieur études", "Alternance - Ressources humaines", "Conducteur de ligne", "Juriste droit social", "Magasinier cariste",
				"Directrice financière", "Stage - Analyste données", "Vendeur conseil", "Acheteuse", "Soudeur TIG",
			},
			places: []string{"Paris", "Lyon", "Nantes", "Bordeaux", "Télétravail"}, teams: []string{"Technique", "Commerce", "Finances", "Production"},
			benefits: []string{"Mutuelle d'entreprise", "Tickets restaurant", "Télétravail possible", "Intéressement"}, steps: []string{"Envoyez votre dossier", "Entretien", "Bienvenue"},
			open: "Candidature spontanée", closed: "Offres pourvues", about: "Depuis trente ans nous fabriquons des pompes qui protègent les villes.", contract: "CDI",
		},
		{
			code: "es", heading: "Ofertas de empleo", path: "/empleo/ofertas/", apply: "Inscribirse", more: "Ver oferta", location: "Ubicación", team: "Departamento",
			titles: []string{
				"Desarrollador Java", "Técnico de laboratorio", "Responsable de tienda", "Ingeniera industrial", "Contable", "Mecánico de turno", "Coordinadora de proyectos", "Camarero",
				"Asesor comercial", "Analista de datos", "Enfermera", "Jefe de obra", "Auxiliar administrativo", "Electricista", "Diseñadora gráfica", "Repartidor",
			},
			places: []string{"Madrid", "Barcelona", "Sevilla", "Bilbao", "Remoto"}, teams: []string{"Tecnología", "Ventas", "Finanzas", "Operaciones"},
			benefits: []string{"Seguro médico", "Horario flexible", "Formación continua", "Comedor"}, steps: []string{"Envía tu currículum", "Entrevista", "Incorporación"},
			open: "Candidatura espontánea", closed: "Ofertas cerradas", about: "Llevamos cuarenta años fabricando bombas que mantienen secas las ciudades.", contract: "Jornada completa",
		},
		{
			code: "it", heading: "Posizioni aperte", path: "/lavora-con-noi/posizioni/", apply: "Candidati", more: "Scopri di più", location: "Sede", team: "Area",
			titles: []string{
				"Sviluppatore software", "Addetto alla contabilità", "Responsabile di produzione", "Operaio specializzato", "Progettista meccanico", "Impiegata commerciale", "Magazziniere",
				"Tecnico manutentore", "Infermiere", "Consulente fiscale", "Cuoco", "Ingegnere elettronico", "Stage ufficio marketing", "Capocantiere", "Autista patente C", "Export manager",
			},
			places: []string{"Milano", "Torino", "Bologna", "Roma", "Verona"}, teams: []string{"Amministrazione", "Produzione", "Vendite", "Marketing"},
			benefits: []string{"Mensa aziendale", "Orario flessibile", "Formazione", "Welfare"}, steps: []string{"Invia il curriculum", "Colloquio", "Benvenuto"},
			open: "Candidatura spontanea", closed: "Posizioni chiuse", about: "Dal 1950 costruiamo pompe per le città e per chi le abita.", contract: "Tempo pieno",
		},
		{
			code: "nl", heading: "Vacatures", path: "/werken-bij/vacatures/", apply: "Solliciteer direct", more: "Bekijk vacature", location: "Locatie", team: "Afdeling",
			titles: []string{
				"Softwareontwikkelaar", "Monteur buitendienst", "Verpleegkundige", "Werkvoorbereider", "Magazijnmedewerker", "Teamleider logistiek", "Jurist arbeidsrecht", "Boekhouder",
				"Adviseur duurzaamheid", "Chauffeur CE", "Stagiair communicatie", "Projectleider infra", "Kok", "Accountmanager", "Docent wiskunde", "Onderzoeker hydrologie",
			},
			places: []string{"Utrecht", "Rotterdam", "Eindhoven", "Amsterdam", "Gent"}, teams: []string{"Techniek", "Sales", "Financiën", "Logistiek"},
			benefits: []string{"Reiskostenvergoeding", "Pensioen", "Opleidingen", "Fietsplan"}, steps: []string{"Stuur je brief", "Gesprek", "Aan de slag"},
			open: "Open sollicitatie", closed: "Gesloten vacatures", about: "Wij maken pompen die steden al honderd jaar droog houden.", contract: "Fulltime",
		},
		{
			code: "pt", heading: "Vagas abertas", path: "/carreiras/vagas/", apply: "Candidatar-se", more: "Saiba mais", location: "Localização", team: "Departamento",
			titles: []string{
				"Engenheiro de software", "Analista financeiro", "Assistente administrativo", "Técnico de enfermagem", "Gerente de loja", "Motorista", "Estagiário de marketing", "Operador de máquinas",
				"Coordenadora pedagógica", "Vendedor externo", "Designer de produto", "Soldador", "Advogada trabalhista", "Consultor SAP",
			},
			places: []string{"Lisboa", "Porto", "São Paulo", "Curitiba", "Remoto"}, teams: []string{"Tecnologia", "Vendas", "Financeiro", "Operações"},
			benefits: []string{"Seguro de saúde", "Horário flexível", "Vale refeição", "Formação"}, steps: []string{"Envie o currículo", "Entrevista", "Boas-vindas"},
			open: "Candidatura espontânea", closed: "Vagas encerradas", about: "Há quarenta anos fabricamos bombas que mantêm as cidades secas.", contract: "Tempo integral",
		},
		{
			code: "pl", heading: "Oferty pracy", path: "/kariera/oferty/", apply: "Aplikuj", more: "Zobacz więcej", location: "Lokalizacja", team: "Dział",
			titles: []string{
				"Programista Java", "Specjalistka ds. kadr", "Kierownik magazynu", "Spawacz MIG", "Inżynier procesu", "Księgowa", "Operator wózka widłowego", "Przedstawiciel handlowy",
				"Analityk danych", "Elektryk", "Młodszy tester oprogramowania", "Kierowca kat. C", "Koordynator projektów", "Pielęgniarka", "Asystentka zarządu",
			},
			places: []string{"Warszawa", "Kraków", "Wrocław", "Gdańsk", "Zdalnie"}, teams: []string{"Finanse", "Produkcja", "Sprzedaż", "IT"},
			benefits: []string{"Opieka medyczna", "Karta sportowa", "Elastyczne godziny", "Szkolenia"}, steps: []string{"Wyślij CV", "Rozmowa", "Witamy"},
			open: "Nie znalazłeś odpowiedniej oferty?", closed: "Archiwum ofert", about: "Od czterdziestu lat budujemy pompy, które chronią miasta.", contract: "Pełny etat",
		},
		{
			code: "sv", heading: "Lediga jobb", path: "/jobba-hos-oss/lediga-jobb/", apply: "Ansök nu", more: "Läs mer", location: "Ort", team: "Avdelning",
			titles: []string{
				"Systemutvecklare", "Sjuksköterska", "Projektledare bygg", "Säljare", "Ekonomiassistent", "Lagerarbetare", "Konstruktör", "Elektriker", "Verksamhetschef", "Lärare i matematik",
				"Servicetekniker", "Kock", "Redovisningsekonom", "HR-specialist",
			},
			places: []string{"Stockholm", "Göteborg", "Malmö", "Uppsala", "Lund"}, teams: []string{"Teknik", "Försäljning", "Ekonomi", "Produktion"},
			benefits: []string{"Friskvårdsbidrag", "Flextid", "Tjänstepension", "Fika"}, steps: []string{"Skicka din ansökan", "Intervju", "Välkommen"},
			open: "Spontanansökan", closed: "Stängda annonser", about: "Vi bygger pumpar som håller städer torra sedan 1950.", contract: "Heltid",
		},
		{
			code: "ja", heading: "募集職種", path: "/recruit/jobs/", apply: "応募する", more: "詳細を見る", location: "勤務地", team: "部門",
			titles: []string{
				"バックエンドエンジニア", "法人営業", "経理担当", "プロダクトマネージャー", "施工管理", "品質保証スタッフ", "UIデザイナー", "カスタマーサポート", "データサイエンティスト", "人事企画",
				"インフラエンジニア（リーダー候補）", "製造オペレーター", "法務スペシャリスト", "店舗スタッフ",
			},
			places: []string{"東京", "大阪", "福岡", "名古屋", "リモート"}, teams: []string{"開発部", "営業部", "管理部"},
			benefits: []string{"社会保険完備", "住宅手当", "フレックス制度", "研修制度"}, steps: []string{"書類選考", "面接", "内定"},
			open: "オープンポジションエントリー", closed: "募集終了", about: "私たちは街を守るポンプを五十年つくり続けています。", contract: "正社員",
		},
		{
			code: "ru", heading: "Открытые вакансии", path: "/vakansii/", apply: "Откликнуться", more: "Подробнее", location: "Город", team: "Отдел",
			titles: []string{
				"Инженер-конструктор", "Бухгалтер", "Менеджер по продажам", "Слесарь-ремонтник", "Ведущий разработчик", "Водитель погрузчика", "Юрист", "Системный администратор",
				"Начальник смены", "Электромонтёр", "Экономист", "Технолог", "Специалист по кадрам", "Сварщик",
			},
			places: []string{"Москва", "Казань", "Санкт-Петербург", "Екатеринбург"}, teams: []string{"Производство", "Продажи", "Бухгалтерия"},
			benefits: []string{"Медицинская страховка", "Гибкий график", "Обучение", "Столовая"}, steps: []string{"Отправьте анкету", "Собеседование", "Добро пожаловать"},
			open: "Отправьте нам резюме", closed: "Архив", about: "Мы делаем насосы, которые защищают города уже сорок лет.", contract: "Полная занятость",
		},
		{
			code: "zh", heading: "招聘职位", path: "/jobs/", apply: "申请职位", more: "查看详情", location: "地点", team: "部门",
			titles: []string{
				"后端开发工程师", "销售经理", "会计主管", "产品经理", "机械工程师", "人力资源专员", "数据分析师", "客服代表", "仓库管理员", "测试工程师", "法务顾问", "市场专员", "实习生（研发）",
			},
			places: []string{"上海", "北京", "深圳", "杭州"}, teams: []string{"研发中心", "销售部", "财务部"},
			benefits: []string{"五险一金", "弹性工作", "年度旅游", "培训机会"}, steps: []string{"投递简历", "面试", "入职"},
			open: "加入人才库", closed: "已结束", about: "四十年来，我们一直在制造守护城市的水泵。", contract: "全职",
		},
	}
}
