// Package fact reads what systems and pages write in fields about a role: kinds of employment, modes of work, dates, pay,
// countries and languages. It only knows values of fields; titles and descriptions are never given to it.
package fact

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Employment notes the first text that says anything as the kind of employment, with the source's own words.
func Employment(f *boardwatch.Facts, texts ...string) {
	for _, text := range texts {
		if text = Line(text); f.TypeText != "" || !strings.ContainsFunc(text, unicode.IsLetter) { // a number is a code
			continue
		}
		f.TypeText, f.Type = text, boardwatch.TypeOther
		if t, ok := JobType(text); ok {
			f.Type = t
		}
	}
}

// JobType is the kind of employment that a text names; ok is false when it names none. Full-time beside part-time is known to
// be neither.
func JobType(text string) (t boardwatch.JobType, ok bool) {
	if t, ok = find(jobTypes, text); ok && t != boardwatch.TypeContract {
		return t, ok
	}
	_, lasts := find(lasting, text)
	if ok && !lasts {
		return t, ok
	}
	if t, ok = find(hoursOfWork, text); !ok && lasts {
		return boardwatch.TypeOther, true
	}
	if _, both := find(hoursOfWork[1:], text); both && t == boardwatch.TypePartTime {
		return "", true
	}
	return t, ok
}

// Mode is the mode of work of the first field that states one.
func Mode(texts ...string) boardwatch.WorkMode {
	for _, text := range texts {
		if mode, ok := find(workModes, text); ok {
			return mode
		}
	}
	return ""
}

// A kind is a value and the words that stand for it. Each stands where a word begins, and goes on as it likes unless a
// blank ends it.
type kind[Value ~string] struct {
	value Value
	words []string
}

func words[Value ~string](value Value, list string) kind[Value] {
	return kind[Value]{value, strings.Split(list, "|")}
}

// The first kind that fits is meant: a contract for full-time work is a contract, unless it is one that lasts.
//
//nolint:gochecknoglobals // constant tables
var (
	jobTypes = []kind[boardwatch.JobType]{
		words(boardwatch.TypeApprenticeship, "apprentice|ausbildung|auszubildende|azubi|lehrstelle|lehrling|alternan|apprenti|aprendi|apprendist|leerling|lärling|lærling|oppisopim|uczeń|učň"),
		words(boardwatch.TypeInternship, "intern |interns |internship|praktik|pflichtpraktik|stage |stages |stagiair|tirocin|práctica|practica|becari|pasant|estágio|estagi|staż|praktyk|"+
			"harjoittel|stáž|gyakornok|staj|thực tập|实习|實習|インターン|인턴|стаж"),
		words(boardwatch.TypeVolunteer, "volunt|freiwillig|ehrenamt|bénévol|volontair|voluntar|volontar|vrijwillig|frivillig|wolontari"),
		words(boardwatch.TypeContract, "contract|freelanc|independent|consultan|self employed|umowa o dzieło|umowa zlecenie|prestation|prestador|autónomo|freiberuf|zzp|b2b |業務委託|契約|合同|프리랜서|계약"),
		words(boardwatch.TypeTemporary, "temp |temporar|temporal|temporär|seasonal|saison|fixed term|fixed period|befrist|cdd |intérim|interim|limited|determin|durée déterminée|vikariat|vakansi|"+
			"tidsbegräns|midlertidig|määräaik|tijdelijk|tymczasow|определ|временн|派遣|临时"),
	}
	lasting = []kind[boardwatch.JobType]{
		words(boardwatch.TypeOther, "permanent contract|permanent full|permanent part|permanent employment contract|unlimited|open ended|contrat à durée indéterminée|cdi |indefinite"),
	}
	hoursOfWork = []kind[boardwatch.JobType]{
		words(boardwatch.TypePartTime, "part |parttime|teilzeit|temps partiel|mi temps|tiempo parcial|media jornada|jornada parcial|tempo parziale|tempo parcial|meio período|part time|deeltijd|deltid|osa aika|"+
			"osaaik|niepełny|część etatu|częściow|částečn|zkrácen|čiastočn|részmunkaidő|yarı zamanlı|неполн|частичн|minijob|geringfügig|520|パート|アルバイト|兼职|兼職|파트|bán thời gian"),
		words(boardwatch.TypeFullTime, "full |fulltime|vollzeit|temps plein|temps complet|tiempo completo|jornada completa|tempo pieno|tempo integral|período integral|tempo completo|voltijd|fulltid|heltid|"+
			"fuldtid|koko aika|kokoaik|kokopäiv|pełny|pełen|plný|teljes munkaidő|tam zamanlı|normă întreagă|полн|正社員|全职|全職|정규직|풀타임|toàn thời gian"),
	}
	workModes = []kind[boardwatch.WorkMode]{
		words(boardwatch.ModeHybrid, "hybrid|híbrid|ibrid|hybryd|partial|partly remote|partially remote|teilweise remote|télétravail partiel|混合|ハイブリッド|гибрид|하이브리드"),
		words(boardwatch.WorkMode(""), "not remote|no remote|non remote|remote no |remote not |remote false|kein|temporar"),
		words(boardwatch.ModeRemote, "remote|fully remote|full remote|telecommut|telework|télétravail|teletrabajo|home office|homeoffice|work from home|wfh |remoto|remot|à distance|distans|etätyö|"+
			"zdaln|virtual|удал|дистанц|远程|遠程|リモート|在宅|원격|ora remote"),
		words(boardwatch.ModeOnsite, "onsite|on site|in office|in person|office|no remote|presencial|présentiel|sur site|vor ort|in sede|op locatie|på plats|stacjonarn|ora on site|physical|现场|出社|офис"),
		words(boardwatch.ModeRemote, "fully "),
	}
)

func find[Value ~string](kinds []kind[Value], text string) (value Value, ok bool) {
	spaced := spread(text)
	for _, k := range kinds {
		for _, word := range k.words {
			if strings.Contains(spaced, " "+word) {
				return k.value, k.value != ""
			}
		}
	}
	return "", false
}

// maxWords is how much of a field is looked at: what is longer is no value but prose.
const maxWords = 80

// spread is a text in lower case with one blank before each word and one behind the last, in whatever way its words are
// joined: "FULL_TIME", "full-time", "FullTime".
func spread(text string) string {
	if len(text) > maxWords {
		return ""
	}
	var b strings.Builder
	b.WriteByte(' ')
	blank, lower := true, false
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			if !blank {
				b.WriteByte(' ')
			}
			blank, lower = true, false
			continue
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
		}
		blank, lower = false, unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	if !blank {
		b.WriteByte(' ')
	}
	return b.String()
}

// Line is a text in one line, without controls and characters that nobody sees; empty when it is prose or a filler.
func Line(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.C, r) }), " ")
	if len(text) > 2*maxWords {
		return ""
	}
	switch strings.ToLower(text) {
	case "null", "none", "n/a", "see opening id", "unavailable", "undefined", "-", "unspecified", "not specified", "not applicable", "unknown", "tbd":
		return ""
	}
	return text
}

// Language is the tag of the language that a field names, without what is not one: "en_GLOBAL" is "en".
func Language(text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "_", "-")
	base, _, _ := strings.Cut(text, "-")
	if len(base) != 2 && len(base) != 3 {
		return ""
	}
	tag, err := language.Parse(text)
	if err != nil {
		if tag, err = language.Parse(base); err != nil {
			return ""
		}
	}
	if tag == language.Und {
		return ""
	}
	return tag.String()
}
