package digest

import (
	"context"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// searchNews is what a saved search asks for and what has changed.
type searchNews struct {
	ID, Name string
	Hits     []boardwatch.Hit // the newest
	Total    int
}

// More is how many changes are not listed.
func (s searchNews) More() int { return s.Total - len(s.Hits) }

// search adds what the account's saved searches ask for, in the span of time of the news. Where nothing else is wanted, the
// rest is left out.
func (d *Digest) search(ctx context.Context, due boardwatch.DueDigest, n news) (news, error) {
	searches, err := d.store.Searches(ctx, due.Account.ID)
	if err != nil {
		return news{}, err
	}
	if due.Preferences.OnlySaved {
		n = news{From: n.From, Until: n.Until}
	}
	for _, q := range searches {
		page, err := d.store.Hits(ctx, due.Account.ID, boardwatch.HitFilter{
			Only: q.Criteria, Kinds: q.Kinds, After: n.From, Until: n.Until, Limit: mostRoles,
		})
		if err != nil {
			return news{}, err
		}
		hits := slices.DeleteFunc(slices.Clone(page.Hits), passed)
		if total := page.Total - (len(page.Hits) - len(hits)); total > 0 {
			n.Searches = append(n.Searches, searchNews{ID: q.ID, Name: q.Name, Hits: hits, Total: total})
		}
	}
	return n, nil
}

// passed reports whether a role is no longer what the change made it: who came and went is only gone.
func passed(h boardwatch.Hit) bool {
	return (h.Kind == boardwatch.ChangeClosed) != (h.Job.Status == boardwatch.JobClosed)
}

// searchSubject is that of a mail about searches alone.
func (n news) searchSubject() string {
	total := 0
	for _, s := range n.Searches {
		total += s.Total
	}
	where := "your searches"
	if len(n.Searches) == 1 {
		where = shorten(plain(n.Searches[0].Name), 60)
	}
	return count(total, "change") + " in " + where
}

// happened is what a change did to a role, in a word.
func happened(h boardwatch.Hit) string {
	switch h.Kind {
	case boardwatch.ChangeFound:
		return "new"
	case boardwatch.ChangeUpdated:
		return "changed"
	default:
		return string(h.Kind)
	}
}
