package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Whatever a list adds to each of its titles, a number, a count, a sign at its end or a label, is no part of them.
func TestTitlesAreWhatTheListAddsNothingTo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"numbered headings": {`<h2>1. Sail Maker</h2><p>Leith, full-time.</p><h2>2. Boat Builder</h2><p>Leith, full-time.</p><h2>3. Rigger</h2><p>Leith, part-time.</p>`, []string{"Sail Maker", "Boat Builder", "Rigger"}},
		"ordinals":          {`<h3>2. Engineer</h3><p>On board, full-time.</p><h3>Boat Builder</h3><p>Leith, full-time.</p>`, []string{"2. Engineer", "Boat Builder"}},
		"numbers of openings": {
			`<h3>Sail Maker (2 openings)</h3><p>Leith, full-time.</p><h3>Boat Builder (1 opening)</h3><p>Leith, full-time.</p>`,
			[]string{"Sail Maker", "Boat Builder"},
		},
		"stops":            {`<ul><li>Sail Maker.</li><li>Boat Builder.</li><li>Marine Electrician.</li></ul>`, []string{"Sail Maker", "Boat Builder", "Marine Electrician"}},
		"labels on a line": {`<ul><li><b>Position:</b> Sail Maker <b>Sector:</b> Workshop</li><li><b>Position:</b> Boat Builder <b>Sector:</b> Yard</li><li><b>Position:</b> Marine Electrician <b>Sector:</b> Yard</li></ul>`, []string{"Sail Maker", "Boat Builder", "Marine Electrician"}},
		"tabs": {`<div class="nav"><ul class="nav-tabs" role="tablist"><li class="nav-item"><a class="nav-link" role="tab" data-toggle="tab" href="#a">Sail Maker (m/f/d)</a></li><li class="nav-item"><a class="nav-link" role="tab" data-toggle="tab" href="#b">Boat Builder (m/f/d)</a></li></ul></div>
			<div class="tab-content"><div class="tab-pane active" id="a"><p>You make sails in Leith, full-time.</p></div><div class="tab-pane" id="b"><p>You build boats in Leith, full-time.</p></div></div>`, []string{"Sail Maker (m/f/d)", "Boat Builder (m/f/d)"}},
		"a button behind": {`<div class="job">Sail Maker <a href="/contact">Apply now</a></div><div class="job">Boat Builder <a href="/contact">Apply now</a></div>`, []string{"Sail Maker", "Boat Builder"}},
		"two languages":   {`<dl><dt><span>造船工程师</span><span>Naval Architect</span></dt><dd>全职</dd><dt><span>焊接工程师</span><span>Welding Engineer</span></dt><dd>全职</dd><dt><span>电气工程师</span><span>Electrical Engineer</span></dt><dd>全职</dd></dl>`, []string{"造船工程师", "焊接工程师", "电气工程师"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+c.body)), followedPage)
			require.ElementsMatch(t, c.want, names(r))
		})
	}
}

// A list that little speaks for finds roles, but is never whole.
func TestAFaintListIsNeverWhole(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"two that are alike":  `<h2>Open positions</h2><h3>Sail Maker</h3><p>Join us.</p><h3>Sail Maker</h3><p>Sew with us.</p>`,
		"nothing says hiring": `<h2>What we do</h2><h3>Sail maker</h3><p>We sew.</p><h3>Boat builder</h3><p>We plank.</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := `<!doctype html><html><head><title>Northwind</title></head><body><main>` + body + `</main></body></html>`
			r := readQuietly(t, anywhere([]byte(page)), "https://www.northwind.example/yard")
			require.NotEqual(t, boardwatch.HealthOK, r.Health)
		})
	}
}
