package scraper_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func ExampleScraper_Teach() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<!doctype html><title>Northwind Labs</title><h1>Join the workshop</h1>
			<p class="seat"><b>Kiln and Glaze</b> <i>Turku, Finland</i></p><p class="seat"><b>Glass and Sand</b> <i>Oulu, Finland</i></p>`)
	}))
	defer site.Close()

	client := outbound.New(outbound.Options{AllowLoopback: true}) // for a site on this machine
	reader := scraper.New(client, scraper.Options{})
	lesson, err := reader.Teach(context.Background(), site.URL+"/careers", recipe.Examples{Like: []string{"Kiln and Glaze"}})
	if err != nil {
		fmt.Println(err) // the page could not be read, or the title does not stand on it
		return
	}
	fmt.Println(lesson.Recipe)
	for _, p := range lesson.Reading.Postings {
		fmt.Printf("%s (%s)\n", p.Title, p.Location)
	}
	// Output:
	// {"version":1,"entry":"p.seat","title":"b","place":"i"}
	// Kiln and Glaze (Turku, Finland)
	// Glass and Sand (Oulu, Finland)
}
