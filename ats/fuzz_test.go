package ats_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// FuzzMatch: whatever the address, at most one adapter takes it, and what it takes for the board leads back to the same
// board and to no other path.
func FuzzMatch(f *testing.F) {
	for _, a := range ats.All() {
		for line := range strings.Lines(string(must(os.ReadFile(filepath.Join("testdata", a.Name(), "addresses.txt"))))) {
			address, _, _ := strings.Cut(line, "->")
			f.Add(strings.TrimSpace(address))
		}
	}
	f.Fuzz(func(t *testing.T, address string) {
		u, err := url.Parse(address)
		if err != nil {
			return
		}
		system, board, ok := ats.Match(u, ats.All())
		if !ok {
			require.Empty(t, system+board)
			return
		}
		require.Contains(t, []string{"http", "https"}, u.Scheme)
		require.Nil(t, u.User)
		require.NotEmpty(t, strings.Trim(board, ". "))
		require.True(t, utf8.ValidString(board))
		for _, a := range ats.All() {
			_, matched := a.Match(u)
			require.Equal(t, a.Name() == system, matched, a.Name())
			if l, is := a.(ats.Locator); is && matched {
				page := must(url.Parse(l.CareersURL(board)))
				again, ok := a.Match(page)
				require.True(t, ok, page)
				require.Equal(t, board, again)
			}
		}
	})
}

// FuzzRead: whatever a system answers, no adapter panics, takes garbage for a list, or finds a board empty that does
// not say so.
func FuzzRead(f *testing.F) {
	for _, a := range ats.All() {
		for _, file := range must(filepath.Glob(filepath.Join("testdata", a.Name(), "*"))) {
			f.Add(200, must(os.ReadFile(file)))
		}
		var cases map[string]testCase
		if err := json.Unmarshal(must(os.ReadFile(filepath.Join("testdata", a.Name(), "exchanges.json"))), &cases); err != nil {
			f.Fatal(err)
		}
		for _, c := range cases {
			for _, e := range c.Exchanges {
				f.Add(e.Status, []byte(e.Text))
			}
		}
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		client := doerFunc(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(body))), Request: r}, nil
		})
		for _, a := range ats.All() {
			reading, err := a.Read(t.Context(), client, "northwind")
			require.NoError(t, err)
			reading = reading.Normalize()
			require.Contains(t, []boardwatch.Health{boardwatch.HealthOK, boardwatch.HealthPartial, boardwatch.HealthFailed}, reading.Health)
			require.Equal(t, reading.Health == boardwatch.HealthOK, reading.Reason == "", "a reason unless all is well")
			if !reading.Health.Read() {
				require.Empty(t, reading.Postings)
				continue
			}
			require.Equal(t, http.StatusOK, status)
			require.True(t, json.Valid([]byte(strings.TrimPrefix(string(body), "\ufeff"))))
			require.Contains(t, string(body), "[", "a list, be it empty")
			for _, p := range reading.Postings {
				require.NotEmpty(t, p.Key)
				require.NotEmpty(t, p.Title)
				require.NotContains(t, strings.ToLower(p.URL), "javascript:")
			}
			if n, ok := a.(ats.Namer); ok {
				name, err := n.Company(t.Context(), client, "northwind")
				require.True(t, err == nil || name == "", "a name or an error")
			}
		}
	})
}
