package outbound

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/net/proxy"
)

// tunnelDialer opens connections for tunnels: straight to a host, judged at the dialled address, or through the proxy
// that the operator chose.
type tunnelDialer struct {
	way      func(*http.Request) (*url.URL, error)
	direct   net.Dialer
	upstream net.Dialer
	tls      *tls.Config
}

func newTunnelDialer(o Options, p Policy) *tunnelDialer {
	dialer := net.Dialer{Timeout: connectTimeout, KeepAlive: idleTimeout, Resolver: o.Resolver}
	judged := dialer
	judged.ControlContext = p.control
	return &tunnelDialer{
		way: o.Proxy, direct: judged, upstream: dialer,
		tls: &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
	}
}

func (d *tunnelDialer) dial(ctx context.Context, target *url.URL) (net.Conn, error) {
	through, err := d.way((&http.Request{Method: http.MethodConnect, URL: target, Host: target.Host, Header: http.Header{}}).WithContext(ctx))
	switch {
	case err != nil:
		return nil, &Error{Kind: KindProxy, Message: "the proxy setting cannot be understood"} // err may repeat its password
	case through == nil:
		return d.direct.DialContext(ctx, "tcp", withPort(target))
	}
	switch through.Scheme {
	case "socks5", "socks5h":
		return d.socks(ctx, through, target)
	default:
		return d.connect(ctx, through, target)
	}
}

func (d *tunnelDialer) socks(ctx context.Context, through, target *url.URL) (net.Conn, error) {
	var auth *proxy.Auth
	if through.User != nil {
		password, _ := through.User.Password()
		auth = &proxy.Auth{User: through.User.Username(), Password: password}
	}
	dialer, err := proxy.SOCKS5("tcp", withPort(through), auth, &d.upstream)
	if err != nil {
		return nil, proxyFault(0, err)
	}
	contextual, ok := dialer.(proxy.ContextDialer)
	if !ok {
		return nil, proxyFault(0, errors.New("the SOCKS dialler takes no context"))
	}
	conn, err := contextual.DialContext(ctx, "tcp", withPort(target))
	if err != nil {
		return nil, proxyFault(0, err)
	}
	return conn, nil
}

// connect asks an HTTP proxy for a tunnel.
func (d *tunnelDialer) connect(ctx context.Context, through, target *url.URL) (conn net.Conn, err error) {
	conn, err = d.upstream.DialContext(ctx, "tcp", withPort(through))
	if err != nil {
		return nil, proxyFault(0, err)
	}
	if through.Scheme == "https" {
		config := d.tls.Clone()
		config.ServerName = through.Hostname()
		conn = tls.Client(conn, config)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) }) // whoever waits on it notices
	defer func() {
		if !stop() && err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			_ = conn.Close() // nobody uses it
			conn = nil
		}
	}()
	return ask(conn, through, target)
}

// ask says CONNECT and reads the answer.
func ask(conn net.Conn, through, target *url.URL) (net.Conn, error) {
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: withPort(target)}, Host: withPort(target), Header: http.Header{}}
	if through.User != nil {
		password, _ := through.User.Password()
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(through.User.Username()+":"+password)))
	}
	if err := req.Write(conn); err != nil {
		return conn, proxyFault(0, err)
	}
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, req)
	if err != nil {
		return conn, proxyFault(0, err)
	}
	_ = resp.Body.Close() // the answer to CONNECT has none
	if resp.StatusCode != http.StatusOK {
		return conn, proxyFault(resp.StatusCode, nil)
	}
	if r.Buffered() > 0 {
		return conn, proxyFault(0, errors.New("it sent data before it was asked"))
	}
	return conn, nil
}

// proxyFault never repeats the proxy's address: it may hold a password.
func proxyFault(status int, err error) *Error {
	e := &Error{Kind: KindProxy, Message: "the proxy cannot be reached", Err: err}
	if status != 0 {
		e.Message, e.Err = fmt.Sprintf("the proxy refused with status %d", status), &proxyError{status: status}
	}
	return e
}

// withPort is the host of an address with its port, the usual one where it names none.
func withPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		switch u.Scheme {
		case "https":
			port = "443"
		case "socks5", "socks5h":
			port = "1080"
		default:
			port = "80"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}
