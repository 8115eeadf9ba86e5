package foreign

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// habit is how a language is written in a charset of one byte for each letter: its letters beyond ASCII, the most frequent
// first, in small letters.
type habit struct {
	charset  string
	language string
	letters  string
	latin    bool // the letters stand among those of ASCII
}

// habits are in the order of preference where the bytes do not tell one from another.
//
//nolint:gochecknoglobals // a constant table
var habits = []habit{
	{"windows-1252", "de", "äüöß", true},
	{"windows-1252", "fr", "éèàêçôùîâûëïœæü", true},
	{"windows-1252", "es", "óíáéñúüªº", true},
	{"windows-1252", "pt", "ãçáéóíâõêàúôºª", true},
	{"windows-1252", "it", "àèìòùéó", true},
	{"windows-1252", "nl", "ëéïöüèáó", true},
	{"windows-1252", "sv", "åäöé", true},
	{"windows-1252", "da", "øåæé", true},
	{"windows-1252", "is", "ðáíþóæúéöý", true},
	{"windows-1252", "ca", "óàèíçéúòïü", true},
	{"windows-1250", "pl", "ąłęóżćśńź", true},
	{"windows-1250", "cs", "íáěéřčšžýůúďťňó", true},
	{"windows-1250", "sk", "áíéčžýšľúťôňďäóĺŕ", true},
	{"windows-1250", "hu", "áéőöóíüűú", true},
	{"windows-1250", "ro", "ăîâşţ", true},
	{"windows-1250", "hr", "čšžćđ", true},
	{"iso-8859-2", "pl", "ąłęóżćśńź", true},
	{"iso-8859-2", "cs", "íáěéřčšžýůúďťňó", true},
	{"iso-8859-2", "sk", "áíéčžýšľúťôňďäóĺŕ", true},
	{"iso-8859-2", "hr", "čšžćđ", true},
	{"windows-1254", "tr", "ıüşçğöİâîû", true},
	{"windows-1257", "lt", "ėšųįžūąčę", true},
	{"windows-1257", "lv", "āīēšūņļžčģķ", true},
	{"windows-1257", "et", "äõüöšž", true},
	{"windows-1251", "ru", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", false},
	{"windows-1251", "uk", "оаинтівреслкумдпяьзбгчйхжїшцюєщфґ", false},
	{"windows-1251", "bg", "аиоетнрсвлкдпмзяъубгчжщшцйхфюь", false},
	{"windows-1251", "sr", "аиоенрјтсвкдулмпзгбчшжцхњћљђфџ", false},
	{"koi8-r", "ru", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", false},
	{"koi8-u", "uk", "оаинтівреслкумдпяьзбгчйхжїшцюєщфґ", false},
	{"ibm866", "ru", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", false},
	{"iso-8859-5", "ru", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", false},
	{"macintosh", "de", "äüöß", true},
	{"x-mac-cyrillic", "ru", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", false},
	{"windows-1253", "el", "αοιετνσηρπκςμλόίάήέυδγύωχθφβξώζψϊϋΐΰ", false},
	{"iso-8859-7", "el", "αοιετνσηρπκςμλόίάήέυδγύωχθφβξώζψϊϋΐΰ", false},
	{"windows-1255", "he", "יוהלתארמשבנםעדחקפגטסכזןצךףץ", false},
	{"windows-1256", "ar", "اليمنوتربةعدسفحكقجهشطصخىضذثإأزءغئظؤآ،", false},
	{"windows-1256", "fa", "ایيرندهمتوسبشکكزفقگخعجپحصآلطچضژظغثذئ،", false},
	{"windows-874", "th", "านรอกเงมยลวดทสตะปบคหแจพชขใไโผถซณศธภญษฝฟฐฎฏฬฉฆำิีึืุู็่้๊๋์ั", false},
}

// Worth of a byte of a text, in halves, by what it is in a charset.
const (
	frequent  = 4  // one of the letters that a language writes most
	usual     = 2  // another letter of it
	signs     = 0  // a sign that any text may hold
	other     = -3 // a letter of the same script
	strange   = -6 // another letter, or another sign
	undefined = -12
	misplaced = -5 // a capital behind a small letter, or a third letter beyond ASCII in a row where that is rare
	mixed     = -8 // a letter of another script beside one of ASCII
)

// sheet is what a byte is in a habit.
type sheet struct {
	worth   [256]int8
	letter  [256]bool
	capital [256]bool
}

//nolint:gochecknoglobals // made once from the table above
var sheets = sync.OnceValue(func() []*sheet {
	all := make([]*sheet, len(habits))
	for i, h := range habits {
		all[i] = h.sheet()
	}
	return all
})

const everywhere = "\u00a0–—−-’‘“”„«»‚‹›…•·®©™€£°§½²³¹×№±"

func (h habit) sheet() *sheet {
	s := &sheet{}
	e, _ := charset.Lookup(h.charset)
	letters := []rune(h.letters)
	decoder := e.NewDecoder()
	for c := range 256 {
		if c < 0x80 {
			r := rune(c)
			s.letter[c], s.capital[c] = unicode.IsLetter(r), unicode.IsUpper(r)
			continue
		}
		text, err := decoder.Bytes([]byte{byte(c)})
		r := []rune(string(text))
		if err != nil || len(r) != 1 || r[0] == unicode.ReplacementChar || unicode.IsControl(r[0]) {
			s.worth[c] = undefined
			continue
		}
		small := unicode.ToLower(r[0])
		s.letter[c], s.capital[c] = unicode.IsLetter(r[0]) || unicode.IsMark(r[0]), small != r[0]
		switch at := max(slices.Index(letters, r[0]), slices.Index(letters, small)); {
		case at >= 0 && at < (len(letters)+1)/2:
			s.worth[c] = frequent
		case at >= 0:
			s.worth[c] = usual
		case strings.ContainsRune(everywhere, r[0]):
			s.worth[c] = signs
		case h.latin && unicode.Is(unicode.Latin, r[0]):
			s.worth[c] = other
		default:
			s.worth[c] = strange
		}
	}
	return s
}

// score is how well a text fits a habit, for each byte beyond ASCII: usual where it is just as the language is written.
func (s *sheet) score(text []byte, latin bool) float64 {
	sum, n, row := 0, 0, 0
	before := byte(' ')
	for _, c := range text {
		if c < 0x80 || !s.letter[c] {
			row = 0
		} else {
			row++
		}
		if c >= 0x80 {
			n++
			sum += int(s.worth[c])
		}
		switch {
		case !s.letter[c] || !s.letter[before]:
		case !latin && (c < 0x80) != (before < 0x80):
			sum += mixed
		case c >= 0x80 && (latin && row > 2 || s.capital[c] && !s.capital[before]):
			sum += misplaced
		}
		before = c
	}
	if n == 0 {
		return 0
	}
	return float64(sum) / float64(n)
}

const (
	bySaying   = 1.5 // what the score of a charset gains that the text or its header names
	byLanguage = 1   // and that of the language that the page is in
	wellKnown  = 0.8 // the share of letters of two bytes from which they are believed
	halfKnown  = 0.5 // the same where their charset is named
)

// guess is the charset of a text that is not in UTF-8.
func guess(text []byte, said []string) encoding.Encoding {
	text = sample(text)
	if name, sure := guessWide(text, said); sure {
		e, _ := charset.Lookup(name)
		return e
	}
	in := languageOf(text)
	best, most := "windows-1252", -1000.0
	for i, h := range habits {
		score := sheets()[i].score(text, h.latin)
		if slices.Contains(said, h.charset) {
			score += bySaying
		}
		if h.language == in {
			score += byLanguage
		}
		if score > most {
			best, most = h.charset, score
		}
	}
	for _, name := range said {
		if e, _ := charset.Lookup(name); most < 0 && e != nil && name != "utf-8" {
			return e // nothing fits, so the word of the page is all there is
		}
	}
	e, _ := charset.Lookup(best)
	return e
}

// sample is the text with the stretches that tell most: lines with letters beyond ASCII, as many as are looked at.
func sample(text []byte) []byte {
	if len(text) <= sampled {
		return text
	}
	head := slices.Clone(text[:opening])
	for at := opening; at < len(text) && len(head) < sampled; {
		if text[at] < 0x80 {
			at++
			continue
		}
		from, to := max(at-16, opening), min(len(text), at+64)
		head = append(head, text[from:to]...)
		at = to
	}
	return head
}
