package observe

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/browser"
)

func TestBrowserMetrics(t *testing.T) {
	t.Parallel()
	m := NewBrowser(browser.New(browser.Options{Remotes: []string{"ws://b.example:9222", "ws://b.example:9222/?token=x"}, MaxPages: 3}))
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(m)
	families, err := registry.Gather()
	require.NoError(t, err)
	names := make([]string, 0, len(families))
	for _, f := range families {
		names = append(names, f.GetName())
		if f.GetName() == "boardwatch_browser_pages_limit" {
			require.Equal(t, "b.example:9222", f.GetMetric()[0].GetLabel()[0].GetValue())
			require.Equal(t, "b.example:9222 (2)", f.GetMetric()[1].GetLabel()[0].GetValue())
			require.InDelta(t, 3, f.GetMetric()[1].GetGauge().GetValue(), 0)
		}
	}
	require.Equal(t, []string{
		"boardwatch_browser_losses_total", "boardwatch_browser_pages_limit", "boardwatch_browser_pages_open",
		"boardwatch_browser_pages_total", "boardwatch_browser_pages_waiting", "boardwatch_browser_up",
	}, names)
}
