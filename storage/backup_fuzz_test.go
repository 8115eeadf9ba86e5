package storage_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// FuzzRestore restores from anything that claims to be a complete backup: either the database then holds its content,
// or nothing has changed. The file chooses the names of tables and columns, too.
func FuzzRestore(f *testing.F) {
	store := storagetest.Open(f, storage.Options{})
	var file bytes.Buffer
	_, err := store.Backup(context.Background(), &file)
	require.NoError(f, err)
	unpacked, err := gzip.NewReader(&file)
	require.NoError(f, err)
	raw, err := io.ReadAll(unpacked)
	require.NoError(f, err)
	whole := string(raw[:bytes.LastIndexByte(raw[:len(raw)-1], '\n')+1])
	header, rest, _ := strings.Cut(whole, "\n")
	for _, seed := range []string{
		whole, header + "\n", "", "{}\n", header + "\n" + rest + rest, strings.ToUpper(whole),
		header + "\n" + `{"table":"accounts; DROP TABLE boards","columns":[]}` + "\n" + `{"rows":0}` + "\n",
		header + "\n" + `{"table":"accounts","columns":[{"name":"id) VALUES (1); --","kind":"text"}]}` + "\n" + `["x"]` + "\n" + `{"rows":1}` + "\n",
		header + "\n" + `{"table":"accounts","columns":[{"name":"id","kind":"text"}]}` + "\n" + `["x"]` + "\n" + `[1,2]` + "\n" + `{"rows":-1}` + "\n",
		header + "\n" + `{"table":"sqlite_master","columns":[{"name":"sql","kind":"text"}]}` + "\n" + `["x"]` + "\n" + `{"rows":1}` + "\n",
		strings.Replace(whole, `"schema":[`, `"schema":["9999_unknown",`, 1), strings.ReplaceAll(whole, `"kind":"int"`, `"kind":"bytes"`),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		before, err := store.Accounts(t.Context())
		require.NoError(t, err)
		_, fault := store.Restore(t.Context(), bytes.NewReader(sealed(t, lines)), true)
		steps, err := store.Migrate(t.Context()) // a restore that fails may leave the older schema of its file
		require.NoError(t, err, "the database is intact, whatever was restored: %v", fault)
		after, err := store.Accounts(t.Context())
		require.NoError(t, err)
		if fault != nil && len(steps) == 0 {
			require.Equal(t, before, after)
		}
		_, err = store.BoardStats(t.Context())
		require.NoError(t, err)
	})
}

// sealed makes a backup file of lines and ends it with the right checksum.
func sealed(t *testing.T, lines string) []byte {
	t.Helper()
	var rows, tables int64
	for line := range strings.Lines(lines) {
		var tail struct {
			Rows  int64  `json:"rows"`
			Table string `json:"table"`
		}
		if json.Unmarshal([]byte(line), &tail) == nil {
			rows += tail.Rows
			if tail.Table != "" {
				tables++
			}
		}
	}
	sum := sha256.Sum256([]byte(lines))
	var file bytes.Buffer
	gz := gzip.NewWriter(&file)
	_, err := fmt.Fprintf(gz, "%s{\"rows\":%d,\"tables\":%d,\"sha256\":%q}\n", lines, rows, tables, hex.EncodeToString(sum[:]))
	require.NoError(t, err)
	require.NoError(t, gz.Close())
	return file.Bytes()
}
