// Package webhook makes one signed attempt at a delivery, with limits on time and memory.
package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

var _ boardwatch.Deliverer = (*Sender)(nil)

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
	poster    *outbound.Poster
}

// New returns a sender with connections of its own.
func New(o Options) *Sender {
	if o.Now == nil {
		o.Now = time.Now
	}
	header := func(name string) string {
		return http.CanonicalHeaderKey(cmp.Or(o.HeaderPrefix, "X-Boardwatch") + name)
	}
	return &Sender{
		o: o, agent: []string{"Boardwatch-Webhooks/" + cmp.Or(o.Version, "dev")},
		poster: outbound.NewPoster(outbound.PosterOptions{
			Timeout: o.Timeout, Policy: outbound.Policy{Loopback: o.Local}, Proxy: o.Proxy, RootCAs: o.RootCAs, Resolver: o.Resolver,
		}),
		event: header("-Event"), delivery: header("-Delivery"), signature: header("-Signature"),
	}
}

// CloseIdleConnections ends the connections that no attempt uses.
func (s *Sender) CloseIdleConnections() { s.poster.CloseIdleConnections() }

// Deliver makes one attempt: it signs the body now and posts it once. Redirects are not followed. The whole attempt is
// bounded by the timeout, the answer's body included. The receipt's error says what went wrong in words for the
// webhook's owner; of the address it shows no more than the host, and no secret, even if the receiver repeats them.
func (s *Sender) Deliver(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	start := time.Now()
	signed, code, err := s.attempt(ctx, w, d)
	receipt := boardwatch.Receipt{Code: code, Duration: time.Since(start), Signature: signed}
	if err != nil {
		receipt.Error = err.Error()
	}
	return receipt
}

var errUnsigned = errors.New("the webhook has no secret to sign with")

// Headers returns the headers of an attempt with that signature.
func (s *Sender) Headers(d boardwatch.Delivery, signature string) http.Header {
	return http.Header{
		"Content-Type": {"application/json"},
		"User-Agent":   s.agent,
		s.event:        {string(d.Type)},
		s.delivery:     {d.ID},
		s.signature:    {signature},
	}
}

func (s *Sender) attempt(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) (signed string, code int, err error) {
	if err := boardwatch.CheckWebhookURL(w.URL, s.o.Local); err != nil {
		return "", 0, refusal(err)
	}
	if w.Secret == "" {
		return "", 0, errUnsigned
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(d.Body))
	if err != nil {
		return "", 0, errors.New("the address cannot be used")
	}
	signature := boardwatch.Sign([]byte(w.Secret), d.Body, s.o.Now())
	req.Header = s.Headers(d, signature)
	stamp, mac, _ := strings.Cut(signature, "v1=")
	answer, err := s.poster.Do(ctx, req, w.Secret, mac)
	return stamp + "v1=…", answer.Code, err // with its time, it is as good as a password for five minutes
}

// refusal is why an address is not asked at all.
func refusal(err error) error {
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		return errors.New("the address is refused: " + e.Message)
	}
	return errors.New("the address is refused")
}
