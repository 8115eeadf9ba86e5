package web

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// with returns the address of a list's first page with one parameter changed. An empty value removes the parameter.
func with(q url.Values, path, key, value string) string {
	out := url.Values{}
	for k, values := range q {
		if k != key && k != "page" && len(values) > 0 && values[0] != "" {
			out[k] = values
		}
	}
	if value != "" {
		out.Set(key, value)
	}
	if len(out) == 0 {
		return path
	}
	return path + "?" + out.Encode()
}

// pageNumber returns the requested page; the first one is 1.
func pageNumber(q url.Values) int {
	n, err := strconv.Atoi(q.Get("page"))
	if err != nil || n < 1 || n > 1_000_000 {
		return 1
	}
	return n
}

// cut returns one page of a list and its pager.
func cut[T any](rows []T, q url.Values, size int, path string) ([]T, pager) {
	n := min(pageNumber(q), max(1, (len(rows)+size-1)/size))
	start := (n - 1) * size
	end := min(start+size, len(rows))
	return rows[start:end], newPager(q, path, n, size, len(rows))
}

// newPager links page n of a list of that many rows to its neighbours.
func newPager(q url.Values, path string, n, size, total int) pager {
	var p pager
	if n > 1 {
		p.Before = with(q, path, "", "")
		if n > 2 {
			p.Before = withPage(q, path, n-1)
		}
	}
	if n*size < total {
		p.After = withPage(q, path, n+1)
	}
	p.Text = fmt.Sprintf("%s to %s of %s", number(min((n-1)*size+1, total)), number(min(n*size, total)), number(total))
	return p
}

func withPage(q url.Values, path string, n int) string {
	out := url.Values{}
	for k, values := range q {
		if len(values) > 0 && values[0] != "" {
			out.Set(k, values[0])
		}
	}
	out.Set("page", strconv.Itoa(n))
	return path + "?" + out.Encode()
}

// column is the head of a column. If it has an address, the list can be sorted by it.
type column struct {
	Name    string
	Address string
	Number  bool
	Hidden  bool   // it is read out only
	Order   string // aria-sort
}

// reversed begins the name of an order that is turned around.
const reversed = track.OrderReversed

// sortable returns the head of a column by which the list at a path can be sorted; usual is the order without a choice, and
// rises tells that this order begins with the least. The column of the order that the list is in turns it around.
func sortable(q url.Values, path, usual, name, order string, rises bool) column {
	c, next := column{Name: name}, order
	switch cmp.Or(q.Get("sort"), usual) {
	case order:
		next = reversed + order
	case reversed + order:
		rises = !rises
	default:
		c.Address = with(q, path, "sort", order)
		return c
	}
	c.Address, c.Order = with(q, path, "sort", next), "descending"
	if rises {
		c.Order = "ascending"
	}
	return c
}

// choice is an entry of a select, or one of several buttons.
type choice struct {
	ID, Name string
	Chosen   bool
}

// fileDate formats the day of a moment in somebody's time zone; empty if it is not known.
func fileDate(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateOnly)
}

// daysOpen returns how many whole days a role has been open, or was.
func daysOpen(j boardwatch.Job, now time.Time) int {
	if j.Status == boardwatch.JobClosed {
		now = j.ClosedAt
	}
	return int(now.Sub(j.FirstSeenAt).Hours() / 24)
}

// fileTime formats a moment for a file; empty if it is not known.
func fileTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(boardwatch.TimeFormat)
}
