package boardwatch

import (
	"strings"
	"sync"
	"unicode"
)

const (
	languageSample = 2000 // bytes at the beginning of a text
	leastWords     = 6    // of a language that a text needs to be in it
)

// smallWords are words that every text in a language has. Those that related languages share speak for each of them.
//
//nolint:gochecknoglobals // a constant table
var smallWords = sync.OnceValue(func() map[string][]string {
	of := map[string]string{
		"bg": "и в на с за да се от не ще че по ние като или са ни вашите нашите това към",
		"ca": "i de la el els les amb per que una del és són als dels amb nostre teva aquesta molt",
		"cs": "a v na se je s do pro že nebo jsme který ve jako z k bude budete máš nás co tě našeho",
		"da": "og at er som for med vi du på en til af det har den vores dig hvor ikke blive samt arbejde både",
		"de": "und die der das mit wir du sie ist für ein eine auf dich unser zu im den von bei",
		"el": "και να το της του την για με στην που είναι σε από οι τα στο των",
		"en": "the and of to with for you our will are is we your this that in as be have on",
		"es": "el la los las y de con para una que en nuestro por del se un su al más como",
		"et": "ja on ning et ei meie sinu või kui oma ka see mis töö oled sa",
		"fi": "ja on että ovat se sinun meidän tai sekä työ olemme ei kanssa myös joka sinulla meillä",
		"fr": "le la les des et vous nous une pour dans avec est sur votre du de un au en qui",
		"hr": "i u je na za se s da su ili što od te kao koji tvrtke našeg rad biti radno smo",
		"hu": "a az és egy hogy nem is vagy van meg mint ha sem által csapat nálunk neked",
		"id": "dan yang untuk di dengan dari dalam ini pada kami anda atau kerja akan secara",
		"is": "og að er í við á sem til um eru þú með fyrir ekki hjá okkar starf",
		"it": "il di e la che per con una nel della sono gli un le dei in del si alla nostro",
		"lt": "ir į kad su yra iš ar tai apie mūsų jūsų už arba bei kaip darbo mes",
		"lv": "un ir uz no ar par vai kas mūsu kā tiek arī mēs darba lai tu",
		"nb": "og å er som for med vi du på en til av det har den vår våre deg hos ikke være jobbe både",
		"nl": "de het een en van je wij met voor is op jij onze dat aan in te zijn bij naar",
		"pl": "i w na do z się jest oraz dla że nie to o ci czy od jak pracy po co",
		"pt": "o de e os as para com uma em que você da do não na um por no dos ao",
		"ro": "și de în la cu pentru un o care este din sau pe ai noastră să echipa vei sunt",
		"ru": "и в на с по что для не мы от к из или как вы это работы мы у",
		"sk": "a v na sa je s do pre že alebo sme ktorý vo ako z k bude budete máš nás čo ťa nášho",
		"sl": "in je na za v s se da ki ali so z tudi pri kot ter naše smo delo vas",
		"sr": "и у је на за се са да су или што од те као који рад смо нашег",
		"sv": "och att är som för med vi du på en till av det har den hos inte vår våra dig kan eller",
		"tr": "ve bir için ile bu olarak olan da de en veya gibi iş çok sahip",
		"uk": "і в на з та для що не ми від до або як ви це роботи за у",
		"vi": "và của các là cho với có được trong một những công việc",
	}
	languages := make(map[string][]string)
	for tag, words := range of {
		for word := range strings.FieldsSeq(words) {
			languages[word] = append(languages[word], tag)
		}
	}
	return languages
})

// languageOf returns the BCP 47 tag of the language that a text is in; empty if that is not certain.
func languageOf(text string) string {
	if len(text) > languageSample {
		text = strings.ToValidUTF8(text[:languageSample], "")
	}
	letters, kana, hangul, han, thai, hebrew := 0, 0, 0, 0, 0, 0
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
			continue
		case r < 0x0590:
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.Is(unicode.Thai, r):
			thai++
		case unicode.Is(unicode.Hebrew, r):
			hebrew++
		}
		letters++
	}
	most := func(n int) bool { return n >= 20 && 2*n > letters }
	switch {
	case most(kana+han) && 10*kana > han:
		return "ja"
	case most(han):
		return "zh"
	case most(hangul):
		return "ko"
	case most(thai):
		return "th"
	case most(hebrew):
		return "he"
	}
	counts, words, small := make(map[string]int), 0, smallWords()
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		words++
		for _, tag := range small[word] {
			counts[tag]++
		}
	}
	best, first, second := "", 0, 0
	for tag, n := range counts {
		switch {
		case n > first:
			best, first, second = tag, n, first
		case n > second:
			second = n
		}
	}
	if first < leastWords || 10*first < words || 5*first < 6*second { // related languages share many
		return ""
	}
	return best
}
