package boardwatch

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
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
// alike; so are those whose address keeps a number that no other has, and those that nearly all say more or less than before.
// Roles that closed within ReopenWithin take part, after the open ones.
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
	m.byRole(nil)
	m.byKey()
	m.byAgreeingPlace()
	m.byNumber()
	m.byWords()
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
	if m.page || m.loose && len(m.pairs) > 1 {
		anew = nil // all ids change; of a single role nobody can tell
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
	open     []int          // of known
	renamed  bool           // of a hosted board: more than half of its ids are unknown, and more than half of the known ones gone
	loose    bool           // keys tell little: on a page, and where all ids change
	movable  func(Job) bool // whether the job may be another posting with the same title and place
	pairs    []pair
	texts    texts
}

type pair struct{ job, posting int }

func (in CheckInput) matching(r Reading) *matching {
	m := &matching{known: in.Known, listed: r.Postings, page: in.Board.System() == PageSystem, home: in.Board.URL, doubted: make(map[int]int), texts: newTexts()}
	listed, shown, known := make(map[string]int, len(r.Postings)), r.keys(), make(map[string]bool, len(in.Known))
	for i, p := range r.Postings {
		listed[p.Key] = i
	}
	m.doubtful = m.page || m.reassigned(listed)
	missing := 0
	for i, j := range in.Known {
		if j.Status == JobOpen {
			m.open = append(m.open, i)
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
	m.renamed = !m.page && 2*missing > len(m.open) && 2*(len(m.postings)-len(m.doubted)) > len(r.Postings)
	m.loose = m.page || m.renamed || in.Board.elsewhere()
	m.movable = m.postedAnew(in.Board.State.Reposts, in.Now)
	return m
}

// reassigned reports whether the ids of a hosted system were given to other roles: more than half of those that show another title
// now show a known role that is not under its own id, or showed one that is under another.
func (m *matching) reassigned(listed map[string]int) bool {
	displaced := make(map[roleName]bool)
	retitled := make(map[int]roleName) // the roles of the jobs that the postings were
	for _, j := range m.known {
		if j.Status != JobOpen {
			continue
		}
		posting, ok := listed[j.Key]
		if ok && m.texts.sameTitle(j.Title, m.listed[posting].Title) {
			continue
		}
		role := m.texts.role(j.posting())
		if displaced[role] = true; ok {
			retitled[posting] = role
		}
	}
	if len(retitled) == 0 {
		return false
	}
	shown := make(map[roleName]bool, len(m.listed))
	for _, p := range m.listed {
		shown[m.texts.role(p)] = true
	}
	moved := 0
	for posting, was := range retitled {
		if shown[was] || displaced[m.texts.role(m.listed[posting])] {
			moved++
		}
	}
	return 2*moved > len(retitled)
}

// surely reports whether a posting under the key of a job is that job. It is not sure where keys are doubted and its title is another
// one, and anywhere if it showed several places and has one left: that may be a role of its own, which it stood for.
func (m *matching) surely(j Job, p Posting) bool {
	return (!m.doubtful || m.texts.sameTitle(j.Title, p.Title)) && (!several(j.Location) || several(p.Location))
}

// alike pairs jobs and postings that have the same title and place.
func alike(jobs []Job, postings []Posting) []pair {
	m := &matching{known: jobs, listed: postings, loose: true, texts: newTexts()}
	m.movable, m.postings = m.postedAnew(nil, time.Time{}), m.all()
	for i := range jobs {
		m.jobs = append(m.jobs, i)
	}
	m.byRole(nil)
	m.byAgreeingPlace()
	return m.pairs
}

// was and is return what identifies a known role, and one that is listed.
func (m *matching) was(job int) roleName    { return m.texts.role(m.known[job].posting()) }
func (m *matching) is(posting int) roleName { return m.texts.role(m.listed[posting]) }

// join pairs each job with the posting that choose returns for it, if nobody has it yet, and takes both from the lists.
func (m *matching) join(choose func(job int) (posting int, ok bool)) {
	free := make(map[int]bool, len(m.postings))
	for _, i := range m.postings {
		free[i] = true
	}
	m.jobs = slices.DeleteFunc(m.jobs, func(i int) bool {
		posting, ok := choose(i)
		if ok = ok && free[posting]; ok {
			delete(free, posting)
			m.pairs = append(m.pairs, pair{i, posting})
		}
		return ok
	})
	m.postings = slices.DeleteFunc(m.postings, func(i int) bool { return !free[i] })
}

// byRole joins roles with the same title and place: first those that alone have a part of their addresses in common, then in
// order, with postings under the keys of other roles last. reworded says which roles of postings are those of which jobs.
func (m *matching) byRole(reworded map[roleName]roleName) {
	if len(m.jobs) == 0 || len(m.postings) == 0 {
		return
	}
	jobs := groups(m.jobs, m.was)
	waiting := groups(m.postings, func(i int) roleName {
		role := m.is(i)
		return cmp.Or(reworded[role], role)
	})
	doubted := groups(slices.Collect(maps.Keys(m.doubted)), func(job int) int { return m.doubted[job] })
	own := make(map[int]int) // postings
	for role, some := range waiting {
		slices.SortStableFunc(some, func(a, b int) int { return cmp.Compare(len(doubted[a]), len(doubted[b])) })
		if len(some) > 1 || len(jobs[role]) > 1 {
			mine := alone(jobs[role], func(i int) []string { return addressParts(m.known[i].URL) },
				holders(some, func(i int) []string { return addressParts(m.listed[i].URL) }))
			maps.Copy(own, mine)
			chosen := groups(slices.Collect(maps.Keys(mine)), func(job int) int { return mine[job] })
			waiting[role] = slices.DeleteFunc(some, func(i int) bool { return chosen[i] != nil })
		}
	}
	m.join(func(job int) (int, bool) {
		j, role := m.known[job], m.was(job)
		posting, ok := own[job]
		if !ok && len(waiting[role]) == 0 {
			return 0, false
		}
		if !ok {
			posting = waiting[role][0]
		}
		if stood := doubted[posting] != nil && j.Status == JobOpen && j.MissedSince.IsZero(); !stood && !m.movable(j) {
			return 0, false
		}
		if !ok {
			waiting[role] = waiting[role][1:]
		}
		return posting, true
	})
}

// holders returns which of the indexes has each word alone, or nobody.
func holders(indexes []int, of func(int) []string) map[string]int {
	owner := make(map[string]int, len(indexes))
	for _, i := range indexes {
		for _, word := range of(i) {
			if first, taken := owner[word]; taken && first != i {
				owner[word] = nobody
			} else {
				owner[word] = i
			}
		}
	}
	return owner
}

const nobody = -1

// alone returns which jobs have a word that no other job has, and the posting that owns it.
func alone(jobs []int, of func(int) []string, owner map[string]int) map[int]int {
	was, taken, own := holders(jobs, of), make(map[int]bool), make(map[int]int)
	for _, job := range jobs {
		for _, word := range of(job) {
			if posting, ok := owner[word]; ok && posting != nobody && was[word] == job && !taken[posting] {
				own[job], taken[posting] = posting, true
				break
			}
		}
	}
	return own
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
	m.join(func(job int) (int, bool) {
		posting, ok := m.doubted[job]
		return posting, ok && (!m.page || !sameAddress(m.listed[posting].URL, m.home))
	})
}

// mostPlaces limits how many places are compared for one title, because this happens while a check is saved. Beyond it,
// only equal places are the same.
const mostPlaces = 250_000

// byAgreeingPlace joins roles with the same title if the place of one says more than that of the other ("Berlin" and
// "Berlin, Germany") and no other agrees with it, or if one of them lists several places or none.
func (m *matching) byAgreeingPlace() {
	jobs := groups(m.jobs, func(i int) string { return m.texts.title(m.known[i].Title) })
	postings := groups(m.postings, func(i int) string { return m.texts.title(m.listed[i].Title) })
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
		at := m.texts.place(m.known[j].Location).parts
		for _, p := range postings {
			if agrees(at, m.texts.place(m.listed[p].Location).parts) {
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

func groups[T comparable](indexes []int, name func(int) T) map[T][]int {
	out := make(map[T][]int, len(indexes))
	for _, i := range indexes {
		out[name(i)] = append(out[name(i)], i)
	}
	return out
}

// covered returns the keys of open roles that are shown as a further place of another posting, or that the page still
// links to, and of those that stood for several places, of which another role has got the last one. On a page, whatever parts
// its places, a posting stands for all roles of its title if it names the places of several.
func (m *matching) covered(links map[string]bool) (keys []string) {
	if !slices.ContainsFunc(m.jobs, func(i int) bool { return m.known[i].Status == JobOpen }) {
		return nil
	}
	places := make(map[roleName]bool)
	for _, p := range m.listed {
		if several(p.Location) {
			for place := range strings.SplitSeq(p.Location, placeMark) {
				places[m.texts.role(Posting{Title: p.Title, Location: place})] = true
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
		case doubted && m.texts.sameTitle(j.Title, m.listed[posting].Title):
			keys = append(keys, MergedKey+j.Key)
		case places[m.was(i)] || len(links) > 0 && links[addressIdentity(j.URL)]:
			keys = append(keys, j.Key)
		}
	}
	return keys
}

// gathered adds the roles of which one posting names the places of several.
func (m *matching) gathered(roles map[roleName]bool) {
	jobs := groups(m.jobs, func(i int) string { return m.texts.title(m.known[i].Title) })
	maps.DeleteFunc(jobs, func(_ string, some []int) bool { return len(some) < 2 })
	if len(jobs) == 0 {
		return
	}
	for _, p := range m.listed {
		parts := m.texts.place(p.Location).parts
		if len(parts) < 2 {
			continue
		}
		named := make(map[roleName]bool)
		for _, i := range jobs[m.texts.title(p.Title)] {
			at := m.texts.place(m.known[i].Location).parts
			if len(at) == 1 && slices.ContainsFunc(parts, func(part []string) bool { return slices.Equal(part, at[0]) }) {
				named[m.was(i)] = true
			}
		}
		if len(named) > 1 {
			maps.Copy(roles, named)
		}
	}
}

// byWords joins what is left where keys tell little: roles of which one says all in title and place that the other says, and
// none is nearer to either. They say the same in both, or more than half of the board says something else now; then titles are
// enough, if those of several roles agree. A word that most titles have gained or lost says nothing.
func (m *matching) byWords() {
	if !m.loose || len(m.jobs) == 0 || len(m.postings) == 0 {
		return
	}
	known, listed := func(i int) Posting { return m.known[i].posting() }, func(i int) Posting { return m.listed[i] }
	idle := m.idleWords()
	gone := len(groups(m.jobs, func(i int) JobStatus { return m.known[i].Status })[JobOpen])
	most := 2*gone > len(m.open) && 2*len(m.postings) > len(m.listed)
	m.byRole(reworded(m.texts.wordings(m.jobs, known, idle, true), m.texts.wordings(m.postings, listed, idle, true), most))
	if !most {
		return
	}
	if same := reworded(m.texts.wordings(m.jobs, known, idle, false), m.texts.wordings(m.postings, listed, idle, false), most); len(same) > 1 {
		m.byRole(same)
	}
}

// idleWords returns which words say nothing about a role: those that most titles have gained or lost.
func (m *matching) idleWords() func(word string) bool {
	was, is := make([]string, 0, len(m.open)), make([]string, 0, len(m.listed))
	for _, i := range m.open {
		was = append(was, m.known[i].Title)
	}
	for _, p := range m.listed {
		is = append(is, p.Title)
	}
	if !mostAreNew(was, is) && !mostAreNew(is, was) {
		return func(string) bool { return false }
	}
	return idleWords(m.texts.commonWords(was), m.texts.commonWords(is))
}

// mostAreNew reports whether at least half of the titles are none of those before.
func mostAreNew(before, titles []string) bool {
	old := make(map[string]bool, len(before))
	for _, title := range before {
		old[title] = true
	}
	n := 0
	for _, title := range titles {
		if !old[title] {
			n++
		}
	}
	return 2*n >= len(titles)
}

// all returns the indexes of all that is listed.
func (m *matching) all() (indexes []int) {
	for i := range m.listed {
		indexes = append(indexes, i)
	}
	return indexes
}

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
