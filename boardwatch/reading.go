package boardwatch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// Posting is a role in one reading.
type Posting struct {
	Key        string // the role's identity on its board: the source's own id where it has one
	Title      string
	Location   string // several places are joined with "; "
	Department string
	URL        string

	Facts Facts  // what else the source states
	Text  string // what it says about the role: clean Markdown, at most MaxText bytes; empty if the answer does not hold it
}

// Health is the verdict on one reading.
type Health string

// The verdicts. Only ok counts absences and can close a role.
const (
	HealthOK      Health = "ok"      // roles, or positive evidence of none
	HealthSuspect Health = "suspect" // ok by itself, but too much vanished at once; only the rules say so, never a reader
	HealthPartial Health = "partial" // a page failed, rows are missing, or a limit was reached
	HealthBlocked Health = "blocked" // a bot wall; Reading.BlockedBy names it
	HealthFailed  Health = "failed"  // everything else, including emptiness without evidence
)

// Read reports whether the verdict means that the board was read, if not completely.
func (h Health) Read() bool { return h == HealthOK || h == HealthSuspect || h == HealthPartial }

// Reading is the result of reading a board once.
type Reading struct {
	Company, Domain string // as given by the source; empty if it does not give them
	Postings        []Posting
	Claimed         int         // how many roles the source says it has; -1 if it does not say
	Health          Health      // ok, partial, blocked or failed
	Cause           cause.Cause // why it is not ok
	Reason          string      // the same as a sentence for people
	BlockedBy       string      // the wall's vendor if Health is blocked; empty if unknown
	Fingerprint     string      // hash of the answer, so that an unchanged board costs one row

	// Unchanged says that the answer is identical to the one whose fingerprint the board has. Then there are no
	// Postings.
	Unchanged bool
	// BrowserHelps says that a browser may get further than this reading did. The rules ignore it.
	BrowserHelps bool
	// EndSeen says that the end of the list was seen: a count above its rows may be a habit of the vendor.
	EndSeen bool
	// Unknown says that the source answered that there is no such board.
	Unknown bool
	// RetryAfter is how long the source asked to be left alone.
	RetryAfter time.Duration
	// Present holds the keys of rows that exist but cannot be shown, because they lack a title. A role known under such
	// a key is not missing; an unknown one stays unknown.
	Present []string
	// Shown is the visible text of the ordinary pages that were read. A known role that the reading lacks, but whose
	// title is in that text, is not missing.
	Shown PageText
	// Skipped names rows that could not be used. They may be roles that are still open, so a reading with any is partial.
	Skipped []string
	// Shortcut is passed to the reader the next time, in BoardState.Shortcut.
	Shortcut string
	// Recipe is a recipe that the reader made for the board: a new one because the old one no longer fitted the page
	// (see Healer), or the first one, from a teacher's guess. It is usually empty.
	Recipe string
	// Taught is passed to the reader the next time, in BoardState.Taught; empty leaves it as it is.
	Taught string
	// Requests is how many HTTP requests the reading took.
	Requests int
	// Took is how long the source took for it, measured by who asked.
	Took time.Duration

	unnamed int // with Unchanged: how many open roles the reading shows without naming them
}

// SaysNothingNew reports whether the reading is healthy and equal to the last healthy one, on a board where only the
// time of the last check depends on it.
func (r Reading) SaysNothingNew(b Board) bool {
	if r.Health != HealthOK || r.RetryAfter > 0 || r.Recipe != "" || !b.State.Settled() {
		return false
	}
	if r.Unchanged {
		return b.State.Fingerprint != ""
	}
	return b.State.SetHash != "" && r.Shortcut == b.State.Shortcut &&
		(r.Company == "" || r.Company == b.Company) && (r.Domain == "" || r.Domain == b.Domain) &&
		r.SetHash() == b.State.SetHash
}

// Failed returns a failed reading with its cause and the same as a sentence.
func Failed(cause cause.Cause, reason string) Reading {
	return Reading{Claimed: -1, Health: HealthFailed, Cause: cause, Reason: reason}
}

// Source reads boards. An error of Read means that no reading took place at all (the context ended); any failure of the
// source is a Reading with its Health and Reason.
type Source interface {
	// Discover finds the source of the roles behind an address. The board has Source, URL and, if the source gives
	// them, Company and Domain. If nothing readable is found, the error is a plain sentence.
	Discover(ctx context.Context, input string) (Board, error)
	// Read reads the board once. If the board's state has a fingerprint and the answer is the same, the reading may be
	// just "unchanged"; an empty fingerprint requests a full reading.
	Read(ctx context.Context, b Board) (Reading, error)
}

// The longest stored texts, in bytes: a database index entry has to hold a folded title and location.
const (
	maxTitle    = 600
	maxLocation = 900
	maxText     = 900
	maxURL      = 2000
	maxKey      = 500
)

// Normalize returns the reading in the form that the rules and the store require: clean texts of limited length, a key
// for every posting, one posting per key, and never "ok" with fewer roles than the source has. Readers call it last,
// once.
func (r Reading) Normalize() Reading {
	seen := make(map[string]int, len(r.Postings))
	rows := make([]Posting, 0, len(r.Postings))
	usable := len(r.Postings)
	for _, p := range r.Postings {
		p.Title = OneLine(p.Title, maxTitle)
		if p.Title == "" && OneLine(p.Key, maxKey) != "" {
			r.Present = append(r.Present, p.Identity())
			continue
		}
		if p.Title == "" {
			r.Skipped = append(r.Skipped, "a row without a title and an id")
			usable--
			continue
		}
		p.Location, p.Department = OneLine(p.Location, maxLocation), OneLine(p.Department, maxText)
		p.URL = withoutUser(OneLine(p.URL, maxURL))
		p.Facts, p.Text = p.Facts.clean(), cleanText(p.Text)
		p.Facts.Language = cmp.Or(p.Facts.Language, languageOf(p.Text))
		p.Key = p.Identity()
		rows = append(rows, p)
	}
	tellApart(rows)
	rows = onceEach(rows)
	postings := rows[:0]
	for _, p := range rows {
		if at, ok := seen[p.Key]; ok {
			postings[at] = joinPlaces(postings[at], p)
			continue
		}
		seen[p.Key] = len(postings)
		postings = append(postings, p)
	}
	r.Postings = postings
	slices.Sort(r.Present)
	r.Present = slices.DeleteFunc(slices.Compact(r.Present), func(key string) bool { _, shown := seen[key]; return shown })
	r.Company, r.Domain = OneLine(r.Company, maxText), OneLine(r.Domain, 253)
	r.BlockedBy = OneLine(r.BlockedBy, 60)
	switch {
	case r.Health != HealthOK || r.Unchanged:
	case len(r.Skipped) > 0:
		r.Health, r.Cause = HealthPartial, cause.BadRows
		r.Reason = itoa(len(r.Skipped)) + " of " + itoa(len(postings)+len(r.Present)+len(r.Skipped)) + " rows could not be read: " + r.Skipped[0]
	case len(r.Present) > 0 && len(postings) == 0:
		r.Health, r.Cause = HealthFailed, cause.BadRows
		r.Reason = "none of its " + itoa(len(r.Present)) + " rows has a title"
	case r.Claimed > usable:
		r.Health, r.Cause = HealthPartial, cause.FewerThanClaimed
		r.Reason = "the source says it has " + itoa(r.Claimed) + " roles, but lists only " + itoa(len(postings))
	}
	r.Reason = OneLine(r.Reason, maxText)
	return r.explained()
}

// explained returns the reading with a cause: if the reader gave none, it is derived from the health.
func (r Reading) explained() Reading {
	switch {
	case r.Health == HealthOK:
		r.Cause = ""
	case r.Cause.Known():
	case r.Unknown:
		r.Cause = cause.UnknownBoard
	case r.Health == HealthBlocked:
		r.Cause = cause.Wall
	case r.Health == HealthPartial:
		r.Cause = cause.Unsure
	default:
		r.Cause = cause.SiteError
	}
	return r
}

// tellApart gives rows of different titles that share an address keys of their own: the whole address, or else a hash of
// their texts. The key of a row does not depend on their order, and as little as possible on the other rows.
func tellApart(rows []Posting) {
	titles := make(map[string]string, len(rows)) // of a key, and of a whole address
	shared := make(map[string]bool)
	note := func(key, title string) {
		if first, ok := titles[key]; ok && first != title && !sameTitle(first, title) {
			shared[key] = true
		} else if !ok {
			titles[key] = title
		}
	}
	for _, p := range rows {
		note(p.Key, p.Title)
	}
	if len(shared) == 0 {
		return
	}
	const whole = "whole "
	for _, p := range rows {
		if shared[p.Key] {
			note(whole+p.URL, p.Title)
		}
	}
	for i, p := range rows {
		if !shared[p.Key] || p.hasID() {
			continue
		}
		p.Key = p.URL
		if shared[whole+p.URL] || p.URL == "" {
			p.Key, p.URL = "", ""
		}
		rows[i].Key = p.Identity()
	}
}

// onceEach drops rows that show an entry again under another address, as featured roles, a second language and a second host
// do: with the same title and place, the same numbers, and a number or an end that no other address has. The shortest stays.
func onceEach(rows []Posting) []Posting {
	type name struct{ title, place, numbers string }
	alike, titles := make(map[name][]int), make(map[[2]string]bool, len(rows))
	for _, p := range rows {
		titles[[2]string{p.Title, p.Location}] = true
	}
	if len(titles) == len(rows) {
		return rows
	}
	holders := make(map[string]int)
	for i, p := range rows {
		if p.URL == "" || p.hasID() {
			continue
		}
		for _, name := range addressNames(p) {
			holders[name]++
		}
		_, path, _ := strings.Cut(addressIdentity(p.URL), "/")
		var digits []string
		for part := range strings.FieldsFuncSeq(path, inAddress) {
			digits = append(digits, partWords(part, words(p.Title+" "+p.Location))...)
		}
		at := name{p.Title, p.Location, strings.Join(slices.DeleteFunc(digits, func(word string) bool { return !hasDigit(word) }), " ")}
		alike[at] = append(alike[at], i)
	}
	again := make([]bool, len(rows))
	for _, some := range alike {
		own := func(name string) bool { return holders[name] == len(some) }
		if len(some) < 2 || !slices.ContainsFunc(addressNames(rows[some[0]]), own) {
			continue
		}
		slices.SortFunc(some, func(a, b int) int {
			return cmp.Or(cmp.Compare(len(rows[a].URL), len(rows[b].URL)), cmp.Compare(rows[a].URL, rows[b].URL))
		})
		for _, i := range some[1:] {
			again[i] = true
		}
	}
	once := rows[:0]
	for i, p := range rows {
		if !again[i] {
			once = append(once, p)
		}
	}
	return once
}

// addressNames returns what may name a posting in its address: its numbers, and the end.
func addressNames(p Posting) []string {
	names := addressNumbers(p.URL, p)
	if parts := addressParts(p.URL); len(parts) > 1 {
		names = append(names, "/"+parts[len(parts)-1])
	}
	return names
}

// joinPlaces folds a second row of the same role into the first. It has the places of both, in a fixed order, and
// everything else from the first that has it.
func joinPlaces(p, row Posting) Posting {
	places := append(strings.Split(p.Location, placeMark), strings.Split(row.Location, placeMark)...)
	slices.Sort(places)
	places = slices.DeleteFunc(slices.Compact(places), func(place string) bool { return place == "" })
	p.URL, p.Department = cmp.Or(p.URL, row.URL), cmp.Or(p.Department, row.Department)
	p.Location = OneLine(strings.Join(places, placeMark), maxLocation)
	all := slices.Concat(p.Facts.Places, row.Facts.Places)
	slices.SortFunc(all, func(a, b Place) int { return strings.Compare(a.Text, b.Text) })
	p.Facts, p.Text = row.Facts.with(p.Facts), cmp.Or(p.Text, row.Text)
	p.Facts.Places = slices.Compact(all)
	return p
}

// hasID reports whether the key is an id of the source, and not derived from the posting's address or texts.
func (p Posting) hasID() bool {
	return p.Key != p.URL && !strings.HasPrefix(p.Key, textKey) && (p.URL == "" || p.Key != addressIdentity(p.URL))
}

// textKey is the prefix of the keys of postings that have neither an id nor an address.
const textKey = "text-"

// Identity distinguishes the posting from the others on its board: the source's id, or else the address, or else a hash
// of its texts. It is the Key that Normalize gives the posting.
func (p Posting) Identity() string {
	key := withoutUser(OneLine(p.Key, 4*maxKey))
	if key == "" {
		key = p.URL
	}
	if key == "" {
		h := sha256.Sum256([]byte(fold(p.Title) + "\x00" + fold(p.Location) + "\x00" + fold(p.Department)))
		return textKey + hex.EncodeToString(h[:12])
	}
	if len(key) > maxKey {
		h := sha256.Sum256([]byte(key))
		return "hash-" + hex.EncodeToString(h[:16])
	}
	return key
}

// withoutUser returns an address without a user name and password, which nobody else should see. Other texts are
// returned unchanged.
func withoutUser(address string) string {
	before, rest, ok := strings.Cut(address, "//")
	if !ok || before != "" && !strings.HasSuffix(before, ":") {
		return address
	}
	host := rest
	if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
		host = rest[:end]
	}
	at := strings.LastIndexByte(host, '@')
	if at < 0 {
		return address
	}
	return before + "//" + rest[at+1:]
}

// SetHash is equal for two readings exactly if they have the same rows that state the same, in any order, apart from what
// tells visits apart in their addresses and from facts that change by themselves.
func (r Reading) SetHash() string {
	lines := make([]string, 0, len(r.Postings)+len(r.Present))
	for _, p := range r.Postings {
		line := p.Key + "\x00" + p.Title + "\x00" + p.Location + "\x00" + p.Department + "\x00" + plainAddress(p.URL)
		if facts := p.Facts.lasting(); !facts.IsZero() {
			line += "\x00" + string(facts.JSON())
		}
		if p.Text != "" {
			line += "\x00" + TextHash(p.Text)
		}
		lines = append(lines, line)
	}
	lines = append(lines, r.Present...)
	slices.Sort(lines)
	h := sha256.New()
	var line []byte
	for _, l := range lines {
		line = append(append(line[:0], l...), '\n', 0)
		h.Write(line)
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:18])
}

// OneLine makes foreign text safe to store: valid UTF-8 without control or invisible characters, white space collapsed,
// at most limit bytes.
func OneLine(s string, limit int) string {
	if isClean(s) && len(s) <= limit {
		return s
	}
	var b strings.Builder
	b.Grow(min(len(s), limit))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || r == '\u200b' || r == 0x85:
			space = b.Len() > 0
			continue
		case r == utf8.RuneError, r == '\u200c', Invisible(r):
			continue
		}
		need := utf8.RuneLen(r)
		if space {
			need++
		}
		if b.Len()+need > limit {
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isClean reports whether s is printable ASCII with only single inner spaces: the common case, which needs no copy.
func isClean(s string) bool {
	space := true
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ':
			if space {
				return false
			}
			space = true
		case c < 0x21 || c > 0x7e:
			return false
		default:
			space = false
		}
	}
	return !space || s == ""
}

// fold is the coarse case folding for identities; searching uses a finer one, in the store.
func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// sourceSystem returns the part of a source before the colon.
func sourceSystem(source string) string {
	system, _, _ := strings.Cut(source, ":")
	return system
}

// PageSystem is the system of a board that is read from an ordinary page.
const PageSystem = "page"
