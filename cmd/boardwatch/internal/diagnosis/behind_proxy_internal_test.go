package diagnosis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

func TestAProxyThatHidesEverybodyIsWarnedOf(t *testing.T) {
	t.Parallel()
	const https = "https://boards.northwind.example"
	for name, tc := range map[string]struct {
		listen, base string
		trusted      []string
		role         string
		contained    bool
		warns        bool
	}{
		"on loopback behind https":      {"127.0.0.1:8080", https, nil, "all", false, true},
		"on loopback, by name":          {"localhost:8080", https, nil, "api", false, true},
		"in a container behind https":   {":8080", https, nil, "api", true, true},
		"the proxy is trusted":          {"127.0.0.1:8080", https, []string{"127.0.0.1"}, "all", false, false},
		"open to all, in no container":  {":8080", https, nil, "all", false, false},
		"without https":                 {"127.0.0.1:8080", "http://boards.northwind.example", nil, "all", true, false},
		"without a base URL":            {"127.0.0.1:8080", "", nil, "all", true, false},
		"a worker, which nobody visits": {"127.0.0.1:8080", https, nil, "worker", true, false},
	} {
		cfg := config.Config{Listen: tc.listen, BaseURL: tc.base, TrustedProxies: tc.trusted, Role: []string{tc.role}}
		f, warned := examineProxiesInFront(cfg, tc.contained)
		require.Equal(t, tc.warns, warned, name)
		require.Equal(t, Warning, f.State)
		require.Contains(t, f.Detail, "trusted_proxies")
	}
}
