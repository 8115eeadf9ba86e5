package mcp

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// jobList is what search_jobs answers.
type jobList struct {
	Jobs     []agentJob `json:"jobs"`
	Total    int64      `json:"total"`
	PolledAt instant    `json:"polledAt"`
	NextSkip *int64     `json:"nextSkip"`
}

// How many entries of a role's history are told: in search_jobs the last one, in list_updates what happened since.
const (
	lastEvent    = 1
	recentEvents = 10
)

// withHistory returns the roles, each with what happened to it after a moment, at most so many entries.
func (k *kit) withHistory(ctx context.Context, jobs []boardwatch.Job, after time.Time, most int) ([]agentJob, error) {
	events, err := k.services.Tracker.RoleEvents(ctx, jobs, after, most)
	return plainJobs(jobs, events), err
}

func (k *kit) searchJobs() tool {
	return tool{
		name: "search_jobs", title: "Search roles",
		description: "Lists roles on the tracked boards, newest first, as the last scheduled check found them; locked boards return none. " +
			"firstSeenAt is when Boardwatch first saw a role, not its publication date; history has the last thing that happened to it. " +
			"facts holds what the employer states: a fact that is missing is not known. " +
			"For polling, pass the previous polledAt as addedAfter.",
		input: inputOf(nil,
			property{"boardId", boardIDSchema},
			property{"search", `{"type":"string","maxLength":200,"description":"Text in the title, in any case."}`},
			property{"location", `{"type":"string","maxLength":200,"description":"Text in the location, in any case."}`},
			property{"status", enumOf("open", "Only roles with this status.", "open", "closed", "all")},
			property{"mode", someOf("Only roles for which the employer states this mode of work.", boardwatch.WorkModes())},
			property{"type", someOf("Only roles for which the employer states this kind of employment.", boardwatch.JobTypes())},
			property{"payFrom", `{"type":"integer","minimum":1,"description":"Only roles that may pay as much in a year of full-time work, by what the employer states; in any currency unless currency is set."}`},
			property{"currency", `{"type":"string","pattern":"^[A-Z]{3}$","description":"Only roles whose pay is stated in this currency, such as EUR."}`},
			property{"text", `{"type":"string","maxLength":200,"description":"Words of the role's text, in any order; the beginning of a word is enough."}`},
			property{"jobId", `{"type":"string","pattern":"^[a-f0-9]{24}$","description":"Id of one role, open or closed; not together with other conditions."}`},
			property{"includeText", `{"type":"boolean","default":false,"description":"Whether to return the texts of roles too, each up to 8 KiB. Use a small limit."}`},
			property{"saved", `{"type":"string","minLength":1,"maxLength":80,"description":"Name of a search that the person has saved; not together with boardId, search or location."}`},
			property{"addedAfter", `{"type":"string","format":"date-time","description":"Only roles first seen after this moment."}`},
			property{"limit", limitSchema}, property{"skip", skipSchema}),
		output: objectOf(property{"jobs", listOf(jobSchema())}, property{"total", countSchema}, property{"polledAt", instantSchema},
			property{"nextSkip", nextSkipSchema}),
		scope: account.ScopeBoardsRead, hints: hints{readOnly: true, idempotent: true},
		run: func(ctx context.Context, a account.Account, args *arguments) (any, error) {
			jobID, texts := args.jobID(), args.flag("includeText")
			f, err := k.readJobFilter(ctx, a, args)
			if err != nil {
				return nil, err
			}
			page, err := k.jobs(ctx, a, f, jobID)
			if err != nil {
				return nil, err
			}
			if texts {
				if page.Jobs, err = k.services.Tracker.WithTexts(ctx, page.Jobs); err != nil {
					return nil, err
				}
			}
			jobs, err := k.withHistory(ctx, page.Jobs, time.Time{}, lastEvent)
			return jobList{jobs, page.Total, instant(page.PolledAt), nextSkip(f.Skip, len(jobs), page.Total)}, err
		},
	}
}

// jobs returns a page of roles, or the one that was asked for.
func (k *kit) jobs(ctx context.Context, a account.Account, f track.JobFilter, jobID string) (track.JobPage, error) {
	if jobID == "" {
		return k.services.Tracker.Jobs(ctx, a, f)
	}
	f.Limit = 1
	page, err := k.services.Tracker.Jobs(ctx, a, f) // for the moment
	if err != nil {
		return page, err
	}
	j, err := k.services.Tracker.Role(ctx, a, jobID)
	return track.JobPage{Jobs: []boardwatch.Job{j}, Total: 1, PolledAt: page.PolledAt}, err
}

func (k *kit) readJobFilter(ctx context.Context, a account.Account, args *arguments) (track.JobFilter, error) {
	f := track.JobFilter{
		BoardID: args.boardID(false), Search: args.Text("search", false), Location: args.Text("location", false),
		AddedAfter: args.instant("addedAfter"),
	}
	f.Only.Mode, f.Only.Type = boardwatch.WorkMode(args.Text("mode", false)), boardwatch.JobType(args.Text("type", false))
	f.Only.Words = args.Text("text", false)
	f.Only.PayFrom, f.Only.Currency = int(args.integer("payFrom", 0, 1, 1e12)), args.Text("currency", false)
	status := args.choice("status", "open", "open", "closed", "all")
	f.Limit, f.Skip = args.page()
	args.judged(track.ValidateFilter(f))
	saved := args.saved()
	if err := args.err(); err != nil {
		return track.JobFilter{}, err
	}
	var err error
	if f.Status, err = track.ParseJobStatus(status); err == nil && saved != "" {
		stated := f.Only
		f.Only, err = k.savedCriteria(ctx, a, saved)
		f.Only.Mode, f.Only.Type = cmp.Or(stated.Mode, f.Only.Mode), cmp.Or(stated.Type, f.Only.Type)
		f.Only.PayFrom, f.Only.Currency = cmp.Or(stated.PayFrom, f.Only.PayFrom), cmp.Or(stated.Currency, f.Only.Currency)
		f.Only.Words = strings.TrimSpace(f.Only.Words + " " + stated.Words)
	}
	return f, err
}

// jobID is the id of a role, or empty. It excludes conditions.
func (a *arguments) jobID() string {
	const name = "jobId"
	if _, given := a.Value(name); !given {
		return ""
	}
	for _, other := range []string{"boardId", "search", "location", "mode", "type", "payFrom", "currency", "text", "saved", "addedAfter"} {
		if _, given := a.Value(other); given {
			a.Add(other, "cannot be used together with "+name)
		}
	}
	id := a.Text(name, true)
	if !boardwatch.ValidID(id) {
		a.Add(name, track.MustBeID)
	}
	return id
}

// saved is the name of a saved search. It excludes the arguments that the search itself sets.
func (a *arguments) saved() string {
	const name = "saved"
	if _, given := a.Value(name); !given {
		return ""
	}
	for _, other := range []string{"boardId", "search", "location"} {
		if _, given := a.Value(other); given {
			a.Add(other, "cannot be used together with "+name)
		}
	}
	saved := a.Text(name, true)
	if strings.TrimSpace(saved) == "" {
		a.Add(name, "must not be empty")
	}
	return saved
}

// savedCriteria are the criteria of the account's search with that name. If there is none, the error lists the names.
func (k *kit) savedCriteria(ctx context.Context, a account.Account, name string) (boardwatch.Criteria, error) {
	q, err := k.services.Tracker.SearchNamed(ctx, a, strings.TrimSpace(name))
	if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return q.Criteria, err
	}
	all, err := k.services.Tracker.Searches(ctx, a)
	if err != nil {
		return boardwatch.Criteria{}, err
	}
	if len(all) == 0 {
		return boardwatch.Criteria{}, boardwatch.Invalid("saved", "is not the name of a saved search; there are none yet")
	}
	names := make([]string, len(all))
	for i, q := range all {
		names[i] = strconv.Quote(q.Name)
	}
	return boardwatch.Criteria{}, boardwatch.Invalid("saved", "is not the name of a saved search; there are "+strings.Join(names, ", "))
}

func (a *arguments) page() (limit int, skip int64) {
	return int(a.integer("limit", track.DefaultLimit, 1, track.MaxLimit)), a.integer("skip", 0, 0, track.MaxSkip)
}

// updateList is what list_updates answers.
type updateList struct {
	Jobs         []agentJob `json:"jobs"`
	Total        int64      `json:"total"`
	Closed       []agentJob `json:"closed"`
	ClosedTotal  int64      `json:"closedTotal"`
	Updated      []agentJob `json:"updated"`
	UpdatedTotal int64      `json:"updatedTotal"`
	PolledAt     instant    `json:"polledAt"`
	Since        instant    `json:"since"`
	NextSkip     *int64     `json:"nextSkip"`
}

// usualSince is how far list_updates looks back when nothing is said.
const usualSince = 24 * time.Hour

func (k *kit) listUpdates() tool {
	return tool{
		name: "list_updates", title: "What has changed",
		description: "Lists what has changed on the tracked boards since a moment: in jobs the roles first seen after it, whatever their status, in closed " +
			"the roles closed after it, and in updated older roles that show something else or have reopened. history says what happened to a role " +
			"since then, and changes in it what was shown before and after. It returns what scheduled checks found. firstSeenAt is not the publication date. For polling, pass the previous " +
			"polledAt as since. limit counts all lists together: as long as nextSkip is not null, there is more.",
		input: inputOf(nil,
			property{"since", `{"type":"string","format":"date-time","description":"24 hours before the call when it is left out."}`},
			property{"boardId", boardIDSchema}, property{"limit", limitSchema}, property{"skip", skipSchema}),
		output: objectOf(property{"jobs", listOf(jobSchema())}, property{"total", countSchema},
			property{"closed", listOf(jobSchema())}, property{"closedTotal", countSchema},
			property{"updated", listOf(jobSchema())}, property{"updatedTotal", countSchema},
			property{"polledAt", instantSchema}, property{"since", instantSchema}, property{"nextSkip", nextSkipSchema}),
		scope: account.ScopeBoardsRead, hints: hints{readOnly: true, idempotent: true},
		run: func(ctx context.Context, a account.Account, args *arguments) (any, error) {
			f := track.JobFilter{AddedAfter: args.instant("since"), BoardID: args.boardID(false)}
			f.Limit, f.Skip = args.page()
			if err := args.err(); err != nil {
				return nil, err
			}
			if f.AddedAfter.IsZero() {
				f.AddedAfter = k.now().Add(-usualSince)
			}
			f.AddedAfter = boardwatch.Milli(f.AddedAfter)
			return k.updates(ctx, a, f)
		},
	}
}

// updates reads what was found before the rest: the moment of that answer is the one to ask from the next time. To those who
// page through it the three lists are one: first what was found, then what was closed, then what was updated or reopened.
func (k *kit) updates(ctx context.Context, a account.Account, f track.JobFilter) (any, error) {
	found, err := k.services.Tracker.Jobs(ctx, a, f)
	if err != nil {
		return nil, err
	}
	closed, err := k.services.Feed.Closed(ctx, a, track.ClosedFilter{
		BoardID: f.BoardID, After: f.AddedAfter, Limit: f.Limit - len(found.Jobs), Skip: max(0, f.Skip-found.Total),
	})
	if err != nil {
		return nil, err
	}
	updated, err := k.services.Tracker.Changed(ctx, a, track.ChangedFilter{
		BoardID: f.BoardID, After: f.AddedAfter, Limit: f.Limit - len(found.Jobs) - len(closed.Jobs), Skip: max(0, f.Skip-found.Total-closed.Total),
	})
	if err != nil {
		return nil, err
	}
	l := updateList{
		Total: found.Total, ClosedTotal: closed.Total, UpdatedTotal: updated.Total, PolledAt: instant(found.PolledAt), Since: instant(f.AddedAfter),
	}
	for _, part := range []struct {
		jobs []boardwatch.Job
		into *[]agentJob
	}{{found.Jobs, &l.Jobs}, {closed.Jobs, &l.Closed}, {updated.Jobs, &l.Updated}} {
		if *part.into, err = k.withHistory(ctx, part.jobs, f.AddedAfter, recentEvents); err != nil {
			return nil, err
		}
	}
	l.NextSkip = nextSkip(f.Skip, len(l.Jobs)+len(l.Closed)+len(l.Updated), l.Total+l.ClosedTotal+l.UpdatedTotal)
	return l, nil
}
