package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func TestTeach(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<!doctype html><h1>Join the workshop</h1><p class="seat"><b>Kiln and Glaze</b> <i>Turku, Finland</i></p>
			<p class="seat"><b>Glass and Sand</b> <i>Oulu, Finland</i></p>`)
	}))
	t.Cleanup(site.Close)
	reader := scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), scraper.Options{})

	var out strings.Builder
	require.NoError(t, teach(t.Context(), reader, site.URL, []string{"Kiln and Glaze"}, &out))
	recipe, roles, _ := strings.Cut(out.String(), "\n")
	require.JSONEq(t, `{"version":1,"entry":"p.seat","title":"b","place":"i"}`, recipe)
	require.Equal(t, `Kiln and Glaze	Turku, Finland	
Glass and Sand	Oulu, Finland	
`, roles)

	err := teach(t.Context(), reader, site.URL, []string{"Rope and Knot"}, &out)
	require.ErrorContains(t, err, `the title "Rope and Knot" does not stand on the page`)
}
