package service

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// The service wraps its reader; what the watcher asks of it beside reading must get through.
func TestTheReaderThatIsCountedMakesRecipesAnew(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<!doctype html><h1>Careers</h1><p class="seat"><b>Knot and Rope</b></p><p class="seat"><b>Cloud and Paint</b></p>`)
	}))
	t.Cleanup(site.Close)
	reader := scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), scraper.Options{})
	source := observe.NewMetrics(build.Info{}).Source(signposted{Scraper: reader})
	healer, ok := source.(boardwatch.Healer)
	require.True(t, ok)
	r, err := healer.Heal(t.Context(), boardwatch.Board{Source: "page:" + site.URL, Recipe: `{"version":1,"entry":"div.job"}`},
		[]string{"Knot and Rope", "Cloud and Paint"})
	require.NoError(t, err)
	require.NotEmpty(t, r.Recipe)
	require.Len(t, r.Postings, 2)

	r, err = observe.NewMetrics(build.Info{}).Source(plainSource{reader}).(boardwatch.Healer).Heal(t.Context(), boardwatch.Board{}, nil)
	require.NoError(t, err)
	require.Empty(t, r.Recipe, "a source that cannot heal has healed nothing")
}

// plainSource is a reader that can do no more than a source has to.
type plainSource struct{ boardwatch.Source }
