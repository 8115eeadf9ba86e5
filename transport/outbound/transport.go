package outbound

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

const (
	connectTimeout = 10 * time.Second
	maxHeader      = 256 << 10
	idleConns      = 256 // kept open in all; boards are read far apart, so more would only wait to be closed
	idlePerHost    = 4
	idleTimeout    = 30 * time.Second
	sessions       = 2048 // TLS sessions kept for hosts whose connections were closed, 7.5 kB each
)

// network is the real one. Requests that go straight to their host and requests through a proxy never share a
// connection: the former are judged at the dialled address, the latter dial the proxy only, which the operator chose.
type network struct {
	proxy           func(*http.Request) (*url.URL, error)
	inside          func(*http.Request) http.Handler // nil: nothing is
	direct, proxied *http.Transport
}

func newNetwork(o Options, p Policy) *network {
	dialer := net.Dialer{Timeout: connectTimeout, KeepAlive: idleTimeout, Resolver: o.Resolver}
	proxied := newTransport(o)
	proxied.DialContext = dialer.DialContext
	judged := dialer
	judged.ControlContext = p.control
	direct := newTransport(o)
	direct.DialContext = judged.DialContext
	proxied.Proxy = func(req *http.Request) (*url.URL, error) {
		u, ok := req.Context().Value(proxyKey{}).(*url.URL)
		if !ok {
			return nil, fmt.Errorf("no proxy for %s", req.URL.Host) // never without one: such a dial is not judged
		}
		return u, nil
	}
	proxied.OnProxyConnectResponse = proxyAnswered
	proxied.MaxIdleConnsPerHost = idleConns // plain HTTP to all hosts is one host's here: the proxy's
	return &network{proxy: o.Proxy, inside: o.Inside, direct: direct, proxied: proxied}
}

// newTransport is a transport that keeps connections for the next board of their host. A host of one board is asked again long
// after its connection was closed; its TLS session is then resumed, which spares both ends the certificates. The address is
// judged all the same, because a session only begins on a connection that was dialled.
func newTransport(o Options) *http.Transport {
	return &http.Transport{
		TLSClientConfig: &tls.Config{
			RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(sessions),
		},
		TLSHandshakeTimeout:    connectTimeout,
		ExpectContinueTimeout:  time.Second,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // the body is decoded here, where the decoded bytes can be counted
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           idleConns,
		MaxIdleConnsPerHost:    idlePerHost,
		IdleConnTimeout:        idleTimeout,
	}
}

// proxyKey carries the proxy of a request to the transport for proxied requests.
type proxyKey struct{}

func (n *network) RoundTrip(req *http.Request) (*http.Response, error) {
	if n.inside != nil {
		if h := n.inside(req); h != nil {
			return serveInside(h, req), nil
		}
	}
	u, err := n.way(req)
	switch {
	case err != nil:
		return nil, &Error{Kind: KindProxy, Message: "the proxy setting cannot be understood"} // err may repeat its password
	case u == nil:
		return n.direct.RoundTrip(req)
	default:
		return n.proxied.RoundTrip(req.WithContext(context.WithValue(req.Context(), proxyKey{}, u)))
	}
}

func (n *network) closeIdle() {
	n.direct.CloseIdleConnections()
	n.proxied.CloseIdleConnections()
}

// control judges the address that is about to be dialled, after names are looked up.
func (p Policy) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !p.allows(at.Addr()) {
		return &refusedError{addr: address}
	}
	return nil
}
