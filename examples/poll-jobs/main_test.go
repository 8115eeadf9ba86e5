package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// stopper ends the program when it has printed something.
type stopper struct {
	stop    func()
	printed string
}

func (s *stopper) Write(p []byte) (int, error) {
	s.printed += string(p)
	s.stop()
	return len(p), nil
}

func TestRunGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query().Get("addedAfter")+" "+r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, `{"polledAt":"2026-11-20T09:02:00.000Z","total":2,"jobs":[`+
			`{"id":"b","title":"Keeper","company":"Northwind","status":"open","firstSeenAt":"2026-11-20T09:02:01.000Z"},`+
			`{"id":"a","title":"Pilot","company":"Northwind","status":"open","firstSeenAt":"2026-11-20T09:01:01.000Z"}]}`)
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "place.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"after":"2026-11-20T09:01:00Z","seen":["a"]}`), 0o600))

	ctx, stop := context.WithCancel(t.Context())
	out := &stopper{stop: stop}
	require.ErrorIs(t, run(ctx, server.URL, "bw_x", file, out), context.Canceled)
	require.Equal(t, "Northwind\tKeeper\t\t\n", out.printed, "what was printed before the restart is not printed again")
	require.Equal(t, []string{"2026-11-20T09:01:00Z Bearer bw_x"}, asked)
	place, err := os.ReadFile(file)
	require.NoError(t, err)
	require.JSONEq(t, `{"after":"2026-11-20T09:02:00Z","seen":["b"]}`, string(place))
}

func TestRunRefusesAFileThatIsNoPlace(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "place.json")
	require.NoError(t, os.WriteFile(file, []byte("not a place"), 0o600))
	require.ErrorContains(t, run(t.Context(), "http://127.0.0.1:1", "bw_x", file, io.Discard), "is not a place")
}
