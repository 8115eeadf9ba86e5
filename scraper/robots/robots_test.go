package robots_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/robots"
)

func TestAllows(t *testing.T) {
	t.Parallel()
	const all = "User-agent: *\n"
	for _, tt := range []struct {
		name    string
		file    string
		path    string
		allowed bool
	}{
		{"an empty file", "", "/jobs", true},
		{"a page that is no robots.txt", "<!doctype html>\n<p>Disallow nothing</p>", "/jobs", true},
		{"everything is disallowed", all + "Disallow: /", "/jobs", false},
		{"everything is disallowed to others", "User-agent: otherbot\nDisallow: /", "/jobs", true},
		{"an empty Disallow", all + "Disallow:", "/jobs", true},
		{"a rule that stands before any group", "Disallow: /\n" + all + "Allow: /jobs", "/home", true},
		{"a prefix", all + "Disallow: /jobs", "/jobs-archive/1", false},
		{"case counts in paths", all + "Disallow: /Jobs", "/jobs", true},
		{"a folder only", all + "Disallow: /jobs/", "/jobs", true},
		{"robots.txt itself", all + "Disallow: /", "/robots.txt", true},
		{"a path without a slash in front", all + "Disallow: jobs", "/jobs", false},

		{"the longest rule wins", all + "Disallow: /jobs\nAllow: /jobs/open", "/jobs/open/1", true},
		{"the longest rule wins, whatever the order", all + "Allow: /jobs/open\nDisallow: /jobs", "/jobs/closed", false},
		{"Allow wins a tie", all + "Disallow: /jobs\nAllow: /jobs", "/jobs", true},
		{"Allow wins a tie of wildcards", all + "Disallow: /j*bs\nAllow: /jobs", "/jobs", true},
		{"a longer wildcard wins", all + "Allow: /jobs\nDisallow: /*.html", "/jobs/1.html", false},

		{"a wildcard in the middle", all + "Disallow: /*/internal/", "/jobs/internal/1", false},
		{"a wildcard in the middle, not met", all + "Disallow: /*/internal/", "/jobs/external/1", true},
		{"two wildcards", all + "Disallow: /a*b*c", "/a1b2b3c4", false},
		{"a wildcard at the end adds nothing", all + "Disallow: /jobs*", "/jobs", false},
		{"the end", all + "Disallow: /*.pdf$", "/jobs/1.pdf", false},
		{"the end, with more behind it", all + "Disallow: /*.pdf$", "/jobs/1.pdf?x=1", true},
		{"the end of a plain path", all + "Disallow: /jobs$", "/jobs/1", true},
		{"only the home page", all + "Disallow: /$", "/", false},
		{"a part that must not be used twice", all + "Disallow: /a*a$", "/a", true},
		{"a dollar that is not the end", all + "Disallow: /a$b", "/a$b", true},
		{"an escaped star is a star", all + "Disallow: /a%2Ab", "/a*b", false},
		{"an escaped star is no wildcard", all + "Disallow: /a%2Ab", "/axb", true},

		{"the query counts", all + "Disallow: /*?page=", "/jobs?page=2", false},
		{"the query counts, not met", all + "Disallow: /*?page=", "/jobs?q=2", true},
		{"escapes of letters are the letters", all + "Disallow: /%6Aobs", "/jobs", false},
		{"escapes in the path are the letters", all + "Disallow: /jobs", "/%6Aobs", false},
		{"escapes in lower case", all + "Disallow: /b%c3%a4cker", "/b%C3%A4cker", false},
		{"letters beyond ASCII", all + "Disallow: /bäcker", "/b%C3%A4cker", false},
		{"an escaped slash is no slash", all + "Disallow: /a%2Fb", "/a/b", true},

		{"our own group", "User-agent: boardwatch\nDisallow: /jobs\n\n" + all + "Allow: /", "/jobs", false},
		{"our own group is the only one that counts", all + "Disallow: /\n\nUser-agent: boardwatch\nDisallow: /private", "/jobs", true},
		{"our own group may be empty", "User-agent: boardwatch\nDisallow:\n\n" + all + "Disallow: /", "/jobs", true},
		{"our name in any case, with a version", "User-Agent: BoardWatch/2.0\nDisallow: /", "/jobs", false},
		{"a name that only begins like ours", "User-agent: boardwatcher\nDisallow: /", "/jobs", true},
		{"a part of our name", "User-agent: board\nDisallow: /", "/jobs", true},
		{"several names over one group", "User-agent: otherbot\nUser-agent: boardwatch\nDisallow: /", "/jobs", false},
		{"groups of the same name are one", "User-agent: boardwatch\nDisallow: /a\n\n" + all + "Disallow: /\n\nUser-agent: boardwatch\nDisallow: /b", "/b", false},
		{"groups for everybody are one", all + "Disallow: /a\n\nUser-agent: otherbot\nDisallow: /\n\n" + all + "Disallow: /b", "/b", false},
		{"a group ends with the next name", "User-agent: otherbot\nDisallow: /\nUser-agent: boardwatch\nDisallow: /x", "/jobs", true},

		{"a byte order mark", "\ufeff" + all + "Disallow: /", "/jobs", false},
		{"line ends of other systems", "User-agent: *\r\nDisallow: /a\rDisallow: /jobs\r\n", "/jobs", false},
		{"comments and blanks", "  user-agent :  *  # all\n\n# nothing\n  DISALLOW :/jobs # not these\n", "/jobs", false},
		{"lines that mean nothing", all + "Noindex: /x\nwhatever\nDisallow: /jobs", "/jobs", false},
		{"a sitemap inside of a group", "User-agent: boardwatch\nSitemap: https://northwind.example/s.xml\nDisallow: /jobs", "/jobs", false},
		{"a misspelt wish", all + "Dissallow: /jobs", "/jobs", false},
		{"a file of half a million bytes", all + "Disallow: /jobs\n" + strings.Repeat("# filler\n", 70_000) + "Allow: /jobs", "/jobs", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u, err := url.Parse("https://northwind.example" + tt.path)
			require.NoError(t, err)
			require.Equal(t, tt.allowed, robots.Parse([]byte(tt.file), "boardwatch").Allows(u))
		})
	}
}

func TestParseKeepsDelayAndSitemaps(t *testing.T) {
	t.Parallel()
	b := robots.Parse([]byte("Sitemap: https://northwind.example/a.xml\nUser-agent: otherbot\nCrawl-delay: 60\n\nUser-agent: *\nCrawl-delay: 2.5\nsitemap:https://northwind.example/b.xml"), "boardwatch")
	require.Equal(t, 2500*time.Millisecond, b.Delay)
	require.Equal(t, []string{"https://northwind.example/a.xml", "https://northwind.example/b.xml"}, b.Sitemaps)

	for _, wish := range []string{"-1", "Inf", "NaN", "soon", ""} {
		require.Zero(t, robots.Parse([]byte("User-agent: *\nCrawl-delay: "+wish), "boardwatch").Delay, wish)
	}
}

func TestProduct(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"Mozilla/5.0 (compatible; Boardwatch/1.2.0; +https://boardwatch.example)": "boardwatch",
		"NorthwindBot/2.0 (+https://northwind.example)":                           "northwindbot",
		"northwind": "northwind",
		"":          "",
	} {
		require.Equal(t, want, robots.Product(agent), agent)
	}
}
