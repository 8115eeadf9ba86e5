package boardwatch_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func reading(claimed int, postings ...boardwatch.Posting) boardwatch.Reading {
	return boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: claimed, Postings: postings}
}

// The user name and password in a link must not be shown to anybody, nor stored as a role's identity.
func TestLinksOfRolesLoseUserAndPassword(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://user:pw@host.example/":        "https://host.example/",
		"https://user@host.example:8443/a@b?c": "https://host.example:8443/a@b?c",
		"//user:pw@host.example":               "//host.example",
		"HTTPS://a:b@c@host.example?x=@":       "HTTPS://host.example?x=@",
		`https://user:p%zz"@host.example/`:     "https://host.example/",
		"https://host.example/@ann":            "https://host.example/@ann",
		"https://host.example/?to=//a:b@c":     "https://host.example/?to=//a:b@c",
		"mailto:jobs@host.example":             "mailto:jobs@host.example",
		"/jobs//a@b":                           "/jobs//a@b",
	} {
		r := boardwatch.Reading{Postings: []boardwatch.Posting{{Title: "Engineer", URL: address}, {Key: address, Title: "Designer"}}}.Normalize()
		require.Equal(t, want, r.Postings[0].URL)
		for _, p := range r.Postings {
			require.Equal(t, want, p.Key, address)
		}
	}
}

func TestNormalize(t *testing.T) {
	t.Parallel()

	t.Run("cleans foreign text", func(t *testing.T) {
		t.Parallel()
		r := reading(-1, boardwatch.Posting{Key: " 7\x00 ", Title: "  Senior\u00a0\tEngineer\u200b \u00ad(m/f)\xff\x07 ", Location: "Z\u00fcrich"}).Normalize()
		require.Equal(t, []boardwatch.Posting{{Key: "7", Title: "Senior Engineer (m/f)", Location: "Zürich"}}, r.Postings)
		require.Equal(t, boardwatch.HealthOK, r.Health)
	})
	t.Run("joins the rows of one role", func(t *testing.T) {
		t.Parallel()
		r := reading(3,
			boardwatch.Posting{Key: "1", Title: "Cook", Location: "Rome"},
			boardwatch.Posting{Key: "1", Title: "Cook", Location: "Oslo"},
			boardwatch.Posting{Key: "1", Title: "Cook", Location: "Rome"}).Normalize()
		require.Equal(t, []boardwatch.Posting{{Key: "1", Title: "Cook", Location: "Oslo; Rome"}}, r.Postings)
		require.Equal(t, boardwatch.HealthOK, r.Health, "three rows were claimed and three were there")
	})
	t.Run("keys fall back to the address, then to what the posting says", func(t *testing.T) {
		t.Parallel()
		r := reading(-1,
			boardwatch.Posting{Title: "A", URL: "https://x.example/a"},
			boardwatch.Posting{Title: "B  b", Location: "Rome"},
			boardwatch.Posting{Title: "b B", Location: "ROME"},
			boardwatch.Posting{Title: "B b", Location: "Oslo"},
			boardwatch.Posting{Title: "C", URL: "https://x.example/" + strings.Repeat("c", 1500)}).Normalize()
		require.Len(t, r.Postings, 4)
		require.Equal(t, "https://x.example/a", r.Postings[0].Key)
		require.Regexp(t, "^text-[0-9a-f]{24}$", r.Postings[1].Key)
		require.Regexp(t, "^hash-[0-9a-f]{32}$", r.Postings[3].Key)
	})
	t.Run("fewer roles than claimed are partial", func(t *testing.T) {
		t.Parallel()
		r := reading(3, boardwatch.Posting{Key: "1", Title: "Cook"}).Normalize()
		require.Equal(t, boardwatch.HealthPartial, r.Health)
		require.Equal(t, "the source says it has 3 roles, but lists only 1", r.Reason)
	})
	t.Run("a row that cannot be used is counted and named", func(t *testing.T) {
		t.Parallel()
		r := reading(2, boardwatch.Posting{Key: "1", Title: "Cook"}, boardwatch.Posting{Location: "Rome", Title: " \x00"}).Normalize()
		require.Equal(t, boardwatch.HealthPartial, r.Health)
		require.Equal(t, "1 of 2 rows could not be read: a row without a title and an id", r.Reason)
	})
	t.Run("a row with an id but no title is there, without being shown", func(t *testing.T) {
		t.Parallel()
		r := reading(3, boardwatch.Posting{Key: "1", Title: "Cook"}, boardwatch.Posting{Key: "2"}, boardwatch.Posting{Key: "1"}).Normalize()
		require.Equal(t, boardwatch.HealthOK, r.Health)
		require.Len(t, r.Postings, 1)
		require.Equal(t, []string{"2"}, r.Present)
	})
	t.Run("a failure keeps its own reason", func(t *testing.T) {
		t.Parallel()
		r := boardwatch.Failed(cause.SiteError, "the server\nanswered 500").Normalize()
		require.Equal(t, boardwatch.HealthFailed, r.Health)
		require.Equal(t, "the server answered 500", r.Reason)
	})
}

func TestSetHash(t *testing.T) {
	t.Parallel()

	a, b := boardwatch.Posting{Key: "1", Title: "A"}, boardwatch.Posting{Key: "2", Title: "B"}
	same := reading(-1, a, b).SetHash()
	require.Equal(t, same, reading(-1, b, a).SetHash(), "order does not matter")
	require.NotEqual(t, same, boardwatch.Reading{Postings: []boardwatch.Posting{a, b}, Present: []string{"3"}}.SetHash())
	for _, change := range []func(*boardwatch.Posting){
		func(p *boardwatch.Posting) { p.Key = "3" },
		func(p *boardwatch.Posting) { p.Title = "C" },
		func(p *boardwatch.Posting) { p.Location = "x" },
		func(p *boardwatch.Posting) { p.Department = "x" },
		func(p *boardwatch.Posting) { p.URL = "x" },
	} {
		c := a
		change(&c)
		require.NotEqual(t, same, reading(-1, c, b).SetHash())
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("key", "Title", "Place", "https://x.example/", 1)
	f.Add("\x00", "\xff\xfe", strings.Repeat("ü", 3000), "\u202e", -1)
	f.Fuzz(func(t *testing.T, key, title, place, url string, claimed int) {
		r := reading(claimed, boardwatch.Posting{Key: key, Title: title, Location: place, Department: place, URL: url},
			boardwatch.Posting{Key: key + "x", Title: title, Location: title}).Normalize()
		for _, p := range r.Postings {
			require.NotEmpty(t, p.Title)
			require.NotEmpty(t, p.Key)
			for _, s := range []string{p.Key, p.Title, p.Location, p.Department, p.URL} {
				require.True(t, utf8.ValidString(s))
				require.NotContains(t, s, "\x00")
				require.LessOrEqual(t, len(s), 2000)
				require.Equal(t, strings.TrimSpace(s), s)
			}
		}
		again := boardwatch.Reading{Health: r.Health, Claimed: -1, Postings: r.Postings}.Normalize()
		require.Equal(t, r.Postings, again.Postings, "a second time changes nothing")
	})
}
