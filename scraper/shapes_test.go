package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Shapes that pages have, each with what a person reads on it. The address is https://www.northwind.example/careers.
func TestReadShapes(t *testing.T) {
	t.Parallel()
	const at = "https://www.northwind.example"
	for name, tt := range map[string]struct {
		lang, body string
		want       []boardwatch.Posting // without keys
	}{
		"a list of definitions": {
			"en", `<h1>Open positions</h1><dl><dt><a href="/jobs/tugboat-engineer">Tugboat Engineer</a></dt><dd>Location: Rotterdam</dd>
			<dt><a href="/jobs/crane-operator">Crane Operator</a></dt><dd>Location: Antwerp</dd></dl>`,
			[]boardwatch.Posting{{Title: "Tugboat Engineer", Location: "Rotterdam", URL: at + "/jobs/tugboat-engineer"}, {Title: "Crane Operator", Location: "Antwerp", URL: at + "/jobs/crane-operator"}},
		},
		"addresses below people": {
			"en", `<h1>Careers</h1><h2>Open positions</h2><ul><li><a href="/company/people/data-engineer">Data Engineer</a> <span class="loc">Lisbon</span></li>
			<li><a href="/company/people/office-manager">Office Manager</a> <span class="loc">Porto</span></li></ul>`,
			[]boardwatch.Posting{{Title: "Data Engineer", Location: "Lisbon", URL: at + "/company/people/data-engineer"}, {Title: "Office Manager", Location: "Porto", URL: at + "/company/people/office-manager"}},
		},
		"places on lines of their own": {
			"en", `<h1>Open positions</h1><ul><li><a href="/jobs/a"><h3>Contracts Manager</h3><p>Abilene, TX<br>Remote<br></p></a></li>
			<li><a href="/jobs/b"><h3>Test Engineer</h3><p>Abilene, TX</p></a></li></ul>`,
			[]boardwatch.Posting{{Title: "Contracts Manager", Location: "Abilene, TX; Remote", URL: at + "/jobs/a"}, {Title: "Test Engineer", Location: "Abilene, TX", URL: at + "/jobs/b"}},
		},
		"places that are counted": {
			"en", `<h1>Open positions</h1><ul><li><a href="/jobs/a">Analyst</a><span class="location">Berlin, Germany <i>+2 more</i></span></li>
			<li><a href="/jobs/b">Recruiter</a><span class="location">Paris, France and 3 others</span></li></ul>`,
			[]boardwatch.Posting{{Title: "Analyst", Location: "Berlin, Germany", URL: at + "/jobs/a"}, {Title: "Recruiter", Location: "Paris, France", URL: at + "/jobs/b"}},
		},
		"a place after the link": {
			"en", `<h1>Open positions</h1><ul><li><a href="/jobs/bot-engineer">Anti-Bot Engineer (CAPTCHA)</a> Berlin</li><li><a href="/jobs/access">Access Control Manager</a> Paris</li></ul>`,
			[]boardwatch.Posting{{Title: "Anti-Bot Engineer (CAPTCHA)", Location: "Berlin", URL: at + "/jobs/bot-engineer"}, {Title: "Access Control Manager", Location: "Paris", URL: at + "/jobs/access"}},
		},
		"a way of working beside the place": {
			"en", `<h2>We’re hiring!</h2><div class="grid"><a class="tile" href="/roles/seo-lead"><p class="tile-title">SEO Lead</p><p class="pill">Full-time</p><p class="pill">Hybrid</p><p class="pill">London</p></a>
			<a class="tile" href="/roles/it-admin"><p class="tile-title">IT Admin</p><p class="pill">Part-time</p><p class="pill">On-site</p><p class="pill">Leeds</p></a></div>`,
			[]boardwatch.Posting{{Title: "SEO Lead", Location: "London", URL: at + "/roles/seo-lead"}, {Title: "IT Admin", Location: "Leeds", URL: at + "/roles/it-admin"}},
		},
		"roles that are closed": {
			"en", `<h1>Vacancies</h1><ul><li><a href="/jobs/a">Rigger</a> <span>Oslo</span></li><li><a href="/jobs/b">Cook</a> <span>Position filled</span></li>
			<li><a href="/jobs/c">Bosun</a> <span>Closed to new applications</span></li></ul>`,
			[]boardwatch.Posting{{Title: "Rigger", Location: "Oslo", URL: at + "/jobs/a"}},
		},
		"roles that are closed, in German": {
			"de", `<h1>Stellenangebote</h1><div class="stelle"><h3>Schweißer (m/w/d)</h3><p>Kiel</p><a href="/stellen/schweisser">Zur Stelle</a></div>
			<div class="stelle"><h3>Maler (m/w/d)</h3><p>Kiel</p><strong>Bereits besetzt</strong><a href="/stellen/maler">Zur Stelle</a></div>`,
			[]boardwatch.Posting{{Title: "Schweißer (m/w/d)", Location: "Kiel", URL: at + "/stellen/schweisser"}},
		},
		"roles that are looked for at other times": {
			"en", `<h1>Careers</h1><p>There are no open positions right now.</p><h3>Roles we usually look for</h3><ul><li>Software Engineer</li><li>Account Manager</li><li>Support Engineer</li></ul>`,
			nil,
		},
		"a brochure to keep": {
			"en", `<h1>Careers</h1><h2>Open positions</h2><article><h3>Head of Engineering</h3><p>Austin, TX</p><button>Apply</button><a href="/jobs/head.pdf" download>Download</a></article>`,
			[]boardwatch.Posting{{Title: "Head of Engineering", Location: "Austin, TX"}},
		},
		"one role without an address": {
			"en", `<h1>Work with us</h1><p>We are a small yard.</p><h2>Current vacancies</h2><h3>Boatbuilder (full time)</h3><p>Location: Falmouth</p><p>You will build wooden boats by hand.</p>
			<p>To apply, write to <a href="mailto:jobs@northwind.example">jobs@northwind.example</a>.</p>`,
			[]boardwatch.Posting{{Title: "Boatbuilder (full time)", Location: "Falmouth"}},
		},
		"parts of a card written alike": {
			"en", `<h1>Open positions</h1><div role="list"><div role="listitem"><div>Rigger</div><div>Oslo</div><a href="/o/1" aria-label="Apply for Rigger">Apply</a></div>
			<div role="listitem"><div>Ship Cook</div><div>Bergen</div><a href="/o/2" aria-label="Apply for Ship Cook">Apply</a></div></div>`,
			[]boardwatch.Posting{{Title: "Rigger", Location: "Oslo", URL: at + "/o/1"}, {Title: "Ship Cook", Location: "Bergen", URL: at + "/o/2"}},
		},
		"groups that are counted": {
			"en", `<h1>Join us</h1><section><h2>Open positions</h2><h3>Engineering (2)</h3><ul><li><a href="/careers/keel-wizard">Keel Wizard</a><em>Turku</em></li>
			<li><a href="/careers/hull-hacker">Hull Hacker</a><em>Turku</em></li></ul><h3>Sales (1)</h3><ul><li><a href="/careers/deal-navigator">Deal Navigator</a><em>Remote</em></li></ul></section>`,
			[]boardwatch.Posting{
				{Title: "Keel Wizard", Location: "Turku", Department: "Engineering", URL: at + "/careers/keel-wizard"},
				{Title: "Hull Hacker", Location: "Turku", Department: "Engineering", URL: at + "/careers/hull-hacker"},
				{Title: "Deal Navigator", Location: "Remote", Department: "Sales", URL: at + "/careers/deal-navigator"},
			},
		},
		"a plain list in German": {
			"de", `<h1>Wir suchen Verstärkung</h1><p>Aktuell suchen wir:</p><ul><li>Elektroniker (m/w/d) für Betriebstechnik</li><li>Industriemechaniker (m/w/d)</li></ul>`,
			[]boardwatch.Posting{{Title: "Elektroniker (m/w/d) für Betriebstechnik"}, {Title: "Industriemechaniker (m/w/d)"}},
		},
		"none, in Ukrainian": {"uk", `<h1>Вакансії</h1><p>Наразі відкритих вакансій немає.</p>`, nil},
		"none, in Catalan":   {"ca", `<h1>Treballa amb nosaltres</h1><p>Actualment no tenim cap oferta de feina oberta.</p>`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := `<!doctype html><html lang="` + tt.lang + `"><head><title>Careers</title></head><body><header><nav><a href="/">Home</a><a href="/careers">Careers</a></nav></header><main>` +
				tt.body + `</main><footer><a href="/privacy">Privacy</a></footer></body></html>`
			r := read(t, site{at + "/careers": {Body: []byte(page)}}, at+"/careers")
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Len(t, r.Postings, len(tt.want))
			for i, p := range r.Postings {
				p.Key, p.Facts = "", boardwatch.Facts{}
				require.Equal(t, tt.want[i], p)
			}
		})
	}
}

// What reads like roles but is none. Such a page says nothing about roles, and so it is not taken for an empty board.
func TestReadNoRoles(t *testing.T) {
	t.Parallel()
	const at = "https://www.northwind.example/careers"
	for name, body := range map[string]string{
		"whom a product is for": `<h2>Who uses us</h2><ul><li><a href="/for/product-managers">Product Managers</a></li><li><a href="/for/software-engineers">Software Engineers</a></li>
			<li><a href="/for/data-analysts">Data Analysts</a></li></ul>`,
		"who works here": `<h2>Meet our team</h2><div class="team"><div><h3>Anna Berg</h3><p>Head of Sales</p><a href="/people/anna">More</a></div>
			<div><h3>Olav Dahl</h3><p>Chief Engineer</p><a href="/people/olav">More</a></div></div>`,
		"what they say": `<h2>What our people say</h2><blockquote><p>I love it here.</p><cite>Anna, Software Engineer</cite></blockquote><blockquote><p>Great team.</p><cite>Bo, Product Manager</cite></blockquote>`,
		"what was written": `<h2>From the blog</h2><article><h3><a href="/blog/how-our-engineers-work">How our engineers work</a></h3></article>
			<article><h3><a href="/blog/a-day-of-a-product-manager">A day in the life of a product manager</a></h3></article>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := `<!doctype html><html lang="en"><head><title>Careers</title></head><body><main><h1>Careers at Northwind</h1>` + body + `</main></body></html>`
			r := read(t, site{at: {Body: []byte(page)}}, at)
			require.Equal(t, boardwatch.HealthFailed, r.Health)
			require.Empty(t, r.Postings)
		})
	}
}
