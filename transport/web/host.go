package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport"
)

// addressed reports whether a request names this service. A page of a stranger that has its own name lead here (DNS
// rebinding) is told by that name. An address, and this machine's own name, lead nowhere else and cannot be made to; and a
// trusted proxy knows where it sends what it gets.
func (a *App) addressed(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.Trim(host, "[]"), ".")
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return true // without a name, nothing but a program of ten years ago asks
	}
	return strings.EqualFold(host, a.o.BaseURL.Hostname()) || boardwatch.IsLocalhost(host) || transport.Proxied(r.Context())
}

// misdirected answers who has come by another name.
func (a *App) misdirected(w http.ResponseWriter, r *http.Request) {
	const title = "Another address"
	text := "This service is reached at " + a.o.BaseURL.Host + ". If people use another address, its operator has to set base_url to it. If a " +
		"proxy in front of it uses another name, the proxy has to hand on the header Host, or its address has to be in trusted_proxies."
	if strings.HasPrefix(r.URL.Path, apiPath) {
		_ = writeJSON(w, http.StatusMisdirectedRequest, apiError{text}) // a client that has gone is its own affair
		return
	}
	p := messagePage{title, text, &link{"To " + a.o.BaseURL.Host, a.address("/")}}
	if err := a.show(w, r, &caller{}, http.StatusMisdirectedRequest, "message", view{Title: title, Page: p}); err != nil {
		http.Error(w, title, http.StatusMisdirectedRequest)
	}
}
