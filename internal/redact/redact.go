// Package redact takes secrets out of addresses and texts before they are shown or logged.
package redact

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// WithoutPassword returns a typed address in a form that messages, lists and logs may show.
func WithoutPassword(address string) string {
	address = strings.TrimSpace(address)
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return "…" + address[at:]
	case u.User != nil:
		return u.Redacted()
	default:
		return address
	}
}

// WithoutSecrets returns a text from outside, such as a receiver's answer, with each of the secrets replaced by an
// ellipsis, in whatever usual encoding it stands there: percent, JSON, HTML, base64, hexadecimal, several of them at
// once, or broken by blanks. A secret that is an address hides its path, its query and its user, but not its host. If
// the text ends with an ellipsis, it was cut off, and a secret that has only begun is hidden, too.
func WithoutSecrets(text string, secrets ...string) string {
	var hidden veil
	for _, secret := range secrets {
		if u, err := url.Parse(secret); err == nil && u.Scheme != "" && u.Host != "" {
			hidden.address(u)
		} else {
			hidden.token(secret)
		}
	}
	return hidden.over(text)
}

const (
	ellipsis = "…"
	// longPiece is how many characters a piece of a secret needs to be hidden inside other words, too.
	longPiece = 6
	// shortValue is how many characters the value of a parameter needs to be hidden without its name.
	shortValue = 4
	// mostPiece is how many bytes a piece has at most. A longer one is hidden in parts.
	mostPiece = 64
	// mostSteps is how many steps finding all pieces may take. The rest of a text that needs more, which can only be one
	// that was made for that, is hidden.
	mostSteps = 100_000
	// begunPiece is how many characters of a piece are hidden where the text was cut off.
	begunPiece = 4
)

// veil is the set of texts that are to be hidden.
type veil struct {
	host   string           // whose parts are no secret
	pieces map[byte][]piece // by their first byte, in lower case
}

// piece is one of these texts.
type piece struct {
	text  string
	short bool        // to be hidden only where it stands alone
	blank map[int]int // where characters are that may be missing, and their sizes
}

// address hides an address except for its host.
func (v *veil) address(u *url.URL) {
	v.host = strings.ToLower(u.Host)
	path := strings.Trim(u.EscapedPath(), "/")
	segments := strings.Split(path, "/")
	switch {
	case len(segments) > 1:
		v.add(decodings(path)...)
	case path != "":
		v.add(decodings("/" + path)...)
	}
	for _, s := range segments {
		v.part(s)
	}
	if u.User != nil {
		password, _ := u.User.Password()
		v.token(u.User.Username())
		v.token(password)
	}
	for _, parameter := range strings.FieldsFunc(u.RawQuery, func(r rune) bool { return r == '&' || r == ';' }) {
		switch name, value, _ := strings.Cut(parameter, "="); {
		case value == "":
			v.part(name)
		case len(value) < shortValue:
			v.add(decodings(parameter)...)
		default:
			v.token(value)
			v.part(value)
		}
	}
	v.part(u.EscapedFragment())
	v.host = ""
}

// part hides a part of an address, and every part of it that is long enough to be a secret of its own.
func (v *veil) part(s string) {
	for _, decoded := range decodings(s) {
		parts := strings.FieldsFunc(decoded, func(r rune) bool {
			return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		for _, p := range append(parts, decoded) {
			if utf8.RuneCountInString(p) >= longPiece && !ordinary(p) && (v.host == "" || !strings.Contains(v.host, strings.ToLower(p))) {
				v.token(p)
			}
		}
	}
}

// ordinary reports whether a part of an address is a word that says what the address is for. Without these, answers
// would be harder to understand.
func ordinary(part string) bool {
	switch strings.ToLower(part) {
	case "service", "services", "webhook", "webhooks", "workflow", "workflows", "trigger", "triggers", "manual", "invoke", "message", "messages",
		"sendmessage", "notify", "notifications", "callback", "callbacks", "endpoint", "endpoints", "events", "incoming", "receiver":
		return true
	default:
		return false
	}
}

// token hides a whole secret, and what follows its prefix, as in whsec_….
func (v *veil) token(s string) {
	v.add(decodings(s)...)
	if _, rest, ok := strings.Cut(s, "_"); ok && len(rest) >= longPiece {
		v.add(decodings(rest)...)
	}
}

// decodings returns a part of an address as it is and as it is meant.
func decodings(s string) []string {
	all := []string{s}
	for range 3 {
		last := all[len(all)-1]
		for _, decode := range []func(string) (string, error){url.QueryUnescape, url.PathUnescape} {
			if decoded, err := decode(last); err == nil && !slices.Contains(all, decoded) {
				all = append(all, decoded)
			}
		}
	}
	return all
}

// add hides texts, and what they look like inside base64 and hexadecimal.
func (v *veil) add(texts ...string) {
	for _, text := range texts {
		text = strings.TrimFunc(text, ignored)
		if strings.Trim(text, "/") == "" {
			continue
		}
		v.form(text)
		if len(text) < longPiece {
			continue
		}
		v.form(hex.EncodeToString([]byte(text)))
		for offset, affected := range []int{0, 2, 3} { // by what stands in front
			raw := append(make([]byte, offset), text...)
			for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				v.form(encoding.EncodeToString(raw)[affected : len(raw)*8/6])
			}
		}
	}
}

// form hides a text as it is.
func (v *veil) form(text string) {
	for len(text) > mostPiece {
		size := mostPiece
		for size > mostPiece/2 && !utf8.RuneStart(text[size]) {
			size--
		}
		v.piece(text[:size])
		next := min(size, len(text)-mostPiece/2) // the last one is no shorter than half of the others
		for next > 0 && !utf8.RuneStart(text[next]) {
			next--
		}
		text = text[max(next, 1):]
	}
	v.piece(text)
}

func (v *veil) piece(text string) {
	first := lower(text[0])
	if slices.ContainsFunc(v.pieces[first], func(p piece) bool { return p.text == text }) {
		return
	}
	p := piece{text: text, short: utf8.RuneCountInString(text) < longPiece}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if ignored(r) {
			if p.blank == nil {
				p.blank = map[int]int{}
			}
			p.blank[at] = size
		}
		at += size
	}
	if v.pieces == nil {
		v.pieces = map[byte][]piece{}
	}
	v.pieces[first] = append(v.pieces[first], p)
}

// over returns a text with all pieces hidden.
func (v *veil) over(text string) string {
	body, cut := strings.CutSuffix(text, ellipsis)
	m := matcher{text: body, cut: cut, readings: readings(body)}
	hidden := make([]bool, len(body)+1)
	hidden[len(body)] = cut
	for at := range len(body) {
		end := at
		for _, r := range m.readings[at] {
			for _, p := range v.pieces[lower(r.says[0])] {
				end = max(end, m.match(at, p))
			}
		}
		for i := at; i < end; i++ {
			hidden[i] = true
		}
	}
	var out strings.Builder
	for at, hide := range hidden {
		switch {
		case !hide && at < len(body):
			out.WriteByte(body[at])
		case hide && (at == 0 || !hidden[at-1]):
			out.WriteString(ellipsis)
		}
	}
	return out.String()
}

// matcher finds pieces in a text. It tries every way to read the text, because where an encoded character begins depends
// on where one starts to read.
type matcher struct {
	text     string
	cut      bool // the text goes on
	readings [][]reading
	steps    int // so far
}

// match returns where a piece that begins at a position ends; the position itself if there is none.
func (m *matcher) match(at int, p piece) (end int) {
	if p.short && m.wordAt(at-1) && m.wordAt(at) {
		return at
	}
	return max(at, m.rest(p, at, 0))
}

// rest returns where the rest of a piece ends in the text, if it begins at a position; -1 if it does not.
func (m *matcher) rest(p piece, at, from int) (end int) {
	m.steps++
	switch {
	case m.steps > mostSteps:
		return len(m.text)
	case from == len(p.text):
		if p.short && m.wordAt(at) && m.wordAt(at-1) {
			return -1
		}
		return at
	case m.cut && from >= begunPiece && m.breaksOff(at):
		return len(m.text)
	}
	for _, r := range slices.Backward(m.readings[at]) { // those that take most of the text first
		if begins(p.text[from:], r.says) {
			if end := m.rest(p, r.end, from+len(r.says)); end >= 0 {
				return end
			}
		}
	}
	if from == 0 {
		return -1
	}
	for _, r := range m.readings[at] {
		if c, _ := utf8.DecodeRuneInString(r.says); c != utf8.RuneError && ignored(c) {
			if end := m.rest(p, r.end, from); end >= 0 {
				return end
			}
		}
	}
	if size := p.blank[from]; size > 0 {
		return m.rest(p, at, from+size)
	}
	return -1
}

// wordAt reports whether a letter or a digit stands at a position.
func (m *matcher) wordAt(at int) bool {
	if at < 0 || at >= len(m.text) {
		return false
	}
	c := m.text[at]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// breaksOff reports whether nothing but an incomplete encoded character follows.
func (m *matcher) breaksOff(at int) bool {
	const longest = 12
	return at == len(m.text) || at > len(m.text)-longest && strings.IndexByte(escapes, m.text[at]) >= 0
}

// begins reports whether a piece begins with a character, in any case.
func begins(rest, says string) bool {
	if len(says) == 1 {
		return lower(rest[0]) == lower(says[0])
	}
	return strings.HasPrefix(rest, says)
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// ignored reports whether a character may be missing or added: blanks, and what is not printed.
func ignored(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r) }

// reading is one way to read the text from a position: what the first character says, and where the next one begins.
type reading struct {
	says string
	end  int
}

// escapes are the characters that encoded ones begin with.
const escapes = `%\&=+`

// mostReadings is how many ways to read a text from one position are tried. Only a text made for it has more.
const mostReadings = 8

// readings returns the ways to read a text from each position. Characters that were encoded repeatedly have one for
// each time.
func readings(text string) [][]reading {
	all := make([][]reading, len(text)+1)
	for at := len(text) - 1; at >= 0; at-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		all[at] = append(all[at], reading{text[at : at+size], at + size})
		for i := 0; i < len(all[at]); i++ {
			if r := all[at][i]; len(r.says) == 1 && strings.Contains(escapes, r.says) {
				all[at] = append(all[at], decode(all, r)...)
			}
			all[at] = all[at][:min(len(all[at]), mostReadings)]
		}
	}
	return all
}

// decode returns what an encoded character says, given its first one.
func decode(all [][]reading, first reading) (found []reading) {
	r := reader{all, first.end}
	switch first.says {
	case "+":
		return []reading{{" ", first.end}}
	case "%", "=":
		if n, ok := r.number(2, 2, 16); ok {
			return []reading{{string([]byte{byte(n & 0xFF)}), r.at}}
		}
	case "&":
		return r.entity()
	case `\`:
		return r.backslash()
	}
	return nil
}

// reader reads the characters that follow the first one of an encoded one.
type reader struct {
	all [][]reading
	at  int
}

// next takes one of these characters.
func (r *reader) next(of string) (c byte, ok bool) {
	for _, one := range r.all[r.at] {
		if len(one.says) == 1 && strings.Contains(of, one.says) {
			r.at = one.end
			return one.says[0], true
		}
	}
	return 0, false
}

// number takes a number with that many digits.
func (r *reader) number(least, most, base int) (n uint64, ok bool) {
	digits := ""
	for len(digits) < most {
		c, ok := r.next("0123456789abcdefABCDEF"[:map[int]int{10: 10, 16: 22}[base]])
		if !ok {
			break
		}
		digits += string(c)
	}
	n, err := strconv.ParseUint(digits, base, 64)
	return n, err == nil && len(digits) >= least
}

// entity takes what follows the & of an entity of HTML.
func (r *reader) entity() []reading {
	if _, ok := r.next("#"); ok {
		base := 10
		if _, ok := r.next("xX"); ok {
			base = 16
		}
		n, ok := r.number(1, 16, base)
		if !ok || n > unicode.MaxRune {
			return nil
		}
		found := []reading{{string(rune(n)), r.at}}
		if _, ok := r.next(";"); ok {
			found = []reading{{string(rune(n)), r.at}}
		}
		return found
	}
	const letters, longest = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 10
	name := ""
	for len(name) < longest {
		c, ok := r.next(letters)
		if !ok {
			break
		}
		name += string(c)
	}
	if _, ok := r.next(";"); !ok {
		return nil
	}
	if says := html.UnescapeString("&" + name + ";"); utf8.RuneCountInString(says) == 1 {
		return []reading{{says, r.at}}
	}
	return nil
}

// backslash takes what follows the \ of an escape of JSON and its relatives. It may be read in several ways if what
// follows is encoded itself.
func (r *reader) backslash() (found []reading) {
	start := r.at
	if start == len(r.all)-1 {
		return nil
	}
	plain := r.all[start][0]
	for letter, digits := range map[string]int{"u": 4, "x": 2, "U": 8} {
		r.at = start
		if _, ok := r.next(letter); !ok {
			continue
		}
		n, ok := r.number(digits, digits, 16)
		if !ok {
			continue
		}
		says := rune(min(n, unicode.MaxRune))
		found = append(found, reading{string(says), r.at})
		if pair, ok := r.pair(says); ok {
			found = append(found, reading{string(pair), r.at})
		}
		if plain.says == letter {
			return found
		}
	}
	switch plain.says {
	case "n", "r", "t", "f", "b":
		plain.says = " "
	}
	return append(found, plain)
}

// pair takes the second half of a character of which \u gave the first.
func (r *reader) pair(high rune) (rune, bool) {
	if !utf16.IsSurrogate(high) {
		return 0, false
	}
	for _, c := range []string{`\`, "u"} {
		if _, ok := r.next(c); !ok {
			return 0, false
		}
	}
	low, ok := r.number(4, 4, 16)
	pair := utf16.DecodeRune(high, rune(min(low, unicode.MaxRune)))
	return pair, ok && pair != utf8.RuneError
}
