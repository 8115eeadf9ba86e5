package scraper

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// shortcut is how the data of a JavaScript-rendered page can be read without a browser. As text it is kept with the board.
type shortcut struct {
	Method string            `json:"method,omitempty"` // GET when empty
	URL    string            `json:"url"`
	Header map[string]string `json:"header,omitempty"`
	Body   string            `json:"body,omitempty"`
	Page   string            `json:"page"`           // whose data it is: addresses in the data are relative to it
	Link   string            `json:"link,omitempty"` // the page of a role, with {id} and {title} to be filled in
}

// maxShortcut is the longest text of a shortcut that is kept with a board.
const maxShortcut = 6 << 10

// shortcutFrom is the shortcut of a text; nil when it is none.
func shortcutFrom(text string) *shortcut {
	var c shortcut
	if text == "" || json.Unmarshal([]byte(text), &c) != nil || c.URL == "" {
		return nil
	}
	return &c
}

func (c *shortcut) String() string {
	text, err := json.Marshal(c)
	if err != nil || len(text) > maxShortcut || bytes.Contains(text, []byte(`\ufffd`)) {
		return "" // what is not UTF-8 could not be asked for again
	}
	return string(text)
}

// shortcutTo is the shortcut to data that a page asked for.
func shortcutTo(a Answer, base *url.URL) *shortcut {
	c := &shortcut{URL: a.URL.String(), Body: string(a.Body), Page: base.String()}
	if a.Method != http.MethodGet {
		c.Method = a.Method
	}
	for name, values := range a.Header {
		name = http.CanonicalHeaderKey(name)
		switch {
		case len(values) != 1, name == "Authorization", name == "Cookie", name == "User-Agent", name == "Referer", name == "Accept-Language", name == "Accept-Encoding":
		case strings.HasPrefix(name, "Sec-"), strings.HasPrefix(name, ":"):
		case name == "Accept", name == "Content-Type", strings.HasPrefix(name, "X-"), strings.Contains(strings.ToLower(name), "api"), strings.Contains(strings.ToLower(name), "tenant"):
			if c.Header == nil {
				c.Header = make(map[string]string)
			}
			c.Header[name] = values[0]
		}
	}
	return c
}

// findShortcut looks for the data behind a rendered page, and reads it without the browser. ok reports whether that shows
// what the page shows; only then can it stand for the page from now on.
func (s *Scraper) findShortcut(ctx context.Context, client *outbound.Client, f *fetched, l page.List) (r boardwatch.Reading, ok bool, err error) {
	if f.shown == nil || !l.Reading.Health.Read() || len(l.Reading.Postings) == 0 {
		return boardwatch.Reading{}, false, nil
	}
	var sources []source
	for _, a := range f.shown.Answers {
		if st := page.RolesInJSON(a.Data, f.page.URL); len(st.Postings) > 0 {
			sources = append(sources, source{st, a})
		}
	}
	slices.SortStableFunc(sources, func(a, b source) int { return len(b.Postings) - len(a.Postings) })
	for _, found := range sources[:min(len(sources), 2)] {
		c := shortcutTo(found.answer, f.page.URL)
		if c.String() == "" {
			continue
		}
		short, first, err := s.readData(ctx, client, c, s.memento("", "shortcut"), nil)
		if err != nil {
			return boardwatch.Reading{}, false, err
		}
		part := l.Reading.Health == boardwatch.HealthPartial && len(short.Postings) <= len(l.Reading.Postings)
		if !short.Health.Read() || part || !c.fit(&short, l, first) {
			s.step("the data at %s does not say all that the page shows%s", bare(found.answer.URL), because(short.Reason))
			continue
		}
		s.step("the page renders the data of %s, which can be read without a browser", bare(found.answer.URL))
		short.Company, short.Domain, short.Shown = l.Reading.Company, l.Reading.Domain, l.Reading.Shown
		short.Shortcut = c.String()
		return short, true, nil
	}
	return boardwatch.Reading{}, false, nil
}

// bare is an address without its query, which may hold keys.
func bare(u *url.URL) string {
	b := *u
	b.RawQuery, b.Fragment, b.User = "", "", nil
	return b.String()
}

// fit makes data and page agree, and reports whether they do: the data has every role that the page shows, and no others
// unless the page shows a part of its list only. first is how many roles the first answer held; a page that shows just
// these shows a part. Links that only the page has are learned.
func (c *shortcut) fit(data *boardwatch.Reading, listed page.List, first int) bool {
	shown := listed.Reading.Postings
	byTitle := make(map[string][]int)
	for i, p := range data.Postings {
		byTitle[page.Fold(p.Title)] = append(byTitle[page.Fold(p.Title)], i)
	}
	pairs := make([]int, len(shown))
	inOrder := true
	for i, p := range shown {
		rest := byTitle[page.Fold(p.Title)]
		if len(rest) == 0 {
			return false
		}
		pairs[i], byTitle[page.Fold(p.Title)] = rest[0], rest[1:]
		inOrder = inOrder && pairs[i] == i
	}
	if len(data.Postings) > len(shown) {
		part := listed.Follows() || !listed.More.None() || listed.Reading.Health == boardwatch.HealthPartial || listed.Reading.Claimed == len(data.Postings) ||
			inOrder && first == len(shown)
		if !part && (!inOrder || len(shown) < 5) {
			return false
		}
	}
	return c.learnLinks(data, shown, pairs)
}

// learnLinks makes sure that every role keeps the address under which the page shows it.
func (c *shortcut) learnLinks(data *boardwatch.Reading, shown []boardwatch.Posting, pairs []int) bool {
	same, linked := 0, 0
	form := ""
	for i, p := range shown {
		q := data.Postings[pairs[i]]
		if p.URL == "" {
			continue
		}
		linked++
		if q.URL != "" && sameAddress(p.URL, q.URL) {
			same++
			continue
		}
		if f := linkForm(p.URL, q); form == "" {
			form = f
		} else if f != form {
			form = "-"
		}
	}
	switch {
	case linked == same:
		return true
	case same == 0 && strings.Contains(form, "{id}"):
		c.Link = form
		c.link(data)
		return true
	}
	for i := range shown {
		if shown[i].URL != "" && data.Postings[pairs[i]].URL == "" {
			return false // without the page nobody would know where the role stands
		}
	}
	return true
}

func sameAddress(a, b string) bool {
	u, err1 := url.Parse(a)
	v, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && page.Canonical(u) == page.Canonical(v)
}

// linkForm is the address of a role with its id and its title left open; "" when the id is not in it.
func linkForm(address string, p boardwatch.Posting) string {
	id := p.Key
	if id == "" || strings.Contains(id, "/") {
		return ""
	}
	at := strings.LastIndex(address, id)
	if at < 0 || at > 0 && isAlphanumeric(address[at-1]) || at+len(id) < len(address) && isAlphanumeric(address[at+len(id)]) {
		return ""
	}
	before, after := address[:at], address[at+len(id):]
	if slug := slugOf(p.Title); slug != "" {
		before, after = strings.Replace(before, slug, "{title}", 1), strings.Replace(after, slug, "{title}", 1)
	}
	return before + "{id}" + after
}

// slugOf is a title as most sites write it in addresses.
func slugOf(title string) string {
	words := strings.FieldsFunc(page.Fold(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "-")
}

// link gives roles the addresses that were learned, and the keys that go with them.
func (c *shortcut) link(r *boardwatch.Reading) {
	if c.Link == "" {
		return
	}
	for i, p := range r.Postings {
		address := strings.NewReplacer("{id}", p.Key, "{title}", slugOf(p.Title)).Replace(c.Link)
		if u, err := url.Parse(address); err == nil && !strings.Contains(p.Key, "/") {
			r.Postings[i].URL, r.Postings[i].Key = address, boardwatch.AddressIdentity(u)
		}
	}
}

// readShortcut reads the roles from the data behind a page.
func (s *Scraper) readShortcut(ctx context.Context, client *outbound.Client, c *shortcut, known string) (boardwatch.Reading, error) {
	r, _, err := s.readData(ctx, client, c, s.memento(known, "shortcut"), nil)
	if err != nil || !r.Health.Read() || r.Unchanged {
		return r, err
	}
	c.link(&r)
	r.Shortcut = c.String()
	return r, nil
}

func (c *shortcut) host() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return "the site"
	}
	return u.Hostname()
}

// answerOf asks for one page of the data. A status other than 200 is no fault yet; it is one when nothing is had at all.
func (s *Scraper) answerOf(ctx context.Context, client *outbound.Client, c *shortcut, q question) (*dataAnswer, *boardwatch.Reading, error) {
	u, err := url.Parse(q.address)
	if err != nil {
		r := boardwatch.Failed(cause.Internal, "the saved way to the data cannot be read")
		return nil, &r, nil
	}
	if c.URL == c.Page {
		return s.openAnswer(ctx, client, q)
	}
	method := cmp.Or(c.Method, http.MethodGet)
	req := (&http.Request{Method: method, URL: u, Host: u.Host, Header: make(http.Header)}).WithContext(ctx)
	for name, value := range c.Header {
		req.Header.Set(name, value)
	}
	if q.body != "" {
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(q.body)), nil }
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(q.body)), int64(len(q.body))
	}
	deskOf(ctx).rest()
	resp, err := client.Do(req)
	if err != nil {
		r, err := transportFault(ctx, err)
		return nil, &r, err
	}
	defer func() { _ = resp.Body.Close() }() // in memory
	a := &dataAnswer{status: resp.StatusCode, header: resp.Header}
	a.body, err = io.ReadAll(resp.Body)
	s.step("%s %s: status %d, %d bytes", method, bare(u), resp.StatusCode, len(a.body))
	if err != nil || !a.isData() {
		r := boardwatch.Failed(cause.SiteError, "the data cannot be fetched without a browser (status "+strconv.Itoa(resp.StatusCode)+")")
		r.RetryAfter = retryAfter(resp.Header)
		return a, &r, nil
	}
	fault, err := a.admit(ctx)
	return a, fault, err
}

// openAnswer asks for a page of data that is a board's own address: like any page, as robots.txt allows.
func (s *Scraper) openAnswer(ctx context.Context, client *outbound.Client, q question) (*dataAnswer, *boardwatch.Reading, error) {
	deskOf(ctx).rest()
	answer, err := client.Get(ctx, q.address, nil)
	if err != nil {
		r, err := transportFault(ctx, err)
		return nil, &r, err
	}
	s.step("get %s: status %d, %d bytes%s", q.address, answer.Status, len(answer.Body), sentOn(answer))
	a := &dataAnswer{status: answer.Status, header: answer.Header, body: answer.Text()}
	fault := refusal(answer)
	if fault == nil && !a.isData() {
		r := boardwatch.Failed(cause.NoList, "the address answers with "+answer.ContentType+", not with data")
		fault = &r
	}
	if fault == nil {
		fault, err = a.admit(ctx)
	}
	return a, fault, err
}

// admit makes room for the answer. fault is the reading of data that is too large; err is not nil only when the context ended.
func (a *dataAnswer) admit(ctx context.Context) (fault *boardwatch.Reading, err error) {
	err = deskOf(ctx).add(ctx, a.body)
	if _, large := errors.AsType[tooLargeError](err); large {
		r := boardwatch.Failed(cause.TooLarge, err.Error())
		return &r, nil
	}
	return nil, err
}

// isData reports whether an answer is data that roles may be read from.
func (a *dataAnswer) isData() bool {
	return a.status == http.StatusOK && json.Valid(bytes.TrimSpace(a.body))
}

func isAlphanumeric(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
