package browser_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
)

// drawings are applications that mount and fetch in the ways frameworks do. Those built with real frameworks are in the tests
// behind the build tag long.
func drawings() map[string]string {
	return map[string]string{
		// Elements are made by calls, after an effect has fetched; the first drawing says "Loading".
		"/by-calls": fmt.Sprintf(shell, `
const h = (tag, props, ...kids) => { const e = document.createElement(tag); Object.assign(e, props); e.append(...kids.flat()); return e };
const App = ({jobs}) => jobs === null ? h('p', {}, 'Loading…') : h('main', {}, h('h1', {}, 'Open positions'), h('div', {className: 'list'}, jobs.map(j =>
  h('article', {className: 'card'}, h('a', {href: '/careers/' + j.id}, j.title), h('p', {className: 'place'}, j.location), h('p', {className: 'team'}, j.department)))));
const root = document.getElementById('root');
root.replaceChildren(App({jobs: null}));
setTimeout(() => fetch('/api/roles').then(r => r.json()).then(d => root.replaceChildren(App({jobs: d.jobs}))), 150)`),

		// A template in the page is filled in; until then its placeholders stand there.
		"/by-template": `<!doctype html><html lang="en"><head><title>Jobs</title></head><body><div id="app"><h1>Vacancies</h1><ul><li v-for="job in jobs"><a>{{ job.title }}</a> <span>{{ job.location }}</span></li></ul></div><script>
const x = new XMLHttpRequest(); x.open('GET', '/api/roles'); x.responseType = 'json';
x.onload = () => { const ul = document.querySelector('#app ul'); const form = ul.firstElementChild; ul.replaceChildren(...x.response.jobs.map(j => {
  const li = form.cloneNode(true); li.removeAttribute('v-for'); li.querySelector('a').textContent = j.title; li.querySelector('a').href = '/careers/' + j.id; li.querySelector('span').textContent = j.location; return li })) };
x.send()</script></body></html>`,

		// Elements of one's own draw in the shadow.
		"/in-the-shadow": `<!doctype html><html lang="en"><head><title>Jobs</title></head><body><job-board></job-board><script>
customElements.define('job-board', class extends HTMLElement { async connectedCallback() {
  const root = this.attachShadow({mode: 'open'}); const d = await (await fetch('/api/roles')).json();
  root.innerHTML = '<h1>Open roles</h1>' + d.jobs.map(j => '<job-card><a slot="title" href="/careers/' + j.id + '">' + j.title + '</a></job-card>').join('') } });
customElements.define('job-card', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<h3><slot name="title"></slot></h3>' } })</script></body></html>`,

		// The address is changed by script, and the data asked for with POST.
		"/by-post": fmt.Sprintf(shell, `history.replaceState({}, '', '/by-post/open-positions');
fetch('/api/roles', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({locale: 'en'})}).then(r => r.json()).then(d => {
  document.getElementById('root').innerHTML = '<h1>Open positions</h1>' + d.jobs.map(j => '<div><h3><a href="/careers/' + j.id + '">' + j.title + '</a></h3><p>' + j.location + '</p></div>').join('') })`),

		// Nothing is fetched: only the browser knows.
		"/computed": fmt.Sprintf(shell, `document.getElementById('root').innerHTML = '<h1>Open positions</h1><ul>' + [['Marine Engineer', 4101], ['Deck Officer', 4102], ['Harbour Pilot', 4103], ['Naval Architect', 4104]].map(
  ([title, id]) => '<li><a href="/careers/' + id + '">' + title + '</a></li>').join('') + '</ul>'`),
	}
}

// Every way of rendering gives all roles, under the same keys with the browser and without.
func TestReadApplications(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	for path := range drawings() {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			a := newApplication(t, drawings())
			s := reads(t, scraper.Options{Browser: theBrowser()})
			b := boardwatch.Board{Source: "page:" + a.URL + path}
			first, err := s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, boardwatch.HealthOK, first.Health, first.Reason)
			require.Len(t, first.Postings, 4)
			require.Equal(t, a.URL+"/careers/4103", first.Postings[2].URL)
			require.Equal(t, path == "/computed", first.Shortcut == "")

			a.requests()
			b.State.Shortcut = first.Shortcut
			second, err := s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, keysOf(first), keysOf(second))
			if first.Shortcut != "" {
				require.Len(t, trimmed(a.requests()), 1, "the data alone")
			}

			a.mu.Lock()
			a.roles = nil
			a.mu.Unlock()
			third, err := s.Read(t.Context(), b)
			require.NoError(t, err)
			if path != "/computed" {
				require.NotEqual(t, boardwatch.HealthOK, third.Health, "data that is gone is no empty board")
				require.Greater(t, len(trimmed(a.requests())), 2, "the browser is asked again")
			}
		})
	}
}

func keysOf(r boardwatch.Reading) []string {
	keys := make([]string, len(r.Postings))
	for i, p := range r.Postings {
		keys[i] = p.Key + " " + p.Title + " " + p.URL
	}
	return keys
}

// Discovery finds a board rendered by JavaScript.
func TestDiscoverRenderedByJavaScript(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": fmt.Sprintf(shell, plainFetch)})
	s := reads(t, scraper.Options{Browser: theBrowser()})
	b, err := s.Discover(t.Context(), a.URL+"/careers")
	require.NoError(t, err)
	require.Equal(t, "page:"+a.URL+"/careers", b.Source)
	r, err := s.Read(t.Context(), b)
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	require.Len(t, r.Postings, 4)
}
