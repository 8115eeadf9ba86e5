package scraper_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func ExampleScraper_Read() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<!doctype html><title>Careers at Northwind Labs</title><h1>Open roles</h1><ul>
			<li><a href="/careers/glass-blower"><h3>Glass Blower</h3><span class="location">Turku, Finland</span></a></li>
			<li><a href="/careers/kiln-engineer"><h3>Kiln Engineer</h3><span class="location">Turku, Finland</span></a></li></ul>`)
	}))
	defer site.Close()

	client := outbound.New(outbound.Options{AllowLoopback: true}) // for a site on this machine
	reader := scraper.New(client, scraper.Options{})
	reading, err := reader.Read(context.Background(), boardwatch.Board{Source: "page:" + site.URL + "/careers"})
	if err != nil {
		fmt.Println(err) // there was no look at the page
		return
	}
	fmt.Println(reading.Health) // the reason, when it is not ok, is in reading.Reason
	for _, p := range reading.Postings {
		fmt.Printf("%s (%s)\n", p.Title, p.Location)
	}
	// Output:
	// ok
	// Glass Blower (Turku, Finland)
	// Kiln Engineer (Turku, Finland)
}

func ExampleScraper_Recognize() {
	reader := scraper.New(outbound.New(outbound.Options{}), scraper.Options{})
	for _, address := range []string{"boards.greenhouse.io/northwindlabs/jobs/7", "https://northwind.example/careers", "ftp://northwind.example"} {
		r, err := reader.Recognize(address)
		if err != nil {
			fmt.Println(boardwatch.CodeOf(err))
			continue
		}
		fmt.Printf("%q %s\n", r.Source, r.URL)
	}
	// Output:
	// "greenhouse:northwindlabs" https://boards.greenhouse.io/northwindlabs
	// "" https://northwind.example/careers
	// invalid_request
}
