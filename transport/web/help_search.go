package web

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

const (
	// mostHelp is the most sections that a search shows.
	mostHelp = 20
	// mostHelpWords is how many words of a search are used.
	mostHelpWords = 8
	// excerptLength is how much of a section is shown, in bytes; where it begins, that is how much may precede the
	// word.
	excerptLength, excerptBefore = 240, 60
)

// helpSection is a heading of the documentation and the text up to the next one.
type helpSection struct {
	Title, Heading, Address string

	level int // of the heading
	text  string
	// What is searched, see plainWords.
	heading, words string
}

// helpResult is a section found by a search.
type helpResult struct {
	helpSection

	Excerpt []excerptPart
}

// excerptPart is a piece of text; a hit is one of the search words.
type excerptPart struct {
	Text string
	Hit  bool
}

// sectionsOf returns the sections of a page.
func sectionsOf(tree ast.Node, source []byte, title, address string) []helpSection {
	var all []helpSection
	var body strings.Builder
	end := func() {
		if len(all) > 0 {
			s := &all[len(all)-1]
			s.text = strings.Join(strings.Fields(body.String()), " ")
			s.heading, s.words = plainWords(s.Heading), plainWords(s.text)
		}
		body.Reset()
	}
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindHeading {
			writeText(&body, n, source)
			continue
		}
		end()
		s := helpSection{Title: title, Address: address}
		if h, ok := n.(*ast.Heading); ok {
			s.level = h.Level
		}
		if id, ok := n.AttributeString("id"); ok && len(all) > 0 { // the first heading is the page itself
			if anchor, ok := id.([]byte); ok {
				s.Address += "#" + string(anchor)
			}
		}
		var heading strings.Builder
		writeText(&heading, n, source)
		s.Heading = strings.Join(strings.Fields(heading.String()), " ")
		all = append(all, s)
	}
	end()
	return all
}

// writeText writes the visible text of a node. The texts of different blocks are separated.
func writeText(b *strings.Builder, n ast.Node, source []byte) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // no visit fails
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.FencedCodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		default:
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
}

// plainWords is a text in small letters, with one space before and after each word, so that a word can be found by its
// beginning.
func plainWords(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return " " + strings.Join(words, " ") + " "
}

// search finds the sections that contain all words, or words that begin with them, the best first.
func (h help) search(query string) []helpResult {
	words := strings.Fields(plainWords(query))
	words = words[:min(len(words), mostHelpWords)]
	if len(words) == 0 {
		return nil
	}
	type found struct {
		section helpSection
		weight  int
	}
	var all []found
	for _, s := range h.sections {
		if weight := s.weigh(words); weight > 0 {
			all = append(all, found{s, weight})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.weight, a.weight) })
	results := make([]helpResult, 0, mostHelp)
	for _, f := range all[:min(len(all), mostHelp)] {
		results = append(results, helpResult{f.section, excerpt(f.section.text, words)})
	}
	return results
}

// weigh rates how well a section matches some words: 0 if one is missing. A word in the heading counts like many in the
// text, and a whole word counts more than the beginning of one.
func (s helpSection) weigh(words []string) int {
	const inHeading, most = 20, 5
	sum := 0
	for _, w := range words {
		weight := min(most, strings.Count(s.words, " "+w)) + min(most, strings.Count(s.words, " "+w+" "))
		weight += inHeading * (strings.Count(s.heading, " "+w) + strings.Count(s.heading, " "+w+" "))
		if weight == 0 {
			return 0
		}
		sum += weight
	}
	return sum
}

// excerpt returns the part of a text around the first search word.
func excerpt(text string, words []string) []excerptPart {
	from := 0
	if first, _, ok := nextHit(text, words); ok && first > excerptBefore {
		from = first - excerptBefore
		from += strings.IndexByte(text[from:first], ' ') + 1
	}
	to := min(len(text), from+excerptLength)
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	var parts []excerptPart
	if from > 0 {
		parts = append(parts, excerptPart{Text: "… "})
	}
	for rest := text[from:to]; rest != ""; {
		begin, end, ok := nextHit(rest, words)
		if !ok {
			parts = append(parts, excerptPart{Text: rest})
			break
		}
		parts = append(parts, excerptPart{Text: rest[:begin]}, excerptPart{Text: rest[begin:end], Hit: true})
		rest = rest[end:]
	}
	if to < len(text) {
		parts = append(parts, excerptPart{Text: " …"})
	}
	return parts
}

// nextHit finds the first word of a text that begins with one of the search words.
func nextHit(text string, words []string) (begin, end int, ok bool) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			at += size
			continue
		}
		end := at + wordLength(text[at:])
		word := strings.ToLower(text[at:end])
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(word, w) }) {
			return at, end, true
		}
		at = end
	}
	return 0, 0, false
}

// wordLength is the length in bytes of the word that a text begins with.
func wordLength(text string) int {
	if n := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); n >= 0 {
		return n
	}
	return len(text)
}
