package ats_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
)

// FuzzMatch: whatever the address, at most one adapter takes it, and what it takes for the board leads back to the same
// board and to no other path.
func FuzzMatch(f *testing.F) {
	for _, a := range ats.All() {
		for line := range strings.Lines(string(fixture(f, a.Name(), "addresses.txt"))) {
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

// FuzzRead: whatever a system answers to one of the requests of its normal board, its adapter does not panic, asks nobody
// else, comes to an end, and gives no role that cannot be shown.
func FuzzRead(f *testing.F) {
	boards := make(map[string]normal)
	for _, a := range ats.All() {
		boards[a.Name()] = normalBoard(f, a)
		for _, c := range cases(f, a.Name()) {
			for i, e := range c.Exchanges {
				body := []byte(e.Text)
				if e.Body != "" {
					body = fixture(f, a.Name(), e.Body)
				}
				f.Add(a.Name(), i, e.Status, body)
			}
		}
	}
	f.Fuzz(func(t *testing.T, system string, at, status int, body []byte) {
		board, ok := boards[system]
		if !ok {
			return
		}
		w := board.world(t)
		i := int(uint(at) % uint(len(w.answers)))
		w.answers[i] = answered{exchange{Status: status, Header: w.answers[i].Header}, body}
		reading := w.readAnything(system)
		for _, p := range reading.Postings {
			require.NotEmpty(t, p.Key)
			require.NotEmpty(t, p.Title)
			require.True(t, p.URL == "" || strings.HasPrefix(strings.ToLower(p.URL), "http"), p.URL)
		}
		if n, ok := board.adapter.(ats.Namer); ok {
			name, err := n.Company(t.Context(), board.world(t), board.board)
			require.True(t, err == nil || name == "", "a name or an error")
		}
	})
}
