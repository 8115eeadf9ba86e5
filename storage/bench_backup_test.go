package storage_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkBackup writes a database of many jobs into a file, reads it back and restores it into an empty one.
func BenchmarkBackup(b *testing.B) {
	for _, total := range crowds(b) {
		for name, database := range map[string]func(testing.TB) storagetest.Database{
			"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
		} {
			b.Run(name+"/of "+strconv.Itoa(total), func(b *testing.B) {
				c := newCrowd(b, database(b)(b, storage.Options{}), name == postgresName, total)
				var file bytes.Buffer
				b.Run("write", func(b *testing.B) {
					for b.Loop() {
						file.Reset()
						_, err := c.Backup(b.Context(), &file)
						require.NoError(b, err)
					}
					perRow(b, total, file.Len())
				})
				b.Run("read", func(b *testing.B) {
					for b.Loop() {
						_, err := storage.ReadBackup(bytes.NewReader(file.Bytes()))
						require.NoError(b, err)
					}
					perRow(b, total, file.Len())
				})
				b.Run("restore", func(b *testing.B) {
					for b.Loop() {
						b.StopTimer()
						empty := database(b)(b, storage.Options{NoMigrate: true})
						b.StartTimer()
						_, err := empty.Restore(b.Context(), bytes.NewReader(file.Bytes()), false)
						require.NoError(b, err)
					}
					perRow(b, total, file.Len())
				})
			})
		}
	}
}

// perRow reports the jobs handled per second and the size of each in the file.
func perRow(b *testing.B, jobs, size int) {
	b.Helper()
	b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(size)/float64(jobs), "B/job")
}
