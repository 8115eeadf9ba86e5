package markdown_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/internal/markdown"
)

const (
	home  = "https://northwind.example/jobs/7"
	limit = 64 << 10
)

func TestOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"nothing":              {" \n", ""},
		"marks alone":          {"<p>...</p>", ""},
		"paragraphs":           {"<p>We  build\nboats.</p><p>And <strong>ships</strong>.</p>", "We build boats.\n\nAnd **ships**."},
		"headings":             {"<h2>Tasks</h2><div>Rig.</div>", "## Tasks\n\nRig."},
		"lists":                {"<ul><li>One<li>Two<ul><li>Three</ul></ul><ol><li>A</li></ol>", "- One\n- Two\n  - Three\n\n1. A"},
		"breaks":               {"<p>One<br>two</p>", "One  \ntwo"},
		"links":                {`<p>See <a href="/team?utm_source=x&a=1" onclick="x()">the team</a>.</p>`, "See [the team](https://northwind.example/team?a=1)."},
		"other links":          {`<p><a href="javascript:alert(1)">a</a> <a href="data:text/html,x">b</a> <a href="mailto:a@b.example">c</a></p>`, "a b c"},
		"escaped twice":        {`&lt;p&gt;We &amp;amp; you&lt;/p&gt;`, "We & you"},
		"thrice":               {`&amp;lt;p&amp;gt;We &amp;amp;amp; you&amp;lt;/p&amp;gt;`, "We & you"},
		"tables":               {"<table><tr><td>Pay</td><td>60k</td></tr><tr><td>Days</td><td>30</td></tr></table>", "Pay 60k  \nDays 30"},
		"what is hidden":       {`<p>a</p><script>alert("</p>")</script><style>p{}</style><svg><text>x</text></svg><img src="https://t.example/1.gif"><p>b</p>`, "a\n\nb"},
		"plain text":           {"One line\r\n\r\n\r\n- an entry\n- AT&amp;T", "One line\n\n- an entry\n- AT&T"},
		"no tag at all":        {"Pay: a <b and more\nAlways", "Pay: a \\<b and more\nAlways"},
		"bidi":                 {"<p>a\u202eb\u0007c&#8238;d\ufeff</p>", "abcd"},
		"CDATA":                {"<![CDATA[<p>We <b>build</b></p>]]>", "We **build**"},
		"lines of JSON":        {`We build.\n\n- Oak\n- Ash`, "We build.\n\n- Oak\n- Ash"},
		"no such lines":        {`Share C:\new with us`, `Share C:\new with us`},
		"escaped twice inside": {"<p>Oak&amp;nbsp;&amp;amp; ash &amp;lt;b&amp;gt;</p>", `Oak & ash \<b>`},
		"angles in text":       {"<p>if a &lt; b &lt;script&gt;</p>", `if a \< b \<script>`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, markdown.Of(c.text, home, limit))
		})
	}
}

// TestHostileTexts: whatever somebody writes, nothing in the result lives but links to web pages.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`<scr<script>ipt>alert(1)</script>`, `<p><<script>alert(1)//<</script>`, `<svg onload=alert(1)><p>x`, `<a href="java&#10;script:alert(1)">x</a>`,
		`[x](javascript:alert(1))`, `![x](https://tracker.example/1.gif)`, "[x]: javascript:alert(1)\n[x]", `<javascript:alert(1)>`, `<p>[x](javascript:alert(1))</p>`,
		`<p>![x](https://tracker.example/1.gif)</p>`, `\<img src=x>`, `\\<img src=x>`, `<p>\\&lt;img src=x&gt;</p>`, `<a href="https://a.example/)[x](javascript:y)">x</a>`,
		`<a href="https://a.example/">![x](https://tracker.example/1.gif)</a>`, `&lt;img src=x onerror=alert(1)&gt;&lt;p&gt;x`, "<!--<p>--><img src=x>", "<![CDATA[<img src=x>]]>", "<p>]<b>(javascript:x)</b>",
		"[a](javascript&colon;alert(1))", "<p>[a](javascript&amp;#058alert(1))</p>", `[x](https&colon;//a.example/"onmouseover="alert(1))`, `<<script/@x>alert(1)//<</script/@x>`, `<bar"onclick="alert(1)"@foo>`, `[<svg/onload=alert(1)//]()`,
		`<p>&amp;amp;lt;img src=x onerror=alert(1)&amp;amp;gt;`, "<p><x![](`<a\n>`)><svg onload=alert(1)![](`<a\n>`)", `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, "<p>sail\u3164\U000e0101\ufe01\u115f.", `<![CDATA[]]><![CDA<![CDATA[TA[<img src=x onerror=alert(1)>]]>]]>`,
		`.\n.\n[x]: javascript:alert(1)\n[x]`,
	} {
		harmless(t, text)
	}
}

// TestBounds: neither long nor deep texts nor those of many tags take long.
func TestBounds(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"10 MB of text": strings.Repeat("word ", 2<<20), "a million tags": strings.Repeat("<b>x", 1_000_000), "deep lists": strings.Repeat("<ul><li>x", 100_000),
		"stars": "<p>" + strings.Repeat("*", 5<<20), "underscores and blanks": "<p>" + strings.Repeat("_ ", 3<<20), "brackets": "<p>" + strings.Repeat("[", 5<<20), "backslashes": strings.Repeat(`\`, 5<<20) + "<",
		"numbers": "<p>" + strings.Repeat("1. ", 3<<20), "entities": strings.Repeat("&lt;p&gt;", 1<<20), "backticks": "<p>" + strings.Repeat("` ", 3<<20), "hashes": "<p>" + strings.Repeat("# ", 3<<20),
		"escaped beginnings": "&gt;" + strings.Repeat("&lt;p", 1<<20), "beginnings": ">" + strings.Repeat("<p", 1<<20), "ampersands": "<p>" + strings.Repeat("&", 5<<20), "breaks": "<p>" + strings.Repeat("<br>", 1_000_000) + "x", "links": strings.Repeat(`<a href="https://a.example/">x</a>`, 200_000), "spans": strings.Repeat("<strong><em>x</strong></em>", 200_000),
	} {
		start := time.Now()
		harmless(t, text)
		t.Logf("%s: %v", name, time.Since(start))
	}
}

var live = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*(?:<|!\[|\]\((?:[^h]|h[^t])|\]:)`)

func harmless(t *testing.T, text string) {
	t.Helper()
	got := markdown.Of(text, home, limit)
	require.LessOrEqual(t, len(got), limit)
	require.True(t, utf8.ValidString(got))
	require.False(t, strings.ContainsFunc(got, func(r rune) bool {
		return r != '\n' && r != '\u200d' && r != '\ufe0e' && r != '\ufe0f' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	}), "%q", got)
	if at := live.FindStringIndex(got); at != nil {
		require.Fail(t, "it lives", "%q of %.300q", got[max(0, at[0]-20):min(len(got), at[1]+40)], text)
	}
	require.Equal(t, strings.TrimSpace(got), strings.TrimRight(got, " \n"), "no lines without text around it")
}

func FuzzOf(f *testing.F) {
	for _, text := range []string{
		"<p>We build <b>boats</b>.</p>", "<ul><li>a<li>b</ul>", `<a href="/x?utm_source=a">x</a>`, "&lt;p&gt;x&lt;/p&gt;", "plain\n\n- text", `[x](javascript:1)`, `\<b>`, "<table><tr><td>1", "<h1>x", "a\u202eb",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { harmless(t, text) })
}

// TestOwnOutputStays: what was made once is not made otherwise the second time.
func TestOwnOutputStays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"<h2>Tasks</h2><ul><li>Rig <b>ropes</b></li><li>a &lt; b</li></ul><p>See <a href='https://a.example/x'>us</a><br>now.</p>", "if a < b and <script>"} {
		once := markdown.Of(text, home, limit)
		require.Equal(t, once, markdown.Of(once, home, limit))
	}
}

func BenchmarkOf(b *testing.B) {
	text := "<div><h2>About</h2>" + strings.Repeat("<p style=\"line-height: 1.5\">We build <strong>boats</strong> and ships, and <a href=\"https://northwind.example/\">more</a>.</p><ul><li>One entry of a list</li><li>Another one</li></ul>", 40) + "</div>"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		markdown.Of(text, home, limit)
	}
}
