// Package webhook makes one signed attempt at a delivery, with limits on time and memory.
package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

var _ boardwatch.Deliverer = (*Sender)(nil)

const (
	// mostHeader is how large the header of an answer may be.
	mostHeader = 32 << 10
	// idleConns are kept open, in all and to one host.
	idleConns, idlePerHost = 512, 64
	// idleTime ends a connection before common servers do (the shortest usual time is 5 s): a request that meets the end
	// of its connection cannot be told from one that was received.
	idleTime = 4 * time.Second
)

// Options adjusts a Sender. The zero value works.
type Options struct {
	HeaderPrefix string         // of the three headers; empty means X-Boardwatch
	Version      string         // of the program, for the User-Agent; empty means dev
	Timeout      time.Duration  // for a whole attempt, from the lookup to the last byte; 0 means 10 s
	Local        bool           // development: http://localhost and loopback addresses are receivers too
	Proxy        *url.URL       // where all attempts go through; nil: directly, whatever the environment says
	RootCAs      *x509.CertPool // whose certificates are believed; nil: the system's
	Resolver     *net.Resolver  // nil: the system's

	Now func() time.Time // the moment of a signature; nil means time.Now
}

// Sender makes attempts. It may be used concurrently.
type Sender struct {
	o         Options
	agent     []string
	event     string
	delivery  string
	signature string
	transport *http.Transport
}

// New returns a sender with connections of its own.
func New(o Options) *Sender {
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	header := func(name string) string {
		return http.CanonicalHeaderKey(cmp.Or(o.HeaderPrefix, "X-Boardwatch") + name)
	}
	return &Sender{
		o: o, agent: []string{"Boardwatch-Webhooks/" + cmp.Or(o.Version, "dev")}, transport: newTransport(o),
		event: header("-Event"), delivery: header("-Delivery"), signature: header("-Signature"),
	}
}

func newTransport(o Options) *http.Transport {
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
		MaxResponseHeaderBytes: mostHeader,
		MaxIdleConns:           idleConns,
		MaxIdleConnsPerHost:    idlePerHost,
		IdleConnTimeout:        idleTime,
	}
	if o.Proxy != nil {
		t.Proxy = http.ProxyURL(o.Proxy) // the operator chose it; it looks the names up
		t.OnProxyConnectResponse = outbound.ProxyAnswered
	} else {
		dialer.ControlContext = outbound.Judged(o.Local)
	}
	return t
}

// CloseIdleConnections ends the connections that no attempt uses.
func (s *Sender) CloseIdleConnections() { s.transport.CloseIdleConnections() }

// Deliver makes one attempt: it signs the body now and posts it once. Redirects are not followed. The whole attempt is
// bounded by the timeout, the answer's body included. The receipt's error says what went wrong in words for the
// webhook's owner; of the address it shows no more than the host.
func (s *Sender) Deliver(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	start := time.Now()
	code, err := s.attempt(ctx, w, d)
	receipt := boardwatch.Receipt{Code: code, Duration: time.Since(start)}
	if err != nil {
		receipt.Error = err.Error()
	}
	return receipt
}

var (
	errSlow     = errors.New("the time for one attempt is over")
	errUnsigned = errors.New("the webhook has no secret to sign with")
)

func (s *Sender) attempt(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) (code int, err error) {
	if err := boardwatch.CheckWebhookURL(w.URL, s.o.Local); err != nil {
		return 0, refusal(err)
	}
	if w.Secret == "" {
		return 0, errUnsigned
	}
	inner, cancel := context.WithTimeoutCause(ctx, s.o.Timeout, errSlow)
	defer cancel()
	req, err := http.NewRequestWithContext(inner, http.MethodPost, w.URL, bytes.NewReader(d.Body))
	if err != nil {
		return 0, errors.New("the address cannot be used")
	}
	req.Header = http.Header{
		"Content-Type": {"application/json"},
		"User-Agent":   s.agent,
		s.event:        {string(d.Type)},
		s.delivery:     {d.ID},
		s.signature:    {boardwatch.Sign([]byte(w.Secret), d.Body, s.o.Now())},
	}
	answer, err := s.transport.RoundTrip(req) // not a client, which would follow redirects
	if err != nil {
		return 0, explain(ctx, inner, req.URL, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode < 200 {
		// The connection has changed hands: its end is no longer bound to the context, so nothing is read.
		return answer.StatusCode, errors.New(told(answer.StatusCode, nil))
	}
	kept := read(answer.Body)
	switch {
	case inner.Err() != nil:
		// A status alone is no answer: the time is for all of it.
		return answer.StatusCode, explain(ctx, inner, req.URL, context.Cause(inner))
	case answer.StatusCode <= 299:
		return answer.StatusCode, nil // also when the rest broke off: the receiver has said what was asked
	default:
		return answer.StatusCode, errors.New(told(answer.StatusCode, kept))
	}
}
