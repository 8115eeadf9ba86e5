package scraper

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// question is what one page of a list of data is asked for with.
type question struct{ address, body string }

// dataAnswer is what came of a question.
type dataAnswer struct {
	status int
	header http.Header
	body   []byte
}

// harvest is a list of data as far as it was read. It is whole only when its end was seen.
type harvest struct {
	c     *shortcut
	page  *url.URL // addresses in the data are relative to it
	knobs []*knob  // what is left to turn, in the order in which it is to be tried
	limit int      // how many entries the question asks for; 0 when it does not say
	late  bool     // the question asks for a later part of the list

	asked    map[string]bool // addresses of questions
	had      asks
	postings []boardwatch.Posting
	listed   map[string]bool // the postings
	rows     map[string]bool // everything that the list holds, postings or not
	first    page.Stated
	last     page.Stated // what the last answer that brought anything held
	said     page.Extent // what all answers said together
	capped   bool
	ended    bool         // the end of the list was seen
	turned   *knob        // what was turned for the question that is asked; nil when it was given an address
	checking bool         // the question that is asked is to tell whether an offset counts entries
	doubt    page.Trouble // why the list may go on, though nothing more can be had
}

func newHarvest(c *shortcut, base *url.URL) *harvest {
	h := &harvest{
		c: c, page: base, said: page.Silent(), asked: make(map[string]bool), listed: make(map[string]bool), rows: make(map[string]bool),
	}
	h.knobs, h.limit = c.knobs()
	h.late = late(h.knobs)
	return h
}

// readData reads a list of data to its end, page after page. had is its first page when that is here already. first is
// how many roles the first page holds. last is the memento of the reading before.
func (s *Scraper) readData(
	ctx context.Context, client *outbound.Client, c *shortcut, last memento, had *dataAnswer,
) (r boardwatch.Reading, first int, err error) {
	base, err := url.Parse(c.Page)
	if err != nil {
		return boardwatch.Failed(cause.Internal, "the saved way to the data cannot be read"), 0, nil //nolint:nilerr // the reason says it
	}
	h := newHarvest(c, base)
	var prints []byte
	var wait boardwatch.Reading
	for q, more := (question{c.URL, c.Body}), true; more; q, more = h.following() {
		if h.had.pages >= s.maxPages {
			h.doubt = page.Trouble{Cause: cause.PageLimit, Reason: "the list has more pages than are read"}
			break
		}
		a, fault := had, (*boardwatch.Reading)(nil)
		if had = nil; a == nil {
			a, fault, err = s.answerOf(ctx, client, c, q)
		}
		switch {
		case err != nil:
			return boardwatch.Reading{}, 0, err
		case fault != nil && h.had.pages == 0:
			return *fault, 0, nil
		case fault != nil:
			prints = append(prints, '!')
			if !h.refused(a) {
				wait = *fault
				h.doubt = page.Trouble{Cause: cause.PageMissing, Reason: "page " + strconv.Itoa(h.had.pages+1) + " of the data could not be read: " + fault.Reason}
			}
			continue
		}
		prints = append(prints, a.print(last.seed)...)
		h.add(a)
		s.listed(len(h.rows), h.said.Claimed())
	}
	if len(h.postings) == 0 {
		return h.none(), 0, nil
	}
	r = h.reading()
	r.RetryAfter = wait.RetryAfter
	if r.Health == boardwatch.HealthOK {
		r.Fingerprint = fingerprint(prints, last.seed)
		if r.Fingerprint == last.print {
			return boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK, Unchanged: true, Fingerprint: r.Fingerprint}, 0, nil
		}
	}
	s.step("the data of %s lists %d roles", c.host(), len(r.Postings))
	return r, len(h.first.Postings), nil
}

// readOnData reads on where the address of a board answers with data. last is the memento of the reading before, now that of
// the answer.
func (s *Scraper) readOnData(ctx context.Context, client *outbound.Client, f *fetched, last, now memento) (boardwatch.Reading, error) {
	a := &dataAnswer{status: f.page.Status, header: f.page.Header, body: f.text}
	r, _, err := s.readData(ctx, client, shortcutAt(f.page.URL), last, a)
	if r.Fingerprint == fingerprint([]byte(a.print(last.seed)), last.seed) { // nothing else was asked for
		r.Fingerprint = now.String()
	}
	return r, err
}

// shortcutAt is the way to data that lies at an address.
func shortcutAt(u *url.URL) *shortcut { return &shortcut{URL: u.String(), Page: u.String()} }

// print is the fingerprint of an answer with what its header says about the list.
func (a *dataAnswer) print(seed uint64) string { return fingerprintOf(a.body, a.header, seed) }

// add takes in an answer.
func (h *harvest) add(a *dataAnswer) {
	st := page.RolesInJSON(a.body, h.page)
	st.Extent = st.And(page.HeaderExtent(a.header))
	fresh := 0
	for _, id := range st.Rows {
		if !h.rows[id] {
			h.rows[id] = true
			fresh++
		}
	}
	checking := h.checking
	h.checking = false
	if h.had.pages > 0 && fresh == 0 {
		h.stale(st, a, checking)
		return
	}
	for _, p := range st.Postings {
		if id := p.Identity(); !h.listed[id] {
			h.listed[id] = true
			h.postings = append(h.postings, p)
		}
	}
	h.capped = h.capped || st.Capped || len(h.postings) >= page.MaxPostings
	h.said = h.said.And(page.Extent{Total: st.Total, Count: st.Count, Pages: st.Pages, Size: st.Size, At: -1})
	h.had.pages++
	h.had.entries += st.Longest
	if checking { // the offset counts pages
		h.turned.kind = pageKnob
	}
	if h.last = st; h.had.pages == 1 {
		h.first = st
	}
}

// stale judges an answer that brought nothing that was not known. One without any entry is the end of the list. One that
// only repeats the first page may be that of a server that takes no notice of what was turned.
func (h *harvest) stale(st page.Stated, a *dataAnswer, checking bool) {
	second := h.had.pages == 1
	switch {
	case len(st.Rows) == 0 && checking:
		h.doubt = page.Trouble{Cause: cause.PageMissing, Reason: "the data does not continue where it should"}
	case len(st.Rows) == 0 && !h.isEmpty(a) && !st.Last && h.mayGoOn():
		h.doubt = page.Trouble{Cause: cause.PageMissing, Reason: "page " + strconv.Itoa(h.had.pages+1) + " of the data holds no list"}
	case len(st.Rows) == 0 && second && h.mayGoOn() && h.turned != nil && h.turned.kind == offsetKnob && h.had.entries > 1:
		h.checking = true
	case len(st.Rows) > 0 && second && !checking && slices.Equal(st.Rows, h.first.Rows):
		h.knobs = slices.DeleteFunc(h.knobs, func(k *knob) bool { return k == h.turned })
	default:
		h.ended = true
	}
}

// isEmpty reports whether an answer holds the list, and no entry in it.
func (h *harvest) isEmpty(a *dataAnswer) bool {
	v, err := page.DecodeJSON(a.body)
	if o, ok := v.(map[string]any); err != nil || ok && len(o) == 0 || v == nil && h.first.Path != ".*" {
		return false
	}
	return isEmptyAt(page.Unflatten(v), h.first.Path)
}

// refused reports whether an answer other than data says that the list has no such page, where it need not have one.
func (h *harvest) refused(a *dataAnswer) bool {
	if a == nil || !h.checking && (h.last.GoesOn(len(h.rows), h.had.pages) || h.full()) {
		return false
	}
	switch a.status {
	case http.StatusNotFound, http.StatusRequestedRangeNotSatisfiable:
		h.ended = true
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		h.ended = h.limit > 0
	}
	return h.ended
}

// mayGoOn reports whether nothing speaks against a page after the last one.
func (h *harvest) mayGoOn() bool { return h.pageSize() == 0 || h.full() }

// pageSize is how many entries a page has that another one may follow; 0 when that is not known.
func (h *harvest) pageSize() int {
	switch {
	case h.had.pages > 1 && (h.limit == 0 || h.first.Longest < h.limit):
		return h.first.Longest
	case h.last.Size > 0 && h.last.Size == h.last.Entries:
		return h.last.Size
	case h.limit > 0:
		return h.limit
	}
	return 0
}

// full reports whether the last page has as many entries as a page may have.
func (h *harvest) full() bool {
	size := h.pageSize()
	return size > 0 && h.last.Entries >= size
}

// perhapsCapped reports whether a first page, though it has fewer entries than were asked for, has such a number of them as
// servers allow at most.
func (h *harvest) perhapsCapped() bool {
	n := h.last.Entries
	return h.had.pages == 1 && n >= 10 && (n%5 == 0 || n%12 == 0 || n%16 == 0)
}

// seesEnd reports whether the last page is surely the last: because it says so, is shorter than pages are, or reaches the
// number of roles that was named.
func (h *harvest) seesEnd() bool {
	known, size := len(h.rows), h.pageSize()
	switch {
	case h.goesOn():
		return false
	case h.last.Last:
		return true
	case size > 0 && h.last.Entries < size && !h.perhapsCapped():
		return true
	case h.said.Pages > 0 && h.said.Pages <= h.had.pages:
		return true
	case h.said.Total > 0 && known >= h.said.Total: // unless it may be the number on this page
		return h.had.pages > 1 || !h.full() || h.said.Total != h.last.Entries || len(h.knobs) == 0
	case h.had.pages > 1 && h.said.Count == known:
		return true
	}
	return false
}

// goesOn reports whether the data says that there is more.
func (h *harvest) goesOn() bool {
	return h.last.GoesOn(len(h.rows), h.had.pages) || h.said.Claimed() > len(h.rows)
}

// following is the question for the next page. ok is false when the end was seen, or there is no way to ask on; then doubt
// says why the list may be longer.
func (h *harvest) following() (q question, ok bool) {
	if h.ended || !h.doubt.None() || len(h.rows) == 0 || h.capped {
		return q, false
	}
	if h.checking {
		return h.turn(h.turned, asks{pages: 1, entries: 1})
	}
	if h.seesEnd() {
		h.ended = true
		return q, false
	}
	if u := page.Resolve(h.base(), h.last.Next); u != nil && u.Host == h.base().Host && u.Scheme == h.base().Scheme && !h.last.Forks && cmp.Or(h.c.Method, http.MethodGet) == http.MethodGet {
		if q, ok := h.ask(u.String(), ""); ok {
			h.turned = nil
			return q, true
		}
	}
	for _, k := range h.knobs {
		if k.kind != cursorKnob || h.last.Token == "" {
			continue
		}
		if q, ok := h.turn(k, asks{cursor: h.last.Token}); ok {
			return q, true
		}
	}
	for ; len(h.knobs) > 0; h.knobs = h.knobs[1:] {
		if k := h.knobs[0]; k.kind != cursorKnob {
			if q, ok := h.turn(k, h.had); ok {
				return q, true
			}
		}
	}
	switch {
	case h.goesOn():
		h.doubt = page.Trouble{Cause: cause.Truncated, Reason: "the data contains only part of the list"}
	case h.full(), h.limit > 0 && h.perhapsCapped() && h.last.Entries%50 == 0:
		h.doubt = page.Trouble{Cause: cause.Truncated, Reason: "the data contains as many roles as fit on one page, and nothing says that there are no more"}
	}
	return q, false
}

// base is the address of the question, which the address of a further page is relative to.
func (h *harvest) base() *url.URL {
	u, err := url.Parse(h.c.URL)
	if err != nil {
		return h.page
	}
	return u
}

func (h *harvest) turn(k *knob, a asks) (question, bool) {
	address, body, ok := k.turn(a)
	if !ok {
		return question{}, false
	}
	h.turned = k
	return h.ask(address, body)
}

// ask is a question that was not put before.
func (h *harvest) ask(address, body string) (question, bool) {
	if id := address + "\n" + body; !h.asked[id] && (address != h.c.URL || body != h.c.Body) {
		h.asked[id] = true
		return question{address, body}, true
	}
	return question{}, false
}

// reading is the list as far as it was read.
func (h *harvest) reading() boardwatch.Reading {
	r := boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK, Postings: slices.Clone(h.postings)}
	claimed := h.said.Claimed()
	if claimed >= 0 { // what it counts but does not show openly is not missing
		r.Claimed = max(0, claimed-(len(h.rows)-len(h.postings)))
	}
	why := h.doubt
	switch {
	case h.capped:
		why = page.Trouble{Cause: cause.TooLarge, Reason: "the data is too large to be read whole"}
	case claimed > len(h.rows):
		why = page.Trouble{Cause: cause.FewerThanClaimed, Reason: "the data says that there are " + strconv.Itoa(claimed) + " roles, but holds only " + strconv.Itoa(len(h.rows))}
	case !why.None():
	case h.late:
		why = page.Trouble{Cause: cause.Truncated, Reason: "the address requests only a later part of the list"}
	case h.said.Pages > h.had.pages && h.said.Size == 0:
		why = page.Trouble{Cause: cause.PageMissing, Reason: "the data says that it has " + strconv.Itoa(h.said.Pages) + " pages, but only " + strconv.Itoa(h.had.pages) + " could be read"}
	}
	if !why.None() {
		why.Limit(&r)
	}
	return r
}

// none is the reading of data without roles. It is believed only if it says so itself.
func (h *harvest) none() boardwatch.Reading {
	if h.first.Zero && h.said.Claimed() <= 0 && !h.late && !h.capped {
		return boardwatch.Reading{Claimed: 0, Health: boardwatch.HealthOK}
	}
	return boardwatch.Failed(cause.NoList, "the data lists no roles")
}

// part is a list of which one answer is known, and no more is asked for.
func part(st page.Stated, c *shortcut) boardwatch.Reading {
	h := newHarvest(c, nil)
	for _, id := range st.Rows {
		h.rows[id] = true
	}
	h.postings, h.first, h.last, h.said, h.capped = st.Postings, st, st, st.Extent, st.Capped || len(st.Postings) >= page.MaxPostings
	h.had, h.knobs = asks{pages: 1, entries: st.Longest}, nil
	h.last.Next, h.last.More = "", st.More || st.Next != ""
	h.following()
	return h.reading()
}

// isEmptyAt reports whether the list that lies at a path of a value is there, and has no entry.
func isEmptyAt(v any, path string) bool {
	key, rest, _ := strings.Cut(strings.TrimPrefix(path, "."), ".")
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return !slices.ContainsFunc(v, func(child any) bool { return key != "*" || !isEmptyAt(child, rest) })
	case map[string]any:
		child, ok := v[key]
		return len(v) == 0 || ok && isEmptyAt(child, rest)
	}
	return false
}
