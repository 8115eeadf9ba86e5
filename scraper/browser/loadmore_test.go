package browser_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper"
)

// longer is a page that shows three of eight roles, and the others when a script is told to go on.
const longer = `<!doctype html><html lang="en"><head><title>Careers</title></head><body><main><h1>Open positions</h1><ul id="list">
<li><a href="/careers/welder-1">Welder</a> <span>Bergen</span></li><li><a href="/careers/fitter-2">Pipe Fitter</a> <span>Oslo</span></li>
<li><a href="/careers/cook-3">Cook</a> <span>Bergen</span></li></ul>%s</main><script>
const more = ['Deck Officer', 'Harbour Pilot', 'Naval Architect', 'Marine Engineer', 'Rigger'];
const list = document.getElementById('list');
const add = n => { for (const title of more.splice(0, n)) list.insertAdjacentHTML('beforeend', '<li><a href="/careers/' + title.toLowerCase().replace(' ', '-') + '">' + title + '</a> <span>Oslo</span></li>') };
%s</script></body></html>`

// A list that goes on by script is read to its end in a browser.
func TestReadListThatGoesOnByScript(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	const button = `<button id="more">Load more</button>`
	for name, tt := range map[string]struct {
		markup, script string
		roles          int
		health         boardwatch.Health
	}{
		"by a button that goes in the end": {
			button, `const b = document.getElementById('more'); b.onclick = () => setTimeout(() => { add(2); if (!more.length) b.remove() }, 200)`,
			8, boardwatch.HealthOK,
		},
		"by a button that is switched off in the end": {
			strings.ReplaceAll(button, "Load more", "<span>Show more jobs</span> <i class='icon'>expand</i>") + "<p>8 open positions</p>",
			`const b = document.getElementById('more'); b.onclick = () => { add(3); b.disabled = !more.length }`,
			8, boardwatch.HealthOK,
		},
		"by scrolling": {
			`<p>8 jobs</p><div style="height: 9000px"></div><div id="end">&nbsp;</div>`,
			`new IntersectionObserver(seen => { if (seen[0].isIntersecting) add(5) }).observe(document.getElementById('end'))`,
			8, boardwatch.HealthOK,
		},
		"by a button that does nothing": {button, ``, 3, boardwatch.HealthPartial},
		"by a button that leads elsewhere": {
			`<button onclick="location.href='/about'">Load more</button>`, ``, 3, boardwatch.HealthPartial,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newApplication(t, map[string]string{
				"/careers": fmt.Sprintf(longer, tt.markup, tt.script),
				"/about":   "<!doctype html><html><body><h1>About us</h1><p>We have built ships since 1871.</p></body></html>",
			})
			s := reads(t, scraper.Options{Browser: theBrowser()})
			b := boardwatch.Board{Source: "page:" + a.URL + "/careers"}
			r, err := s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, tt.health, r.Health, r.Reason)
			require.Len(t, r.Postings, tt.roles)
			if tt.health == boardwatch.HealthOK {
				return
			}
			a.requests()
			r, err = s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, boardwatch.HealthPartial, r.Health)
			require.Equal(t, []string{"GET /careers"}, trimmed(a.requests()), "a browser that came no further is not asked again")
		})
	}
}

// Data that gives the part of a list that a page shows does not stand for the whole.
func TestShortcutToAPart(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": fmt.Sprintf(shell, plainFetch+`.then(() => document.querySelector('main').insertAdjacentHTML('beforeend', '<button>Load more</button>'))`)})
	r, err := reads(t, scraper.Options{Browser: theBrowser()}).Read(t.Context(), boardwatch.Board{Source: "page:" + a.URL + "/careers"})
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthPartial, r.Health)
	require.Empty(t, r.Shortcut)
	require.Len(t, r.Postings, 4)
}

// A page that shows just what its data holds, which says that there is more, is no whole list; its data is for browsers only.
func TestReadDrawnPartOfData(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": fmt.Sprintf(shell, strings.ReplaceAll(plainFetch, "/api/roles", "/api/part"))})
	whole := a.Config.Handler
	a.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/api/part":
			whole.ServeHTTP(w, r)
		case r.Header.Get("Sec-Fetch-Mode") == "":
			w.WriteHeader(http.StatusForbidden)
		default:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"has_more":true,"jobs":[{"id":1,"title":"Marine Engineer","location":"Bergen"},{"id":2,"title":"Deck Officer","location":"Oslo"}]}`)
		}
	})
	r, err := reads(t, scraper.Options{Browser: theBrowser()}).Read(t.Context(), boardwatch.Board{Source: "page:" + a.URL + "/careers"})
	require.NoError(t, err)
	require.Len(t, r.Postings, 2)
	require.Equal(t, boardwatch.HealthPartial, r.Health)
	require.Equal(t, cause.Truncated, r.Cause)
}
