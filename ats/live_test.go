//go:build live

package ats_test

import (
	"bufio"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

var liveBoards = flag.String("boards", filepath.Join("testdata", "live.txt"), "a file of boards to read, one system:board per line")

// TestLive reads one real board of each system that the file names, to see whether the system still answers as it did. It
// needs the Internet and is run by hand: make live.
func TestLive(t *testing.T) {
	t.Parallel()
	file, err := os.Open(*liveBoards)
	require.NoError(t, err)
	defer func() { _ = file.Close() }() // only read
	client := outbound.New(outbound.Options{})
	t.Cleanup(client.CloseIdleConnections)
	named := make(map[string]bool)
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		system, board, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		named[system] = true
		a := adapter(system)
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			require.NotNil(t, a, "there is no such adapter")
			session := client.Session()
			start := time.Now()
			reading, err := ats.Read(t.Context(), a, session, board)
			require.NoError(t, err)
			reading = reading.Normalize()
			t.Logf("%s: %s, %d roles (%d claimed), %d requests, %v %s", line, reading.Health, len(reading.Postings), reading.Claimed,
				session.Requests(), time.Since(start).Round(time.Millisecond), reading.Reason)
			require.Equal(t, boardwatch.HealthOK, reading.Health, reading.Reason)
			require.NotEmpty(t, reading.Postings, "a board that is known to have roles")
			checkDrift(t, reading)
		})
	}
	require.NoError(t, lines.Err())
	for _, a := range ats.All() {
		if !named[a.Name()] {
			t.Logf("no board of %s is named in %s", a.Name(), *liveBoards)
		}
	}
}

// checkDrift looks for fields that have gone: one that no role of a whole board has any more.
func checkDrift(t *testing.T, reading boardwatch.Reading) {
	t.Helper()
	var places, departments, addresses int
	for _, p := range reading.Postings {
		places += min(len(p.Location), 1)
		departments += min(len(p.Department), 1)
		addresses += min(len(p.URL), 1)
	}
	require.Equal(t, len(reading.Postings), addresses, "every role has an address")
	t.Logf("%d of %d with a place, %d with a department", places, len(reading.Postings), departments)
	require.Positive(t, places, "no role has a place: the field may have another name now")
}
