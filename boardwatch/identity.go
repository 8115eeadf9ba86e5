package boardwatch

import (
	"cmp"
	"hash/fnv"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// ReopenWithin is how long after its closing a role that is posted under another address is still the same role.
const ReopenWithin = 30 * 24 * time.Hour

// MergedKey is the prefix of the keys of roles whose ids say nothing any more: their board's ids changed at once, but the
// reading did not show them. In data of earlier versions, roles that came with a board merged into theirs have it too.
const MergedKey = "merged "

// identity says which known role is which in a reading.
type identity struct {
	known   []Job           // under the keys that the reading has for them; none if another role has it there
	covered []string        // keys of roles that are there, though no posting is theirs
	quiet   map[string]bool // ids of jobs of which only a token in the address has changed
	held    map[string]bool // keys of known roles that others have in the reading, so nobody else may get them
	renamed bool            // the ids of the hosted board have changed at once
	anew    []uint32        // hashes of roles of a hosted board that were posted anew under another id, as before
}

// changes returns what the posting changes about a known role. A token in its address is no change.
func (w identity) changes(j Job, p Posting) []FieldChange {
	changes := fieldChanges(j, p)
	if w.quiet[j.ID] {
		changes = slices.DeleteFunc(changes, func(f FieldChange) bool { return f.Field == FieldURL })
	}
	return changes
}

// identify decides which role is which. A role is known by its key: the source's own id, or its address. Where a reading
// lacks known roles and shows unknown ones, those with the same title and place are the same, in order where several are
// alike; so are those whose address keeps a number that no other has. Roles that closed within ReopenWithin take part, after
// the open ones.
//
// On a page this holds for every role, and an address under which another title stands is only the same role if no title
// tells more: the address may be a position in the list. The ids of a hosted system can be trusted, so there it takes a
// sign that they changed: more than half of the board's ids at once, ids that other roles have now, another source, a role
// that was posted anew before, or one entry for several places.
func (in CheckInput) identify(r Reading) identity {
	if r.Unchanged || !r.Health.Read() {
		return identity{known: in.Known}
	}
	m := in.matching(r)
	if len(m.jobs) == 0 {
		return identity{known: in.Known}
	}
	m.byRole()
	m.byKey()
	m.byAgreeingPlace()
	m.byNumber()
	quiet := m.quiet()
	covered := m.covered(r.Shown.Links)
	if len(m.pairs)+len(m.doubted) == 0 {
		return identity{known: in.Known, covered: covered}
	}
	known := slices.Clone(in.Known)
	held := make(map[string]bool, len(m.doubted))
	for job := range m.doubted {
		held[known[job].Key], known[job].Key = true, MergedKey+known[job].Key
	}
	var anew []uint32
	for _, p := range m.pairs {
		posting := r.Postings[p.posting]
		if known[p.job].Key = posting.Key; in.Known[p.job].Key != posting.Key {
			anew = append(anew, posting.hash())
		}
	}
	if m.page || m.renamed || in.Board.elsewhere() {
		anew = nil // all ids change
	}
	return identity{known, covered, quiet, held, m.renamed && 2*len(m.pairs) >= len(r.Postings), anew}
}

// matching pairs known jobs and postings that have no counterpart.
type matching struct {
	page     bool
	doubtful bool   // a key may be that of another role: on a page, and where ids were given anew
	home     string // the address of the board, which identifies no role
	known    []Job
	listed   []Posting
	jobs     []int          // of known, without a counterpart: open ones first, and the longest known of them first
	postings []int          // of listed, without a counterpart
	doubted  map[int]int    // jobs whose key a posting has that may be another role, and that posting; they are without a counterpart
	renamed  bool           // of a hosted board: more than half of its ids are unknown, and more than half of the known ones gone
	movable  func(Job) bool // whether the job may be another posting with the same title and place
	pairs    []pair
}

type pair struct{ job, posting int }

func (in CheckInput) matching(r Reading) *matching {
	m := &matching{known: in.Known, listed: r.Postings, page: in.Board.System() == PageSystem, home: in.Board.URL, doubted: make(map[int]int)}
	listed, shown, known := make(map[string]int, len(r.Postings)), r.keys(), make(map[string]bool, len(in.Known))
	for i, p := range r.Postings {
		listed[p.Key] = i
	}
	m.doubtful = m.page || m.reassigned(listed)
	open, missing := 0, 0
	for i, j := range in.Known {
		if j.Status == JobOpen {
			open++
		}
		switch posting, ok := listed[j.Key]; {
		case shown[j.Key] && (!ok || m.surely(j, r.Postings[posting])):
			known[j.Key] = true
			continue
		case shown[j.Key]:
			m.doubted[i] = posting
		case j.Status == JobOpen:
			missing++
		case in.Now.Sub(j.ClosedAt) > ReopenWithin:
			continue
		}
		m.jobs = append(m.jobs, i)
	}
	for i, p := range r.Postings {
		if !known[p.Key] {
			m.postings = append(m.postings, i)
		}
	}
	slices.SortStableFunc(m.jobs, func(a, b int) int {
		x, y := m.known[a], m.known[b]
		return cmp.Or(cmp.Compare(y.Status, x.Status), y.ClosedAt.Compare(x.ClosedAt), x.FirstSeenAt.Compare(y.FirstSeenAt))
	})
	m.renamed = !m.page && 2*missing > open && 2*(len(m.postings)-len(m.doubted)) > len(r.Postings)
	if m.page || m.renamed || in.Board.elsewhere() {
		m.movable = func(Job) bool { return true }
	} else {
		m.movable = m.postedAnew(in.Board.State.Reposts, in.Now)
	}
	return m
}

// reassigned reports whether the ids of a hosted system were given to other roles: more than half of those that show another title
// now show a known role that is not under its own id, or showed one that is under another.
func (m *matching) reassigned(listed map[string]int) bool {
	displaced := make(map[string]bool)
	retitled := make(map[int]string) // the roles of the jobs that the postings were
	for _, j := range m.known {
		if j.Status != JobOpen {
			continue
		}
		posting, ok := listed[j.Key]
		if ok && sameTitle(j.Title, m.listed[posting].Title) {
			continue
		}
		role := j.posting().role()
		if displaced[role] = true; ok {
			retitled[posting] = role
		}
	}
	if len(retitled) == 0 {
		return false
	}
	shown := make(map[string]bool, len(m.listed))
	for _, p := range m.listed {
		shown[p.role()] = true
	}
	moved := 0
	for posting, was := range retitled {
		if shown[was] || displaced[m.listed[posting].role()] {
			moved++
		}
	}
	return 2*moved > len(retitled)
}

// surely reports whether a posting under the key of a job is that job. It is not sure where keys are doubted and its title is another
// one, and anywhere if it showed several places and has one left: that may be a role of its own, which it stood for.
func (m *matching) surely(j Job, p Posting) bool {
	return (!m.doubtful || sameTitle(j.Title, p.Title)) && (!several(j.Location) || several(p.Location))
}

// alike pairs jobs and postings that have the same title and place.
func alike(jobs []Job, postings []Posting) []pair {
	m := &matching{known: jobs, listed: postings, movable: func(Job) bool { return true }}
	for i := range jobs {
		m.jobs = append(m.jobs, i)
	}
	for i := range postings {
		m.postings = append(m.postings, i)
	}
	m.byRole()
	m.byAgreeingPlace()
	return m.pairs
}

// Repost is a role that was posted anew under another id.
type Repost struct {
	Role uint32    `json:"role"` // hash of its title and place
	At   time.Time `json:"at"`
}

// mostReposts is how many reposts a board remembers: the last ones.
const mostReposts = 200

// rememberReposts remembers for ReopenWithin which roles were posted anew.
func (s *BoardState) rememberReposts(who identity, now time.Time) {
	if len(who.anew) == 0 {
		return
	}
	s.Reposts = slices.DeleteFunc(slices.Clone(s.Reposts), func(r Repost) bool {
		return now.Sub(r.At) > ReopenWithin || slices.Contains(who.anew, r.Role)
	})
	for _, role := range who.anew {
		s.Reposts = append(s.Reposts, Repost{role, now})
	}
	s.Reposts = s.Reposts[max(0, len(s.Reposts)-mostReposts):]
}

// postedAnew returns whether a role took the place of one with the same title and place, which was gone by then, or was
// posted anew before.
func (m *matching) postedAnew(reposts []Repost, now time.Time) func(Job) bool {
	before := make(map[uint32]bool, len(reposts))
	for _, r := range reposts {
		before[r.Role] = now.Sub(r.At) <= ReopenWithin
	}
	first := make(map[string]Job)
	for _, i := range m.jobs {
		j := m.known[i]
		role := j.posting().role()
		if other, ok := first[role]; !ok || j.FirstSeenAt.Before(other.FirstSeenAt) {
			first[role] = j
		}
	}
	return func(j Job) bool {
		if strings.HasPrefix(j.Key, MergedKey) || !j.posting().hasID() || before[j.posting().hash()] {
			return true
		}
		other := first[j.posting().role()]
		gone := other.Status == JobClosed || !other.MissedSince.IsZero() && !other.MissedSince.After(j.FirstSeenAt)
		return j.Status == JobOpen && gone && other.FirstSeenAt.Before(j.FirstSeenAt)
	}
}

// join pairs each job with the posting that choose returns for it, and takes both from the lists. choose must not return
// a posting twice.
func (m *matching) join(choose func(job int) (posting int, ok bool)) {
	taken := make(map[int]bool)
	m.jobs = slices.DeleteFunc(m.jobs, func(i int) bool {
		posting, ok := choose(i)
		if ok {
			taken[posting] = true
			m.pairs = append(m.pairs, pair{i, posting})
		}
		return ok
	})
	m.postings = slices.DeleteFunc(m.postings, func(i int) bool { return taken[i] })
}

// byRole joins roles with the same title and place: first those that alone have a part of their addresses in common, then in
// order.
func (m *matching) byRole() {
	jobs := groups(m.jobs, func(i int) string { return m.known[i].posting().role() })
	waiting := groups(m.postings, func(i int) string { return m.listed[i].role() })
	own := make(map[int]int)
	for role, some := range waiting {
		if len(some) > 1 || len(jobs[role]) > 1 {
			m.chooseByAddress(jobs[role], some, own)
		}
	}
	chosen := make(map[int]bool, len(own))
	for _, posting := range own {
		chosen[posting] = true
	}
	doubted := make(map[int]bool, len(m.doubted))
	for _, posting := range m.doubted {
		doubted[posting] = true
	}
	m.join(func(job int) (int, bool) {
		j := m.known[job]
		role := j.posting().role()
		posting, ok := own[job]
		for !ok {
			if len(waiting[role]) == 0 {
				return 0, false
			}
			if posting, ok = waiting[role][0], !chosen[waiting[role][0]]; !ok {
				waiting[role] = waiting[role][1:]
			}
		}
		if stood := doubted[posting] && j.Status == JobOpen && j.MissedSince.IsZero(); !stood && !m.movable(j) {
			return 0, false
		}
		chosen[posting] = true
		return posting, true
	})
}

// chooseByAddress chooses among jobs and postings that are alike those whose addresses have a part that no other has.
func (m *matching) chooseByAddress(jobs, postings []int, chosen map[int]int) {
	type holders struct{ jobs, postings []int }
	parts := make(map[string]*holders)
	of := func(address string) (all []*holders) {
		for _, part := range addressParts(address) {
			if parts[part] == nil {
				parts[part] = &holders{}
			}
			if h := parts[part]; !slices.Contains(all, h) {
				all = append(all, h)
			}
		}
		return all
	}
	for _, i := range postings {
		for _, h := range of(m.listed[i].URL) {
			h.postings = append(h.postings, i)
		}
	}
	for _, i := range jobs {
		for _, h := range of(m.known[i].URL) {
			h.jobs = append(h.jobs, i)
		}
	}
	taken := make(map[int]bool)
	for _, i := range jobs {
		for _, h := range of(m.known[i].URL) {
			if len(h.jobs) == 1 && len(h.postings) == 1 && !taken[h.postings[0]] {
				chosen[i], taken[h.postings[0]] = h.postings[0], true
				break
			}
		}
	}
}

// byKey joins the remaining roles whose title has changed. If other roles are under other keys now, keys say nothing.
func (m *matching) byKey() {
	if len(m.doubted) == 0 {
		return
	}
	for _, p := range m.pairs {
		if posting, ok := m.doubted[p.job]; ok && posting != p.posting {
			return
		}
	}
	free := groups(m.postings, func(i int) string { return m.listed[i].Key })
	m.join(func(job int) (int, bool) {
		posting, ok := m.doubted[job]
		return posting, ok && len(free[m.listed[posting].Key]) > 0 && (!m.page || !sameAddress(m.listed[posting].URL, m.home))
	})
}

// mostPlaces limits how many places are compared for one title, because this happens while a check is saved. Beyond it,
// only equal places are the same.
const mostPlaces = 250_000

// byAgreeingPlace joins roles with the same title if the place of one says more than that of the other ("Berlin" and
// "Berlin, Germany") and no other agrees with it, or if one of them lists several places or none.
func (m *matching) byAgreeingPlace() {
	jobs := groups(m.jobs, func(i int) string { return foldTitle(m.known[i].Title) })
	postings := groups(m.postings, func(i int) string { return foldTitle(m.listed[i].Title) })
	chosen := make(map[int]int)
	for title, some := range postings {
		if len(some)*len(jobs[title]) <= mostPlaces {
			m.chooseAgreeing(jobs[title], some, chosen)
		}
	}
	m.join(func(job int) (int, bool) { posting, ok := chosen[job]; return posting, ok })
}

// chooseAgreeing chooses among jobs and postings with one title. The order in which places are listed makes no difference.
func (m *matching) chooseAgreeing(jobs, postings []int, chosen map[int]int) {
	slices.SortStableFunc(postings, func(a, b int) int { return cmp.Compare(m.listed[a].Location, m.listed[b].Location) })
	rivals, agreeing := make(map[int]int), make(map[int][]int)
	for _, j := range jobs {
		at := placeParts(m.known[j].Location)
		for _, p := range postings {
			if agrees(at, placeParts(m.listed[p].Location)) {
				agreeing[j] = append(agreeing[j], p)
				rivals[p]++
			}
		}
	}
	taken := make(map[int]bool)
	for _, j := range jobs {
		for _, p := range agreeing[j] {
			// One entry for several roles, or several for one, tells more than an id.
			spread := several(m.known[j].Location) && len(agreeing[j]) > 1 || several(m.listed[p].Location) && rivals[p] > 1
			sure := spread || len(agreeing[j]) == 1 && rivals[p] == 1 || anyPlace(m.known[j].Location) || anyPlace(m.listed[p].Location)
			if sure && (spread || m.movable(m.known[j])) && !taken[p] {
				chosen[j], taken[p] = p, true
				break
			}
		}
	}
}

func groups(indexes []int, name func(int) string) map[string][]int {
	out := make(map[string][]int, len(indexes))
	for _, i := range indexes {
		out[name(i)] = append(out[name(i)], i)
	}
	return out
}

// covered returns the keys of open roles that are shown as a further place of another posting, or that the page still
// links to, and of those that stood for several places, of which another role has got the last one. On a page, whatever parts
// its places, a posting stands for all roles of its title if it names the places of several.
func (m *matching) covered(links map[string]bool) (keys []string) {
	places := make(map[string]bool)
	for _, p := range m.listed {
		if several(p.Location) {
			for place := range strings.SplitSeq(p.Location, placeMark) {
				places[Posting{Title: p.Title, Location: place}.role()] = true
			}
		}
	}
	if m.page {
		m.gathered(places)
	}
	for _, i := range m.jobs {
		j := m.known[i]
		posting, doubted := m.doubted[i]
		switch {
		case j.Status != JobOpen:
		case doubted && sameTitle(j.Title, m.listed[posting].Title):
			keys = append(keys, MergedKey+j.Key)
		case places[j.posting().role()] || links[addressIdentity(j.URL)]:
			keys = append(keys, j.Key)
		}
	}
	return keys
}

// gathered adds the roles of which one posting names the places of several.
func (m *matching) gathered(roles map[string]bool) {
	jobs := groups(m.jobs, func(i int) string { return foldTitle(m.known[i].Title) })
	for _, p := range m.listed {
		some := jobs[foldTitle(p.Title)]
		parts := placeParts(p.Location)
		if len(parts) < 2 || len(some) < 2 {
			continue
		}
		named := make(map[string]bool)
		for _, i := range some {
			at := placeParts(m.known[i].Location)
			if len(at) == 1 && slices.ContainsFunc(parts, func(part []string) bool { return slices.Equal(part, at[0]) }) {
				named[m.known[i].posting().role()] = true
			}
		}
		if len(named) > 1 {
			maps.Copy(roles, named)
		}
	}
}

// byNumber joins roles whose title and address say something else now, but whose address keeps a number that no other role
// has; so do the ids of a hosted system that have all changed. Numbers say nothing where more than a few entries have none of
// their own, or where one has passed from role to role.
func (m *matching) byNumber() {
	if len(m.postings) == 0 || !m.page && !m.renamed {
		return
	}
	was, is := make(map[string]int), make(map[string]int) // who has a number, or nobody if several do
	for i, j := range m.known {
		if j.Status == JobOpen {
			note(was, m.numbers(j.posting()), i)
		}
	}
	listed := make([][]string, len(m.listed))
	for i, p := range m.listed {
		listed[i] = m.numbers(p)
		note(is, listed[i], i)
	}
	numbered := 0
	for i, numbers := range listed {
		if slices.ContainsFunc(numbers, func(number string) bool { return is[number] == i }) {
			numbered++
		}
	}
	if 10*numbered < 9*len(m.listed) {
		return
	}
	for _, p := range m.pairs {
		for _, number := range m.numbers(m.known[p.job].posting()) {
			if posting, ok := is[number]; ok && posting >= 0 && posting != p.posting {
				return
			}
		}
	}
	free := make(map[int]bool, len(m.postings))
	for _, i := range m.postings {
		free[i] = true
	}
	m.join(func(job int) (int, bool) {
		for _, number := range m.numbers(m.known[job].posting()) {
			if posting, ok := is[number]; ok && was[number] == job && free[posting] {
				delete(free, posting)
				return posting, true
			}
		}
		return 0, false
	})
}

const nobody = -1

func note(holders map[string]int, numbers []string, i int) {
	for _, number := range numbers {
		holder := i
		if _, taken := holders[number]; taken {
			holder = nobody
		}
		holders[number] = holder
	}
}

// numbers returns what may be the number of a role in its address, or in the id that a hosted system gave it.
func (m *matching) numbers(p Posting) []string {
	if !m.page {
		return addressNumbers(p.Key, p)
	}
	return addressNumbers(p.URL, p)
}

// year matches what is no number of a role though it often stands in an address.
var year = regexp.MustCompile(`^(?:19|20)\d\d$`)

// addressNumbers returns the words in the address of a posting that have a digit, begin or end a part, are not short, and are
// neither a year nor a word of title or place.
func addressNumbers(address string, p Posting) (numbers []string) {
	if _, path, hosted := strings.Cut(addressIdentity(address), "/"); hosted {
		address = path
	}
	said := words(p.Title + " " + p.Location)
	for part := range strings.FieldsFuncSeq(address, inAddress) {
		of := words(part)
		for i, word := range of {
			if (i == 0 || i == len(of)-1) && len(word) >= 3 && hasDigit(word) && !year.MatchString(word) &&
				!slices.Contains(said, word) && !slices.Contains(numbers, word) {
				numbers = append(numbers, word)
			}
		}
	}
	return numbers
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

// quiet returns the ids of the joined jobs if nothing has changed about any address but tokens, such as a session in the path,
// and what is left of the addresses tells them apart.
func (m *matching) quiet() map[string]bool {
	quiet, rests := make(map[string]bool), make(map[string]bool)
	for _, p := range m.pairs {
		from, to := addressParts(m.known[p.job].URL), addressParts(m.listed[p.posting].URL)
		if len(from) != len(to) {
			return nil
		}
		for i := range from {
			switch {
			case from[i] == to[i]:
			case isToken(from[i]) && isToken(to[i]):
				from[i] = ""
			default:
				return nil
			}
		}
		quiet[m.known[p.job].ID], rests[strings.Join(from, "/")] = true, true
	}
	if !m.page || len(rests) < max(2, len(m.pairs)) {
		return nil
	}
	return quiet
}

func addressParts(address string) []string {
	return strings.FieldsFunc(addressIdentity(address), inAddress)
}

// inAddress reports whether a character parts an address.
func inAddress(r rune) bool { return strings.ContainsRune("/?&=;#", r) }

// isToken reports whether a part of an address looks as if a program had made it up.
func isToken(part string) bool {
	digits := strings.IndexFunc(part, unicode.IsDigit) >= 0
	letters := strings.IndexFunc(part, unicode.IsLetter) >= 0
	return len(part) >= 6 && digits && (letters || len(part) >= 9)
}

// role is what identifies a posting if its key cannot: its folded title and place.
func (p Posting) role() string {
	title := foldTitle(p.Title)
	if rest := strings.TrimSuffix(title, letters(p.Location)); rest != "" {
		title = rest // it repeats the place
	}
	return title + "\x00" + foldPlace(p.Location)
}

// hash is that of its role.
func (p Posting) hash() uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.role()))
	return h.Sum32()
}

// genders matches the marks that say that all genders may apply.
var genders = regexp.MustCompile(`(?i)[(\[]?\b(?:(?:[mwfd]|div\.?)(?:\s?[/|,*]\s?(?:[mwfdxin]|div(?:\.|ers)?|gn|nb))+|h\s?/\s?f|f\s?/\s?h(?:\s?/\s?x)?|x\s?/\s?[mwf]\s?/\s?[mwf]|all genders|gn)\b[)\]]?`)

// foldTitle drops case, spaces, punctuation, marks of gender, accents, and escapes of signs.
func foldTitle(title string) string {
	folded := title
	if strings.Contains(folded, "&") {
		folded = html.UnescapeString(folded)
	}
	if strings.ContainsAny(folded, "/|,*Gg") { // all marks do
		folded = genders.ReplaceAllString(folded, " ")
	}
	folded = letters(folded)
	if folded == "" {
		return fold(title)
	}
	return folded
}

func sameTitle(a, b string) bool { return a == b || foldTitle(a) == foldTitle(b) }

// letters returns the letters, digits and marks of a text in lower case, without accents.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '+' || r == '#' {
			return r
		}
		return -1
	}, plain(text))
}

// accents are letters and how they are written without accents, each followed by it.
const accents = "ä ae ö oe ü ue a\u0308 ae o\u0308 oe u\u0308 ue ß ss æ ae œ oe ø oe " +
	"à a á a â a ã a å a ā a ă a ą a ç c ć c č c ċ c ď d đ d è e é e ê e ë e ē e ė e ę e ě e ğ g ģ g ì i í i î i ï i ī i į i ı i ķ k ļ l ľ l ł l " +
	"ñ n ń n ņ n ň n ò o ó o ô o õ o ō o ő o ŕ r ř r ś s ş s š s ș s ť t ţ t ț t ù u ú u û u ū u ů u ű u ų u ý y ÿ y ź z ż z ž z"

// marks are accents that stand behind their letter.
const marks = "\u0300 \u0301 \u0302 \u0303 \u0304 \u0306 \u0307 \u0308 \u030a \u030b \u030c \u0326 \u0327 \u0328"

//nolint:gochecknoglobals // a constant
var plainLetters = sync.OnceValue(func() *strings.Replacer {
	pairs := strings.Fields(accents)
	for mark := range strings.FieldsSeq(marks) {
		pairs = append(pairs, mark, "")
	}
	return strings.NewReplacer(pairs...)
})

// plain returns a text in lower case, without accents.
func plain(text string) string {
	text = strings.ToLower(text)
	if isClean(text) {
		return text
	}
	return plainLetters().Replace(text)
}

// placeMark separates several places of one posting.
const placeMark = "; "

func several(place string) bool { return strings.Contains(place, placeMark) }

// anyPlace reports whether a place may be that of several roles: it names several, or none.
func anyPlace(place string) bool { return place == "" || several(place) }

// foldPlace drops case, spaces and punctuation, and the order of the parts.
func foldPlace(place string) string {
	var parts []string
	for _, words := range placeParts(place) {
		parts = append(parts, strings.Join(words, ""))
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), "\x01")
}

var placeDashes = strings.NewReplacer(" - ", ",", " – ", ",", " — ", ",") //nolint:gochecknoglobals // a constant

// placeParts returns the words of each part of a place.
func placeParts(place string) (parts [][]string) {
	for part := range strings.FieldsFuncSeq(placeDashes.Replace(place), func(r rune) bool { return strings.ContainsRune(",;/()|·•", r) }) {
		if of := words(plain(part)); len(of) > 0 {
			parts = append(parts, of)
		}
	}
	return parts
}

// agrees reports whether the other place has each part of the shorter one, be it with further words, such as a postal code,
// or with fewer. A missing place agrees with any.
func agrees(few, many [][]string) bool {
	if len(few) > len(many) {
		few, many = many, few
	}
	return !slices.ContainsFunc(few, func(part []string) bool {
		return !slices.ContainsFunc(many, func(other []string) bool { return within(part, other) || within(other, part) })
	})
}

func within(few, many []string) bool {
	return !slices.ContainsFunc(few, func(word string) bool { return !slices.Contains(many, word) })
}
