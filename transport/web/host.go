package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/canonical"
	"github.com/boardwatch/boardwatch/transport"
)

// addressed reports whether a request names this service. An attacker's page that points its own name to this address
// (DNS rebinding) is recognised by that name. IP addresses and localhost cannot be redirected like that, and a trusted
// proxy may use a name of its own.
func (a *App) addressed(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.Trim(host, "[]"), ".")
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return true // not a browser: those always name a host
	}
	name, ok := canonical.Host(host)
	own, _ := canonical.Host(a.o.BaseURL.Hostname())
	return ok && name == own || boardwatch.IsLocalhost(host) || transport.Proxied(r.Context())
}

// plain reports whether a page was opened over http although the app is at an https address. Its cookies are lost then.
// Browsers send Sec-Fetch-Site only where they keep such cookies: over https, and to this machine. A browser too old for
// that shows by the page it comes from, or by another name of the service, that it does not use the address.
func (a *App) plain(r *http.Request) bool {
	if !a.secure() || r.Header.Get("Sec-Fetch-Site") != "" {
		return false
	}
	for _, name := range []string{"Origin", "Referer"} {
		if from, err := url.Parse(r.Header.Get(name)); err == nil && from.Host != "" {
			return from.Scheme == "http" && from.Host == r.Host
		}
	}
	return r.Host != a.o.BaseURL.Host && !transport.Proxied(r.Context())
}

// misdirected answers requests that use another name.
func (a *App) misdirected(w http.ResponseWriter, r *http.Request) {
	const title = "Wrong address"
	text := "The address of this service is " + a.o.BaseURL.Host + ". If people use another one, the operator has to set base_url to it. If a " +
		"proxy in front of the service changes the Host header, configure it to pass the header on, or list the proxy in trusted_proxies."
	if strings.HasPrefix(r.URL.Path, apiPath) {
		_ = writeJSON(w, http.StatusMisdirectedRequest, apiError{text}) // the client may have gone
		return
	}
	p := messagePage{title, text, &link{"To " + a.o.BaseURL.Host, a.address("/")}}
	if err := a.show(w, r, nobody(), http.StatusMisdirectedRequest, "message", view{Title: title, Page: p}); err != nil {
		http.Error(w, title, http.StatusMisdirectedRequest)
	}
}
