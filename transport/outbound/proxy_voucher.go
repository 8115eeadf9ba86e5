package outbound

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Voucher is a key with which proxies vouch for hosts to a program that knows fewer authorities than this machine: a
// browser does not read SSL_CERT_FILE. The proxy then checks certificates itself, as a Client does, and shows the program
// one that is signed with this key. The key never leaves this process.
type Voucher struct {
	key *ecdsa.PrivateKey
	pin string

	mu    sync.Mutex
	shown map[string]*tls.Certificate
}

// NewVoucher makes a key.
func NewVoucher() (*Voucher, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key for the browser: %w", err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, fmt.Errorf("make a key for the browser: %w", err)
	}
	sum := sha256.Sum256(public)
	return &Voucher{key: key, pin: base64.StdEncoding.EncodeToString(sum[:]), shown: make(map[string]*tls.Certificate)}, nil
}

// Pin is the hash of the key in the form that Chromium's --ignore-certificate-errors-spki-list takes.
func (v *Voucher) Pin() string { return v.pin }

// maxVouched is how many hosts' certificates are kept.
const maxVouched = 1000

// certificate is the one that is shown for a host.
func (v *Voucher) certificate(host string) (*tls.Certificate, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if c := v.shown[host]; c != nil {
		return c, nil
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, fmt.Errorf("vouch for a host: %w", err)
	}
	form := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "boardwatch"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(30 * 24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		form.IPAddresses = []net.IP{ip}
	} else {
		form.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, v.key.Public(), v.key)
	if err != nil {
		return nil, fmt.Errorf("vouch for a host: %w", err)
	}
	if len(v.shown) >= maxVouched {
		clear(v.shown)
	}
	c := &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: v.key}
	v.shown[host] = c
	return c, nil
}

// vouch speaks for the target on a connection that the other side takes for a tunnel to it. What it asks for is passed on
// as requests; a connection without TLS is tunnelled all the same.
func (p *Proxy) vouch(ctx context.Context, near net.Conn, r *bufio.Reader, target *url.URL) {
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	_ = near.SetReadDeadline(time.Now().Add(proxyHeaders)) // a connection that is gone says so when it is read
	first, err := r.Peek(1)
	if err != nil {
		return
	}
	_ = near.SetReadDeadline(time.Time{}) // likewise
	const handshake = 0x16
	if first[0] != handshake {
		p.tunnelOn(ctx, near, r, target)
		return
	}
	config := &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return p.voucher.certificate(target.Hostname()) },
	}
	secure := &once{conn: tls.Server(&peeked{near, r}, config), done: make(chan struct{})}
	server := http.Server{
		ReadHeaderTimeout: proxyHeaders, IdleTimeout: proxyIdle, MaxHeaderBytes: maxHeader,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			req.URL.Scheme, req.URL.Host = "https", target.Host
			p.forward(w, req)
		}),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed || state == http.StateHijacked {
				secure.end()
			}
		},
	}
	_ = server.Serve(secure) // it ends with the one connection
}

// tunnelOn is a tunnel for what is no TLS: a WebSocket to a plain host.
func (p *Proxy) tunnelOn(ctx context.Context, near net.Conn, r io.Reader, target *url.URL) {
	ctx, cancel := tunnelContext(ctx)
	defer cancel()
	far, err := p.dialer.dial(ctx, target)
	if err != nil || !p.track(far) {
		return
	}
	defer p.forget(far)
	splice(near, far, r)
}

// peeked is a connection of which some bytes were read already.
type peeked struct {
	net.Conn

	r *bufio.Reader
}

func (c *peeked) Read(b []byte) (int, error) { return c.r.Read(b) }

// once is a listener with a single connection.
type once struct {
	mu    sync.Mutex
	conn  net.Conn
	done  chan struct{}
	ended sync.Once
}

func (o *once) Accept() (net.Conn, error) {
	o.mu.Lock()
	c := o.conn
	o.conn = nil
	o.mu.Unlock()
	if c != nil {
		return c, nil
	}
	<-o.done
	return nil, errors.New("there is no further connection")
}

func (o *once) end() { o.ended.Do(func() { close(o.done) }) }

// Close ends the wait for a further connection.
func (o *once) Close() error {
	o.end()
	return nil
}

// Addr names no place: nobody can connect.
func (o *once) Addr() net.Addr { return &net.TCPAddr{} }
