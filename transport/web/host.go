package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
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
	return strings.EqualFold(host, a.o.BaseURL.Hostname()) || boardwatch.IsLocalhost(host) || transport.Proxied(r.Context())
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
