package rest

import (
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// boardsBody is what listBoards answers.
type boardsBody struct {
	Boards []boardwatch.BoardView `json:"boards"`
	Total  int                    `json:"total"`
}

func (h *Handler) listBoards(r request) (answer, error) {
	q := readQuery(r.URL.RawQuery, "status")
	status := q.choice("status", "all", "pending", "scraping", "ready", "failed", "all")
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	filter, err := track.ParseBoardStatus(status)
	if err != nil {
		return answer{}, err
	}
	boards, err := h.tracker.Boards(r.Context(), r.Account, filter)
	if err != nil {
		return answer{}, err
	}
	return answer{http.StatusOK, boardsBody{boards, len(boards)}}, nil
}

// addBoard never waits for a careers page: it answers with what is known, and the first reading follows.
func (h *Handler) addBoard(r request) (answer, error) {
	wish, err := h.readNewBoard(r)
	if err != nil {
		return answer{}, err
	}
	added, err := h.tracker.Add(r.Context(), r.Account, wish)
	if err != nil {
		return answer{}, err
	}
	if added.Fresh {
		return answer{http.StatusCreated, added}, nil
	}
	return answer{http.StatusAccepted, added}, nil
}

func (h *Handler) readNewBoard(r request) (track.NewBoard, error) {
	q := readQuery(r.URL.RawQuery)
	o, err := readObject(r.Body)
	if err != nil {
		return track.NewBoard{}, boardwatch.InvalidFields(append(q.List(), boardwatch.FieldError{Field: "body", Message: err.Error()}))
	}
	wish := track.NewBoard{
		URL:         o.text("url", required, track.MaxURL),
		CompanyName: o.text("companyName", optional, track.MaxCompanyName),
	}
	o.Unknown("is not a field of this request")
	if o.Fine("url") {
		o.Add("url", h.tracker.URLFault(wish.URL))
	}
	return wish, boardwatch.InvalidFields(append(q.List(), o.List()...))
}

func (h *Handler) deleteBoard(r request) (answer, error) {
	if err := readQuery(r.URL.RawQuery).Err(); err != nil {
		return answer{}, err
	}
	if err := h.tracker.Remove(r.Context(), r.Account, r.PathValue("id")); err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusNoContent}, nil
}
