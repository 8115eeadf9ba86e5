package scraper

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// memento is what is kept of an answer so that it is recognised the next time: its hash, and what the server gave to ask
// with whether it has changed. As text it is the fingerprint of a reading.
type memento struct {
	print    string // hash of the answer, or of all answers
	seed     uint64 // of the reader that made the print: another one may read something else out of the same answer
	etag     string
	modified string
	at       uint64 // the address that gave it, hashed: another one may give the same for something else
	whole    int64  // when everything was last read, in hours since 1970; 0 where it is read every time

	answer *outbound.Page // the answer itself, where it came a moment ago
}

// longestWord is for how many hours less is taken for a whole answer: a server's word that nothing has changed, which some
// give for ever, or an outline.
const longestWord = 48

// memento is the text's; the zero one when it is not the text of one by a reader with this seed.
func (s *Scraper) memento(text, reader string) memento {
	m := memento{seed: s.seed(reader)}
	parts := strings.Split(text, "|")
	m.print = parts[0]
	if len(parts) != 6 || parts[1] != strconv.FormatUint(m.seed, 36) {
		return m
	}
	etag, err1 := url.QueryUnescape(parts[2])
	modified, err2 := url.QueryUnescape(parts[3])
	at, err3 := strconv.ParseUint(parts[4], 36, 64)
	whole, err4 := strconv.ParseInt(parts[5], 36, 64)
	if age := hour() - whole; errors.Join(err1, err2, err3, err4) == nil && age >= 0 && age < longestWord {
		m.etag, m.modified, m.at, m.whole = etag, modified, at, whole
	}
	return m
}

// last is the memento of the board's last answer, as this reader knows it. While roles are missing, the server's word that
// nothing has changed does not count: only an answer may say once more that they are gone.
func (s *Scraper) last(b boardwatch.Board, reader string) memento {
	m := s.memento(known(b), reader)
	if b.State.Missing > 0 {
		return m.bare()
	}
	return m
}

func hour() int64 { return time.Now().Unix() / int64(time.Hour/time.Second) }

// bare is the memento by which an answer is recognised that came, and about which no server is asked.
func (m memento) bare() memento { return memento{print: m.print, seed: m.seed} }

// String is the fingerprint of a reading.
func (m memento) String() string {
	if m.print == "" || m.whole == 0 {
		return m.print
	}
	return strings.Join([]string{
		m.print, strconv.FormatUint(m.seed, 36), url.QueryEscape(m.etag), url.QueryEscape(m.modified),
		strconv.FormatUint(m.at, 36), strconv.FormatInt(m.whole, 36),
	}, "|")
}

// of is the memento of an answer with this hash. What the answer says to ask with counts only for the address that was asked
// for and answered itself, nil if it did not, and for the body alone: where the header says how long the list is, the server
// is not asked whether it has changed.
func (m memento) of(print string, header http.Header, at *url.URL) memento {
	m = memento{print: print, seed: m.seed}
	etag, modified := entityTag(header), lastModified(header)
	if at == nil || etag == "" && modified == "" || page.HeaderExtent(header) != page.Silent() {
		return m
	}
	m.etag, m.modified, m.at, m.whole = etag, modified, xxh3.HashString(at.String()), hour()
	return m
}

// asks reports whether the server of an address can be asked whether it has changed.
func (m memento) asks(at *url.URL) bool {
	return m.print != "" && (m.etag != "" || m.modified != "") && m.at == xxh3.HashString(at.String())
}

// ask puts the question "has it changed?" into the header of a request.
func (m memento) ask(header http.Header) {
	if m.etag != "" {
		header.Set("If-None-Match", m.etag)
	}
	if m.modified != "" {
		header.Set("If-Modified-Since", m.modified)
	}
}

// confirmedBy reports whether an answer of status 304 is about what was asked. One that names another version is not.
func (m memento) confirmedBy(header http.Header) bool {
	tag := strings.TrimSpace(header.Get("ETag"))
	return tag == "" || m.etag == "" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(m.etag, "W/")
}

// get asks for a page. unchanged reports whether the server says, asked, that it is the one already known.
func (m memento) get(ctx context.Context, client *outbound.Client, at *url.URL) (answer *outbound.Page, unchanged bool, err error) {
	if m.answer != nil {
		return m.answer, false, nil
	}
	header := make(http.Header, 2)
	asked := m.asks(at)
	if asked {
		m.ask(header)
	}
	answer, err = client.Get(ctx, at.String(), header)
	switch {
	case err != nil || !asked || answer.Status != http.StatusNotModified || len(answer.Hops) > 0:
		return answer, false, err
	case m.confirmedBy(answer.Header):
		return answer, true, nil
	}
	answer, err = client.Get(ctx, at.String(), nil)
	return answer, false, err
}

const maxEntityTag = 200

// entityTag is the answer's ETag; "" when it has none that can be kept.
func entityTag(header http.Header) string {
	tag := strings.TrimSpace(header.Get("ETag"))
	opaque := strings.TrimPrefix(tag, "W/")
	if len(tag) > maxEntityTag || len(opaque) < 2 || opaque[0] != '"' || opaque[len(opaque)-1] != '"' ||
		strings.ContainsFunc(tag, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return ""
	}
	return tag
}

// lastModified is the answer's Last-Modified; "" when it has none, or one so young that a second change could have the same.
func lastModified(header http.Header) string {
	value := header.Get("Last-Modified")
	if value == "" {
		return ""
	}
	changed, err := http.ParseTime(value)
	if err != nil {
		return ""
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	if now.Sub(changed) < 2*time.Second {
		return ""
	}
	return value
}

// direct is the address asked for, if it answers with the page itself, and else nil.
func (f *fetched) direct() *url.URL {
	if len(f.page.Hops) > 0 || f.page.URL.String() != f.asked.String() {
		return nil
	}
	return f.asked
}

// fingerprintOf is the fingerprint of an answer: of its body and of what its header says about the list in it.
func fingerprintOf(body []byte, header http.Header, seed uint64) string {
	if x := page.HeaderExtent(header); x != page.Silent() {
		body = append(slices.Clone(body), x.String()...)
	}
	return fingerprint(body, seed)
}
