package diagnosis

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// AllSeemOne is what happens behind a proxy that is not trusted, as a warning.
const AllSeemOne = "base_url is https, so a proxy is in front of the service, but trusted_proxies is empty: everybody seems to come from the " +
	"proxy's address, and limits such as that on wrong passwords count all people as one. Set trusted_proxies to the address that the proxy connects from."

// HidesPeople reports whether everybody who asks seems to be one: the service can only be reached through a proxy, which
// it does not believe.
func HidesPeople(cfg config.Config, contained bool) bool {
	return cfg.Runs("api") && strings.HasPrefix(cfg.BaseURL, "https://") && len(cfg.TrustedProxies) == 0 &&
		(contained || config.OnLoopback(cfg.Listen))
}

// InContainer reports whether this process runs in a container, whose ports others publish.
func InContainer() bool {
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(mark); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	_, inCluster := os.LookupEnv("KUBERNETES_SERVICE_HOST")
	return inCluster
}

// examineProxiesInFront warns when everybody who asks seems to be one.
func examineProxiesInFront(cfg config.Config, contained bool) (Finding, bool) {
	return Finding{"trusted proxies", Warning, AllSeemOne}, HidesPeople(cfg, contained)
}
