package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A page that shows roles, or says that it has none, is what its address asks for.
func TestDiscoverKeepsThePageThatWasMeant(t *testing.T) {
	t.Parallel()
	const (
		home   = "cerf.example"
		french = `<h1>Nous rejoindre</h1><h2>Nos offres d’emploi</h2><article><h3><a href="/fr/offres/1">Ingénieur logiciel (H/F)</a></h3><p>Lyon · CDI</p></article>
			<article><h3><a href="/fr/offres/2">Comptable confirmé</a></h3><p>Nantes · CDI</p></article><article><h3><a href="/fr/offres/3">Chargée de clientèle</a></h3><p>Paris · CDI</p></article>`
		apply = `<article><h3><a href="/fr/candidature">Candidature spontanée</a></h3><p>Partout</p></article>`
	)
	in := func(language, body string) answer {
		return text(`<!doctype html><html lang="` + language + `"><head><title>Cerf</title></head><body>` + body + `</body></html>`)
	}
	front := web{home: in("en", company+`<a href="/list">Careers</a>`), home + "/list": in("en", listed)}
	for _, tt := range []struct {
		name   string
		input  string
		web    web
		source string
	}{
		{"with a link to apply that leads nowhere", home + "/fr", and(front, web{home + "/fr": in("fr", french+apply)}), "page:https://cerf.example/fr"},
		{"beside the list of another language, which is longer", home + "/fr/emplois", and(front, web{
			home + "/fr/emplois": in("fr", french+`<a href="/en/jobs">All open positions</a>`),
			home + "/en/jobs":    in("en", french+`<article><h3><a href="/en/jobs/4">Welder</a></h3></article><article><h3><a href="/en/jobs/5">Ship's Cook</a></h3></article>`),
		}), "page:https://cerf.example/fr/emplois"},
		{"that has none, beside one of another language that has some", home + "/fr/emplois", and(front, web{
			home + "/fr/emplois": in("fr", `<h1>Offres d'emploi</h1><p>Aucun poste à pourvoir actuellement.</p><a href="/en/jobs">All open positions</a>`),
			home + "/en/jobs":    in("en", listed),
		}), "page:https://cerf.example/fr/emplois"},
		{"which has more on a further page", home + "/fr", and(front, web{
			home + "/fr":        in("fr", french+`<a href="/fr/offres">Toutes nos offres</a>`),
			home + "/fr/offres": in("fr", french+`<article><h3><a href="/fr/offres/4">Soudeur (H/F)</a></h3><p>Lille · CDI</p></article>`),
		}), "page:https://cerf.example/fr/offres"},
		{"which shows no roles, beside the only list", home + "/fr", and(front, web{home + "/fr": in("fr", `<h1>Cerf</h1><p>Nos navires.</p><a href="/list">Nous rejoindre</a>`)}), "page:https://cerf.example/list"},
		{"whose roles stand on a hosted board", home + "/fr", and(front, greenhouse("cerf", "Cerf", "Ingénieur logiciel (H/F)", "Comptable confirmé", "Chargée de clientèle", "Soudeur"), web{
			home + "/fr": in("fr", french+`<a href="https://boards.greenhouse.io/cerf">Toutes nos offres</a>`),
		}), "greenhouse:cerf"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, _, err := found(t, tt.web, tt.input)
			require.NoError(t, err)
			require.Equal(t, tt.source, b.Source)
		})
	}
}

// A path of two letters is a site's first page in a language, or a page like any other, whose roles nobody makes up for.
func TestDiscoverKnowsFirstPagesByTheirLanguage(t *testing.T) {
	t.Parallel()
	silent := text(`<!doctype html><html><head><title>Tern</title></head><body><p>We build boats.</p></body></html>`)
	for path, want := range map[string]string{
		"": "page:https://tern.example/careers", "/fr": "page:https://tern.example/careers", "/en-gb": "page:https://tern.example/careers",
		"/ch_de": "page:https://tern.example/careers", "/js": "", "/k8": "", "/we-do": "",
	} {
		t.Run("tern.example"+path, func(t *testing.T) {
			t.Parallel()
			b, _, err := found(t, web{"tern.example" + path: silent, "tern.example/careers": text(listed)}, "tern.example"+path)
			require.Equal(t, want == "", err != nil, "%v", err)
			require.Equal(t, want, b.Source)
		})
	}
}
