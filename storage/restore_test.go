package storage_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
)

// TestRestoreByForceLosesNothing restores over a full database from backups of this version and an older one. Their
// checksums are right, but their first or last table has a row that no database takes: afterwards the old rows are all
// still there.
func TestRestoreByForceLosesNothing(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			steps := database(t)(t, storage.Options{NoMigrate: true}).Steps()
			for _, n := range []int{2, len(steps) - 1} {
				t.Run("by a backup of "+steps[n], func(t *testing.T) {
					t.Parallel()
					old := database(t)(t, storage.Options{NoMigrate: true})
					require.NoError(t, old.At(t.Context(), steps[:n+1], fillAll))
					file := backedUp(t, old)

					target := database(t)(t, storage.Options{NoMigrate: true})
					require.NoError(t, target.At(t.Context(), steps, fillAll))
					before := cellsOf(t, backedUp(t, target))
					for _, last := range []bool{false, true} {
						bad := withARowTwice(t, file, last)
						_, err := storage.ReadBackup(bytes.NewReader(bad))
						require.NoError(t, err, "it is whole")
						_, err = target.Restore(t.Context(), bytes.NewReader(bad), true)
						require.ErrorContains(t, err, "restore: load ")
						require.Equal(t, before, cellsOf(t, backedUp(t, target)))
					}
					taken, err := target.Migrate(t.Context())
					require.NoError(t, err)
					require.Empty(t, taken, "the schema is as it was")
					_, err = target.Restore(t.Context(), bytes.NewReader(file), true)
					require.NoError(t, err)
					contains(t, cellsOf(t, backedUp(t, target)), cellsOf(t, file))
				})
			}
		})
	}
}

// withARowTwice returns a backup whose first or last table has one row twice. Counts and checksum are right.
func withARowTwice(t *testing.T, file []byte, last bool) []byte {
	t.Helper()
	lines := strings.SplitAfter(strings.TrimSpace(string(unpacked(t, file))), "\n")
	row := -1
	for i, line := range lines {
		if strings.HasPrefix(line, "[") && (row < 0 || last) {
			row = i
		}
	}
	require.Positive(t, row)
	changed := append(append([]string{}, lines[:row+1]...), lines[row:]...)
	for end := row + 2; ; end++ {
		if strings.HasPrefix(changed[end], `{"rows"`) {
			changed[end] = fmt.Sprintf("{\"rows\":%d}\n", tailOf(t, changed[end]).Rows+1)
			break
		}
	}
	whole := tailOf(t, changed[len(changed)-1])
	body := strings.Join(changed[:len(changed)-1], "")
	sum := sha256.Sum256([]byte(body))
	return packed(t, fmt.Sprintf("%s{\"rows\":%d,\"tables\":%d,\"sha256\":%q}\n", body, whole.Rows+1, whole.Tables, hex.EncodeToString(sum[:])))
}

func packed(t *testing.T, lines string) []byte {
	t.Helper()
	var file bytes.Buffer
	gz := gzip.NewWriter(&file)
	_, err := gz.Write([]byte(lines))
	require.NoError(t, err)
	require.NoError(t, gz.Close())
	return file.Bytes()
}

type tail struct{ Rows, Tables int64 }

func tailOf(t *testing.T, line string) (out tail) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(line), &out))
	return out
}
