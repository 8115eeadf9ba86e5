package scraper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// SvelteKit sends the data of a page apart from it: a page that shows no roles is asked for them, named or not.
func TestReadDataOfSvelteKit(t *testing.T) {
	t.Parallel()
	const careers = "https://www.company.example/careers"
	data := answer{Header: map[string]any{"Content-Type": "application/json"}, Body: []byte(`{"type":"data","nodes":[null,{"type":"skip"},{"type":"data","data":[{"jobs":1,"menu":13},[2,8],` +
		`{"id":3,"title":4,"location":5,"department":6,"url":7},"r-1","Pipe Fitter","Hamburg","Assembly","/jobs/r-1",{"id":9,"title":10,"location":11,"department":6,"url":12},` +
		`"r-2","Pump Engineer","Remote","/jobs/r-2",[14],{"title":15},"About us"],"uses":{}}]}`)}
	for name, s := range map[string]site{
		"the data itself":     {careers: data},
		"named by the page":   {careers: {Body: framed(`<link rel="preload" as="fetch" href="/careers/__data.json">`)}, careers + "/__data.json": data},
		"not named by a page": {careers: {Body: framed(`<script>{ __sveltekit_1a2b = { base: "" }; import("./entry.js") }</script>`)}, careers + "/__data.json": data},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, s, careers)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Equal(t, []boardwatch.Posting{
				{Key: "company.example/jobs/r-1", Title: "Pipe Fitter", Location: "Hamburg", Department: "Assembly", URL: "https://www.company.example/jobs/r-1"},
				{Key: "company.example/jobs/r-2", Title: "Pump Engineer", Location: "Remote", Department: "Assembly", URL: "https://www.company.example/jobs/r-2"},
			}, r.Postings)
		})
	}
}
