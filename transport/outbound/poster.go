package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/boardwatch/boardwatch/internal/redact"
)

const (
	// mostPostHeader is how large the header of an answer may be.
	mostPostHeader = 32 << 10
	// mostAnswer is how much of an answer is read, so that its connection can serve again; a longer one is cut off.
	mostAnswer = 64 << 10
	// mostKept is how much of an answer is kept.
	mostKept = 1 << 10
	// postIdle and postIdlePerHost are the connections kept open, in all and to one host.
	postIdle, postIdlePerHost = 512, 64
	// postIdleTime ends a connection before common servers do (the shortest usual time is 5 s): a request that meets the end
	// of its connection cannot be told from one that was received.
	postIdleTime = 4 * time.Second
)

// PosterOptions adjusts a Poster. The zero value works.
type PosterOptions struct {
	Timeout  time.Duration  // for a whole request, from the lookup to the last byte; 0 means 10 s
	Policy   Policy         // which addresses may be dialled
	Proxy    *url.URL       // where all requests go through; nil: directly, whatever the environment says
	RootCAs  *x509.CertPool // whose certificates are believed; nil: the system's
	Resolver *net.Resolver  // nil: the system's
}

// Poster makes single requests to addresses that people gave: one attempt, no redirects, bounded in time and memory, and only to
// an address that the policy allows when it is dialled. It may be used concurrently.
type Poster struct {
	timeout   time.Duration
	transport *http.Transport
}

// NewPoster returns a Poster with connections of its own.
func NewPoster(o PosterOptions) *Poster {
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	// A transport goes on connecting when the request has been given up, hence the limits of its own, which are a little
	// longer, so that the request reports its own timeout.
	limit := o.Timeout + time.Second
	dialer := &net.Dialer{Timeout: limit, KeepAlive: 30 * time.Second, Resolver: o.Resolver}
	t := &http.Transport{
		TLSHandshakeTimeout:    limit,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // nothing is decoded, so nothing can grow
		MaxResponseHeaderBytes: mostPostHeader,
		MaxIdleConns:           postIdle,
		MaxIdleConnsPerHost:    postIdlePerHost,
		IdleConnTimeout:        postIdleTime,
	}
	if o.Proxy != nil {
		t.Proxy = http.ProxyURL(o.Proxy) // the operator chose it; it looks the names up
		t.OnProxyConnectResponse = proxyAnswered
	} else {
		dialer.ControlContext = o.Policy.control
	}
	return &Poster{timeout: o.Timeout, transport: t}
}

// CloseIdleConnections ends the connections that no request uses.
func (p *Poster) CloseIdleConnections() { p.transport.CloseIdleConnections() }

// Answer is what a host answered.
type Answer struct {
	Code   int // 0: nothing
	Header http.Header
	Body   []byte // its beginning, at most 1 KiB

	cut bool // the body went on
}

var errPostSlow = errors.New("the time for one attempt is over")

// Do makes the request once. The error says why there is no answer that counts, or what else than success the host answered, in
// words for the person who gave the address. It contains neither the secrets nor more of the address than the host, even if
// the host repeats them; the answer itself may.
func (p *Poster) Do(ctx context.Context, req *http.Request, secrets ...string) (Answer, error) {
	inner, cancel := context.WithTimeoutCause(ctx, p.timeout, errPostSlow)
	defer cancel()
	resp, err := p.transport.RoundTrip(req.WithContext(inner)) // not a client, which would follow redirects
	if err != nil {
		return Answer{}, inWords(ctx, inner, req.URL, err)
	}
	defer resp.Body.Close()
	a := Answer{Code: resp.StatusCode, Header: resp.Header}
	if a.Code < 200 {
		// The connection has changed hands: its end is no longer bound to the context, so nothing is read.
		return a, errors.New(a.told())
	}
	a.Body, a.cut = beginning(resp.Body)
	switch {
	case inner.Err() != nil:
		// A status alone is no answer: the time is for all of it.
		return a, inWords(ctx, inner, req.URL, context.Cause(inner))
	case a.Code <= 299:
		return a, nil // also when the rest broke off: the host has said what was asked
	default:
		return a, errors.New(a.told(append(secrets, req.URL.String())...))
	}
}

// postBuffers are lent to whoever reads an answer.
var postBuffers = sync.Pool{New: func() any { return new([4 << 10]byte) }} //nolint:gochecknoglobals // holds nothing that lasts

// beginning takes an answer's body in, up to mostAnswer, and returns its first bytes and whether there were more. What comes
// of it does not matter: the status says whether the request was taken.
func beginning(body io.Reader) (kept []byte, cut bool) {
	buffer := postBuffers.Get().(*[4 << 10]byte) //nolint:forcetypeassert // nothing else is in the pool
	defer postBuffers.Put(buffer)
	total := 0
	for total < mostAnswer {
		n, err := body.Read(buffer[:])
		kept = append(kept, buffer[:min(n, mostKept-len(kept))]...)
		if total += n; err != nil {
			break
		}
	}
	return kept, total > len(kept)
}

// told is an answer that is no success, in one line of at most mostKept bytes, without the secrets. An ellipsis at its end says
// that the host said more.
func (a Answer) told(secrets ...string) string {
	text := "answered " + strconv.Itoa(a.Code)
	if name := http.StatusText(a.Code); name != "" {
		text += " " + name
	}
	if a.Code >= 300 && a.Code <= 399 {
		return text + "; redirects are not followed"
	}
	const dots = "…"
	if said := printable(a.Body); said != "" {
		text += ": " + said
	}
	if a.cut || len(text) > mostKept {
		text = strings.ToValidUTF8(text[:min(len(text), mostKept-len(dots))], "") + dots
	}
	return redact.WithoutSecrets(text, secrets...)
}

// printable is foreign text as one line of printable characters.
func printable(text []byte) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(string(text), ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
	return strings.Join(words, " ")
}

// inWords says why there was no answer. Of the address it shows no more than the host: the rest may be a secret.
func inWords(outer, inner context.Context, u *url.URL, err error) error {
	return errors.New(explain(outer, inner, shown(u.Hostname()), err).Error())
}
