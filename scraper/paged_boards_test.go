package scraper_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// pagedKind is a way to hand out a list page by page.
type pagedKind struct {
	name  string
	query string // of the address, %d being the limit
	body  string
	reply func(p parameters, b *pagedBoard) (value any, header []string)
	// unseen says that the end of a list without a total cannot be seen from a page that is full.
	unseen bool
}

// pagedBoard is an invented board: its roles come and go between checks.
type pagedBoard struct {
	kind   pagedKind
	limit  int
	totals bool // it says how many roles it has
	behind bool // its data is read by a shortcut, and not at its own address
	rows   []any
}

// at is the page of the list that begins at a position.
func (b *pagedBoard) at(from int) []any { return slice(b.rows, from, b.limit) }

func (b *pagedBoard) pages() int { return max(1, (len(b.rows)+b.limit-1)/b.limit) }

// told are the members, and the total beside them where the board says it.
func (b *pagedBoard) told(name string, members ...any) []any {
	if b.totals {
		members = append(members, name, len(b.rows))
	}
	return members
}

func (b *pagedBoard) header(values ...string) []string {
	if b.totals {
		return values
	}
	return nil
}

func orNil(ok bool, v any) any {
	if ok {
		return v
	}
	return nil
}

// pagedKinds are twelve ways, most of them a known system's or framework's.
func pagedKinds() []pagedKind {
	page := func(p parameters) int { return max(1, p.number("page", 1)) }
	return []pagedKind{
		{name: "page and limit, bare list", query: "?page=1&limit=%d", reply: func(p parameters, b *pagedBoard) (any, []string) {
			return b.at((page(p) - 1) * b.limit), b.header("X-Total-Count", strconv.Itoa(len(b.rows)))
		}},
		{name: "offset and limit", query: "?offset=0&limit=%d", reply: func(p parameters, b *pagedBoard) (any, []string) {
			return wrapped(b.at(p.number("offset", 0)), b.told("total")...), nil
		}},
		{name: "page alone", query: "?page=1", reply: func(p parameters, b *pagedBoard) (any, []string) {
			return wrapped(b.at((page(p)-1)*b.limit), b.told("count")...), nil
		}},
		{name: "links.next", query: "", reply: func(p parameters, b *pagedBoard) (any, []string) {
			next := orNil(page(p) < b.pages(), dataAddress+"?page="+strconv.Itoa(page(p)+1))
			return wrapped(b.at((page(p)-1)*b.limit), b.told("total", "links", map[string]any{"next": next})...), nil
		}},
		{name: "has_more_pages", query: "?page=1", reply: func(p parameters, b *pagedBoard) (any, []string) {
			return wrapped(b.at((page(p)-1)*b.limit), b.told("total", "has_more_pages", page(p) < b.pages())...), nil
		}},
		{name: "Spring", query: "?page=0&size=%d", reply: func(p parameters, b *pagedBoard) (any, []string) {
			n := p.number("page", 0)
			rows := b.at(n * b.limit)
			return wrapped(rows, b.told("totalElements", "last", n+1 >= b.pages(), "number", n, "size", b.limit, "numberOfElements", len(rows))...), nil
		}},
		{name: "pages", query: "?page=1", reply: func(p parameters, b *pagedBoard) (any, []string) {
			return wrapped(b.at((page(p)-1)*b.limit), b.told("total", "page", page(p), "pages", b.pages())...), nil
		}},
		{name: "next_page", query: "?page=1&per_page=%d", reply: func(p parameters, b *pagedBoard) (any, []string) {
			return wrapped(b.at((page(p)-1)*b.limit), b.told("total_count", "next_page", orNil(page(p) < b.pages(), page(p)+1))...), nil
		}},
		{name: "WordPress", query: "?per_page=%d", unseen: true, reply: func(p parameters, b *pagedBoard) (any, []string) {
			if page(p) > b.pages() {
				return 400, nil
			}
			return b.at((page(p) - 1) * b.limit), b.header("X-WP-Total", strconv.Itoa(len(b.rows)), "X-WP-TotalPages", strconv.Itoa(b.pages()))
		}},
		{name: "Link header", query: "?limit=%d", unseen: true, reply: func(p parameters, b *pagedBoard) (any, []string) {
			var header []string
			if page(p) < b.pages() {
				header = []string{"Link", fmt.Sprintf(`<%s?page=%d>; rel="next"`, dataAddress, page(p)+1)}
			} else if page(p) > 1 {
				header = []string{"Link", fmt.Sprintf(`<%s?page=%d>; rel="prev"`, dataAddress, page(p)-1)}
			}
			return b.at((page(p) - 1) * b.limit), append(header, b.header("X-Total", strconv.Itoa(len(b.rows)))...)
		}},
		{name: "cursor", query: "?cursor=&limit=%d", reply: func(p parameters, b *pagedBoard) (any, []string) {
			from, err := strconv.Atoi(p.Get("cursor"))
			if err != nil {
				from = 0
			}
			to := from + b.limit
			return wrapped(b.at(from), b.told("total", "nextCursor", orNil(to < len(b.rows), strconv.Itoa(to)))...), nil
		}},
		{name: "posted offset", body: `{"query":"*","from":0,"size":%d}`, reply: func(p parameters, b *pagedBoard) (any, []string) {
			hits := map[string]any{"hits": b.at(p.number("from", 0))}
			if b.totals {
				hits["total"] = map[string]any{"value": len(b.rows), "relation": "eq"}
			}
			return map[string]any{"took": 3, "hits": hits}, nil
		}},
	}
}

// endShows reports whether anybody could see where the list ends.
func (b *pagedBoard) endShows() bool {
	return len(b.rows) > 0 && (b.totals || !b.kind.unseen || len(b.rows) < b.limit)
}

func (b *pagedBoard) board() boardwatch.Board {
	query := b.kind.query
	if b.kind.query != "" && b.kind.query != "?page=1" {
		query = fmt.Sprintf(query, b.limit)
	}
	body := b.kind.body
	if body != "" {
		body = fmt.Sprintf(body, b.limit)
	}
	board := dataBoard(b.behind, query, body)
	board.ID, board.Cadence = boardwatch.NewID(), time.Hour
	return board
}

// pagedTally counts what became of the readings of many boards.
type pagedTally struct{ boards, readings, ends, whole, wrong int }

// watchPaged reads a board check after check, while its roles come and go.
func watchPaged(tb testing.TB, n int, all *pagedTally) {
	tb.Helper()
	random := rand.New(rand.NewPCG(uint64(n), 16))
	kinds := pagedKinds()
	b := &pagedBoard{kind: kinds[n%len(kinds)], totals: n/len(kinds)%2 == 0, limit: []int{2, 3, 5, 10, 20, 25}[random.IntN(6)]}
	b.behind = b.kind.body != "" || random.IntN(2) == 0
	sizes := []int{0, 1, b.limit - 1, b.limit, b.limit + 1, 3 * b.limit}
	next := 0
	resize := func(size int) {
		for len(b.rows) > size {
			at := random.IntN(len(b.rows))
			b.rows = append(b.rows[:at:at], b.rows[at+1:]...)
		}
		fresh := roleRows(next, size-len(b.rows))
		next += len(fresh)
		if random.IntN(2) == 0 { // the newest stand first, and push others off the page
			b.rows = append(fresh, b.rows...)
		} else {
			b.rows = append(b.rows, fresh...)
		}
	}
	resize(sizes[n/24%len(sizes)])
	board := b.board()
	shortcut := board.State.Shortcut
	client := outbound.New(outbound.Options{
		Transport: answers(func(p parameters) (any, []string) { return b.kind.reply(p, b) }), Pause: -1, Backoff: []time.Duration{},
	})
	s := scraper.New(client, scraper.Options{})
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	var jobs []boardwatch.Job
	all.boards++
	for check := range 16 {
		if check%4 == 0 && check > 0 {
			resize(sizes[random.IntN(len(sizes))])
		}
		r, err := s.Read(context.Background(), board)
		require.NoError(tb, err)
		in := boardwatch.CheckInput{Now: now, Board: board, Known: jobs}
		result := boardwatch.Decide(in, r, false, boardwatch.Rules{CloseAfter: 3, CloseHold: time.Hour, SuspectHold: time.Hour}, boardwatch.NewID)
		board, jobs = result.Board, result.Jobs(in)
		board.State.Shortcut = shortcut // no browser is here to find it again
		now = now.Add(time.Hour)
		all.readings++
		if b.endShows() {
			all.ends++
			all.whole += map[boardwatch.Health]int{boardwatch.HealthOK: 1}[r.Health]
		}
		live := make(map[string]bool, len(b.rows))
		for _, row := range b.rows {
			live[fmt.Sprint(row.(map[string]any)["id"])] = true
		}
		for _, j := range result.Change.Closed {
			if live[j.Key] {
				all.wrong++
				tb.Errorf("board %d (%s, totals %t, limit %d, behind %t): check %d closed %s, which is open", n, b.kind.name, b.totals, b.limit, b.behind, check, j.Key)
			}
		}
		if r.Health == boardwatch.HealthOK && !r.Unchanged && len(r.Postings) != len(b.rows) {
			text, _ := json.Marshal(b.board().Source)
			tb.Errorf("board %d (%s, totals %t, limit %d): %d of %d roles read as all: %s", n, b.kind.name, b.totals, b.limit, len(r.Postings), len(b.rows), text)
		}
	}
}

// Boards that hand out their list page by page, in twelve ways, with a total and without, while roles come and go: no live
// role is closed, and where the end of a list can be seen, its reading is whole.
func TestPagedBoards(t *testing.T) {
	t.Parallel()
	var all pagedTally
	for n := range pagedBoards {
		watchPaged(t, n, &all)
	}
	t.Logf("%d boards, %d readings; the end could be seen in %d, of which %d were whole (%.1f %%); %d live roles closed",
		all.boards, all.readings, all.ends, all.whole, 100*share(all.whole, all.ends), all.wrong)
	require.GreaterOrEqual(t, share(all.whole, all.ends), 0.9)
	require.Zero(t, all.wrong)
}
