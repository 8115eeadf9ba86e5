// Package markdown makes clean Markdown of what strangers wrote as HTML or as plain text: headings, paragraphs, lists,
// emphasis and links, and nothing else.
package markdown

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// verbose is how many times as long as what it says the markup of a text may be; more of it is not looked at.
const verbose = 16

// hasTags reports whether a text holds tags of HTML that begin and end with these marks: "<" and ">", or "&lt;" and "&gt;"
// where they were escaped.
func hasTags(text, begin, end string) bool {
	for from, last := 0, strings.LastIndex(text, end); ; {
		at := strings.Index(text[from:], begin)
		if at < 0 || from+at > last {
			return false
		}
		before, rest := text[:from+at], text[from+at+len(begin):]
		from += at + len(begin)
		name := strings.TrimPrefix(rest[:min(len(rest), 20)], "/")
		if other := strings.IndexFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '1' || r > '6') }); other >= 0 {
			name = name[:other]
		}
		if !strings.HasSuffix(before, `\`) && (strings.HasPrefix(rest, "!--") || name != "" && atom.Lookup([]byte(strings.ToLower(name))) != 0) {
			return true
		}
	}
}

// Of is a description as Markdown of at most limit bytes; empty if it says nothing. Relative links belong to
// base, and are no links without one. Text that was escaped once or twice more than HTML demands, or as JSON demands, is taken
// for what it was.
func Of(text, base string, limit int) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	text = bare(strings.ToValidUTF8(cut(text, verbose*limit), ""))
	if strings.Contains(text, `\n`) && !strings.Contains(text, "\n") && writtenBreak.MatchString(text) {
		text = writtenBreaks.Replace(text)
	}
	marked := hasTags(text, "<", ">")
	if !marked && hasTags(text, "&amp;lt;", "&amp;gt;") {
		text = html.UnescapeString(text)
	}
	if !marked && hasTags(text, "&lt;", "&gt;") {
		text, marked = bare(html.UnescapeString(text)), true
	}
	if marked {
		text = convert(text, base, limit)
	} else {
		text = html.UnescapeString(html.UnescapeString(cut(text, 2*limit)))
	}
	text = cutLine(guard(tidy(text)), limit)
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return ""
	}
	return text
}

// bare is a text without the marks of CDATA around it or its parts.
func bare(text string) string {
	if strings.Contains(text, "<![CDATA[") {
		return strings.NewReplacer("<![CDATA[", "", "]]>", "").Replace(text)
	}
	return text
}

//nolint:gochecknoglobals // constant tables
var (
	// writtenBreak is the end of a line as JSON writes it, where only that can be meant.
	writtenBreak  = regexp.MustCompile(`[.!?>)](?:\\r)?\\n|(?:\\n){2}`)
	writtenBreaks = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n", `\t`, " ")
)

func convert(text, base string, limit int) string {
	root, _ := url.Parse(base) // without one, relative links are none
	w := &writer{base: root, limit: limit, out: make([]byte, 0, min(len(text), limit)/2)}
	w.read(text)
	return string(w.out)
}

// tidy are the lines of a text without what cannot be seen, at most one empty line between two. Two blanks at the end of a
// line are a break, and stay.
func tidy(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	empty, broken := 0, false
	for line := range strings.Lines(text) {
		line = strings.Map(visible, line)
		breaks := strings.HasSuffix(line, "  ")
		line = strings.TrimRight(line, " ")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if indent > 2*maxDepth || out.Len() == 0 {
			line = line[indent:]
		}
		if line == "" {
			empty++
			continue
		}
		if out.Len() > 0 && empty == 0 && broken {
			out.WriteString("  ")
		}
		if out.Len() > 0 {
			out.WriteString("\n\n"[:1+min(empty, 1)])
		}
		empty, broken = 0, breaks
		out.WriteString(line)
	}
	return out.String()
}

// visible is the character that stands for r in a line, or -1.
func visible(r rune) rune {
	switch {
	case r > ' ' && r < 0x7f, r == '\u200d', r == '\ufe0e', r == '\ufe0f': // joiners, and variants of emoji
		return r
	case r == '\t', unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.Is(unicode.C, r) && !unicode.Is(unicode.Co, r), unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector), r == '\u2028', r == '\u2029', r == utf8.RuneError:
		return -1
	}
	return r
}

// guard takes the life out of what Markdown would make more of than text, emphasis, lists and links to web pages: HTML,
// images, definitions, other links. It leaves alone what it has guarded before.
func guard(text string) string {
	var out strings.Builder
	out.Grow(len(text) + 16)
	for i := range len(text) {
		c := text[i]
		live := c == '<' ||
			c == '[' && i > 0 && text[i-1] == '!' ||
			i > 0 && text[i-1] == ']' && (c == ':' || c == '(' && !webLink(text[i+1:]))
		if live && !escaped(text[:i]) {
			out.WriteByte('\\')
		}
		out.WriteByte(c)
	}
	return out.String()
}

func webLink(target string) bool {
	return strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "http://")
}

// escaped reports whether what follows a text is escaped: it ends with an odd number of backslashes.
func escaped(before string) bool {
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// cutLine cuts behind a line if there is one near the end, else at a rune.
func cutLine(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = cut(text, limit)
	if at := strings.LastIndexByte(text, '\n'); at > len(text)-4096 && at > 0 {
		text = text[:at]
	}
	return strings.TrimRight(text, "\\ \n")
}
