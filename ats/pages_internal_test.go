package ats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// invented is an adapter that reads nothing by itself.
type invented struct{ evidence Evidence }

func (invented) Name() string                  { return "invented" }
func (invented) Match(*url.URL) (string, bool) { return "", false }
func (i invented) About() About                { return About{Evidence: i.evidence} }
func (invented) Read(context.Context, Doer, string) (boardwatch.Reading, error) {
	return boardwatch.Reading{}, errors.ErrUnsupported
}

type inventedRow struct {
	ID     id   `json:"id"`
	Hidden bool `json:"hidden"`
}

func (r inventedRow) posting() (boardwatch.Posting, bool) {
	return boardwatch.Posting{Key: string(r.ID), Title: "Role " + string(r.ID)}, !r.Hidden
}

// pageWith is a page of rows with these ids; a negative one is hidden from people.
func pageWith(t *testing.T, total int, ids ...int) page {
	t.Helper()
	rows := make([]json.RawMessage, len(ids))
	for i, id := range ids {
		rows[i] = fmt.Appendf(nil, `{"id": %d, "hidden": %t}`, max(id, -id), id < 0)
	}
	p, err := pageOf(rows, count(total), inventedRow.posting)
	require.NoError(t, err)
	return p
}

func TestPaged(t *testing.T) {
	t.Parallel()
	last := func(p page) page { p.last = true; return p }
	twenty := make([]int, 20)
	for i := range twenty {
		twenty[i] = i + 1
	}
	tests := map[string]struct {
		paged    paged
		pages    []page // the last one stands for all that follow
		fails    error  // the page after them fails
		want     []int  // keys
		requests int
		partial  string // the reason
	}{
		"ends at the total": {
			pages: []page{pageWith(t, 5, 1, 2), pageWith(t, 5, 3, 4), pageWith(t, 5, 5), pageWith(t, 5, 9)},
			want:  []int{1, 2, 3, 4, 5}, requests: 3,
		},
		"keeps the first total when later pages have none": {
			pages: []page{pageWith(t, 4, 1, 2), pageWith(t, 0, 3, 4), pageWith(t, 0)},
			want:  []int{1, 2, 3, 4}, requests: 2,
		},
		"without a total a short page is the last": {
			paged: paged{size: 2}, pages: []page{pageWith(t, 0, 1, 2), pageWith(t, 0, 3)},
			want: []int{1, 2, 3}, requests: 2,
		},
		"with a total a short page is not the last": {
			paged: paged{size: 3}, pages: []page{pageWith(t, 4, 1, 2), pageWith(t, 4, 3, 4)},
			want: []int{1, 2, 3, 4}, requests: 2,
		},
		"a total that is too small ends nothing": {
			pages: []page{pageWith(t, 1, 1, 2), pageWith(t, 1, 3, 4), pageWith(t, 1)},
			want:  []int{1, 2, 3, 4}, requests: 3, partial: "invented says that there are 1 roles, but lists 4",
		},
		"a list that grew meanwhile ends with its short page": {
			paged: paged{size: 2}, pages: []page{pageWith(t, 4, 1, 2), pageWith(t, 5, 3), pageWith(t, 6, 4, 5), pageWith(t, 6, 6)},
			want: []int{1, 2, 3, 4, 5, 6}, requests: 4,
		},
		"ends where the system says so": {
			pages: []page{pageWith(t, 0, 1, 2), last(pageWith(t, 0, 3))},
			want:  []int{1, 2, 3}, requests: 2,
		},
		"ends at a page without rows": {
			pages: []page{pageWith(t, 0, 1, 2), pageWith(t, 0)},
			want:  []int{1, 2}, requests: 2,
		},
		"rows that people do not see are counted, not shown": {
			pages: []page{pageWith(t, 4, 1, -2), pageWith(t, 4, -3, -4)},
			want:  []int{1}, requests: 2,
		},
		"a page that shows nothing new is partial": {
			pages: []page{pageWith(t, 0, 1, 2), pageWith(t, 0, 1, 2)},
			want:  []int{1, 2}, requests: 2, partial: "invented shows nothing new on page 2",
		},
		"unless the system is known to repeat its last page": {
			paged: paged{repeats: true}, pages: []page{pageWith(t, 0, 1, 2), pageWith(t, 0, 1, 2)},
			want: []int{1, 2}, requests: 2,
		},
		"though not when more was claimed": {
			paged: paged{repeats: true}, pages: []page{pageWith(t, 3, 1, 2), pageWith(t, 3, 1, 2)},
			want: []int{1, 2}, requests: 2, partial: "the source says it has 3 roles, but lists only 2",
		},
		"fewer rows than claimed are partial": {
			pages: []page{pageWith(t, 5, 1, 2), pageWith(t, 5, 3), pageWith(t, 5)},
			want:  []int{1, 2, 3}, requests: 3, partial: "the source says it has 5 roles, but lists only 3",
		},
		"rows that moved between pages are looked for again": {
			pages: []page{pageWith(t, 4, 1, 2), pageWith(t, 4, 2, 3), pageWith(t, 4, 1, 2), pageWith(t, 4, 3, 4)},
			want:  []int{1, 2, 3, 4}, requests: 4,
		},
		"and missed when they are not there": {
			pages: []page{pageWith(t, 4, 1, 2), pageWith(t, 4, 2, 3), pageWith(t, 4, 1, 2), pageWith(t, 4, 1, 2)},
			want:  []int{1, 2, 3}, requests: 4, partial: "the source says it has 4 roles, but lists only 3",
		},
		"a long list that counts a role twice shows the same rows both times": {
			pages: []page{pageWith(t, 22, twenty...), pageWith(t, 22, 1, 21), pageWith(t, 22, twenty...), pageWith(t, 22, 1, 21)},
			want:  append(slices.Clone(twenty), 21), requests: 4,
		},
		"a short one may lack some": {
			pages: []page{pageWith(t, 4, 1, 2), pageWith(t, 4, 2, 3), pageWith(t, 4, 1, 2), pageWith(t, 4, 2, 3)},
			want:  []int{1, 2, 3}, requests: 4, partial: "the source says it has 4 roles, but lists only 3",
		},
		"rows on two pages of a list without a total may hide that others are on none": {
			pages: []page{pageWith(t, 0, 1, 2), pageWith(t, 0, 2, 3), pageWith(t, 0)},
			want:  []int{1, 2, 3}, requests: 3, partial: "invented lists 1 roles on two pages, so that others may stand on none",
		},
		"a list that showed one row more the first time may have lost it": {
			pages: []page{pageWith(t, 4, 1, 2), pageWith(t, 4, 2, 3), pageWith(t, 4, 1, 2), pageWith(t, 4, 3)},
			want:  []int{1, 2, 3}, requests: 4, partial: "the source says it has 4 roles, but lists only 3",
		},
		"a list that shows the same rows both times, but fewer than it claims, lacks some": {
			pages: []page{pageWith(t, 6, 1, 2), pageWith(t, 6, 2, 3), last(pageWith(t, 6, 4)), pageWith(t, 6, 1, 2), pageWith(t, 6, 2, 3), last(pageWith(t, 6, 4))},
			want:  []int{1, 2, 3, 4}, requests: 6, partial: "the source says it has 6 roles, but lists only 4",
		},
		"a list that shows another row in the place of one lacks some": {
			pages: []page{pageWith(t, 6, 1, 2), pageWith(t, 6, 2, 3), pageWith(t, 6, 3, 4), pageWith(t, 6, 1, 2), pageWith(t, 6, 2, 3), pageWith(t, 6, 3, 5)},
			want:  []int{1, 2, 3, 4, 5}, requests: 6, partial: "the source says it has 6 roles, but lists only 5",
		},
		"a page that fails is partial": {
			pages: []page{pageWith(t, 4, 1, 2)}, fails: &systemError{did: "asked for fewer requests (429)", retryAfter: time.Minute},
			want: []int{1, 2}, requests: 2, partial: "invented, asked for page 2, asked for fewer requests (429)",
		},
		"as is one that cannot be had": {
			pages: []page{pageWith(t, 4, 1, 2)}, fails: errors.New("the connection was reset"),
			want: []int{1, 2}, requests: 2, partial: "invented could not be asked for page 2: the connection was reset",
		},
		"too many pages are partial": {
			paged: paged{most: 2}, pages: []page{pageWith(t, 0, 1), pageWith(t, 0, 2), pageWith(t, 0, 3)},
			want: []int{1, 2}, requests: 2, partial: "invented has more than the 2 pages that are read",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requests := 0
			reading, err := test.paged.read(t.Context(), invented{Several}, func(turn) (page, error) {
				requests++
				if requests > len(test.pages) && test.fails != nil {
					return page{}, test.fails
				}
				return test.pages[min(requests, len(test.pages))-1], nil
			})
			require.NoError(t, err)
			if reading.Health == boardwatch.HealthOK {
				reading = new(signs).doubt(invented{Several}, reading)
			}
			reading = reading.Normalize()
			var keys []int
			for _, p := range reading.Postings {
				var key int
				_, err := fmt.Sscan(p.Key, &key)
				require.NoError(t, err)
				keys = append(keys, key)
			}
			require.Equal(t, test.want, keys)
			require.Equal(t, test.requests, requests)
			require.Equal(t, test.partial, reading.Reason)
			require.Equal(t, test.partial == "", reading.Health == boardwatch.HealthOK)
			if _, ok := errors.AsType[*systemError](test.fails); ok {
				require.Equal(t, time.Minute, reading.RetryAfter)
			}
		})
	}
}

func TestPagedGivesWhereThePageBegins(t *testing.T) {
	t.Parallel()
	var asked []turn
	_, err := paged{}.read(t.Context(), invented{Several}, func(at turn) (page, error) {
		asked = append(asked, at)
		p := pageWith(t, 0, 10*at.page+1, 10*at.page+2)
		p.cursor, p.last = fmt.Sprint("c", at.page), at.page == 2
		return p, nil
	})
	require.NoError(t, err)
	require.Equal(t, []turn{{}, {page: 1, rows: 2, cursor: "c0"}, {page: 2, rows: 4, cursor: "c1"}}, asked)
}

func TestPagedFirstPage(t *testing.T) {
	t.Parallel()
	read := func(ctx context.Context, fault error) (boardwatch.Reading, error) {
		return paged{}.read(ctx, invented{Several}, func(turn) (page, error) { return page{}, fault })
	}
	reading, err := read(t.Context(), noBoard("it answered 404"))
	require.NoError(t, err)
	require.True(t, reading.Unknown)
	_, err = read(t.Context(), ErrUnchanged)
	require.ErrorIs(t, err, ErrUnchanged)
}

func TestExperimentalReadings(t *testing.T) {
	t.Parallel()
	empty := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
	reading, err := finish(invented{Several}, empty, nil)
	require.NoError(t, err)
	require.Equal(t, empty, reading)

	reading, err = finish(invented{Single}, empty, nil)
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthPartial, reading.Health)
	require.Contains(t, reading.Reason, "an empty list counts for nothing")

	one := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{{Key: "1", Title: "Engineer"}}}
	reading, err = finish(invented{Single}, one, nil)
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthOK, reading.Health)
}

// remembering is a client with a Memory.
type remembering map[string]string

func (remembering) Do(*http.Request) (*http.Response, error) { return nil, errors.ErrUnsupported }

func (m remembering) Recall(key string) (string, bool) { value, ok := m[key]; return value, ok }

func (m remembering) Remember(key, value string) { m[key] = value }

func TestDetails(t *testing.T) {
	t.Parallel()
	memory := make(remembering)
	fetched := 0
	fill := func(title string) []boardwatch.Posting {
		postings := []boardwatch.Posting{{Key: "1", Title: title}, {Key: "2", Title: "B", Location: "Oslo"}, {Key: "3", Title: "C"}, {Key: "4", Title: "D"}}
		details{
			adapter: invented{}, board: "northwind", most: 2,
			lacks: func(p boardwatch.Posting) bool { return p.Location == "" },
			fetch: func(_ context.Context, p *boardwatch.Posting) error {
				fetched++
				if p.Key == "3" {
					return errors.New("the page is gone")
				}
				p.Location = "Bergen"
				return nil
			},
		}.fill(t.Context(), memory, postings)
		return postings
	}
	places := func(postings []boardwatch.Posting) (out []string) {
		for _, p := range postings {
			out = append(out, p.Location)
		}
		return out
	}
	require.Equal(t, []string{"Bergen", "Oslo", "", ""}, places(fill("A")), "two pages, one of which fails")
	require.Equal(t, 2, fetched)
	require.Equal(t, []string{"Bergen", "Oslo", "", "Bergen"}, places(fill("A")), "the first is remembered, the last has its turn")
	require.Equal(t, 4, fetched)
	fill("Another title")
	require.Equal(t, 6, fetched, "a role that the list shows otherwise is asked for again")
}
