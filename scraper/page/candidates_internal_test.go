package page

import (
	"bytes"
	"fmt"
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
