package mcp

import (
	"context"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// jobList is what search_jobs answers.
type jobList struct {
	boardwatch.JobPage
	skip int64
}

// AppendJSON appends the page.
func (l jobList) AppendJSON(out []byte) []byte {
	out = boardwatch.AppendList(append(out, `{"jobs":`...), l.Jobs)
	out = strconv.AppendInt(append(out, `,"total":`...), l.Total, 10)
	out = appendInstant(out, "polledAt", l.PolledAt)
	return append(appendNextSkip(out, l.skip, len(l.Jobs), l.Total), '}')
}

func (h *Handler) searchJobs() tool {
	return tool{
		name: "search_jobs", title: "Search roles",
		description: "Lists roles on the tracked boards, newest first, as the last scheduled check found them; locked boards return none. " +
			"firstSeenAt is when Boardwatch first saw a role, not its publication date. For polling, pass the previous polledAt as addedAfter.",
		input: inputOf(nil,
			property{"boardId", boardIDSchema},
			property{"search", `{"type":"string","maxLength":200,"description":"Text in the title, in any case."}`},
			property{"location", `{"type":"string","maxLength":200,"description":"Text in the location, in any case."}`},
			property{"status", enumOf("open", "Only roles with this status.", "open", "closed", "all")},
			property{"addedAfter", `{"type":"string","format":"date-time","description":"Only roles first seen after this moment."}`},
			property{"limit", limitSchema}, property{"skip", skipSchema}),
		output: objectOf(property{"jobs", listOf(jobSchema())}, property{"total", countSchema}, property{"polledAt", instantSchema},
			property{"nextSkip", nextSkipSchema}),
		scope: boardwatch.ScopeBoardsRead, hints: hints{readOnly: true, idempotent: true},
		run: func(ctx context.Context, a boardwatch.Account, args *arguments) (boardwatch.Appender, error) {
			f, err := readJobFilter(args)
			if err != nil {
				return nil, err
			}
			page, err := h.services.Tracker.Jobs(ctx, a, f)
			if err != nil {
				return nil, err
			}
			page.Jobs = plainJobs(page.Jobs)
			return jobList{page, f.Skip}, nil
		},
	}
}

func readJobFilter(args *arguments) (boardwatch.JobFilter, error) {
	f := boardwatch.JobFilter{
		BoardID: args.boardID(false), Search: args.Text("search", false), Location: args.Text("location", false),
		AddedAfter: args.instant("addedAfter"),
	}
	status := args.choice("status", "open", "open", "closed", "all")
	f.Limit, f.Skip = args.page()
	args.judged(track.ValidateFilter(f))
	if err := args.err(); err != nil {
		return boardwatch.JobFilter{}, err
	}
	var err error
	f.Status, err = track.ParseJobStatus(status)
	return f, err
}

func (a *arguments) page() (limit int, skip int64) {
	return int(a.integer("limit", track.DefaultLimit, 1, track.MaxLimit)), a.integer("skip", 0, 0, track.MaxSkip)
}

// updateList is what list_updates answers.
type updateList struct {
	found, closed boardwatch.JobPage
	since         time.Time
	skip          int64
}

// AppendJSON appends the page. Both lists are one to those who page through it: first what was found, then what was closed.
func (l updateList) AppendJSON(out []byte) []byte {
	out = boardwatch.AppendList(append(out, `{"jobs":`...), l.found.Jobs)
	out = strconv.AppendInt(append(out, `,"total":`...), l.found.Total, 10)
	out = boardwatch.AppendList(append(out, `,"closed":`...), l.closed.Jobs)
	out = strconv.AppendInt(append(out, `,"closedTotal":`...), l.closed.Total, 10)
	out = appendInstant(out, "polledAt", l.found.PolledAt)
	out = appendInstant(out, "since", l.since)
	return append(appendNextSkip(out, l.skip, len(l.found.Jobs)+len(l.closed.Jobs), l.found.Total+l.closed.Total), '}')
}

// usualSince is how far list_updates looks back when nothing is said.
const usualSince = 24 * time.Hour

func (h *Handler) listUpdates() tool {
	return tool{
		name: "list_updates", title: "What has changed",
		description: "Lists what has changed on the tracked boards since a moment: in jobs the roles first seen after it, whatever their status, and in closed " +
			"the roles closed after it. It returns what scheduled checks found. firstSeenAt is not the publication date. For polling, pass the previous " +
			"polledAt as since. limit counts both lists together: as long as nextSkip is not null, there is more.",
		input: inputOf(nil,
			property{"since", `{"type":"string","format":"date-time","description":"24 hours before the call when it is left out."}`},
			property{"boardId", boardIDSchema}, property{"limit", limitSchema}, property{"skip", skipSchema}),
		output: objectOf(property{"jobs", listOf(jobSchema())}, property{"total", countSchema},
			property{"closed", listOf(jobSchema())}, property{"closedTotal", countSchema},
			property{"polledAt", instantSchema}, property{"since", instantSchema}, property{"nextSkip", nextSkipSchema}),
		scope: boardwatch.ScopeBoardsRead, hints: hints{readOnly: true, idempotent: true},
		run: func(ctx context.Context, a boardwatch.Account, args *arguments) (boardwatch.Appender, error) {
			f := boardwatch.JobFilter{AddedAfter: args.instant("since"), BoardID: args.boardID(false)}
			f.Limit, f.Skip = args.page()
			if err := args.err(); err != nil {
				return nil, err
			}
			if f.AddedAfter.IsZero() {
				f.AddedAfter = h.now().Add(-usualSince)
			}
			f.AddedAfter = boardwatch.Milli(f.AddedAfter)
			return h.updates(ctx, a, f)
		},
	}
}

// updates asks for what was found first: its moment is the one to ask from the next time.
func (h *Handler) updates(ctx context.Context, a boardwatch.Account, f boardwatch.JobFilter) (boardwatch.Appender, error) {
	found, err := h.services.Tracker.Jobs(ctx, a, f)
	if err != nil {
		return nil, err
	}
	closed, err := h.services.Feed.Closed(ctx, a, boardwatch.ClosedFilter{
		BoardID: f.BoardID, After: f.AddedAfter, Limit: f.Limit - len(found.Jobs), Skip: max(0, f.Skip-found.Total),
	})
	if err != nil {
		return nil, err
	}
	found.Jobs, closed.Jobs = plainJobs(found.Jobs), plainJobs(closed.Jobs)
	return updateList{found: found, closed: closed, since: f.AddedAfter, skip: f.Skip}, nil
}
