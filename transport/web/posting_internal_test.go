package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// allowed are the elements that the text of a role may be made of.
var allowed = regexp.MustCompile(`<(?:/?(?:p|h[3-6]|ul|ol|li|strong|em|a|blockquote|pre|code|hr|br)(?: (?:href="(?:https?://[^"]*|mailto:[^"]*|)"|rel="nofollow noopener noreferrer"|class="language-[^"]*"|start="\d+"))* ?/?>|!-- raw HTML omitted -->)`)

func requireHarmless(t *testing.T, markdown string) string {
	t.Helper()
	html := string(postingHTML(markdown))
	rest := allowed.ReplaceAllString(html, "")
	require.NotContains(t, rest, "<", "%q", markdown)
	return html
}

func TestTextsOfRolesAreHarmless(t *testing.T) {
	t.Parallel()
	for markdown, want := range map[string]string{
		"":             "",
		"# Baker\n\nb": "<h3>Baker</h3>\n<p>b</p>\n",
		"* **bread**\n* [cakes](https://cakes.example/?a=1&b=2)": "<ul>\n<li><strong>bread</strong></li>\n" +
			`<li><a href="https://cakes.example/?a=1&amp;b=2" rel="nofollow noopener noreferrer">cakes</a></li>` + "\n</ul>\n",
		"[x](mailto:a@b.example)":              `<p><a href="mailto:a@b.example" rel="nofollow noopener noreferrer">x</a></p>` + "\n",
		"[x](javascript:alert(1))":             `<p><a href="" rel="nofollow noopener noreferrer">x</a></p>` + "\n",
		"[x](https://user:pass@evil.example/)": `<p><a href="" rel="nofollow noopener noreferrer">x</a></p>` + "\n",
		"![t](https://track.example/1.gif)":    "<p></p>\n",
	} {
		require.Equal(t, want, requireHarmless(t, markdown), markdown)
	}
	for _, markdown := range hostileTexts() {
		html := requireHarmless(t, markdown)
		require.NotContains(t, html, "javascript:alert")
		require.NotContains(t, html, "<script")
	}
}

// hostileTexts would become more than text, or take long.
func hostileTexts() []string {
	texts := []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "a <b onclick=x>b</b>", "<!-- -->",
		"[a](data:text/html;base64,PHNjcmlwdD4=)", "[a](vbscript:x)", "<data:text/html,x>", "![a](javascript:x \"t\")",
		"[a]: javascript:alert(1)\n\n[a]", "[a](<java\nscript:x>)", "[a](//evil.example)", "[a](/settings)", "```\"><script>\nx\n```", "&lt;script&gt; &#60;script&#62;",
		"[a](javascript&colon;alert(1))", "[a](javascript&#058alert(1))", "[a](java&Tab;script&#58alert(1))", "[a](https://a.example/ \"onmouseover=alert(1)\")", "[a](https://a.example/\"onerror=\"alert(1))",
		"<<script/@x>alert(1)//<</script/@x>", "<bar\"onclick=\"alert(1)\"@foo>", "[<svg/onload=alert(1)//]()", "<x![](`<a\n>`)><svg onload=alert(1)![](`<a\n>`)", "_a_@b.example", "<https:javascript:x>", "[a]( javascript:alert(1) )",
	}
	for _, part := range []string{"[", "![", "*", "_", "> ", "- ", "1. ", "`", "<a ", "[a](", "**a ", "\\", "|", "&", "#", "a\n> ", "[a]: b\n", "* a\n  ", "<!--", "](", "- - ", "[]()", "~~~\n"} {
		texts = append(texts, strings.Repeat(part, (64<<10)/len(part)))
	}
	return texts
}

// FuzzTextsOfRoles makes pages of any text.
func FuzzTextsOfRoles(f *testing.F) {
	for _, seed := range hostileTexts() {
		f.Add(seed[:min(len(seed), 2000)])
	}
	f.Fuzz(func(t *testing.T, markdown string) { requireHarmless(t, markdown) })
}
