package sqlite_test

import (
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// flood is an account that has an hour, all webhooks and all channels. It checks its boards as often as it may, replaces all
// boards on its list twice, and its pages show what takes the most room.
type flood struct {
	t     *testing.T
	path  string
	store *storage.Store
	who   account.Account
	now   time.Time
	turn  int
	found int
	words uint64 // that were used
}

func TestAnAccountCannotFloodTheDatabase(t *testing.T) {
	t.Parallel()
	// Texts of full length: ones that JSON makes six times as long, and ones that folding makes eleven times as long.
	for _, tt := range []struct {
		kind, filler string
		page         func(filler string, turn, i int) (key int, text string)
	}{
		{"other roles every time", "<", func(filler string, turn, i int) (int, string) { return 100_000*turn + i, filler }},
		{"other texts every time", "\ufdfa", func(filler string, turn, i int) (int, string) { return i, strings.Repeat(filler, turn%2) }},
		{"other descriptions every time", "text", func(_ string, _, i int) (int, string) { return i, "" }},
		{"roles that come and go", "Baker ", func(filler string, turn, i int) (int, string) { return i % (100 + turn%2*100), filler }},
	} {
		t.Run(tt.kind+", "+tt.filler, func(t *testing.T) {
			t.Parallel()
			f := newFlood(t)
			before := f.size()
			for round := range 60 / floodEvery {
				f.now = f.now.Add(floodEvery * time.Minute)
				if round%(30/floodEvery) == 0 {
					f.replaceBoards(round)
				}
				f.check(func(turn, i int) (int, string) { return tt.page(tt.filler, turn, i) })
			}
			grown := f.size() - before
			t.Logf("%.1f MB, %d roles found", float64(grown)/1e6, f.found)
			require.Less(t, grown, int64(storage.HourlyGrowth))
			require.LessOrEqual(t, f.found, 10_000)
			require.Positive(t, f.found)
		})
	}
}

func newFlood(t *testing.T) *flood {
	t.Helper()
	f := &flood{t: t, now: time.Date(2026, time.November, 28, 12, 0, 0, 0, time.UTC)}
	f.path = storagetest.SQLiteFile(t)
	var err error
	f.store, err = sqlite.Open(t.Context(), f.path, storage.Options{
		Plans: account.Plans{account.PlanFree: {Boards: 5, Cadence: 24 * time.Hour, Webhooks: true}}, Growth: storage.HourlyGrowth, SealKey: []byte(storagetest.SealKey), Now: func() time.Time { return f.now },
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.store.Close()) })
	f.who = account.Account{ID: boardwatch.NewID(), Email: "greedy@northwind.example", Plan: account.PlanFree, Verified: true, CreatedAt: f.now}
	require.NoError(t, f.store.CreateAccount(t.Context(), f.who))
	for i := range boardwatch.MaxWebhooks {
		require.NoError(t, f.store.CreateWebhook(t.Context(), boardwatch.Webhook{
			ID: boardwatch.NewID(), AccountID: f.who.ID, URL: fmt.Sprintf("https://n%d.example/hook", i), Events: boardwatch.EventTypes(),
			Secret: account.NewWebhookSecret(), CreatedAt: f.now,
		}, boardwatch.MaxWebhooks))
	}
	for i := range account.MaxChannels {
		require.NoError(t, f.store.CreateChannel(t.Context(), boardwatch.Channel{
			ID: boardwatch.NewID(), AccountID: f.who.ID, Kind: account.ChannelNtfy, To: fmt.Sprintf("https://ntfy.example/n%d", i),
			All: true, Failures: true, CreatedAt: f.now,
		}, account.MaxChannels))
	}
	return f
}

// size is that of the file once everything is in it.
func (f *flood) size() (bytes int64) {
	f.t.Helper()
	db, err := sql.Open("sqlite", "file:"+f.path+"?mode=ro")
	require.NoError(f.t, err)
	defer db.Close()
	err = db.QueryRowContext(f.t.Context(), "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&bytes)
	require.NoError(f.t, err)
	return bytes
}

func (f *flood) replaceBoards(round int) {
	f.t.Helper()
	tracked, err := f.store.Tracked(f.t.Context(), f.who.ID, "")
	require.NoError(f.t, err)
	for _, b := range tracked {
		require.NoError(f.t, f.store.Unsubscribe(f.t.Context(), f.who.ID, b.Board.ID))
	}
	for i := range 5 {
		address := fmt.Sprintf("https://n%d-%d.example/careers", round, i)
		_, _, err := f.store.Subscribe(f.t.Context(), boardwatch.Subscription{AccountID: f.who.ID},
			boardwatch.Board{Source: boardwatch.PageSystem + ":" + address, URL: address}, address)
		require.NoError(f.t, err)
	}
}

// strangeText is a text of full length, of words that are in no other.
func (f *flood) strangeText() string {
	text := make([]byte, 0, boardwatch.MaxText)
	for len(text) < boardwatch.MaxText-20 {
		f.words++
		text = append(strconv.AppendUint(text, f.words*0x9e3779b97f4a7c15, 36), ' ')
	}
	return string(text)
}

// strangeFacts are as long as they may be, and never the same.
func (f *flood) strangeFacts() (facts boardwatch.Facts) {
	for i := range 30 {
		f.words++
		place := strings.Repeat(strconv.FormatUint(f.words, 36)+"<", 200)[:200]
		facts.Places = append(facts.Places, boardwatch.Place{Text: place, Country: strconv.Itoa(i), City: place})
	}
	facts.TypeText, facts.Requisition = facts.Places[0].Text, facts.Places[1].Text
	return facts
}

// check has all boards of the list read that may be.
func (f *flood) check(page func(turn, i int) (key int, filler string)) {
	f.t.Helper()
	tracked, err := f.store.Tracked(f.t.Context(), f.who.ID, "")
	require.NoError(f.t, err)
	for _, b := range tracked {
		_, err := f.store.RequestCheck(f.t.Context(), f.who.ID, b.Board.ID)
		require.NoError(f.t, err)
	}
	for {
		claims, err := f.store.ClaimDue(f.t.Context(), 10, time.Minute, boardwatch.ClaimFilter{})
		require.NoError(f.t, err)
		if len(claims) == 0 {
			return
		}
		for _, c := range claims {
			f.turn++
			r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
			for i := range 200 {
				key, filler := page(f.turn, i)
				long := strings.Repeat(filler, 1000)
				r.Postings = append(r.Postings, boardwatch.Posting{
					Key: strconv.Itoa(key), Title: fmt.Sprint(key, long), Location: fmt.Sprint(key, long), Department: long, URL: "https://n.example/" + long,
				})
				if filler == "" && i < 20 { // words that nobody else has, and facts of full length
					r.Postings[i].Text, r.Postings[i].Facts = f.strangeText(), f.strangeFacts()
				}
			}
			r = r.Normalize()
			for _, p := range r.Postings {
				c.Listed = append(c.Listed, p.Key)
			}
			require.NoError(f.t, f.store.SaveCheck(f.t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
				result := boardwatch.Decide(in, r, false, boardwatch.Rules{CloseAfter: 2}, boardwatch.NewID)
				f.found += len(result.Change.Found)
				return result
			}))
		}
	}
}
