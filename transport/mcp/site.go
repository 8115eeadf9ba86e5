package mcp

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/canonical"
)

// assistants are web pages whose users connect servers from their browser.
func assistants() []string {
	return []string{"https://claude.ai", "https://claude.com", "https://chatgpt.com", "https://vscode.dev"}
}

// What browsers may send and read, beyond what they always may.
const (
	allowedHeaders = "Content-Type, Authorization, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, If-None-Match"
	exposedHeaders = "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, Retry-After, X-Request-Id"
)

// site knows the host names that the server answers to and the web pages that may call it. Both checks stop a page whose
// own host name was made to resolve to this machine (DNS rebinding).
type site struct {
	hosts    []string // names, without port
	origins  []string
	loopback bool // the names of this machine are among the hosts
}

func newSite(base *url.URL, extra []string, loopback bool) (site, error) {
	s := site{loopback: loopback || isLoopback(base.Hostname())}
	own := append([]string{base.Scheme + "://" + base.Host}, extra...)
	for i, raw := range slices.Concat(own, assistants()) {
		origin, ok := canonical.Origin(strings.TrimSuffix(raw, "/"))
		if !ok {
			return site{}, fmt.Errorf("origin %q is not an address such as https://boards.example.com", raw)
		}
		s.origins = append(s.origins, origin)
		if i < len(own) {
			s.hosts = append(s.hosts, hostOf(origin))
		}
	}
	return s, nil
}

// admits reports whether the request is meant for this server and comes from an allowed page, or from no page at all. If
// not, it has answered the request. For an allowed page it sets the CORS headers.
func (s site) admits(w http.ResponseWriter, r *http.Request) bool {
	header := w.Header()
	header.Add("Vary", "Origin")
	if !s.isHost(r.Host) {
		writeError(w, http.StatusForbidden, &boardwatch.Error{
			Code: boardwatch.CodeInvalidRequest, Message: "the header Host names another server; base_url must be the address that clients use",
		})
		return false
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	if len(origins) > 1 || !s.isOrigin(origins[0]) {
		writeError(w, http.StatusForbidden, &boardwatch.Error{
			Code: boardwatch.CodeInvalidRequest, Message: "this web page may not ask here; an operator can add it to mcp.allowed_origins",
		})
		return false
	}
	header.Set("Access-Control-Allow-Origin", origins[0])
	header.Set("Access-Control-Expose-Headers", exposedHeaders)
	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", "POST, GET, DELETE, OPTIONS")
		header.Set("Access-Control-Allow-Headers", allowedHeaders)
		header.Set("Access-Control-Max-Age", "7200")
	}
	return true
}

// isHost checks the name in a Host header. The port is not checked: behind a proxy it is the proxy's.
func (s site) isHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name, ok := canonical.Host(strings.Trim(name, "[]"))
	return ok && (slices.Contains(s.hosts, name) || s.loopback && isLoopback(name))
}

// isOrigin checks an Origin header. Pages on the person's own machine are allowed, because developers' tools run there.
func (s site) isOrigin(raw string) bool {
	origin, ok := canonical.Origin(raw)
	return ok && (slices.Contains(s.origins, origin) || isLoopback(hostOf(origin)))
}

// hostOf is the name of an origin's host.
func hostOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

func isLoopback(name string) bool {
	if strings.EqualFold(name, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil && a.Unmap().IsLoopback()
}
