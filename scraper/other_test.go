package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Pages that speak of people and work, and list no roles.
func TestReadPageOfOtherThings(t *testing.T) {
	t.Parallel()
	for name, main := range map[string]string{
		"a team":           `<h1>Careers</h1><h2>Meet our team</h2><div class="team"><div class="member"><h3>Ada Low</h3><p>Senior Engineer</p></div><div class="member"><h3>Bo May</h3><p>Product Manager</p></div><div class="member"><h3>Cy Nott</h3><p>Head of Sales</p></div></div>`,
		"what people say":  `<h1>Life at Pumps</h1><section class="testimonials"><blockquote>I like it here.</blockquote><cite>Ada, Pump Engineer</cite><blockquote>Me too.</blockquote><cite>Bo, Account Manager</cite></section>`,
		"articles":         `<h1>Blog</h1><ul class="posts"><li><a href="/blog/from-intern-to-engineer">From intern to engineer</a></li><li><a href="/blog/a-day-of-a-manager">A day of a manager</a></li><li><a href="/blog/meet-the-welder">Meet the welder</a></li></ul>`,
		"values":           `<h1>Working with us</h1><h2>Our values</h2><ul><li><h3>Be the expert</h3></li><li><h3>Partner with customers</h3></li><li><h3>Lead by example</h3></li></ul>`,
		"departments":      `<h1>Careers</h1><h2>Teams</h2><div class="grid"><a href="/careers/engineering"><h3>Engineering</h3></a><a href="/careers/sales"><h3>Sales</h3></a><a href="/careers/design"><h3>Design</h3></a></div>`,
		"an open campaign": `<h1>Careers</h1><p>We are always looking for engineers, designers and welders.</p><a href="/contact">Send us your CV</a>`,
		"old roles":        `<h1>Careers</h1><h2>Closed positions</h2><ul><li><a href="/jobs/1-engineer">Pump Engineer</a></li><li><a href="/jobs/2-welder">Welder</a></li></ul>`,
		"how to apply":     `<h1>Careers</h1><h2>How to apply</h2><ol><li><strong>Talk to a recruiter</strong></li><li><strong>Meet the manager</strong></li><li><strong>Sign</strong></li></ol>`,
		"places":           `<h1>Careers</h1><h2>Our offices</h2><ul><li><a href="/careers/hamburg">Hamburg</a></li><li><a href="/careers/bremen">Bremen</a></li></ul>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := `<!doctype html><html><head><title>Pumps</title></head><body><header><nav><a href="/careers">Careers</a></nav></header><main>` + main + `<p>Pumps keep cities dry. We have been making them since 1950, in two halls by the river, for people who care about what they do.</p></main></body></html>`
			r := readQuietly(t, anywhere([]byte(page)), "https://www.company.example/careers")
			require.Equal(t, boardwatch.HealthFailed, r.Health)
			require.Empty(t, r.Postings)
		})
	}
}
