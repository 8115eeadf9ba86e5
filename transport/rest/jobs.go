package rest

import (
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// jobsBody is what listJobs answers.
type jobsBody struct {
	Jobs     []boardwatch.Job `json:"jobs"`
	Total    int64            `json:"total"`
	PolledAt instant          `json:"polledAt"`
}

func (h *Handler) listJobs(r request) (answer, error) {
	filter, err := readJobFilter(r.URL.RawQuery)
	if err != nil {
		return answer{}, err
	}
	page, err := h.tracker.Jobs(r.Context(), r.Account, filter)
	if err != nil {
		return answer{}, err
	}
	return answer{http.StatusOK, jobsBody{page.Jobs, page.Total, instant(page.PolledAt)}}, nil
}

// readJobFilter names every wrong parameter at once.
func readJobFilter(rawQuery string) (track.JobFilter, error) {
	q := readQuery(rawQuery, "boardId", "addedAfter", "status", "search", "location", "limit", "skip")
	f := track.JobFilter{
		BoardID:    q.boardID("boardId"),
		AddedAfter: q.instant("addedAfter"),
		Search:     q.text("search", track.MaxSearch),
		Location:   q.text("location", track.MaxSearch),
		Limit:      int(q.integer("limit", track.DefaultLimit, 1, track.MaxLimit)),
		Skip:       q.integer("skip", 0, 0, track.MaxSkip),
	}
	status := q.choice("status", "open", "open", "closed", "all")
	if err := q.Err(); err != nil {
		return track.JobFilter{}, err
	}
	var err error
	f.Status, err = track.ParseJobStatus(status)
	return f, err
}
