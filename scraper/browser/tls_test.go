package browser_test

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

// A browser trusts the authorities that this program was told of, and still none but those.
func TestBrowserTrustsWhatWeTrust(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, goodPage+r.Host)
	}))
	t.Cleanup(s.Close)
	o := browser.Options{Outbound: onLoopback(), Vouch: true, TempDir: t.TempDir(), MaxPages: 1}
	o.Outbound.RootCAs = x509.NewCertPool()
	o.Outbound.RootCAs.AddCert(s.Certificate())
	b := browser.New(o)
	shown, err := b.Show(t.Context(), scraper.View{Address: s.URL + "/careers"})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, shown.Status)
	require.Contains(t, string(shown.HTML), "Pipe Fitter")
	require.NoError(t, b.Close())

	_, err = theBrowser().Show(t.Context(), scraper.View{Address: s.URL + "/careers"})
	require.ErrorContains(t, err, "the browser does not trust the host's certificate")
}
