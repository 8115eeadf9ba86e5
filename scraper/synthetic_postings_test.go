package scraper_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Pages in twelve languages that tell their roles to machines only, under names that no list of words knows: each is
// read, one or more. What the company says of itself instead is no role.
func TestInventedPostings(t *testing.T) {
	t.Parallel()
	names := []string{"Rope Maker", "Bell Founder", "Lanternwright", "Zunderschläger", "Cordier d'amarres", "Cordaio", "Канатчик", "製綱匠"}
	slogans := map[string]string{
		"en": "Shape the tides with us", "de": "Werde Teil von uns", "fr": "Rejoignez notre équipage", "es": "Crece con nosotros", "pt": "Cresça conosco",
		"it": "Cresci con noi", "nl": "Groei met ons", "sv": "Väx med oss", "pl": "Dołącz do nas", "ru": "Расти вместе с нами", "ja": "私たちと一緒に", "zh": "与我们同行",
	}
	for n, tongue := range tongues() {
		v := &inventor{t: tongue}
		for count := range 3 {
			titles := make([]string, 0, count+1)
			for i := range count + 1 {
				titles = append(titles, names[(n+i)%len(names)])
			}
			r := readQuietly(t, anywhere(v.stated(t, titles)), "https://www.pumps.example/team")
			require.Equal(t, boardwatch.HealthOK, r.Health, "%s, %v: %s", tongue.code, titles, r.Reason)
			var got []string
			for _, p := range r.Postings {
				got = append(got, p.Title)
			}
			require.Equal(t, titles, got, tongue.code)
		}
		for _, slogan := range []string{slogans[tongue.code], tongue.open, "Pumps"} {
			r := readQuietly(t, anywhere(v.stated(t, []string{slogan})), "https://www.pumps.example/team")
			require.Equal(t, boardwatch.HealthFailed, r.Health, "%s: %s", tongue.code, slogan)
			require.Empty(t, r.Postings, "%s: %s", tongue.code, slogan)
		}
	}
}

// stated is a page that shows no roles and states these for machines.
func (v *inventor) stated(tb testing.TB, titles []string) []byte {
	tb.Helper()
	var postings []map[string]any
	for i, title := range titles {
		postings = append(postings, map[string]any{
			"@context": "https://schema.org", "@type": "JobPosting", "title": title, "url": fmt.Sprintf("%s%d", v.t.path, 4000+i),
			"hiringOrganization": map[string]any{"name": "Pumps"},
		})
	}
	data, err := json.Marshal(postings)
	require.NoError(tb, err)
	return []byte(`<!doctype html><html lang="` + v.t.code + `"><head><title>Pumps</title><script type="application/ld+json">` + string(data) +
		`</script></head><body><main><h1>Pumps</h1><p>` + esc(v.t.about) + `</p></main></body></html>`)
}
