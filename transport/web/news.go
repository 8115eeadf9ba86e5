package web

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// news counts what has happened on the viewer's boards since their last visit.
type news struct {
	Mark           time.Time // zero: they have never looked
	Roles, Changes int       // roles that opened or opened again; and those that closed or changed as well
}

// lookEvery is how often a look at what is new is saved.
const lookEvery = time.Minute

// look records that the viewer looks at what is new.
func (a *App) look(r *http.Request, c *caller) error {
	now, v := boardwatch.Milli(a.o.Now()), c.Prefs.Visits
	if now.Sub(v.LastAt) < lookEvery {
		return nil
	}
	c.Prefs.Visits = v.Look(now)
	return a.s.Preferences.SaveVisits(r.Context(), c.Account, c.Prefs.Visits)
}

// news counts what is new to the viewer. For somebody who has never looked, counting begins now.
func (a *App) news(r *http.Request, c *caller) (news, error) {
	if c.Prefs.Visits.LastAt.IsZero() {
		return news{}, a.look(r, c)
	}
	n := news{Mark: c.Prefs.Visits.Mark(a.o.Now())}
	sum, err := a.s.Feed.Since(r.Context(), c.Account, n.Mark)
	n.Roles, n.Changes = sum.Found, sum.Found+sum.Closed+sum.Updated
	return n, err
}

// markSeen marks everything that the page showed as seen, or takes that back.
func (a *App) markSeen(w http.ResponseWriter, r *http.Request, c *caller) error {
	now := boardwatch.Milli(a.o.Now())
	back := localPath(r.PostFormValue("back"), "/changes")
	field, f := "until", flash{"good", "Everything is marked as seen."}
	u := undo{r.URL.Path, url.Values{"do": {"unseen"}, "mark": r.PostForm["mark"], "back": {back}}}
	if r.PostFormValue("do") == "unseen" {
		field, f.Text, u = "mark", "What was new is marked as new again.", undo{}
	}
	ms, err := strconv.ParseInt(r.PostFormValue(field), 10, 64)
	if err != nil {
		return boardwatch.Invalid(field, "must be a number of milliseconds")
	}
	seen := time.UnixMilli(ms).UTC()
	if seen.After(now) {
		seen = now
	}
	if err := a.s.Preferences.SaveVisits(r.Context(), c.Account, account.Visits{SeenAt: seen, LastAt: now}); err != nil {
		return err
	}
	a.backUndo(w, r, back, f, u)
	return nil
}
