package scraper_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html/charset"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const fidelityList = `<!doctype html><html><head><title>Jobs</title></head><body><main><h1>Open positions</h1><ul class="jobs">` +
	`<li><a href="/jobs/1-fitter">Pipe Fitter</a></li><li><a href="/jobs/2-engineer">Pump Engineer</a></li><li><a href="/jobs/3-welder">Welder</a></li></ul></main></body></html>`

var fidelityTitles = []string{"Pipe Fitter", "Pump Engineer", "Welder"}

// However a page sends its visitors on, the page that it sends them to is read.
func TestARefreshIsFollowed(t *testing.T) {
	t.Parallel()
	const at = "https://www.tern.example"
	for name, from := range map[string]answer{
		"header":                   {Status: http.StatusOK, Header: map[string]any{"Refresh": "0; url=/jobs/list"}, Body: []byte("<html></html>")},
		"header without blanks":    {Status: http.StatusOK, Header: map[string]any{"Refresh": "2;URL='/jobs/list'"}, Body: []byte("<html></html>")},
		"header without a name":    {Status: http.StatusOK, Header: map[string]any{"Refresh": "0, /jobs/list"}, Body: []byte("<html></html>")},
		"element":                  text(`<html><head><meta http-equiv="Refresh" content="0;url=/jobs/list"></head></html>`),
		"element without a name":   text(`<html><head><meta http-equiv=refresh content="0; /jobs/list"></head></html>`),
		"element with blanks":      text(`<html><head><meta http-equiv=REFRESH content=" 1 ; URL = &quot;/jobs/list&quot; "></head></html>`),
		"whole address in capital": text(`<html><head><META HTTP-EQUIV="refresh" CONTENT="0; URL=HTTPS://www.tern.example/jobs/list"></head></html>`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readQuietly(t, site{at + "/careers": from, at + "/jobs/list": text(fidelityList)}, at+"/careers")
			require.Equal(t, fidelityTitles, names(r), r.Reason)
		})
	}
	r := readQuietly(t, site{at + "/careers": {Status: http.StatusOK, Header: map[string]any{"Refresh": "600"}, Body: []byte(fidelityList)}}, at+"/careers")
	require.Equal(t, fidelityTitles, names(r), "a page that only comes again sends nobody on")
}

// What stands in a frame of the same site stands on the page.
func TestAFrameOfTheSameSiteIsRead(t *testing.T) {
	t.Parallel()
	const at = "https://www.tern.example"
	outer := func(frame string) answer {
		return text(`<!doctype html><html><head><title>Careers at Tern</title></head><body><header><nav><a href="/">Home</a></nav></header><main><h1>Careers</h1><p>We lay pipes under the sea and look after them for as long as they last, in all weathers.</p>` + frame + `</main></body></html>`)
	}
	for name, frame := range map[string]string{
		"a path":         `<iframe src="/jobs/list"></iframe>`,
		"a whole one":    `<iframe src="https://www.tern.example/jobs/list" width="100%"></iframe>`,
		"loaded late":    `<iframe data-src="/jobs/list"></iframe>`,
		"after another":  `<iframe src="/map"></iframe><iframe src="jobs/list"></iframe>`,
		"with fragments": `<iframe src="/jobs/list#top"></iframe>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readQuietly(t, site{at + "/careers": outer(frame), at + "/jobs/list": text(fidelityList), at + "/map": text("<html><body>Map</body></html>")}, at+"/careers")
			require.Equal(t, fidelityTitles, names(r), r.Reason)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
	r := readQuietly(t, site{at + "/careers": outer(`<iframe src="https://elsewhere.example/jobs/list"></iframe>`), "https://elsewhere.example/jobs/list": text(fidelityList)}, at+"/careers")
	require.Empty(t, r.Postings, "a frame of another site is another site's")
}

// Titles are read in whatever charset the page is, named or not.
func TestTitlesAreReadInEveryCharset(t *testing.T) {
	t.Parallel()
	const at = "https://www.tern.example/jobs"
	page := func(heading string, roles []string) string {
		var list strings.Builder
		for i, role := range roles {
			list.WriteString(`<li><a href="/jobs/` + strconv.Itoa(i+1) + `-role">` + role + `</a></li>`)
		}
		return `<!doctype html><html><head><title>` + heading + `</title></head><body><main><h1>` + heading + `</h1><ul class="jobs">` + list.String() + `</ul></main></body></html>`
	}
	for charsetName, c := range map[string]struct {
		heading string
		roles   []string
	}{
		"windows-1250": {"Volné pracovní pozice", []string{"Účetní", "Řidič nákladního vozu", "Svářeč"}},
		"windows-1251": {"Открытые вакансии", []string{"Бухгалтер", "Водитель погрузчика", "Инженер-технолог"}},
		"koi8-r":       {"Открытые вакансии", []string{"Бухгалтер", "Водитель погрузчика", "Инженер-технолог"}},
		"windows-1252": {"Offene Stellen", []string{"Bürokauffrau (m/w/d)", "Qualitätsprüfer", "Straßenwärter"}},
		"shift_jis":    {"募集職種", []string{"経理スタッフ", "営業マネージャー", "ソフトウェアエンジニア"}},
		"euc-kr":       {"채용 공고", []string{"회계 담당자", "소프트웨어 개발자", "영업 매니저"}},
		"gbk":          {"招聘职位", []string{"财务经理", "软件工程师", "销售经理"}},
	} {
		for _, said := range []string{"", "; charset=" + charsetName, "; charset=utf-8"} {
			t.Run(charsetName+said, func(t *testing.T) {
				t.Parallel()
				e, _ := charset.Lookup(charsetName)
				body, err := e.NewEncoder().Bytes([]byte(page(c.heading, c.roles)))
				require.NoError(t, err)
				r := readQuietly(t, site{at: {Status: http.StatusOK, Header: map[string]any{"Content-Type": "text/html" + said}, Body: body}}, at)
				require.Equal(t, c.roles, names(r), r.Reason)
			})
		}
	}
}
