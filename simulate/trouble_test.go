//go:build simulate

package simulate_test

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// trouble is a way of answering. The zero value answers with the true list.
type trouble struct {
	kind    answerKind
	show    func([]spell) []spell // what the list still shows; nil if answer is used
	claims  bool                  // the list still states how many roles there are
	refuses bool                  // 429 or 503
	answer  func(*company, *http.Request) (*http.Response, error)
}

var (
	unavailable = status(http.StatusServiceUnavailable)
	nothing     = trouble{kind: lie, show: func([]spell) []spell { return nil }}
	mostAreGone = trouble{kind: lie, show: func(all []spell) []spell {
		if len(all) < 6 {
			return nil
		}
		return all[:len(all)/4]
	}}
	throttled = trouble{kind: sick, refuses: true, answer: func(_ *company, r *http.Request) (*http.Response, error) {
		a := answered(r, http.StatusTooManyRequests, "text/plain", "too many requests")
		a.Header.Set("Retry-After", strconv.Itoa(90))
		return a, nil
	}}
)

// ownTroubles are the troubles of single boards. A shared host never answers 429 or 503 because of a single board.
var ownTroubles = []trouble{
	nothing, mostAreGone,
	status(http.StatusInternalServerError),
	status(http.StatusBadGateway),
	{kind: sick, answer: func(*company, *http.Request) (*http.Response, error) {
		return nil, errors.New("connection reset by peer")
	}},
	{kind: sick, answer: cutOff},
	{kind: sick, answer: func(_ *company, r *http.Request) (*http.Response, error) {
		return answered(r, http.StatusOK, html, "<!doctype html><title>Maintenance</title><h1>We'll be back soon!</h1>"), nil
	}},
	{kind: sick, claims: true, show: func(all []spell) []spell { return all[:len(all)*2/3] }}, // fewer than it claims
}

func status(code int) trouble {
	return trouble{kind: sick, refuses: code == http.StatusServiceUnavailable, answer: func(_ *company, r *http.Request) (*http.Response, error) {
		return answered(r, code, "text/plain", http.StatusText(code)), nil
	}}
}

// cutOff answers with a list whose second half never comes.
func cutOff(c *company, r *http.Request) (*http.Response, error) {
	all := c.shows(time.Now())
	whole := c.render(r, all, 0, len(all))
	body, err := io.ReadAll(whole.Body)
	if err != nil {
		return nil, err
	}
	a := answered(r, http.StatusOK, whole.Header.Get("Content-Type"), "")
	a.ContentLength = int64(len(body)) + 64
	a.Body = io.NopCloser(io.MultiReader(strings.NewReader(string(body[:len(body)/2])), broken{}))
	return a, nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// troubleLength is how long a board's own trouble lasts.
const troubleLength = 6 * time.Hour

// trouble returns the board's trouble at a moment: that of its vendor, or its own.
func (c *company) trouble(at time.Time) trouble {
	switch c.vendor.troubled(at) { //nolint:exhaustive // what else there is slows its requests down
	case outage:
		return [...]trouble{unavailable, nothing, mostAreGone}[(c.vendor.place+days(at)/7)%3]
	case throttling:
		return throttled
	}
	d := dice{c.seed ^ uint64(at.Unix()/int64(troubleLength/time.Second))}
	if d.n(1000) >= 15 {
		return trouble{}
	}
	t := ownTroubles[d.n(len(ownTroubles))]
	if t.claims && !c.vendor.Counts {
		return nothing
	}
	return t
}

// vendorTrouble is the trouble of a whole vendor.
type vendorTrouble int

const (
	none       vendorTrouble = iota
	outage                   // three hours of 503, of empty lists or of lists that lack most roles
	throttling               // half an hour of 429
	slowDown                 // three hours of slow answers
)

// troubled returns the vendor's trouble at a moment. Every week has one day for each kind.
func (v *vendor) troubled(at time.Time) vendorTrouble {
	day := days(at) + v.place
	since := at.Sub(begin) % (24 * time.Hour)
	within := func(from, length time.Duration) bool { return since >= from && since < from+length }
	switch {
	case day%7 == 6 && within(9*time.Hour, 3*time.Hour):
		return outage
	case day%7 == 3 && within(14*time.Hour, 30*time.Minute):
		return throttling
	case day%7 == 1 && within(16*time.Hour, 3*time.Hour):
		return slowDown
	}
	return none
}

// shadowed reports whether the vendor's boards may be considered sick: during a trouble of their vendor, and until the
// boards that are read once a day have recovered.
func (v *vendor) shadowed(at time.Time) bool {
	for t := at.Add(-30 * time.Hour); !t.After(at); t = t.Add(15 * time.Minute) {
		if k := v.troubled(t); k == outage || k == throttling {
			return true
		}
	}
	return false
}

// days returns how many days have begun since the world began, without the first.
func days(at time.Time) int { return int(at.Sub(begin) / (24 * time.Hour)) }
