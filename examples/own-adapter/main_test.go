package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// Each board of this server is a way to answer.
func api(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := map[string]string{
			"/boards/lighthouse": `{"company": "Lighthouse Labs", "total": 2, "jobs": [
				{"id": "7", "title": "Keeper", "city": "Bergen"}, {"id": "8/1", "title": "Lamp Trimmer", "city": "Turku"}]}`,
			"/boards/empty": `{"total": 0, "jobs": []}`,
			"/boards/short": `{"total": 3, "jobs": [{"id": "7", "title": "Keeper", "city": "Bergen"}]}`,
			"/boards/page":  `<html>We are hiring!</html>`,
			"/boards/other": `{"roles": []}`,
		}[r.URL.Path]
		switch {
		case r.URL.Path == "/boards/closed":
			w.WriteHeader(http.StatusForbidden)
		case answer == "":
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestRead(t *testing.T) {
	t.Parallel()
	reader := newReader(outbound.New(outbound.Options{AllowLoopback: true}), api(t))
	var out strings.Builder
	require.NoError(t, read(t.Context(), reader, "jobs.northwind.example/lighthouse/7?from=here", &out))
	require.Equal(t, "northwind:lighthouse is ok \n"+
		"Keeper\tBergen\thttps://jobs.northwind.example/lighthouse/7\n"+
		"Lamp Trimmer\tTurku\thttps://jobs.northwind.example/lighthouse/8%2F1\n", out.String())
	require.ErrorContains(t, read(t.Context(), reader, "no address", &out), "no address: ")
}

func TestAdapterTellsWhatWentWrong(t *testing.T) {
	t.Parallel()
	reader := newReader(outbound.New(outbound.Options{AllowLoopback: true}), api(t))
	for board, want := range map[string]struct {
		health  boardwatch.Health
		reason  string
		unknown bool
	}{
		"empty":   {boardwatch.HealthOK, "", false},
		"short":   {boardwatch.HealthPartial, "3", false},
		"page":    {boardwatch.HealthFailed, "no list of roles", false},
		"other":   {boardwatch.HealthFailed, "no list of roles", false},
		"closed":  {boardwatch.HealthFailed, "403", false},
		"nothing": {boardwatch.HealthFailed, "no such board", true},
	} {
		t.Run(board, func(t *testing.T) {
			t.Parallel()
			r, err := reader.Read(t.Context(), boardwatch.Board{Source: "northwind:" + board})
			require.NoError(t, err)
			require.Equal(t, want.health, r.Health)
			require.Contains(t, r.Reason, want.reason)
			require.Equal(t, want.unknown, r.Unknown)
		})
	}
}

func TestOtherSystemsAreStillKnown(t *testing.T) {
	t.Parallel()
	reader := newReader(outbound.New(outbound.Options{}), "https://api.northwind.example")
	for address, source := range map[string]string{
		"https://jobs.northwind.example/lighthouse": "northwind:lighthouse",
		"https://boards.greenhouse.io/lighthouse":   "greenhouse:lighthouse",
		"https://jobs.northwind.example/":           "",
		"https://northwind.example/lighthouse":      "",
	} {
		r, err := reader.Recognize(address)
		require.NoError(t, err)
		require.Equal(t, source, r.Source, address)
	}
}
