package page

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// besideRoles are headings of a careers page above matter other than roles, by language.
var besideRoles = map[string][]string{
	"English": {
		"Benefits", "Our benefits", "What we offer", "Perks and benefits", "Why work with us?", "Why Lakeside?", "Our values", "Company culture", "Our mission", "Life at Lakeside",
		"Our team", "Meet our people", "Management team", "Board of directors", "Employee stories", "Message from the CEO", "Hiring process", "How to apply", "FAQ", "Frequently asked questions",
		"Contact us", "Application form", "Required documents", "Requirements", "Your responsibilities", "Your profile", "Qualifications", "Our projects",
		"Our customers", "Our partners", "Areas of expertise", "Latest news", "Upcoming events", "Press releases", "Our history", "Our locations", "Equal opportunity employer",
		"Our recruitment process", "The interview process", "Diversity and inclusion", "Our internship programme",
	},
	"German": {
		"Unsere Benefits", "Benefits", "Deine Vorteile", "Was wir bieten", "Das bieten wir dir", "Das erwartet dich", "Warum wir?", "Warum bei uns arbeiten?", "Gute Gründe für uns", "Unsere Werte", "Unternehmenskultur",
		"Unser Team", "Unsere Mitarbeiter", "Geschäftsführung", "Vorstand", "Mitarbeiterstimmen", "Das sagen unsere Mitarbeiter", "Bewerbungsprozess", "Dein Weg zu uns", "So bewirbst du dich", "Häufige Fragen",
		"Ansprechpartner", "Bewerbungsunterlagen", "Bewerbungsformular", "Dein Profil", "Das bringst du mit", "Anforderungen", "Deine Aufgaben", "Unsere Leistungen", "Unsere Produkte", "Referenzen", "Unsere Kunden",
		"Aktuelles", "Veranstaltungen", "Presse", "Unsere Geschichte", "Unsere Standorte", "Aus- und Weiterbildung", "Datenschutz", "Über uns", "Karrieremessen",
	},
	"French": {
		"Nos avantages", "Ce que nous offrons", "Pourquoi nous rejoindre ?", "Pourquoi travailler chez Moulin ?", "Nos valeurs", "Notre culture", "Notre mission", "Notre équipe", "Nos collaborateurs", "Direction",
		"Témoignages", "Le mot du président", "Processus de recrutement", "Les étapes du recrutement", "Comment postuler ?", "Questions fréquentes", "Contactez-nous", "Votre profil", "Vos missions",
		"Nos produits", "Nos clients", "Nos partenaires", "Nos engagements", "Actualités", "Événements", "Notre histoire", "Nos implantations", "Formation et développement", "Égalité des chances", "Qui sommes-nous ?", "Nos métiers",
	},
	"Spanish": {
		"Beneficios", "Qué ofrecemos", "¿Por qué trabajar con nosotros?", "Nuestros valores", "Nuestra cultura", "Nuestro equipo", "Nuestra gente", "Testimonios", "Mensaje del director general", "Proceso de selección",
		"Cómo postular", "Preguntas frecuentes", "Contacto", "Requisitos", "Funciones", "Nuestros servicios", "Nuestros productos", "Nuestros clientes", "Noticias", "Eventos", "Nuestra historia", "Quiénes somos", "Formación y desarrollo",
	},
	"Italian": {
		"I nostri benefit", "Cosa offriamo", "Perché lavorare con noi", "I nostri valori", "La nostra cultura", "Il nostro team", "Le nostre persone", "Testimonianze", "Lettera del presidente", "Il processo di selezione",
		"Come candidarsi", "Domande frequenti", "Contatti", "Requisiti", "Responsabilità", "I nostri servizi", "I nostri prodotti", "I nostri clienti", "Notizie", "Eventi", "La nostra storia", "Chi siamo", "Pari opportunità", "Formazione e crescita",
	},
	"Portuguese": {
		"Benefícios", "O que oferecemos", "Por que trabalhar conosco?", "Porquê trabalhar connosco", "Nossos valores", "A nossa cultura", "Nossa equipe", "A nossa equipa", "As nossas pessoas", "Testemunhos", "Depoimentos", "Mensagem do CEO",
		"Processo seletivo", "Processo de recrutamento", "Como se candidatar", "Perguntas frequentes", "Contato", "Requisitos", "Responsabilidades", "Nossos serviços", "Nossos produtos", "Notícias", "Eventos", "A nossa história", "Quem somos",
	},
	"Dutch": {
		"Waarom kiezen voor ons", "Onze voordelen", "Arbeidsvoorwaarden", "Wat wij bieden", "Wat bieden wij?", "Onze kernwaarden", "Bedrijfscultuur", "Onze missie", "Ons team", "Onze mensen", "Medewerkers aan het woord",
		"Ervaringen van collega's", "Directie", "Sollicitatieprocedure", "Hoe solliciteren?", "Veelgestelde vragen", "Contact", "Jouw profiel", "Wat vragen wij?", "Jouw taken", "Functie-eisen", "Onze diensten", "Onze producten", "Onze klanten", "Nieuws", "Evenementen",
		"Onze geschiedenis", "Over ons", "Onze locaties", "Opleiding en ontwikkeling", "Stages", "Privacyverklaring",
	},
	"Swedish": {
		"Förmåner", "Vad vi erbjuder", "Vi erbjuder", "Varför jobba hos oss?", "Våra värderingar", "Vår kultur", "Vårt team", "Våra medarbetare", "Möt våra medarbetare", "Ledning", "Rekryteringsprocessen", "Så söker du", "Vanliga frågor", "Kontakta oss",
		"Kvalifikationer", "Arbetsuppgifter", "Din profil", "Våra tjänster", "Våra produkter", "Våra kunder", "Nyheter", "Evenemang", "Vår historia", "Om oss", "Mångfald och inkludering",
	},
	"Danish": {
		"Fordele", "Vi tilbyder", "Hvad vi tilbyder", "Hvorfor arbejde hos os?", "Vores værdier", "Vores kultur", "Vores team", "Vores medarbejdere", "Mød vores kolleger", "Ledelsen", "Rekrutteringsproces", "Sådan søger du", "Ofte stillede spørgsmål", "Kontakt os",
		"Kvalifikationer", "Dine arbejdsopgaver", "Din profil", "Vores ydelser", "Vores produkter", "Vores kunder", "Nyheder", "Arrangementer", "Vores historie", "Om os", "Mangfoldighed",
	},
	"Norwegian": {
		"Fordeler", "Vi tilbyr", "Hva vi tilbyr", "Hvorfor jobbe hos oss?", "Våre verdier", "Vår kultur", "Vårt team", "Våre ansatte", "Møt våre ansatte", "Ledelsen", "Rekrutteringsprosessen", "Slik søker du", "Ofte stilte spørsmål", "Kontakt oss",
		"Kvalifikasjoner", "Arbeidsoppgaver", "Din profil", "Våre tjenester", "Våre produkter", "Våre kunder", "Nyheter", "Arrangementer", "Vår historie", "Om oss", "Mangfold og inkludering",
	},
	"Finnish": {
		"Edut", "Henkilöstöedut", "Mitä tarjoamme", "Tarjoamme sinulle", "Miksi meille töihin?", "Arvomme", "Yrityskulttuuri", "Tiimimme", "Henkilöstömme", "Tutustu työntekijöihimme", "Johtoryhmä", "Rekrytointiprosessi", "Näin haet", "Usein kysytyt kysymykset", "Ota yhteyttä",
		"Yhteystiedot", "Vaatimukset", "Työtehtävät", "Palvelumme", "Tuotteemme", "Asiakkaamme", "Uutiset", "Ajankohtaista", "Tapahtumat", "Historia", "Tietoa meistä", "Uratarinat",
	},
	"Estonian": {
		"Soodustused", "Omalt poolt pakume", "Mida me pakume", "Miks töötada meie juures?", "Meie väärtused", "Meie kultuur", "Meie meeskond", "Meie inimesed", "Töötajate lood", "Juhatus", "Värbamisprotsess", "Kuidas kandideerida", "Korduma kippuvad küsimused", "Kontakt",
		"Nõudmised kandidaadile", "Tööülesanded", "Meie teenused", "Meie tooted", "Meie kliendid", "Uudised", "Sündmused", "Ajalugu", "Ettevõttest", "Meist",
	},
	"Latvian": {
		"Priekšrocības", "Mēs piedāvājam", "Ko mēs piedāvājam", "Kāpēc strādāt pie mums?", "Mūsu vērtības", "Mūsu kultūra", "Mūsu komanda", "Mūsu cilvēki", "Darbinieku stāsti", "Valde", "Atlases process", "Kā pieteikties", "Biežāk uzdotie jautājumi", "Kontakti",
		"Prasības", "Pienākumi", "Mūsu pakalpojumi", "Mūsu produkti", "Mūsu klienti", "Jaunumi", "Pasākumi", "Vēsture", "Par mums",
	},
	"Lithuanian": {
		"Privalumai", "Mes siūlome", "Ką siūlome", "Kodėl verta dirbti pas mus?", "Mūsų vertybės", "Mūsų kultūra", "Mūsų komanda", "Mūsų žmonės", "Darbuotojų istorijos", "Vadovybė", "Atrankos procesas", "Kaip kandidatuoti", "Dažniausiai užduodami klausimai", "Kontaktai",
		"Reikalavimai", "Atsakomybės", "Mūsų paslaugos", "Mūsų produktai", "Mūsų klientai", "Naujienos", "Renginiai", "Istorija", "Apie mus",
	},
	"Polish": {
		"Korzyści", "Benefity", "Co oferujemy", "Oferujemy", "Dlaczego warto u nas pracować?", "Dlaczego my?", "Nasze wartości", "Kultura organizacyjna", "Nasz zespół", "Nasi ludzie", "Poznaj nasz zespół", "Zarząd", "Historie pracowników", "Proces rekrutacji", "Etapy rekrutacji", "Jak aplikować?",
		"Najczęściej zadawane pytania", "Kontakt", "Wymagania", "Nasze oczekiwania", "Zakres obowiązków", "Obowiązki", "Nasze usługi", "Nasze produkty", "Nasi klienci", "Aktualności", "Wydarzenia", "Nasza historia", "O nas", "Program stażowy", "Polityka prywatności",
	},
	"Czech": {
		"Benefity", "Co nabízíme", "Nabízíme", "Proč pracovat u nás?", "Proč k nám?", "Naše hodnoty", "Firemní kultura", "Náš tým", "Naši lidé", "Vedení společnosti", "Příběhy zaměstnanců", "Výběrové řízení", "Jak probíhá přijímací proces", "Průběh náboru", "Časté dotazy", "Kontakty", "Požadavky", "Požadujeme",
		"Náplň práce", "Naše služby", "Naše produkty", "Naši zákazníci", "Novinky", "Aktuality", "Akce", "Naše historie", "O nás", "Zpracování osobních údajů",
	},
	"Slovak": {
		"Benefity", "Čo ponúkame", "Ponúkame", "Prečo pracovať u nás?", "Prečo my?", "Naše hodnoty", "Firemná kultúra", "Náš tím", "Naši ľudia", "Vedenie spoločnosti", "Príbehy zamestnancov", "Výberové konanie", "Výberový proces", "Priebeh náboru", "Časté otázky", "Kontakty", "Požiadavky", "Náplň práce",
		"Naše služby", "Naše produkty", "Naši zákazníci", "Novinky", "Aktuality", "Naša história", "O nás", "Ochrana osobných údajov",
	},
	"Slovenian": {
		"Ugodnosti", "Kaj ponujamo", "Nudimo", "Zakaj delati pri nas?", "Zakaj mi?", "Naše vrednote", "Kultura podjetja", "Naša ekipa", "Naši ljudje", "Zgodbe zaposlenih", "Vodstvo", "Postopek izbire", "Kako se prijaviti", "Pogosta vprašanja", "Kontakt", "Pričakujemo", "Delovne naloge", "Naše storitve", "Naši izdelki",
		"Naše stranke", "Novice", "Dogodki", "Zgodovina", "O nas",
	},
	"Croatian": {
		"Pogodnosti", "Što nudimo", "Nudimo", "Zašto raditi kod nas?", "Zašto mi?", "Naše vrijednosti", "Kultura tvrtke", "Naš tim", "Naši ljudi", "Priče zaposlenika", "Uprava", "Proces selekcije", "Postupak zapošljavanja", "Kako se prijaviti", "Česta pitanja", "Kontakt", "Uvjeti", "Opis posla", "Naše usluge", "Naši proizvodi",
		"Naši klijenti", "Novosti", "Vijesti", "Događanja", "Povijest", "O nama",
	},
	"Hungarian": {
		"Juttatások", "Amit kínálunk", "Amit nyújtunk", "Miért dolgozz nálunk?", "Miért mi?", "Értékeink", "Vállalati kultúra", "Csapatunk", "Munkatársaink", "Munkatársaink mondták", "Vezetőség", "Kiválasztási folyamat", "Hogyan jelentkezz?", "Gyakori kérdések", "Kapcsolat", "Elvárások", "Elvárásaink", "Feladatok", "Szolgáltatásaink",
		"Termékeink", "Ügyfeleink", "Hírek", "Események", "Történetünk", "Rólunk", "Adatvédelem",
	},
	"Romanian": {
		"Beneficii", "Ce oferim", "Ce îți oferim", "De ce să lucrezi la noi?", "De ce IASICON", "Valorile noastre", "Cultura organizațională", "Echipa noastră", "Oamenii noștri", "Conducerea", "Povești ale angajaților", "Proces recrutare", "Procesul de recrutare", "Cum aplici?", "Întrebări frecvente", "Contact", "Cerințe", "Responsabilități",
		"Serviciile noastre", "Produsele noastre", "Clienții noștri", "Noutăți", "Știri", "Evenimente", "Istoricul companiei", "Despre noi",
	},
	"Bulgarian": {
		"Предимства", "Какво предлагаме", "Ние предлагаме", "Защо да работите при нас?", "Защо ние?", "Нашите ценности", "Фирмена култура", "Нашият екип", "Нашите хора", "Ръководство", "Истории на служители", "Процес на подбор", "Как да кандидатствате", "Често задавани въпроси", "Контакти", "Изисквания", "Отговорности",
		"Нашите услуги", "Продукти", "Клиенти", "Новини", "Събития", "История", "За нас",
	},
	"Catalan": {
		"Avantatges", "Beneficis", "Què oferim", "Per què treballar amb nosaltres?", "Els nostres valors", "La nostra cultura", "El nostre equip", "Les nostres persones", "Testimonis", "Procés de selecció", "Com presentar-se", "Preguntes freqüents", "Contacte", "Requisits", "Funcions", "Els nostres serveis", "Els nostres productes",
		"Notícies", "Esdeveniments", "La nostra història", "Qui som", "Igualtat d'oportunitats",
	},
	"Greek": {
		"Παροχές", "Τι προσφέρουμε", "Γιατί να εργαστείτε μαζί μας", "Γιατί εμάς;", "Οι αξίες μας", "Η κουλτούρα μας", "Η ομάδα μας", "Οι άνθρωποί μας", "Διοίκηση", "Διοικητικό συμβούλιο", "Διαδικασία πρόσληψης", "Διαδικασία επιλογής", "Πώς να κάνετε αίτηση", "Συχνές ερωτήσεις", "Επικοινωνία", "Απαιτούμενα προσόντα", "Αρμοδιότητες",
		"Οι υπηρεσίες μας", "Προϊόντα", "Οι πελάτες μας", "Νέα", "Εκδηλώσεις", "Η ιστορία μας", "Σχετικά με εμάς", "Πολιτική απορρήτου",
	},
	"Turkish": {
		"Yan haklar", "Neler sunuyoruz", "Size sunduklarımız", "Neden bizimle çalışmalısınız?", "Neden biz?", "Değerlerimiz", "Kurum kültürü", "Şirket kültürümüz", "Ekibimiz", "Çalışanlarımız", "Yönetim Kurulu", "Çalışan hikayeleri", "İşe alım süreci", "Başvuru süreci", "Nasıl başvurulur", "Sıkça sorulan sorular", "İletişim", "Aranan nitelikler",
		"Sorumluluklar", "Hizmetlerimiz", "Ürünlerimiz", "Müşterilerimiz", "Haberler", "Etkinlikler", "Tarihçe", "Hakkımızda", "İnsan kaynakları politikamız",
	},
	"Russian": {
		"Преимущества работы у нас", "Мы предлагаем", "Что мы предлагаем", "Почему мы?", "Почему стоит работать у нас", "Наши ценности", "Корпоративная культура", "Наша команда", "Наши сотрудники", "Руководство", "Отзывы сотрудников", "Истории сотрудников", "Этапы отбора", "Процесс найма", "Как устроиться на работу", "Частые вопросы", "Вопросы и ответы", "Контакты",
		"Требования", "Обязанности", "Наши услуги", "Наша продукция", "Наши клиенты", "Новости", "Мероприятия", "История компании", "О компании", "О нас", "Социальный пакет", "Обучение и развитие", "Политика конфиденциальности",
	},
	"Ukrainian": {
		"Переваги", "Ми пропонуємо", "Що ми пропонуємо", "Чому ми?", "Чому варто працювати у нас", "Наші цінності", "Корпоративна культура", "Наша команда", "Наші люди", "Керівництво", "Відгуки працівників", "Етапи відбору", "Процес найму", "Як подати заявку", "Часті запитання", "Контакти", "Вимоги", "Обов'язки",
		"Наші послуги", "Наша продукція", "Наші клієнти", "Новини", "Події", "Історія компанії", "Про компанію", "Про нас", "Соціальний пакет",
	},
	"Hebrew": {
		"הטבות", "מה אנחנו מציעים", "למה לעבוד אצלנו?", "למה אנחנו?", "הערכים שלנו", "התרבות שלנו", "הצוות שלנו", "האנשים שלנו", "הנהלה", "סיפורי עובדים", "תהליך הגיוס", "תהליך המיון", "איך מגישים מועמדות", "שאלות נפוצות", "צור קשר", "דרישות התפקיד", "תחומי אחריות",
		"השירותים שלנו", "המוצרים שלנו", "הלקוחות שלנו", "חדשות", "אירועים", "ההיסטוריה שלנו", "אודות", "מדיניות פרטיות",
	},
	"Arabic": {
		"المزايا", "ماذا نقدم", "ما الذي نقدمه", "لماذا تعمل معنا؟", "لماذا نحن؟", "قيمنا", "ثقافتنا", "فريقنا", "فريق العمل", "الإدارة", "مجلس الإدارة", "قصص الموظفين", "عملية التوظيف", "خطوات التقديم", "كيفية التقديم", "الأسئلة الشائعة", "اتصل بنا", "تواصل معنا", "المتطلبات", "المسؤوليات",
		"خدماتنا", "منتجاتنا", "عملاؤنا", "الأخبار", "الفعاليات", "تاريخنا", "من نحن", "سياسة الخصوصية",
	},
	"Japanese": {
		"CEOメッセージ", "ヒストリー", "オフィスツアー", "社員紹介", "代表メッセージ", "会社を知る", "仕事を知る", "人を知る", "福利厚生", "制度・待遇", "社員インタビュー", "先輩の声", "選考フロー", "選考プロセス", "応募方法", "よくある質問", "お問い合わせ", "会社概要", "事業内容", "企業理念", "ミッション・ビジョン・バリュー", "カルチャー",
		"働く環境", "職場環境", "研修制度", "キャリアパス", "教育制度", "応募資格", "必須スキル", "仕事内容", "求める人物像", "お知らせ", "ニュース", "沿革", "トップメッセージ", "数字で見る当社", "私たちについて", "サービス紹介", "プロジェクトストーリー", "個人情報保護方針", "オフィス紹介", "社長メッセージ", "インターンシップについて", "アクセス",
	},
	"Chinese": {
		"员工福利", "福利待遇", "我们提供", "为什么加入我们", "为什么选择我们", "企业文化", "公司文化", "核心价值观", "团队介绍", "我们的团队", "员工故事", "管理团队", "應徵流程", "如何申请", "常见问题", "常見問題", "联系我们", "聯絡我們", "任职要求", "岗位职责", "工作内容",
		"产品与服务", "服务项目", "客户案例", "合作伙伴", "新闻动态", "公司新聞", "活动", "发展历程", "关于我们", "關於我們", "员工培训", "培训与发展", "人才理念", "公司简介", "隐私政策",
	},
	"Korean": {
		"복리후생", "복지 및 혜택", "우리가 제공하는 것", "왜 우리와 함께해야 하나요", "핵심가치", "조직문화", "기업문화", "인재상", "팀 소개", "구성원 인터뷰", "구성원 이야기", "임원진", "CEO 인사말", "전형절차", "합류 여정", "지원 방법", "자주 묻는 질문", "문의하기", "자격요건", "우대사항", "주요업무", "담당업무",
		"제품 소개", "고객사", "뉴스", "공지사항", "연혁", "회사 소개", "오시는 길", "교육 제도", "인사제도", "개인정보처리방침",
	},
	"Thai": {
		"สวัสดิการ", "สิ่งที่เรามอบให้", "ทำไมต้องร่วมงานกับเรา", "ทำไมต้องเรา", "ค่านิยมองค์กร", "วัฒนธรรมองค์กร", "ทีมงานของเรา", "คณะผู้บริหาร", "คณะกรรมการ", "เรื่องราวของพนักงาน", "ขั้นตอนการสมัคร", "วิธีการสมัคร", "คำถามที่พบบ่อย", "ติดต่อเรา", "คุณสมบัติ", "หน้าที่ความรับผิดชอบ",
		"บริการของเรา", "ผลิตภัณฑ์ของเรา", "ลูกค้าของเรา", "ข่าวสาร", "กิจกรรม", "ประวัติบริษัท", "เกี่ยวกับเรา", "นโยบายความเป็นส่วนตัว", "ชีวิตการทำงาน", "การพัฒนาบุคลากร",
	},
	"Vietnamese": {
		"Phúc lợi", "Chế độ đãi ngộ", "Quyền lợi", "Chúng tôi mang đến điều gì", "Vì sao chọn chúng tôi", "Tại sao nên làm việc tại đây", "Giá trị cốt lõi", "Văn hóa doanh nghiệp", "Văn hoá công ty", "Đội ngũ của chúng tôi", "Ban lãnh đạo", "Câu chuyện nhân viên", "Cách thức ứng tuyển", "Câu hỏi thường gặp", "Liên hệ", "Yêu cầu công việc",
		"Mô tả công việc", "Dịch vụ của chúng tôi", "Khách hàng", "Tin tức", "Lịch sử hình thành", "Về chúng tôi", "Giới thiệu công ty", "Đào tạo và phát triển", "Chính sách bảo mật",
	},
	"Indonesian": {
		"Tunjangan dan fasilitas", "Apa yang kami tawarkan", "Kami menawarkan", "Mengapa bergabung dengan kami?", "Mengapa kami?", "Nilai-nilai kami", "Budaya perusahaan", "Budaya kami", "Tim kami", "Orang-orang kami", "Manajemen kami", "Cerita karyawan", "Proses rekrutmen", "Tahapan seleksi", "Cara melamar", "Pertanyaan yang sering diajukan", "Hubungi kami", "Persyaratan", "Kualifikasi", "Tanggung jawab",
		"Layanan kami", "Produk kami", "Klien kami", "Berita", "Acara", "Sejarah kami", "Tentang kami", "Kebijakan privasi", "Pelatihan dan pengembangan",
	},
}

// amongRoles are titles of roles, and headings above roles, that share words with those.
var amongRoles = map[string][]string{
	"English": {
		"Team leader", "Product manager", "Process engineer", "Sales & marketing", "Benefits Manager", "People Partner", "Customer Success Manager", "Open positions in our team", "Events Coordinator", "News editor", "Contact Center Agent", "Service technician", "Project Manager",
		"Location Manager", "Culture and Values Lead", "Head of People", "Training Coordinator", "Board Secretary", "Internship Marketing", "Press officer", "Vacancies at our locations", "Why not join our team?", "Requirements Engineer", "Training Manager", "Investor Relations Manager",
	},
	"German": {
		"Teamleiter", "Benefits Manager", "Teamassistenz (m/w/d)", "Produktmanager", "Prozessingenieur", "Projektleiter", "Mitarbeiter Kundenservice", "Mitarbeiter im Außendienst", "Unsere Stellenangebote", "Offene Stellen in unserem Team", "Pressereferent", "Kundenberater", "Ausbildung zum Koch", "Leiter Weiterbildung", "Referent Unternehmenskultur", "Standortleiter", "Geschäftsführer",
		"Servicetechniker", "Werkstudent Veranstaltungen", "Kontakter", "Wertpapierspezialist", "Anforderungsmanager", "Vorstandsassistenz", "Assistenz der Geschäftsführung", "Datenschutzbeauftragter", "Komm in unser Team!",
	},
	"French": {
		"Chef d'équipe", "Chef de projet", "Chargé de recrutement", "Chef de produit", "Directeur de mission", "Responsable formation", "Nos offres d'emploi", "Nous recrutons", "Chargé de communication", "Assistant de direction", "Technicien de service", "Ingénieur process", "Chargé d'événements", "Responsable des services généraux", "Conseiller clientèle", "Gestionnaire avantages sociaux", "Équipier de production", "Équipier polyvalent", "Rejoignez notre équipe",
	},
	"Spanish": {
		"Jefe de equipo", "Gerente de producto", "Responsable de formación", "Vacantes disponibles", "Trabaja con nosotros", "Especialista en beneficios", "Técnico de servicio", "Coordinador de eventos", "Contable", "Agente de contacto", "Gestor de clientes", "Analista de compensaciones y beneficios", "Analista funcional", "Únete a nuestro equipo",
	},
	"Italian": {
		"Capo squadra", "Addetto ai servizi generali", "Product manager", "Ingegnere di processo", "Responsabile della formazione", "Posizioni aperte", "Lavora con noi", "Team leader", "Addetto al servizio clienti", "Responsabile eventi", "Specialista compensation & benefit", "Tecnico di prodotto", "Stage marketing", "Entra nel nostro team", "Unisciti al nostro team",
	},
	"Portuguese": {
		"Líder de equipe", "Chefe de equipa", "Gerente de produto", "Engenheiro de processos", "Analista de benefícios", "Vagas abertas", "Oportunidades na nossa equipe", "Assistente de eventos", "Técnico de serviço", "Gestor de clientes", "Analista de processos", "Coordenador de formação", "Consultor de vendas", "Junte-se à nossa equipe", "Faça parte do nosso time",
	},
	"Dutch": {
		"Teamleider", "Productmanager", "Procesoperator", "Projectleider", "Medewerker klantenservice", "Medewerker HR", "Vacatures", "Onze vacatures", "Klantadviseur", "Servicemonteur", "Opleidingscoördinator", "Evenementencoördinator", "Directiesecretaresse", "Adviseur arbeidsvoorwaarden", "Contactcenter medewerker", "Stage marketing", "Nieuwsredacteur", "Locatiemanager", "Procesengineer", "Kom in ons team", "Versterk ons team",
	},
	"Swedish": {
		"Teamledare", "Produktchef", "Processingenjör", "Projektledare", "Medarbetare till lager", "Lediga jobb", "Lediga tjänster", "Kundtjänstmedarbetare", "Servicetekniker", "Eventkoordinator", "Ledningskoordinator", "Utbildningsledare", "Nyhetsredaktör", "Kundansvarig", "Bli en del av vårt team", "Vi söker medarbetare",
	},
	"Danish": {
		"Teamleder", "Produktchef", "Procesingeniør", "Projektleder", "Medarbejder til lager", "Ledige stillinger", "Kundeservicemedarbejder", "Servicetekniker", "Eventkoordinator", "Produktionsmedarbejder", "Uddannelseskonsulent", "Ledelsessekretær", "Nyhedsredaktør", "Bliv en del af vores team",
	},
	"Norwegian": {
		"Teamleder", "Produktsjef", "Prosessingeniør", "Prosjektleder", "Medarbeider til lager", "Ledige stillinger", "Kundeservicemedarbeider", "Servicetekniker", "Arrangementsansvarlig", "Ansatt i barnehage", "Opplæringskonsulent", "Nyhetsredaktør", "Kundekonsulent", "Bli en del av vårt team",
	},
	"Finnish": {
		"Tiiminvetäjä", "Tuotepäällikkö", "Prosessi-insinööri", "Palveluneuvoja", "Asiakaspalvelija", "Avoimet työpaikat", "Projektipäällikkö", "Tapahtumakoordinaattori", "Henkilöstöpäällikkö", "Etuuskäsittelijä", "Uutistoimittaja", "Johtaja", "Palvelupäällikkö", "Edustaja", "Tuotannon työntekijä", "Tule tiimiimme", "Liity tiimiimme",
	},
	"Estonian": {
		"Meeskonnajuht", "Tootejuht", "Protsessiinsener", "Klienditeenindaja", "Teenindaja", "Vabad töökohad", "Projektijuht", "Sündmuste korraldaja", "Juhataja", "Tootmistöötaja", "Personalijuht", "Uudistetoimetaja", "Kontaktkeskuse töötaja",
	},
	"Latvian": {
		"Komandas vadītājs", "Produktu vadītājs", "Procesu inženieris", "Klientu apkalpošanas speciālists", "Pakalpojumu vadītājs", "Brīvās vakances", "Vakances", "Projektu vadītājs", "Pasākumu organizators", "Darbinieks noliktavā", "Valdes loceklis", "Jaunumu redaktors", "Kontaktu centra operators",
	},
	"Lithuanian": {
		"Komandos vadovas", "Produkto vadovas", "Procesų inžinierius", "Klientų aptarnavimo specialistas", "Paslaugų vadybininkas", "Laisvos darbo vietos", "Projektų vadovas", "Renginių organizatorius", "Darbuotojas sandėlyje", "Gamybos darbuotojas", "Naujienų redaktorius", "Vadovas", "Kontaktų centro operatorius",
	},
	"Polish": {
		"Kierownik zespołu", "Menedżer produktu", "Inżynier procesu", "Specjalista ds. benefitów", "Pracownik produkcji", "Oferty pracy", "Aktualne oferty", "Członek zarządu", "Specjalista ds. obsługi klienta", "Kierownik projektu", "Asystentka zarządu", "Lider zespołu", "Koordynator wydarzeń", "Pracownik obsługi klienta", "Specjalista do spraw wymagań", "Procesowiec", "Dołącz do naszego zespołu",
	},
	"Czech": {
		"Vedoucí týmu", "Produktový manažer", "Procesní inženýr", "Specialista na benefity", "Zaměstnanec skladu", "Volná místa", "Volné pozice", "Vedoucí projektu", "Asistentka vedení", "Pracovník zákaznického servisu", "Koordinátor akcí", "Kontaktní pracovník", "Vedoucí služeb", "Specialista náboru", "Přidej se do našeho týmu",
	},
	"Slovak": {
		"Vedúci tímu", "Produktový manažér", "Procesný inžinier", "Špecialista na benefity", "Zamestnanec skladu", "Voľné pracovné miesta", "Voľné pozície", "Vedúci projektu", "Asistentka vedenia", "Pracovník zákazníckeho servisu", "Koordinátor podujatí", "Kontaktný pracovník", "Vedúci služieb", "Pridaj sa do nášho tímu",
	},
	"Slovenian": {
		"Vodja ekipe", "Produktni vodja", "Procesni inženir", "Vodja projektov", "Zaposleni v skladišču", "Prosta delovna mesta", "Svetovalec za stranke", "Serviser", "Vodja storitev", "Koordinator dogodkov", "Asistent vodstva", "Delavec v proizvodnji", "Novičar",
	},
	"Croatian": {
		"Voditelj tima", "Produkt menadžer", "Procesni inženjer", "Voditelj projekta", "Zaposlenik u skladištu", "Slobodna radna mjesta", "Otvorene pozicije", "Savjetnik za klijente", "Serviser", "Voditelj usluga", "Koordinator događanja", "Asistent uprave", "Radnik u proizvodnji",
	},
	"Hungarian": {
		"Csapatvezető", "Termékmenedzser", "Folyamatmérnök", "Projektvezető", "Ügyfélszolgálati munkatárs", "Állásajánlatok", "Nyitott pozíciók", "Értékesítési munkatárs", "Szolgáltatásmenedzser", "Rendezvényszervező", "Kapcsolattartó", "Értékesítő", "Hírszerkesztő", "Vezető könyvelő", "Feladatkoordinátor", "Értékelemző", "Csatlakozz csapatunkhoz",
	},
	"Romanian": {
		"Șef de echipă", "Manager de produs", "Inginer de proces", "Specialist beneficii", "Specialist recrutare", "Posturi disponibile", "Locuri de muncă", "Coordonator evenimente", "Consilier clienți", "Manager de proiect", "Asistent de conducere", "Tehnician de servicii", "Membru al echipei", "Alătură-te echipei noastre",
	},
	"Bulgarian": {
		"Ръководител екип", "Продуктов мениджър", "Инженер процеси", "Ръководител проекти", "Служител склад", "Свободни позиции", "Свободни работни места", "Консултант клиенти", "Специалист обслужване на клиенти", "Организатор на събития", "Сервизен техник", "Ръководител на смяна", "Член на екипа",
	},
	"Catalan": {
		"Cap d'equip", "Cap de producte", "Enginyer de processos", "Cap de projecte", "Tècnic de selecció", "Ofertes de feina", "Treballa amb nosaltres", "Tècnic de serveis", "Coordinador d'esdeveniments", "Gestor de clients", "Responsable de formació", "Auxiliar de serveis", "Comptable",
	},
	"Greek": {
		"Επικεφαλής ομάδας", "Υπεύθυνος προϊόντων", "Μηχανικός διαδικασιών", "Υπεύθυνος έργων", "Υπάλληλος εξυπηρέτησης πελατών", "Ανοιχτές θέσεις", "Θέσεις εργασίας", "Υπεύθυνος επικοινωνίας", "Τεχνικός υπηρεσιών", "Διοργανωτής εκδηλώσεων", "Γραμματέας διοίκησης", "Σύμβουλος πελατών", "Στέλεχος διοίκησης", "Γίνε μέλος της ομάδας μας",
	},
	"Turkish": {
		"Ekip lideri", "Ürün müdürü", "Süreç mühendisi", "Proje yöneticisi", "Müşteri hizmetleri temsilcisi", "Açık pozisyonlar", "İş ilanları", "İletişim uzmanı", "Yönetim asistanı", "Etkinlik koordinatörü", "Takım lideri", "Servis teknisyeni", "Haber editörü", "Değerleme uzmanı", "İnsan Kaynakları Uzmanı", "Ekibimize katılın",
	},
	"Russian": {
		"Руководитель команды", "Менеджер по продукту", "Инженер-технолог процессов", "Руководитель проекта", "Сотрудник склада", "Вакансии", "Открытые вакансии в нашей команде", "Менеджер по работе с клиентами", "Руководство проектами: ведущий специалист", "Командир корабля", "Организатор мероприятий", "Редактор новостей", "Контактёр", "Специалист по обучению", "Менеджер по услугам", "Ассистент руководителя", "Капитан команды", "Присоединяйтесь к нашей команде", "Ищем в команду",
	},
	"Ukrainian": {
		"Керівник команди", "Менеджер з продукту", "Інженер процесів", "Керівник проєктів", "Працівник складу", "Відкриті вакансії", "Вакансії", "Менеджер з роботи з клієнтами", "Організатор подій", "Редактор новин", "Спеціаліст з навчання", "Менеджер з послуг", "Асистент керівника", "Приєднуйся до нашої команди",
	},
	"Hebrew": {
		"ראש צוות", "מנהל מוצר", "מהנדס תהליכים", "מנהל פרויקטים", "נציג שירות לקוחות", "משרות פתוחות", "משרות", "מנהל לקוחות", "מפיק אירועים", "עורך חדשות", "טכנאי שירות", "מזכירת הנהלה", "מנהלת רווחה והטבות", "הצטרפו לצוות שלנו",
	},
	"Arabic": {
		"قائد فريق", "مدير المنتج", "مهندس عمليات", "مدير مشروع", "موظف خدمة العملاء", "الوظائف الشاغرة", "الوظائف", "مدير علاقات العملاء", "منسق فعاليات", "محرر أخبار", "فني خدمات", "سكرتير مجلس الإدارة", "أخصائي مزايا وتعويضات", "مساعد إداري", "انضم إلى فريقنا",
	},
	"Japanese": {
		"プロダクトマネージャー", "プロジェクトマネージャー", "サービスエンジニア", "カスタマーサポート", "チームリーダー", "募集職種", "採用情報", "中途採用", "研修講師", "広報・ニュース編集者", "人事（制度企画）", "プロセスエンジニア", "正社員募集", "契約社員（事務）", "営業（正社員）", "オフィスマネージャー", "役員秘書", "社員食堂スタッフ", "インタビューライター", "店舗スタッフ（アルバイトメンバー）", "一緒に働くメンバーを募集",
	},
	"Chinese": {
		"产品经理", "项目经理", "客户经理", "客服专员", "服务员", "招聘职位", "职位", "团队主管", "流程工程师", "新闻编辑", "活动策划", "培训讲师", "福利专员", "企业文化专员", "團隊主管", "產品經理", "员工关系经理", "新闻记者", "加入我们的团队",
	},
	"Korean": {
		"프로덕트 매니저", "프로젝트 매니저", "서비스 기획자", "고객 지원 담당자", "팀 리더", "채용 공고", "모집 중인 포지션", "제품 디자이너", "복지 담당자", "조직문화 매니저", "교육 담당자", "뉴스 에디터", "사회복지사", "팀장", "프로세스 엔지니어",
	},
	"Thai": {
		"หัวหน้าทีม", "ผู้จัดการผลิตภัณฑ์", "วิศวกรกระบวนการ", "ผู้จัดการโครงการ", "พนักงานบริการลูกค้า", "ตำแหน่งงานว่าง", "พนักงานขาย", "ช่างบริการ", "เจ้าหน้าที่จัดกิจกรรม", "บรรณาธิการข่าว", "เจ้าหน้าที่สวัสดิการ", "ผู้ช่วยผู้บริหาร", "พนักงานบัญชี", "ร่วมทีมกับเรา",
	},
	"Vietnamese": {
		"Trưởng nhóm", "Quản lý sản phẩm", "Kỹ sư quy trình", "Quản lý dự án", "Nhân viên chăm sóc khách hàng", "Tin tuyển dụng", "Vị trí tuyển dụng", "Nhân viên kinh doanh", "Chuyên viên phúc lợi", "Điều phối sự kiện", "Biên tập viên tin tức", "Kỹ thuật viên dịch vụ", "Chuyên viên đào tạo", "Chuyên viên khách hàng doanh nghiệp", "Gia nhập đội ngũ của chúng tôi",
	},
	"Indonesian": {
		"Ketua tim", "Manajer produk", "Insinyur proses", "Manajer proyek", "Staf layanan pelanggan", "Lowongan kerja", "Lowongan", "Koordinator acara", "Teknisi layanan", "Redaktur berita", "Staf pelatihan", "Spesialis tunjangan", "Manajer klien", "Bergabung dengan tim kami",
	},
}

func TestHeadingsOfOtherMatterAreKnownInEachLanguage(t *testing.T) {
	t.Parallel()
	require.Len(t, besideRoles, len(languages()))
	unknown := make(map[string][]string)
	for language, headings := range besideRoles {
		for _, heading := range headings {
			if kindOf(Fold(heading)) != aside {
				unknown[language] = append(unknown[language], heading)
			}
		}
	}
	require.Empty(t, unknown)
}

func TestTitlesOfRolesAreNoHeadingsOfOtherMatter(t *testing.T) {
	t.Parallel()
	require.ElementsMatch(t, slices.Collect(maps.Keys(besideRoles)), slices.Collect(maps.Keys(amongRoles)))
	mistaken := make(map[string][]string)
	for language, titles := range amongRoles {
		for _, title := range titles {
			if kindOf(Fold(title)) == aside {
				mistaken[language] = append(mistaken[language], title)
			}
		}
	}
	require.Empty(t, mistaken)
}
