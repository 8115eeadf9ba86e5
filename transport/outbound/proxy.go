package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

// Limits of what goes through a Proxy.
const (
	proxyConns   = 256              // at the same time
	proxyIdle    = 2 * time.Minute  // without a byte in either direction
	proxyTunnel  = 256 << 20        // bytes through one connection
	proxyHeaders = 10 * time.Second // to ask
)

// Proxy is an HTTP proxy on this machine's loopback address, for a program that cannot be told which addresses to leave
// alone: a browser. What goes through it is judged as the requests of a Client are: the address as it is asked for, and
// the address that is dialled. It listens until Close.
type Proxy struct {
	policy  Policy
	network *network
	dialer  *tunnelDialer
	voucher *Voucher // nil: secure connections are passed through as they are
	server  http.Server
	address string
	slots   chan struct{}

	mu      sync.Mutex
	tunnels map[net.Conn]struct{}
	closed  bool
	serving sync.WaitGroup
}

// ListenProxy starts a proxy that allows what a Client with these options would, and takes the same way: straight to
// the host, or through the proxy of Options.Proxy. Secure connections pass through it as they are, unless there is a
// voucher: then it opens them itself.
func ListenProxy(ctx context.Context, o Options, v *Voucher) (*Proxy, error) {
	if o.Proxy == nil {
		o.Proxy = http.ProxyFromEnvironment
	}
	p := &Proxy{
		policy: o.Policy(), voucher: v,
		slots: make(chan struct{}, proxyConns), tunnels: make(map[net.Conn]struct{}),
	}
	p.network = newNetwork(o, p.policy)
	p.dialer = newTunnelDialer(o, p.policy)
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the browser: %w", err)
	}
	p.address = l.Addr().String()
	p.server = http.Server{Handler: http.HandlerFunc(p.serve), ReadHeaderTimeout: proxyHeaders, IdleTimeout: proxyIdle, MaxHeaderBytes: maxHeader}
	p.serving.Go(func() { _ = p.server.Serve(l) }) // it always ends with an error: the one of Close
	return p, nil
}

// Address is where the proxy listens: "127.0.0.1:41234".
func (p *Proxy) Address() string { return p.address }

// Close ends the proxy and everything that goes through it.
func (p *Proxy) Close() error {
	err := p.server.Close()
	p.mu.Lock()
	p.closed = true
	for c := range p.tunnels {
		_ = c.Close() // whoever reads from it notices
	}
	p.mu.Unlock()
	p.serving.Wait()
	p.network.closeIdle()
	return err
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-r.Context().Done():
		return
	}
	switch {
	case r.Method == http.MethodConnect:
		p.connect(w, r)
	case r.URL.Host == "":
		http.Error(w, "this is a proxy", http.StatusBadRequest)
	default:
		p.forward(w, r)
	}
}

// forward passes a plain request on.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request) {
	if e := p.policy.check(r.URL); e != nil {
		p.refuse(w, e)
		return
	}
	passing := httputil.ReverseProxy{
		Transport: p.network,
		Rewrite:   func(pr *httputil.ProxyRequest) { pr.Out.Header.Del("Proxy-Authorization") },
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			p.refuse(w, explain(r.Context(), r.Context(), shown(r.URL.Hostname()), err))
		},
		FlushInterval: -1,
	}
	passing.ServeHTTP(w, r)
}

// connect opens a tunnel.
func (p *Proxy) connect(w http.ResponseWriter, r *http.Request) {
	target := &url.URL{Scheme: "https", Host: r.Host}
	if target.Port() == "80" {
		target.Scheme = "http" // a WebSocket without TLS
	}
	if e := p.policy.check(target); e != nil {
		p.refuse(w, e)
		return
	}
	if p.voucher != nil {
		if near, buffered, err := http.NewResponseController(w).Hijack(); err == nil && p.track(near) {
			defer p.forget(near)
			p.vouch(r.Context(), near, buffered.Reader, target)
		}
		return
	}
	ctx, cancel := tunnelContext(r.Context())
	defer cancel()
	far, err := p.dialer.dial(ctx, target)
	if err != nil {
		p.refuse(w, explain(r.Context(), ctx, shown(target.Hostname()), err))
		return
	}
	near, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = far.Close() // nobody uses it
		return
	}
	if !p.track(near, far) {
		return
	}
	defer p.forget(near, far)
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	splice(near, far, buffered.Reader)
}

// tunnelContext limits how long a tunnel may take to open. That whoever asked for it has been answered does not matter.
func tunnelContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(context.WithoutCancel(ctx), 2*connectTimeout, errTimeout)
}

// refuse answers with what went wrong, in the shape of a proxy's answer.
func (p *Proxy) refuse(w http.ResponseWriter, e *Error) {
	status := http.StatusBadGateway
	switch e.Kind {
	case KindRefused, KindInvalid:
		status = http.StatusForbidden
	case KindTimeout:
		status = http.StatusGatewayTimeout
	default:
	}
	http.Error(w, e.Message, status)
}

func (p *Proxy) track(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		if p.closed {
			_ = c.Close() // the proxy has ended, and so has the tunnel
			continue
		}
		p.tunnels[c] = struct{}{}
	}
	return !p.closed
}

func (p *Proxy) forget(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.tunnels, c)
		_ = c.Close() // both ends are done
	}
}

// splice moves bytes both ways until one end is done, nothing moves for too long, or too much has moved.
func splice(near, far net.Conn, first io.Reader) {
	var both sync.WaitGroup
	move := func(to, from net.Conn, r io.Reader) {
		_, _ = io.Copy(to, io.LimitReader(&awake{Reader: r, conns: [2]net.Conn{to, from}}, proxyTunnel)) // either end tells the other by closing
		if half, ok := to.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite() // the other direction may still be of use
			return
		}
		_ = to.Close() // it cannot be closed by halves
	}
	both.Go(func() { move(far, near, first) })
	both.Go(func() { move(near, far, far) })
	both.Wait()
}

// awake moves the deadline of both ends with every read.
type awake struct {
	io.Reader

	conns [2]net.Conn
}

func (a *awake) Read(b []byte) (int, error) {
	until := time.Now().Add(proxyIdle)
	for _, c := range a.conns {
		if err := c.SetDeadline(until); err != nil {
			return 0, errors.Join(io.EOF, err)
		}
	}
	return a.Reader.Read(b)
}
