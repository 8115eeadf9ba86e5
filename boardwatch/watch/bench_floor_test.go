//go:build unix

package watch_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/storagetest/floor"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// floorWorld checks boards in the cheapest possible way: GET, a hash, and for a changed answer a comparison of its
// roles with the known ones. It has as many boards as the other world, on the same site, in a separate database. It is as
// polite: one request at a time to a host, which says who asks and what is understood.
type floorWorld struct {
	hosts     map[string]*sync.Mutex
	header    http.Header
	database  floor.Database
	addresses []string
	boards    int
	transport *http.Transport
	bodies    sync.Pool
}

// floorRound is how many boards are checked between two claims, with one statement for the unchanged ones: a second's
// work for a process at its limit.
const floorRound = 1000

func newFloorWorld(b *testing.B, driver string, w *benchWorld) *floorWorld {
	b.Helper()
	f := &floorWorld{
		addresses: w.addresses, boards: w.boards, transport: &http.Transport{MaxIdleConnsPerHost: 4, DisableCompression: true},
		bodies: sync.Pool{New: func() any { return new(bytes.Buffer) }},
	}
	f.hosts = make(map[string]*sync.Mutex, len(w.addresses))
	for _, address := range w.addresses {
		f.hosts[address] = new(sync.Mutex)
	}
	f.header = http.Header{
		"User-Agent": {outbound.DefaultUserAgent}, "Accept": {"application/json"}, "Accept-Encoding": {"gzip, deflate, br, zstd"}, "Accept-Language": {"en,*;q=0.5"},
	}
	place := newBenchPlace(b, driver)
	store := place.open(b)
	fillBench(b, store, w.boards, floorName)
	firstChecks(b, store, w.reader, w.boards)
	require.NoError(b, store.Close())
	var err error
	if place.url != "" {
		f.database, err = floor.Postgres(b.Context(), place.url)
	} else {
		f.database, err = floor.SQLite(b.Context(), place.path)
	}
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, f.database.Close(context.WithoutCancel(b.Context()))) })
	return f
}

func floorName(n int) string { return fmt.Sprintf("southwind%d", n) }

// check makes n checks or a few more, after some that are not measured, and returns the CPU of one: this process's, and that
// of PostgreSQL.
func (f *floorWorld) check(b *testing.B, n int, server func() time.Duration) (mine, theirs float64) {
	b.Helper()
	f.round(b, min(f.boards, 2*benchConcurrency))
	size := min(f.boards, floorRound)
	before, beforeServer := cpu(b), server()
	made := 0
	for ; made < n; made += size {
		f.round(b, size)
	}
	mine = (cpu(b) - before).Seconds() * 1e6 / float64(made)
	return mine, (server() - beforeServer).Seconds() * 1e6 / float64(made)
}

// round claims that many boards, reads them, and saves the results.
func (f *floorWorld) round(b *testing.B, n int) {
	b.Helper()
	boards, err := f.database.Due(b.Context(), n)
	require.NoError(b, err)
	require.Len(b, boards, n)
	same := make([]floor.Board, 0, n)
	var mu sync.Mutex
	var next atomic.Int64
	var workers sync.WaitGroup
	for range benchConcurrency {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				unchanged, err := f.one(b.Context(), boards[i])
				if err != nil {
					b.Error(err)
					return
				}
				if unchanged {
					mu.Lock()
					same = append(same, boards[i])
					mu.Unlock()
				}
			}
		})
	}
	workers.Wait()
	if len(same) > 0 {
		require.NoError(b, f.database.Stamp(b.Context(), same))
	}
}

// one checks a board, and reports whether it is to be stamped together with others.
func (f *floorWorld) one(ctx context.Context, board floor.Board) (unchanged bool, err error) {
	body := f.bodies.Get().(*bytes.Buffer) //nolint:forcetypeassert // nothing else is put there
	defer f.bodies.Put(body)
	body.Reset()
	if err := f.get(ctx, board, body); err != nil {
		return false, err
	}
	sum := xxh3.Hash128(body.Bytes()).Bytes()
	print := hex.EncodeToString(sum[:])
	if print == board.Print {
		if board.Missing == 0 {
			return true, nil
		}
		return false, f.database.Change(ctx, board, true, func(missing []floor.Job) floor.Change {
			c := floor.Change{CheckID: boardwatch.NewID(), Print: print}
			for _, j := range missing {
				miss(&c, j)
			}
			return c
		})
	}
	var list floorList
	if err := json.Unmarshal(body.Bytes(), &list); err != nil {
		return false, err
	}
	return false, f.database.Change(ctx, board, false, func(known []floor.Job) floor.Change {
		return list.compare(known, floor.Change{CheckID: boardwatch.NewID(), Print: print})
	})
}

func (f *floorWorld) get(ctx context.Context, board floor.Board, body *bytes.Buffer) error {
	_, name, _ := strings.Cut(board.Source, ":")
	address := addressOf(f.addresses, name)
	host := f.hosts[address]
	host.Lock()
	defer host.Unlock()
	url := "http://" + address + "/v1/boards/" + name + "/jobs?content=true"
	ctx, cancel := context.WithTimeout(ctx, outbound.DefaultTimeout) // a host that does not answer must not hold a worker up
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	r.Header = f.header
	answer, err := f.transport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(body, answer.Body)
	return err
}

// floorList is the needed part of an answer.
type floorList struct {
	Jobs []struct {
		ID       int64  `json:"id"`
		Title    string `json:"title"`
		Location struct {
			Name string `json:"name"`
		} `json:"location"`
		AbsoluteURL string `json:"absolute_url"` //nolint:tagliatelle // Greenhouse's names
	} `json:"jobs"`
}

// compare finds what is new and what is gone.
func (l floorList) compare(known []floor.Job, c floor.Change) floor.Change {
	byKey := make(map[string]floor.Job, len(known))
	for _, j := range known {
		byKey[j.Key] = j
	}
	for _, row := range l.Jobs {
		j := floor.Job{Key: strconv.FormatInt(row.ID, 10), Title: row.Title, Location: row.Location.Name, URL: row.AbsoluteURL}
		was, ok := byKey[j.Key]
		if !ok {
			j.ID = boardwatch.NewID()
			c.Found = append(c.Found, j)
			continue
		}
		delete(byKey, j.Key)
		if was.Title != j.Title || was.Location != j.Location || was.URL != j.URL {
			panic("the site changes roles, which the floor does not know")
		}
	}
	for _, j := range byKey {
		miss(&c, j)
	}
	return c
}

// miss counts the absence of a role.
func miss(c *floor.Change, j floor.Job) {
	switch j.Misses {
	case 0:
		c.Missed = append(c.Missed, j.ID)
	case 1:
		c.Again = append(c.Again, j.ID)
	default:
		c.Closed = append(c.Closed, j.ID)
	}
}
