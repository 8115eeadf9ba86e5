package digest

import (
	"context"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// searchNews is the changes found by a saved search.
type searchNews struct {
	ID, Name string
	Hits     []track.Hit // the newest, as they are told
	Total    int
	More     int // changes that are not listed
}

// search adds the results of the account's saved searches in the period of the news. If the person wants only these,
// everything else is removed.
func (d *Digest) search(ctx context.Context, due track.DueDigest, n news) (news, error) {
	searches, err := d.store.Searches(ctx, due.Account.ID)
	if err != nil {
		return news{}, err
	}
	if due.Preferences.OnlySaved {
		n = news{From: n.From, Until: n.Until}
	}
	for _, q := range searches {
		page, err := d.store.Hits(ctx, due.Account.ID, track.HitFilter{
			Only: q.Criteria, Kinds: q.Kinds, After: n.From, Until: n.Until, Limit: readRoles,
		})
		if err != nil {
			return news{}, err
		}
		hits := slices.DeleteFunc(slices.Clone(page.Hits), passed)
		if total := page.Total - (len(page.Hits) - len(hits)); total > 0 {
			s := searchNews{ID: q.ID, Name: q.Name, Total: total, More: total}
			lines, others := track.HitsOnce(hits)
			s.Hits = lines[:min(len(lines), mostRoles)]
			for i := range s.Hits {
				s.More -= 1 + len(others[i])
			}
			n.Searches = append(n.Searches, s)
		}
	}
	return n, nil
}

// passed reports whether a role's state has changed again: a role that came and went only counts as gone.
func passed(h track.Hit) bool {
	return (h.Kind == boardwatch.ChangeClosed) != (h.Job.Status == boardwatch.JobClosed)
}

// searchSubject is the subject of a mail that is only about searches.
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

// happened returns the word for a kind of change.
func happened(h track.Hit) string {
	switch h.Kind {
	case boardwatch.ChangeFound:
		return "new"
	case boardwatch.ChangeUpdated:
		return "changed"
	default:
		return string(h.Kind)
	}
}
