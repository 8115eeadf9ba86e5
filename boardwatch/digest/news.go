package digest

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// The most that one mail lists. The rest is only counted.
const (
	firstDays   = 7   // of the past, in the first mail; later mails include all unreported changes, however old
	mostChanges = 500 // checks, the newest
	mostRoles   = 20  // lines in each list of a board
	readRoles   = 100 // roles of each list; some are told in one line
	mostWatched = 10  // named boards that are watched from now on
)

// news is what has changed for an account in a period.
type news struct {
	From, Until time.Time
	Boards      []boardNews // the one with the newest change first
	Found       int
	Reopened    int
	Closed      int
	Updated     int
	Watched     watched
	Searches    []searchNews // searches with results
}

// Empty reports whether there is nothing to report.
func (n news) Empty() bool { return n.Changes() == 0 && n.Watched.Total == 0 && len(n.Searches) == 0 }

// Changes returns how many roles have news.
func (n news) Changes() int { return n.Found + n.Reopened + n.Closed + n.Updated }

// watched are the boards that the account began to watch, or that were read for the first time. Their roles are not
// news, so each board gets only one line.
type watched struct {
	Boards []boardNews // the beginning of the list
	Total  int         // boards
	Open   int         // roles on all of them
}

// More returns how many boards are not named.
func (w watched) More() int { return w.Total - len(w.Boards) }

// boardNews is what has changed on one board.
type boardNews struct {
	ID         string
	Company    string
	CareersURL string
	Found      track.JobList
	Reopened   track.JobList
	Closed     track.JobList
	Updated    track.JobList
	// Fields are the old and new values of the roles in Reopened and Updated, by the id of the role.
	Fields map[string][]boardwatch.FieldChange
	// Watched says that the board is watched from now on, and Open is how many roles it has.
	Watched bool
	Open    int
}

// total returns how many roles of the board have news.
func (b boardNews) total() int {
	return b.Found.Total + b.Reopened.Total + b.Closed.Total + b.Updated.Total
}

// gather reads the changes since the last mail. Changes that become visible while it reads are left for the next one.
func (d *Digest) gather(ctx context.Context, due track.DueDigest, now time.Time) (news, error) {
	n := news{From: beginning(due, now)}
	places := map[string]int{}
	f := track.ChangeFilter{After: n.From, Limit: 100, Jobs: readRoles}
	for told := 0; ; {
		page, err := d.store.Changes(ctx, due.Account.ID, f)
		if err != nil {
			return news{}, err
		}
		if n.Until.IsZero() {
			n.Until = page.PolledAt
		}
		for _, c := range page.Changes {
			if c.At.After(n.Until) {
				continue
			}
			roles := readRoles
			if told++; told > mostChanges {
				roles = 0
			}
			n.add(c, places, roles)
		}
		if !page.More {
			n.sum()
			return d.search(ctx, due, n)
		}
		f.Before = page.Next
	}
}

// beginning returns where the next mail begins: at the end of the last one.
func beginning(due track.DueDigest, now time.Time) time.Time {
	if !due.Until.IsZero() {
		return due.Until
	}
	if first := now.AddDate(0, 0, -firstDays); first.After(due.Account.CreatedAt) {
		return first
	}
	return due.Account.CreatedAt
}

// add counts a change, and adds its roles to the limited lists.
func (n *news) add(c track.BoardChange, places map[string]int, roles int) {
	at, known := places[c.BoardID]
	if !known {
		at = len(n.Boards)
		places[c.BoardID] = at
		n.Boards = append(n.Boards, boardNews{ID: c.BoardID, Company: c.Company, CareersURL: c.CareersURL})
	}
	b := &n.Boards[at]
	found := c.Found
	if c.Beginning {
		found = track.JobList{}
		if !b.Watched { // changes come newest first
			b.Watched, b.Open = true, c.Open
		}
	}
	b.Found = join(b.Found, standing(found, boardwatch.JobOpen), roles)
	b.Reopened = join(b.Reopened, standing(c.Reopened, boardwatch.JobOpen), roles)
	b.Closed = join(b.Closed, standing(c.Closed, boardwatch.JobClosed), roles)
	b.Updated = join(b.Updated, standing(c.Updated, boardwatch.JobOpen), roles)
	b.addFields(c.Fields)
}

// addFields adds the changes of an earlier check. If a field changed more than once, the mail shows its first and its
// present value.
func (b *boardNews) addFields(fields map[string][]boardwatch.FieldChange) {
	if len(fields) > 0 && b.Fields == nil {
		b.Fields = make(map[string][]boardwatch.FieldChange)
	}
	for id, earlier := range fields {
		b.Fields[id] = track.JoinFields(earlier, b.Fields[id])
	}
}

// sum adds up the numbers of all boards, and removes boards without news.
func (n *news) sum() {
	for _, b := range n.Boards {
		if !b.Watched || b.Open == 0 {
			continue
		}
		n.Watched.Total++
		n.Watched.Open += b.Open
		if len(n.Watched.Boards) < mostWatched {
			n.Watched.Boards = append(n.Watched.Boards, b)
		}
	}
	n.Boards = slices.DeleteFunc(n.Boards, func(b boardNews) bool { return b.total() == 0 })
	for i := range n.Boards {
		b := &n.Boards[i]
		for _, list := range []*track.JobList{&b.Found, &b.Reopened, &b.Closed, &b.Updated} {
			*list = list.Once(mostRoles, b.Fields)
		}
		n.Found += b.Found.Total
		n.Reopened += b.Reopened.Total
		n.Closed += b.Closed.Total
		n.Updated += b.Updated.Total
	}
}

// standing removes roles whose state has changed again: a role that came and went only counts as gone.
func standing(l track.JobList, status boardwatch.JobStatus) track.JobList {
	jobs := slices.DeleteFunc(slices.Clone(l.Jobs), func(j boardwatch.Job) bool { return j.Status != status })
	return track.JobList{Jobs: jobs, Total: l.Total - (len(l.Jobs) - len(jobs))}
}

// join combines two lists, without duplicates among the shown roles; b adds roles up to the limit.
func join(a, b track.JobList, most int) track.JobList {
	a.Total += b.Total
	for _, j := range b.Jobs {
		switch {
		case slices.ContainsFunc(a.Jobs, func(k boardwatch.Job) bool { return k.ID == j.ID }):
			a.Total--
		case len(a.Jobs) < most:
			a.Jobs = append(a.Jobs, j)
		}
	}
	return a
}

// Name returns what a person calls the board.
func (b boardNews) Name() string {
	if b.Company != "" {
		return plain(b.Company)
	}
	if u, err := url.Parse(b.CareersURL); err == nil && u.Host != "" {
		return u.Host
	}
	return plain(b.CareersURL)
}

// subject says how much has changed, and where.
func (n news) subject() string {
	var what string
	switch {
	case n.Changes() == 0 && n.Watched.Total == 0:
		return n.searchSubject()
	case n.Changes() == 0:
		return n.Watched.subject()
	case n.Found > 0:
		what = count(n.Found, "new role")
	case n.Reopened > 0:
		what = count(n.Reopened, "role") + " reopened"
	case n.Closed > 0:
		what = count(n.Closed, "role") + " closed"
	default:
		what = count(n.Updated, "role") + " changed"
	}
	names := make([]string, 0, 2)
	for _, b := range n.Boards {
		if len(names) < 2 && (n.Found == 0 || b.Found.Total > 0) {
			names = append(names, shorten(b.Name(), 40))
		}
	}
	where := strings.Join(names, ", ")
	if more := n.boardsLike() - len(names); more > 0 {
		where += " and " + count(more, "more board")
	} else {
		where = strings.Join(names, " and ")
	}
	return what + " at " + where
}

// subject says how many roles are on the boards that are watched from now on.
func (w watched) subject() string {
	what := "Watching " + count(w.Open, "open role")
	if w.Total == 1 {
		return what + " at " + shorten(w.Boards[0].Name(), 40)
	}
	return what + " on " + count(w.Total, "board")
}

// boardsLike returns how many boards the subject could name.
func (n news) boardsLike() int {
	if n.Found == 0 {
		return len(n.Boards)
	}
	with := 0
	for _, b := range n.Boards {
		with += min(1, b.Found.Total)
	}
	return with
}

// was returns the changes of a role, one line per field. For an address it only says that it changed.
func was(changes []boardwatch.FieldChange) []string {
	lines := make([]string, len(changes))
	for i, f := range changes {
		lines[i] = string(f.Field) + ": " + cmp.Or(plain(f.From), "nothing") + " → " + cmp.Or(plain(f.To), "nothing")
		if f.Field == boardwatch.FieldURL {
			lines[i] = "the address of its page"
		}
		if f.Field == boardwatch.FieldText {
			lines[i] = "the text of the posting"
		}
	}
	return lines
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return s
}

// plain returns a foreign text on one line.
func plain(s string) string { return strings.Join(strings.Fields(s), " ") }

// place returns the place and department of a role, and what else is looked at first, in one text.
func place(j boardwatch.Job) string {
	return strings.Join(slices.DeleteFunc([]string{plain(j.Location), plain(j.Department), plain(j.FactsLine())}, func(s string) bool { return s == "" }), " · ")
}

// link returns the address of a role if mails may link to it, or else that of its board.
func link(j boardwatch.Job, board string) string {
	u, err := url.Parse(j.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return board
	}
	return cmp.Or(u.String(), board)
}
