//go:build long

package browser_test

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
)

// frameworks are careers pages built with the frameworks themselves.
func frameworks() map[string]string {
	return map[string]string{
		"/react": `<!doctype html><html lang="en"><head><title>Careers</title><script src="/lib/react/umd/react.production.min.js"></script>
<script src="/lib/react-dom/umd/react-dom.production.min.js"></script></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>
const h = React.createElement;
function App() {
  const [jobs, set] = React.useState(null);
  React.useEffect(() => { fetch('/api/roles').then(r => r.json()).then(d => set(d.jobs)) }, []);
  if (!jobs) return h('p', null, 'Loading…');
  return h('main', null, h('h1', null, 'Open positions'), h('ul', null, jobs.map(j =>
    h('li', {key: j.id}, h('a', {href: '/careers/' + j.id}, h('h3', null, j.title)), h('span', {className: 'location'}, j.location)))));
}
ReactDOM.createRoot(document.getElementById('root')).render(h(App));
</script></body></html>`,
		"/vue": `<!doctype html><html lang="en"><head><title>Careers</title><script src="/lib/vue/dist/vue.global.prod.js"></script></head><body><div id="app" v-cloak>
<h1>Open positions</h1><p v-if="!jobs.length">There are no open positions.</p><ul><li v-for="job in jobs" :key="job.id"><a :href="'/careers/' + job.id">{{ job.title }}</a> <span class="location">{{ job.location }}</span></li></ul></div><script>
Vue.createApp({ data: () => ({ jobs: [] }), mounted() { fetch('/api/roles').then(r => r.json()).then(d => { this.jobs = d.jobs }) } }).mount('#app');
</script></body></html>`,
	}
}

// Sites built with React and Vue give all roles; the second reading needs neither the page nor a browser.
func TestReadFrameworks(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed: React and Vue cannot be had")
	}
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts",
		"--loglevel=error", "react@18.3.1", "react-dom@18.3.1", "vue@3.5.13").CombinedOutput()
	require.NoError(t, err, string(out))

	for path := range frameworks() {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			a := newApplication(t, frameworks())
			site := a.Config.Handler
			lib := http.StripPrefix("/lib/", http.FileServer(http.Dir(filepath.Join(dir, "node_modules"))))
			mux := http.NewServeMux()
			mux.Handle("/lib/", lib)
			mux.Handle("/", site)
			a.Config.Handler = mux

			s := reads(t, scraper.Options{Browser: theBrowser()})
			b := boardwatch.Board{Source: "page:" + a.URL + path}
			first, err := s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, boardwatch.HealthOK, first.Health, first.Reason)
			require.Len(t, first.Postings, 4)
			require.Equal(t, "Marine Engineer", first.Postings[0].Title)
			require.Equal(t, "Bergen", first.Postings[0].Location)
			require.Equal(t, a.URL+"/careers/4101", first.Postings[0].URL)
			a.requests()
			b.State.Shortcut = first.Shortcut
			second, err := s.Read(t.Context(), b)
			require.NoError(t, err)
			require.Equal(t, keysOf(first), keysOf(second))
			require.Equal(t, []string{"GET /api/roles"}, trimmed(a.requests()))
		})
	}
}
