package boardwatch

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Posting is a role in one reading.
type Posting struct {
	Key        string // the role's identity on its board: the source's own id where it has one
	Title      string
	Location   string // several places are joined with "; "
	Department string
	URL        string
}

// Health is the verdict on one reading.
type Health string

// The verdicts. Only ok counts absences and can close a role.
const (
	HealthOK      Health = "ok"      // roles, or positive evidence of none
	HealthSuspect Health = "suspect" // ok by itself, but too much vanished at once; only the rules say so, never a reader
	HealthPartial Health = "partial" // a page failed, rows are missing, a cap was hit
	HealthBlocked Health = "blocked" // a wall; Reading.BlockedBy names it
	HealthFailed  Health = "failed"  // everything else, emptiness without evidence included
)

// Read reports whether the verdict means that the board was read, if not completely.
func (h Health) Read() bool { return h == HealthOK || h == HealthSuspect || h == HealthPartial }

// Reading is what one look at a board yields.
type Reading struct {
	Company, Domain string // as the source itself says them; empty when it does not
	Postings        []Posting
	Claimed         int    // how many roles the source says it has; -1 when it says nothing
	Health          Health // ok, partial, blocked or failed
	Cause           Cause  // why it is not ok
	Reason          string // the same as a sentence for people
	BlockedBy       string // the wall's vendor when Health is blocked, empty when it cannot be told
	Fingerprint     string // hash of the answer, so that an unchanged board costs one row

	// Unchanged says that the answer is byte for byte the one whose fingerprint the board carries. Postings are then
	// left out.
	Unchanged bool
	// BrowserHelps says that a browser may get further than this reading did. Rules do not look at it.
	BrowserHelps bool
	// Unproven says that the reader was never checked against a real board: roles that it does not see count for nothing.
	Unproven bool
	// Unknown says that the source answered that there is no such board.
	Unknown bool
	// RetryAfter is how long the source asked to be left alone.
	RetryAfter time.Duration
	// Present holds the keys of rows that are there but cannot be shown, because they lack a title. A role that is known
	// under such a key is not missing; one that is not known stays so.
	Present []string
	// Shown is what the ordinary pages that were read show. A known role that the reading lacks, but whose title stands
	// there, is not missing.
	Shown PageText
	// Skipped names rows that could not be used. They may be roles that are still open, so a reading with any is partial.
	Skipped []string
	// Shortcut is what the reader wants to be told the next time, in BoardState.Shortcut.
	Shortcut string
	// Recipe is a recipe that the reader made for the board: anew, because the old one no longer fitted the page (see
	// Healer), or its first, by the guess of a teacher. It is empty as a rule.
	Recipe string
	// Taught is what the reader wants to be told the next time, in BoardState.Taught; empty leaves it as it is.
	Taught string
	// Requests is how many HTTP requests the reading took.
	Requests int
	// Took is how long the source took for it, measured by who asked.
	Took time.Duration

	unnamed int // with Unchanged: how many open roles the reading shows without naming them
}

// Failed is a reading that could not be made: why, and the same as a sentence.
func Failed(cause Cause, reason string) Reading {
	return Reading{Claimed: -1, Health: HealthFailed, Cause: cause, Reason: reason}
}

// Source reads boards. An error of Read means that the look did not happen at all (the context ended); everything the
// source did wrong is a Reading with its Health and Reason.
type Source interface {
	// Discover finds where the roles of an address are really read. The board carries Source, URL and, when the source
	// says them, Company and Domain. It returns an error with a plain sentence when nothing readable is found.
	Discover(ctx context.Context, input string) (Board, error)
	// Read reads the board once. When the board's state carries a fingerprint and the answer is the same, the reading
	// may be just "unchanged"; an empty fingerprint asks for a full reading.
	Read(ctx context.Context, b Board) (Reading, error)
}

// Longest texts kept, in bytes: a database index entry has to hold a folded title and location.
const (
	maxTitle    = 600
	maxLocation = 900
	maxText     = 900
	maxURL      = 2000
	maxKey      = 500
)

// Normalize returns the reading as the rules and the store want it: texts clean and bounded, a key for every posting,
// one posting per key, and never "ok" with fewer roles than the source has. Readers call it last, once.
func (r Reading) Normalize() Reading {
	seen := make(map[string]int, len(r.Postings))
	postings := make([]Posting, 0, len(r.Postings))
	usable := len(r.Postings)
	for _, p := range r.Postings {
		p.Title = clean(p.Title, maxTitle)
		if p.Title == "" && clean(p.Key, maxKey) != "" {
			r.Present = append(r.Present, p.Identity())
			continue
		}
		if p.Title == "" {
			r.Skipped = append(r.Skipped, "a row without a title and an id")
			usable--
			continue
		}
		p.Location, p.Department = clean(p.Location, maxLocation), clean(p.Department, maxText)
		p.URL = withoutUser(clean(p.URL, maxURL))
		p.Key = p.Identity()
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
	r.Company, r.Domain = clean(r.Company, maxText), clean(r.Domain, 253)
	r.BlockedBy = clean(r.BlockedBy, 60)
	switch {
	case r.Health != HealthOK || r.Unchanged:
	case len(r.Skipped) > 0:
		r.Health, r.Cause = HealthPartial, CauseBadRows
		r.Reason = itoa(len(r.Skipped)) + " of " + itoa(len(postings)+len(r.Present)+len(r.Skipped)) + " rows could not be read: " + r.Skipped[0]
	case len(r.Present) > 0 && len(postings) == 0:
		r.Health, r.Cause = HealthFailed, CauseBadRows
		r.Reason = "none of its " + itoa(len(r.Present)) + " rows has a title"
	case r.Claimed > usable:
		r.Health, r.Cause = HealthPartial, CauseFewerThanClaimed
		r.Reason = "the source says it has " + itoa(r.Claimed) + " roles, but lists only " + itoa(len(postings))
	}
	r.Reason = clean(r.Reason, maxText)
	return r.explained()
}

// explained is the reading with a cause, whoever made it: a reader that gives none is taken for what its health says.
func (r Reading) explained() Reading {
	switch {
	case r.Health == HealthOK:
		r.Cause = ""
	case r.Cause.Known():
	case r.Unknown:
		r.Cause = CauseUnknownBoard
	case r.Health == HealthBlocked:
		r.Cause = CauseWall
	case r.Health == HealthPartial:
		r.Cause = CauseUnsure
	default:
		r.Cause = CauseSiteError
	}
	return r
}

// joinPlaces folds a second row of the same role into the first: its places are added.
func joinPlaces(p, row Posting) Posting {
	places := strings.Split(p.Location, "; ")
	for place := range strings.SplitSeq(row.Location, "; ") {
		if !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	places = slices.DeleteFunc(places, func(place string) bool { return place == "" })
	p.Location = clean(strings.Join(places, "; "), maxLocation)
	return p
}

// textKey begins the keys of postings that have neither an id nor an address.
const textKey = "text-"

// Identity tells the posting from the others of its board: the source's id, or else the address, or else a hash of what it
// says. It is the Key that Normalize gives the posting.
func (p Posting) Identity() string {
	key := withoutUser(clean(p.Key, 4*maxKey))
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

// withoutUser is an address without the name and password of a user, which are nobody else's to see. Other texts are
// returned as they are.
func withoutUser(address string) string {
	before, rest, ok := strings.Cut(address, "//")
	if !ok || before != "" && !strings.HasSuffix(before, ":") {
		return address
	}
	host := rest
	if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
		host = rest[:end]
	}
	return before + "//" + rest[strings.LastIndexByte(host, '@')+1:]
}

// SetHash is equal for two readings exactly when nothing that a job shows has changed and the same rows are there,
// whatever their order.
func (r Reading) SetHash() string {
	lines := make([]string, 0, len(r.Postings)+len(r.Present))
	for _, p := range r.Postings {
		lines = append(lines, p.Key+"\x00"+p.Title+"\x00"+p.Location+"\x00"+p.Department+"\x00"+p.URL)
	}
	lines = append(lines, r.Present...)
	slices.Sort(lines)
	h := sha256.New()
	for _, l := range lines {
		h.Write([]byte(l))
		h.Write([]byte{'\n', 0})
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:18])
}

// clean makes foreign text fit to keep: valid UTF-8 without control or invisible characters, white space collapsed, at
// most limit bytes.
func clean(s string, limit int) string {
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
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200d':
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

// isClean reports whether s is printable ASCII with single inner spaces only: the common case, which costs no copy.
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

// fold is the coarse case folding that identities need; searching folds more, and in the store.
func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// sourceSystem is the part of a source before the colon.
func sourceSystem(source string) string {
	system, _, _ := strings.Cut(source, ":")
	return system
}

// PageSystem is the system of a board that is read from an ordinary page.
const PageSystem = "page"
