package page

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"
)

// bulky is a page of about so many bytes: a role for every three kilobytes, and around them what pages carry.
func bulky(size int) []byte {
	var page strings.Builder
	page.WriteString(`<!doctype html><html lang="en"><head><title>Jobs</title><style>` + strings.Repeat(".a{color:red}", 500) + `</style></head><body><header><nav><ul>`)
	for i := range 60 {
		fmt.Fprintf(&page, `<li class="menu-item menu-item-%d"><a class="menu-link" href="/products/%d"><span>Product %d</span></a></li>`, i, i, i)
	}
	page.WriteString(`</ul></nav></header><main><h1>Open positions</h1><div class="jobs">`)
	for i := 0; page.Len() < size; i++ {
		fmt.Fprintf(&page, `<div class="job-card flex items-center" data-id="%d"><div class="inner"><h3 class="job-title"><a href="/jobs/%d-pump-engineer">Senior Pump Engineer %d (m/f/d)</a></h3><div class="meta"><span class="badge">Engineering</span><span class="location">Hamburg, Germany</span><span class="contract">Full-time</span></div>`, i, i, i)
		for j := range 4 {
			fmt.Fprintf(&page, `<p class="text-%d">%s <strong>Part %d</strong></p><ul class="list"><li>Pumps</li><li>Valves and pipes</li></ul>`, j, strings.Repeat("You keep the water where it belongs. ", 9), j)
		}
		fmt.Fprintf(&page, `<svg viewBox="0 0 24 24"><path d="%s"></path></svg><a class="btn" href="/jobs/%d-pump-engineer">Apply now</a></div></div>`, strings.Repeat("M12 2L2 7l10 5 ", 40), i)
	}
	page.WriteString(`</div></main><script>` + strings.Repeat("var a=function(b){return b+1};", 500) + `</script></body></html>`)
	return []byte(page.String())
}

// rolelessPage is a page of about so many bytes without roles: what a company says about itself.
func rolelessPage(size int) []byte {
	rivers := strings.Fields("Aller Bode Chiemsee Diemel Elbe Fulda Gose Havel Innerste Jade Kinzig Leine Mulde Neckar Oder Peene")
	parts := strings.Fields("bank bed bend bridge canal dam delta ferry flood harbour island lock mouth quay source weir")
	var page strings.Builder
	page.WriteString(`<!doctype html><html lang="en"><head><title>Working with us</title></head><body><main><h1>Working with us</h1>`)
	for i := 0; page.Len() < size; i++ {
		part := parts[i/len(rivers)%len(parts)]
		fmt.Fprintf(&page, `<section class="story"><h2 class="headline">The %s of the %s</h2><div class="columns">`, part, rivers[i%len(rivers)])
		for j := range 5 {
			fmt.Fprintf(&page, `<div class="column"><h3>What the %s and the %s taught us</h3><p>%s <a href="/stories/%d/%d">Read the story of the %s</a></p><ul><li>Clean water</li><li>Dry feet</li></ul></div>`,
				part, parts[(i+j)%len(parts)], strings.Repeat("The river rose and we stayed. ", 12), i, j, parts[j])
		}
		page.WriteString(`</div></section>`)
	}
	page.WriteString(`</main></body></html>`)
	return []byte(page.String())
}

func TestWithoutCount(t *testing.T) {
	t.Parallel()
	tail := regexp.MustCompile(`\s*(\(\d+\)|[-–—:·]?\s*\d+\s+\p{L}+|\d+)$`)
	for heading, want := range map[string]string{
		"Sales (3)": "Sales", "Sales 3": "Sales", "Sales3": "Sales", "Sales - 1 position": "Sales", "Sales: 12 Stellen": "Sales", "Sales · 4 roles": "Sales",
		"Sales 3 roles": "Sales", "Sales -- 3 roles": "Sales -", "Sales": "Sales", "": "", "3": "", "(3)": "", "3 roles": "", "B2B": "B2B", "Sales (m3)": "Sales (m3)",
		"Sales (3 )": "Sales (3 )", "Sales 3)": "Sales 3)", "Sales 3 of 4": "Sales 3 of", "営業 (2)": "営業", "Sales – 3 Öffnungen": "Sales",
	} {
		require.Equal(t, want, withoutCount(heading), heading)
		require.Equal(t, want, strings.TrimSpace(tail.ReplaceAllString(heading, "")), heading)
	}
}

// What looking for roles costs on a page that has none, beside parsing it.
func BenchmarkExtractWithoutRoles(b *testing.B) {
	body, u := rolelessPage(300_000), fuzzAddress(b)
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Parse(body, u)
		}
	})
	b.Run("extract", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l := Parse(body, u).Candidates(u).Verdict(Visit{Asked: u, At: u, Text: body})
			require.Empty(b, l.Reading.Postings)
		}
	})
}

// What finding the roles of a page costs, its parsing included, beside parsing it with goquery alone.
func BenchmarkExtract(b *testing.B) {
	for name, size := range map[string]int{"300kB": 300_000, "2MB": 2_000_000} {
		body := bulky(size)
		b.Run(name+"/goquery", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				_, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
				require.NoError(b, err)
			}
		})
		b.Run(name+"/extract", func(b *testing.B) {
			u := fuzzAddress(b)
			extract := func() {
				l := Parse(body, u).Candidates(u).Verdict(Visit{Asked: u, At: u, Text: body})
				require.Greater(b, len(l.Reading.Postings), size/4_000)
			}
			extract() // patterns are compiled, and their automata learn, once in the life of a program
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				extract()
			}
		})
	}
}
