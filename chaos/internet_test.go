//go:build chaos

package chaos_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/chaos/systems"
)

// internet consists of all hosts, behind forward proxies on loopback: one per process, so that the ledger knows which
// process sent a request. Secure connections end in the proxy, with certificates of an authority that the processes
// trust.
type internet struct {
	authority *authority
	vendors   []systems.System
	sites     map[string]*site  // by vendor and token
	codes     map[string]string // tokens by the beginning of the ids of Workable's roles, whose addresses do not have them

	mu    sync.Mutex
	fleet map[string]func(*site) *fault // the fault of all boards of a system

	requests atomic.Int64
	strange  sync.Map // requests for unknown pages, by host and path
	faulty   sync.Map // name of the fault to *atomic.Int64
}

func newInternet(t *testing.T, sites []*site) *internet {
	t.Helper()
	n := &internet{authority: newAuthority(t), sites: make(map[string]*site), codes: make(map[string]string), fleet: make(map[string]func(*site) *fault)}
	n.vendors = append(append(systems.Hosted(), pages()...), drawnPages()...)
	for _, s := range sites {
		n.sites[s.vendor.Name+":"+s.token] = s
		if s.vendor.Name == "workable" {
			n.codes[codeOf(s.vendor.Role(s.token, 0))] = s.token
		}
	}
	return n
}

// proxy starts another proxy, used by one process after the other; by returns the current one.
func (n *internet) proxy(t *testing.T, by func() *incarnation) (address string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	inside := &inner{conns: make(chan net.Conn), closed: make(chan struct{}), addr: listener.Addr()}
	visit := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { n.visit(w, r, by()) })
	server := &http.Server{
		ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodConnect {
				n.connect(w, r, inside)
				return
			}
			visit(w, r)
		}),
	}
	secure := &http.Server{ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0), Handler: visit}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	serving.Go(func() { _ = secure.Serve(inside) })
	t.Cleanup(func() {
		_ = inside.Close()
		_ = server.Close()
		_ = secure.Close()
		serving.Wait()
	})
	return "http://" + listener.Addr().String()
}

// connect acts as the requested host.
func (n *internet) connect(w http.ResponseWriter, r *http.Request, inside *inner) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil || !n.knows(host) {
		http.Error(w, "there is no such host", http.StatusBadGateway)
		return
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		_ = conn.Close()
		return
	}
	inside.take(tls.Server(conn, &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		return n.authority.certificate(host)
	}}))
}

// knows reports whether there is such a host.
func (n *internet) knows(host string) bool {
	for _, end := range []string{".example", ".greenhouse.io", ".lever.co", ".ashbyhq.com", ".workable.com", ".smartrecruiters.com", ".recruitee.com", ".personio.de"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return false
}

// visit answers one request and records the answer in the ledger.
func (n *internet) visit(w http.ResponseWriter, r *http.Request, by *incarnation) {
	n.requests.Add(1)
	for _, v := range n.vendors {
		if token := v.List(r); token != "" {
			if s := n.sites[v.Name+":"+token]; s != nil {
				n.list(w, r, s, by)
				return
			}
		}
		if v.About != nil {
			if token := v.About(r); n.sites[v.Name+":"+token] != nil {
				_, _ = io.WriteString(w, v.Naming(token))
				return
			}
		}
		if v.Name == "fetched" && strings.HasSuffix(r.Host, ".fjord.example") && r.URL.Path == "/careers" {
			w.Header().Set("Content-Type", html)
			_, _ = io.WriteString(w, application)
			return
		}
	}
	if n.role(w, r, by) {
		return
	}
	if r.URL.Path != "/robots.txt" && r.URL.Path != "/favicon.ico" {
		n.strange.Store(r.Host+r.URL.Path, true)
	}
	http.NotFound(w, r)
}

// role answers a request for the own page of a role, and records it. It returns false if there never was such a role.
func (n *internet) role(w http.ResponseWriter, r *http.Request, by *incarnation) bool {
	label, _, _ := strings.Cut(r.Host, ".")
	parts := strings.Split(r.URL.Path, "/")
	for _, v := range n.vendors {
		for _, token := range append(parts, label, n.codes[codeOf(r.URL.Path)]) {
			s := n.sites[v.Name+":"+token]
			if s == nil {
				continue
			}
			if title, listed, found := s.visit(r.Host+r.URL.Path, by); listed {
				w.Header().Set("Content-Type", html)
				_, _ = io.WriteString(w, document(s.token, title, "", "<main><h1>"+title+"</h1><p>Come aboard.</p></main>"))
				return true
			} else if found {
				http.NotFound(w, r)
				return true
			}
		}
	}
	return false
}

// codeOf returns the part of the address of a role at Workable that all roles of its board have.
func codeOf(address string) string {
	code := path.Base(address)
	return code[:min(len(code), 7)]
}

// visit records a request for the page of the role at an address.
func (s *site) visit(address string, by *incarnation) (title string, listed, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.roles {
		if _, own, _ := strings.Cut(s.url(r), "://"); own == address {
			if by != nil {
				r.visits = append(r.visits, visit{time.Now(), r.listed})
			}
			return r.title(), r.listed, true
		}
	}
	return "", false, false
}

// list answers a request for a site's list.
func (n *internet) list(w http.ResponseWriter, r *http.Request, s *site, by *incarnation) {
	s.mu.Lock()
	f := s.ailing(time.Now())
	if of := n.suffering(s); of != nil && !s.frozen {
		f = of
	}
	offset := 0
	if o := r.URL.Query().Get("offset"); o != "" && o != "0" {
		offset = atoi(o)
	}
	if offset == 0 {
		s.snap, s.snapped = s.look(), s.version
	}
	shown, total := s.snap, len(s.snap)
	if f != nil && f.show != nil {
		shown, total = f.show(shown)
	}
	part := shown
	if s.vendor.Most > 0 {
		part = shown[min(offset, len(shown)):]
		part = part[:min(len(part), s.vendor.Most)]
	}
	contentType, body := s.vendor.Render(s.token, part, total)
	last := offset+len(part) >= len(shown)
	broken := f != nil && f.show == nil
	if last || broken {
		s.answers = append(s.answers, answer{
			at: time.Now(), version: s.snapped, kind: f.kind(), process: by, fault: f.called(), shown: f.showed(shown),
			brief: s.vendor.Name == "greenhouse" && !r.URL.Query().Has("content"),
			plain: !strings.Contains(r.UserAgent(), "Chrome/"),
		})
	}
	s.mu.Unlock()

	if f != nil {
		n.count(f)
	}
	if broken {
		f.answer(w, contentType, body)
		return
	}
	n.send(w, r, s, contentType, body)
}

// send writes a well-formed answer. Half of the sites have ETags, and answer 304 if nothing has changed.
func (n *internet) send(w http.ResponseWriter, r *http.Request, s *site, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	if systems.Hash(s.token)%2 == 0 {
		tag := fmt.Sprintf("\"%x\"", systems.Hash(body))
		w.Header().Set("Etag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	_, _ = io.WriteString(w, body)
}

func (n *internet) count(f *fault) {
	c, _ := n.faulty.LoadOrStore(f.name, new(atomic.Int64))
	c.(*atomic.Int64).Add(1)
}

// faults counts the answers that were not the true list.
func (n *internet) faults() (total int64, kinds int) {
	n.faulty.Range(func(_, c any) bool {
		total += c.(*atomic.Int64).Load()
		kinds++
		return true
	})
	return total, kinds
}

// suffer makes all boards of a system fail, each with the fault that of returns; nil ends it.
func (n *internet) suffer(system string, of func(*site) *fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fleet[system] = of
}

func (n *internet) suffering(s *site) *fault {
	n.mu.Lock()
	of := n.fleet[s.vendor.Name]
	n.mu.Unlock()
	if of == nil {
		return nil
	}
	return of(s)
}

// inner is a listener for connections that are already accepted.
type inner struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	addr   net.Addr
}

func (l *inner) take(c net.Conn) {
	select {
	case l.conns <- c:
	case <-l.closed:
		_ = c.Close()
	}
}

func (l *inner) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *inner) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *inner) Addr() net.Addr { return l.addr }

// authority signs certificates for every host.
type authority struct {
	file string // its own certificate, for SSL_CERT_FILE
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	made sync.Map // host to *tls.Certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "chaos"}, NotBefore: time.Now().Add(-48 * time.Hour),
		NotAfter: time.Now().Add(48 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "authority.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return &authority{file: file, cert: cert, key: key}
}

func (a *authority) certificate(host string) (*tls.Certificate, error) {
	if c, ok := a.made.Load(host); ok {
		return c.(*tls.Certificate), nil
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), DNSNames: []string{host}, NotBefore: time.Now().Add(-48 * time.Hour),
		NotAfter: time.Now().Add(48 * time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, a.key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	c := &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}
	a.made.Store(host, c)
	return c, nil
}
