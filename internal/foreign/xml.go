package foreign

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
	"unicode/utf8"
)

// XML is a document, already in UTF-8, without what a strict parser refuses and people do not see: its declaration, whose encoding
// is no longer true, control characters as they are or by number, bytes that are no UTF-8, and the signs of entities that do
// not exist. The entities of HTML stay.
func XML(document []byte) []byte {
	document = undeclared(document)
	if !needsMending(document) {
		return document
	}
	out := make([]byte, 0, len(document)+64)
	for len(document) > 0 {
		rest, raw := document, false
		for _, part := range [...]struct{ begin, end string }{{"<![CDATA[", "]]>"}, {"<!--", "-->"}} {
			if !bytes.HasPrefix(document, []byte(part.begin)) {
				continue
			}
			if end := bytes.Index(document, []byte(part.end)); end > 0 {
				out, rest, raw = appendAllowed(out, document[:end]), document[end:], true
			}
		}
		if !raw {
			next := 1
			if at := bytes.IndexByte(document[1:], '<'); at >= 0 {
				next += at
			} else {
				next = len(document)
			}
			out, rest = appendMended(out, document[:next]), document[next:]
		}
		document = rest
	}
	return out
}

// undeclared is a document without its declaration, which names the charset it once was in.
func undeclared(document []byte) []byte {
	start := bytes.TrimLeft(bytes.TrimPrefix(document, []byte("\ufeff")), " \t\r\n")
	if !bytes.HasPrefix(start, []byte("<?xml")) {
		return document
	}
	if _, rest, found := bytes.Cut(start, []byte("?>")); found {
		return rest
	}
	return document
}

func needsMending(document []byte) bool {
	return bytes.IndexByte(document, '&') >= 0 || !utf8.Valid(document) || bytes.ContainsFunc(document, func(r rune) bool { return !allowed(r) })
}

// allowed reports whether XML may hold a character.
func allowed(r rune) bool {
	return r >= ' ' && r != 0xfffe && r != 0xffff || r == '\t' || r == '\n' || r == '\r'
}

func appendAllowed(out, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if allowed(r) {
			out = utf8.AppendRune(out, r)
		}
		text = text[size:]
	}
	return out
}

// appendMended appends text and tags, with the entities that a parser does not know as plain text.
func appendMended(out, text []byte) []byte {
	for {
		at := bytes.IndexByte(text, '&')
		if at < 0 {
			return appendAllowed(out, text)
		}
		out = appendAllowed(out, text[:at])
		text = text[at:]
		name, _, closed := bytes.Cut(text[1:min(len(text), longestEntity)], []byte(";"))
		switch known := closed && isEntity(string(name)); {
		case known:
			out, text = append(out, text[:len(name)+2]...), text[len(name)+2:]
		case closed && bytes.HasPrefix(name, []byte("#")):
			text = text[len(name)+2:] // a character that there is not
		default:
			out, text = append(out, "&amp;"...), text[1:]
		}
	}
}

const longestEntity = 34

func isEntity(name string) bool {
	number, isNumber := strings.CutPrefix(name, "#")
	if !isNumber {
		switch name {
		case "amp", "lt", "gt", "quot", "apos":
			return true
		}
		return xml.HTMLEntity[name] != ""
	}
	base := 10
	if strings.HasPrefix(number, "x") {
		number, base = number[1:], 16
	}
	n, err := strconv.ParseInt(number, base, 32)
	return err == nil && n <= utf8.MaxRune && utf8.ValidRune(rune(n)) && allowed(rune(n))
}
