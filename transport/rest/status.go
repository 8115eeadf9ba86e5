package rest

import (
	"net/http"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// statusBody is the published Status object.
type statusBody struct {
	Status    string         `json:"status"`
	Account   statusAccount  `json:"account"`
	Key       account.APIKey `json:"key"`
	RateLimit statusRate     `json:"rateLimit"`
	PolledAt  instant        `json:"polledAt"`
}

type statusAccount struct {
	Plan   account.PlanName `json:"plan"`
	Boards statusBoards     `json:"boards"`
}

type statusBoards struct {
	Tracked int `json:"tracked"`
	Limit   int `json:"limit"`
	Locked  int `json:"locked"`
}

type statusRate struct {
	Limit     int      `json:"limit"`
	Remaining int      `json:"remaining"`
	ResetAt   *instant `json:"resetAt"`
}

func (h *Handler) getStatus(r request) (answer, error) {
	if err := readQuery(r.URL.RawQuery).Err(); err != nil {
		return answer{}, err
	}
	s, err := h.tracker.Status(r.Context(), r.Account)
	if err != nil {
		return answer{}, err
	}
	return answer{http.StatusOK, statusBody{
		Status: "ok",
		Account: statusAccount{
			Plan: s.Plan, Boards: statusBoards{Tracked: s.Tracked, Limit: s.Limit, Locked: s.Locked},
		},
		Key: r.Key,
		RateLimit: statusRate{
			Limit: r.budget.Limit, Remaining: r.budget.Remaining, ResetAt: instantOrNull(r.budget.ResetAt),
		},
		PolledAt: instant(s.At),
	}}, nil
}

// instant is a moment as it looks on the wire.
type instant time.Time

// MarshalText writes the moment in UTC with three decimals.
func (i instant) MarshalText() ([]byte, error) {
	return time.Time(i).UTC().AppendFormat(nil, boardwatch.TimeFormat), nil
}

func instantOrNull(t time.Time) *instant {
	if t.IsZero() {
		return nil
	}
	i := instant(t)
	return &i
}
