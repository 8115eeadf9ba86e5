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
	roleWords = set(strings.Join(vocabulary["role"], " "))
	// roleStems begin such words in languages that bend them.
	roleStems = byByte(func(stem string) byte { return stem[0] }, strings.Fields(strings.Join(vocabulary["role stem"], " ")))
	// roleEnds end compound words of Germanic languages.
	roleEnds = byByte(func(end string) byte { return end[len(end)-1] }, strings.Fields(strings.Join(vocabulary["role end"], " ")))
	// roleParts stand anywhere in scripts that do not part words.
	roleParts = vocabulary["role part"]

	// genderMark is the "(m/f/d)" and its kin that German, French, Polish and Dutch titles carry, and shares of full time.
	genderMark = match.New(`(?i)\(?\b[mfwhkv]\s*[/|:]\s*[mfwhkvdxi*](\s*[/|:]\s*[dxiav*])?\b\)?|\(all( genders)?\)|all genders|[a-zäöü][:*_]in(nen)?\b|/-?in\b|\(in\)|\(\s*\d{1,3}\s*(%|-\s*\d{1,3}\s*%)\s*\)|\(h[./]f\)|\bm/k\b`)

	// openings are the headings that stand above a list of roles.
	openings = sayings("openings")

	// closings are the headings above what is no open role, though it may look like one.
	closings = sayings("closings")

	// asides are the headings above other matter of a careers page.
	asides = match.New(`\b(benefits?|perks|values|culture|our team|meet the|leadership|management team|the team behind|testimonials?|what our|life at|why (work|join|us|you)|process|how (to apply|we hire|it works)|faq|frequently|news|blog|articles?|stories|events?|products?|services|solutions|partners|customers|clients|investors|locations|offices|contact|about|follow us|newsletter|legal|privacy|related|resources|team members|founders?|board of|advisors|people|responsibilities|requirements|qualifications|what you|who you|your profile|skills|we offer|our offer)\b` +
		`|benefiz|vorteile|werte|kultur|unser team|bewerbungsprozess|so bewerben|haufige fragen|aktuelles|neuigkeiten|kontakt|wir bieten|dein profil|ihr profil|deine aufgaben|ihre aufgaben` +
		`|avantages|valeurs|notre equipe|nos equipes|temoignages|processus|actualites|profil recherche|vos missions|beneficios|valores|nuestro equipo|proceso|noticias|requisitos|contacto|i nostri valori|cosa offriamo|chi siamo|il team|requisiti|contatti` +
		`|korzysci|oferujemy|wymagania|proces|zespol|wartosci|voordelen|ons team|waarden|formaner|vart team|varderingar|преимущества|команда|ценности|новости|контакты|о компании|要件|福利厚生|社員|メンバー|文化|お知らせ|ニュース|プロダクト|福利|團隊|团队|新闻|복지|문화|팀원|مزايا|قيم`)

	// unsolicited are entries that invite applications without a role.
	unsolicited = sayings("unsolicited")

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

	// aboutFilter tells that a none-sentence is about a search, not about the whole list.
	aboutFilter = match.New(`\b(match\w*|criteria|filters?|search|suchanfrage|suchbegriff|auswahl|recherche|criteres?|filtres?|busqueda|criterios?|filtros?|ricerca|criteri|filtri|zoekopdracht|suche|sokning|kriteri\w*|wyszukiw\w*|фильтр\w*|запрос\w*|selection|keyword|query|that fits?)\b|検索|条件|絞り込み|筛选|搜尋|搜索|검색|조건`)
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
