package storage_test

import (
	"math/rand"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkWords searches the roles of an account by words of their texts, on SQLite, while all roles have texts. A text has 150
// words, which are as frequent as words of a language are: w1x is in nearly all texts, w50000x in a few, and w300 begins 111 words.
func BenchmarkWords(b *testing.B) {
	total := mostJobs(b)
	c := newCrowd(b, storagetest.SQLite(b)(b, storage.Options{}), false, total)
	start := time.Now()
	c.describe(b, total)
	b.Logf("%d texts in %v", total, time.Since(start))
	account := c.account(b, 200)
	for _, words := range []string{"w1x", "w20x", "w300x", "w5000x", "w50000x", "w1x w20x", "w300x w5000x", "w300"} {
		b.Run(words, func(b *testing.B) {
			var took []time.Duration
			var found int64
			for b.Loop() {
				start := time.Now()
				page, err := c.Jobs(b.Context(), account, track.JobFilter{Status: boardwatch.JobOpen, Only: boardwatch.Criteria{Words: words}})
				took, found = append(took, time.Since(start)), page.Total
				require.NoError(b, err)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
			b.ReportMetric(float64(found), "roles")
		})
	}
}

// describe gives every role of a crowd the words of a text.
func (c *crowd) describe(b *testing.B, jobs int) {
	b.Helper()
	random := rand.New(rand.NewSource(7))
	frequent := rand.NewZipf(random, 1.05, 20, 200_000)
	require.NoError(b, c.Write(b.Context(), "UPDATE jobs SET text_hash = id"))
	const together = 500
	for first := 1; first <= jobs; first += together {
		text := []byte("INSERT INTO text_words (rowid, words) VALUES ")
		for seq := first; seq < min(first+together, jobs+1); seq++ {
			text = append(strconv.AppendInt(append(text, '('), int64(seq), 10), ", '"...)
			for range 150 {
				text = append(strconv.AppendUint(append(text, 'w'), frequent.Uint64()+1, 10), "x "...)
			}
			text = append(text, "'),"...)
		}
		require.NoError(b, c.Write(b.Context(), string(text[:len(text)-1])))
	}
}
