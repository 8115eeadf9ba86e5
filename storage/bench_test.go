package storage_test

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// drivers are the databases that benchmarks run on; PostgreSQL is among them if a test server is configured.
func drivers(b *testing.B, run func(b *testing.B, s *storage.Store)) {
	b.Helper()
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
	} {
		b.Run(name, func(b *testing.B) {
			run(b, database(b)(b, storage.Options{Plans: account.Plans{
				account.PlanUltra: {Boards: 1 << 20, Cadence: time.Millisecond, Webhooks: true},
			}}))
		})
	}
}

// BenchmarkSaveUnchanged claims due boards and saves that nothing has changed on them, 64 at a time. Most checks cost
// the store exactly this.
func BenchmarkSaveUnchanged(b *testing.B) {
	drivers(b, func(b *testing.B, s *storage.Store) {
		b.Helper()
		fill(b, s, 500, 0)
		saved := make(chan error, 64)
		reportCPU(b)
		b.ResetTimer()
		for done, flying := 0, 0; done < b.N; {
			if free := min(64-flying, b.N-done-flying); free > 32 || free > 0 && flying == 0 {
				due, err := s.ClaimDue(b.Context(), free, time.Minute, boardwatch.ClaimFilter{})
				require.NoError(b, err)
				for _, c := range due {
					s.SaveUnchanged(b.Context(), c, c.Board.State.Fingerprint, c.At, func(err error) { saved <- err })
				}
				flying += len(due)
			}
			if flying == 0 {
				continue
			}
			require.NoError(b, <-saved)
			done++
			flying--
		}
	})
}

// BenchmarkSaveCheckChanged saves checks of boards with 100 roles on which two are new and two have gone.
func BenchmarkSaveCheckChanged(b *testing.B) {
	drivers(b, func(b *testing.B, s *storage.Store) {
		b.Helper()
		fill(b, s, 20, 100)
		reportCPU(b)
		b.ResetTimer()
		for i := 0; i < b.N; {
			claims, err := s.ClaimDue(b.Context(), 20, time.Minute, boardwatch.ClaimFilter{})
			require.NoError(b, err)
			for _, c := range claims {
				from := i / 20 * 2
				saveReading(b, s, c, from, 100)
				i++
			}
		}
	})
}

// BenchmarkSaveNewTexts saves a check with 1,000 new texts of 5 kB, and says for how long nobody else could write to SQLite.
func BenchmarkSaveNewTexts(b *testing.B) {
	for name, ahead := range map[string]bool{"known ahead": true, "known in the transaction": false} {
		b.Run(name, func(b *testing.B) {
			drivers(b, func(b *testing.B, s *storage.Store) {
				b.Helper()
				fill(b, s, 1, 0)
				var held time.Duration
				for i := range b.N {
					claims, err := s.ClaimDue(b.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
					require.NoError(b, err)
					c, r := claims[0], boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
					for n := range 1000 {
						key := strconv.Itoa(1000*i + n)
						var text strings.Builder
						for word := range 700 {
							text.WriteString("word" + strconv.Itoa((word*word+7*n+i)%5000) + " ")
						}
						r.Postings = append(r.Postings, boardwatch.Posting{Key: key, Title: "Engineer " + key, Text: text.String()})
						c.Listed = append(c.Listed, key)
					}
					r = r.Normalize()
					for _, p := range r.Postings {
						if ahead {
							c.Texts = append(c.Texts, p.Text)
						}
					}
					var start time.Time
					require.NoError(b, s.SaveCheck(b.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
						start = time.Now()
						result := boardwatch.Decide(in, r, false, boardwatch.Rules{CloseAfter: 2}, boardwatch.NewID)
						result.Board.NextCheckAt = in.Now
						return result
					}))
					held += time.Since(start)
				}
				b.ReportMetric(float64(held.Milliseconds())/float64(b.N), "held-ms/op")
			})
		})
	}
}

// fill makes an account with boards that have roles, all of them due.
func fill(b *testing.B, s *storage.Store, boards, roles int) (owner string) {
	b.Helper()
	a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra}
	require.NoError(b, s.CreateAccount(b.Context(), a))
	for i := range boards {
		_, _, err := s.Subscribe(b.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
			Source: "greenhouse:company" + strconv.Itoa(i), URL: "https://northwind.example/" + strconv.Itoa(i),
		}, "")
		require.NoError(b, err)
	}
	for range boards {
		claims, err := s.ClaimDue(b.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
		require.NoError(b, err)
		saveReading(b, s, claims[0], 0, roles)
	}
	return a.ID
}

func saveReading(b *testing.B, s *storage.Store, c boardwatch.Claim, from, n int) {
	b.Helper()
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Fingerprint: "7f2c1b0a99887766554433221100ffee"}
	for i := range n {
		key := strconv.Itoa(from + i)
		c.Listed = append(c.Listed, key)
		r.Postings = append(r.Postings, boardwatch.Posting{
			Key: key, Title: "Engineer " + key, Location: "Berlin", Department: "Platform", URL: "https://northwind.example/jobs/" + key,
		})
	}
	err := s.SaveCheck(b.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
		return boardwatch.Decide(in, r, false, boardwatch.Rules{CloseAfter: 2}, boardwatch.NewID)
	})
	require.NoError(b, err)
}

// reportCPU adds this process's CPU time to a benchmark's figures.
func reportCPU(b *testing.B) {
	b.Helper()
	start := cpu(b)
	b.Cleanup(func() {
		b.ReportMetric(float64((cpu(b)-start).Microseconds())/float64(b.N), "cpu-us/op")
	})
}

func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
