package page

import (
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
	"github.com/boardwatch/boardwatch/internal/match"
)

var (
	jobNouns = match.Of(func() string { return oneOf("job noun") })
	// ofTotal is "1-10 of 22" and "9 of 26 jobs".
	ofTotal = lazyregexp.Of(func() string {
		return `\b(\d{1,5})\s*(?:[-–—]|` + oneOf("to") + `)\s*(\d{1,5})\s*(?:[/／]|` + oneOf("of", "of a range") + `)\s*(?:about\s+|the\s+|over\s+)?(\d{1,3}(?:[.,]\d{3})|\d{1,6})`
	})
	rangeIn = lazyregexp.Of(func() string { return `\b(\d{1,4})\s*(?:[-–—~〜]|` + oneOf("to") + `)\s*(\d{1,4})\b` })
	// nOfTotal is "9 jobs of 26", "9 of 26 jobs", and "9 of 26" before nothing else: "3 of 5 days" counts no roles.
	nOfTotal = lazyregexp.Of(func() string {
		what, total := `(?:`+oneOf("job noun")+`|`+oneOf("results")+`)`, oneOf("of")+`\s*(\d{1,3}(?:[.,]\d{3})|\d{1,6})`
		return `(?:^|[\s(])\d{1,5}\s*(?:` + what + `\s+` + total + `(?:$|\D)|` + total + `\s*(?:$|[^\s\p{L}\d]|(?:` + oneOf("job adjective") + `\s+){0,2}` + what + `))`
	})
	// nOf is "9 of 26", whatever follows: the first number has to be that of the roles shown.
	nOf = lazyregexp.Of(func() string { return `(?:^|[\s(])(\d{1,5})\s*` + oneOf("of") + `\s*(\d{1,6})(?:$|\s)` })
	// totals are statements such as "86 in all", where no word for roles is needed.
	totals = sayings("total")
	// allInAll is "Total: 24", "24 in total" and "24 jobs found", with nothing beside it.
	allInAll = lazyregexp.Of(func() string {
		number, what := `(\d{1,3}(?:[.,]\d{3})|\d{1,6})\+?`, `(?:\s*(?:`+oneOf("job adjective")+`\s+){0,2}(?:`+oneOf("job noun")+`|`+oneOf("results")+`))?`
		return `^(?:` + oneOf("in all") + `(?:\s*[:：]\s*|\s+)` + number + what + `|` + number + what + `\s+` + oneOf("in all") + `)[^\d\p{L}]*$`
	})
	// nJobs is "28 Jobangebote" and "Viewing 26 open positions". "02 Jobs" is the second part of the page.
	nJobs = lazyregexp.Of(func() string {
		return `(?:^|\s|\()(\d{1,3}(?:[.,]\d{3})|\d{1,5})\+?\s+(?:` + oneOf("job adjective") + `\s+){0,2}` + oneOf("job noun") + `(?:$|[^\p{L}])`
	})
	// jobsN is "Open positions (28)" and "Open positions: 28".
	jobsN = lazyregexp.Of(func() string { return oneOf("job noun") + `\s*(?:\((\d{1,5})\)|:\s*(\d{1,5}))\s*$` })
	// nResults is "28 results", with nothing beside it.
	nResults = lazyregexp.Of(func() string { return `^(\d{1,3}(?:[.,]\d{3})|\d{1,5})\s+` + oneOf("results") + `$` })
	// pageOfPages is "page 2 of 3" and "2/3 pages", with the number of the page first, and pagesAtPage the same turned round.
	pageOfPages = lazyregexp.Of(func() string {
		return `(?:^|[^\p{L}])` + oneOf("page") + `\s*(\d{1,4})\s*(?:[/／]|` + oneOf("of", "of a range") + `)\s*` + oneOf("page") + `?\s*(\d{1,4})(?:$|[^\p{L}\d]|` + oneOf("page") + `)` +
			`|(?:^|[^\d])(\d{1,4})\.?\s*` + oneOf("page") + `[\s,]*(?:` + oneOf("of", "of a range", "in all") + `)\s*(\d{1,4})(?:$|[^\d])` +
			`|(?:^|[^\d])(\d{1,4})\s*` + oneOf("page") + `?\s*(?:[/／]|` + oneOf("of", "of a range") + `)\s*(\d{1,4})\s*` + oneOf("page") + `(?:$|[^\p{L}])` +
			`|` + oneOf("page of pages")
	})
	pagesAtPage = lazyregexp.Of(func() string { return oneOf("pages at page") })
)

// claimed is how many roles the page says it has; -1 when it does not say. Numbers on the cards do not count.
func (d *Document) claimed(found []*candidate) int {
	total := -1
	cards := d.onCards(found)
	for _, e := range d.within(d.body) {
		if e.hidden || !e.own || cards[e.index] {
			continue
		}
		if n := d.loneNumber(e); n != "" {
			total = max(total, countIn(n, !e.chrome))
		}
		for _, o := range [...]*element{e, e.parent} {
			if !o.longer(90) && o.longer(1) && hasDigit(o.visibleText()) {
				text := o.folded()
				if said := max(countIn(text, !e.chrome), shownOf(text, len(found))); said > total && !o.isAmongSlides() {
					total = said
				}
			}
		}
	}
	return total
}

// loneNumber is the text of an element that shows nothing but a number, with that of the one after it; "" for any other. A number with a
// zero before it counts the parts of the page.
func (d *Document) loneNumber(e *element) string {
	if e.longer(5) || e.parent == nil || !isNumeric(e.visibleText()) || strings.HasPrefix(e.visibleText(), "0") {
		return ""
	}
	if next := e.parent.kids[e.nth+1:]; len(next) > 0 && !next[0].longer(40) {
		return e.folded() + " " + next[0].folded()
	}
	return ""
}

// shownOf is the number of all roles in a text whose other numbers are those of the roles shown: "8 / 24", "8 of 24 shown" and, in
// whatever language, "24 records, 1-8 of them"; -1 in any other text.
func shownOf(text string, shown int) int {
	if shown < 2 || len(numbersIn(text)) < 2 {
		return -1
	}
	m := slashed.FindStringSubmatch(text)
	if m == nil && len(strings.Fields(text)) < 5 {
		m = nOf.FindStringSubmatch(text)
	}
	if m != nil && number(m[1]) == shown {
		return number(m[2])
	}
	at := rangeIn.FindStringSubmatchIndex(text)
	if at == nil {
		return -1
	}
	from, to, rest := number(text[at[2]:at[3]]), number(text[at[4]:at[5]]), numbersIn(text[:at[0]]+" "+text[at[1]:])
	if from != 1 || to != shown || len(rest) != 1 {
		return -1
	}
	return number(rest[0])
}

// countIn is the number of roles that a folded text states, or -1.
func countIn(text string, loose bool) int {
	if !hasDigit(text) || isNumeric(text) {
		return -1
	}
	numbers := len(numbersIn(text))
	if numbers >= 2 {
		text = pageOfPages.ReplaceAllString(text, " ")
		numbers = len(numbersIn(text))
	}
	if numbers >= 3 {
		if m := ofTotal.FindStringSubmatch(text); m != nil && number(m[2]) <= number(m[3]) {
			return number(m[3])
		}
	}
	if m := totals.Find(text); m != nil {
		return number(strings.Join(m[1:], ""))
	}
	if numbers >= 2 {
		if m := nOfTotal.FindStringSubmatch(text); m != nil {
			return number(m[1] + m[2])
		}
	}
	if m := nResults.FindStringSubmatch(text); m != nil && loose {
		return number(m[1])
	}
	if m := allInAll.FindStringSubmatch(text); m != nil && loose {
		return number(m[1] + m[2])
	}
	if !loose || len(strings.Fields(text)) > 8 || !jobNouns.MatchString(text) {
		return -1
	}
	if m := nJobs.FindStringSubmatch(text); m != nil && (m[1] == "0" || m[1][0] != '0') {
		return number(m[1])
	}
	if m := jobsN.FindStringSubmatch(text); m != nil {
		return number(m[len(m)-2] + m[len(m)-1])
	}
	return -1
}

// numbersIn are the numbers in a text.
func numbersIn(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func hasDigit(text string) bool {
	for _, r := range text {
		if r = plainDigit(r); '0' <= r && r <= '9' {
			return true
		}
	}
	return false
}

func number(s string) int {
	n, err := strconv.Atoi(strings.Map(withoutMarks, s))
	if err != nil {
		return -1
	}
	return n
}

// withoutMarks leaves out the marks between thousands.
func withoutMarks(r rune) rune {
	if r == '.' || r == ',' {
		return -1
	}
	return r
}

// onCards marks the places in the document that are on the cards of the roles found.
func (d *Document) onCards(found []*candidate) []bool {
	on := make([]bool, len(d.elements))
	for _, c := range found {
		for i := c.card.from; i < c.card.to; i++ {
			on[i] = true
		}
	}
	return on
}
