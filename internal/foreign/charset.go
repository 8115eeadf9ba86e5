package foreign

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

const (
	sampled = 64 << 10 // bytes of a text that are looked at to guess its charset
	opening = 2 << 10  // where a page names its charset and its language
)

// UTF8 is a text in UTF-8: it is the text itself, or a part of it, where that is so already. What the text and its Content-Type
// say of its charset is believed unless the bytes contradict it; where nothing is said, the bytes decide.
func UTF8(text []byte, contentType string) []byte {
	marks := [...]struct {
		mark string
		is   encoding.Encoding
	}{
		{"\xef\xbb\xbf", nil},
		{"\xff\xfe", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
		{"\xfe\xff", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	}
	for _, m := range marks {
		if rest, found := bytes.CutPrefix(text, []byte(m.mark)); found {
			return decoded(rest, m.is)
		}
	}
	if wide := wideOrder(text); wide != nil {
		return decoded(text, wide)
	}
	if utf8.Valid(text) {
		if isEscaped(text) {
			return decoded(text, japanese.ISO2022JP)
		}
		return text // hardly any text in another charset looks like it
	}
	said := declared(text, contentType)
	for _, name := range said {
		if name == "utf-8" && mostlyUTF8(text) {
			return text // a letter that was cut in two
		}
	}
	return decoded(text, guess(text, said))
}

func decoded(text []byte, e encoding.Encoding) []byte {
	if e == nil {
		return text
	}
	out, err := e.NewDecoder().Bytes(text)
	if err != nil {
		return text
	}
	return bytes.TrimPrefix(out, []byte("\ufeff"))
}

// wideOrder is UTF-16 without its mark: every second byte of markup is zero.
func wideOrder(text []byte) encoding.Encoding {
	head := text[:min(len(text), opening)]
	if len(head) < 4 || bytes.IndexByte(head, 0) < 0 {
		return nil
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	switch {
	case zeros[1]*4 > half && zeros[0]*16 < zeros[1]:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case zeros[0]*4 > half && zeros[1]*16 < zeros[0]:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

// isEscaped reports whether a text is in ISO-2022-JP, which is ASCII with escapes around what is Japanese.
func isEscaped(text []byte) bool {
	if bytes.IndexByte(text, 0x1b) < 0 {
		return false
	}
	for _, escape := range [...]string{"\x1b$B", "\x1b$@", "\x1b(J", "\x1b(I"} {
		if bytes.Contains(text, []byte(escape)) {
			return true
		}
	}
	return false
}

// mostlyUTF8 reports whether the letters beyond ASCII that are whole in UTF-8 are far more than the bytes that are none.
func mostlyUTF8(text []byte) bool {
	whole, broken := 0, 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			broken++
		case size > 1:
			whole++
		}
		text = text[size:]
	}
	return whole > 2*broken
}

var (
	xmlEncoding = regexp.MustCompile(`^\s*<\?xml[^>]{0,100}\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']`)
	metaCharset = regexp.MustCompile(`(?i)<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})`)
	typeCharset = regexp.MustCompile(`(?i);\s*charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})`)
	language    = regexp.MustCompile(`(?i)<(?:html|rss|feed|channel|body)[^>]{0,400}?\slang\s*=\s*["']?([a-z]{2})`)
)

// declared are the charsets that a text is said to be in, by their names in the standard.
func declared(text []byte, contentType string) []string {
	head := text[:min(len(text), opening)]
	var names []string
	for _, found := range [...][][]byte{typeCharset.FindSubmatch([]byte(contentType)), xmlEncoding.FindSubmatch(head), metaCharset.FindSubmatch(head)} {
		if found == nil {
			continue
		}
		if _, name := charset.Lookup(string(found[1])); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// languageOf is the language that a page says it is in.
func languageOf(text []byte) string {
	if m := language.FindSubmatch(text[:min(len(text), opening)]); m != nil {
		return strings.ToLower(string(m[1]))
	}
	return ""
}
