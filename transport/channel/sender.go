// Package channel sends messages to people's chats, phones and mailboxes: it formats a message for the place that a
// channel leads to, and sends it once. There is one file for each kind of place.
package channel

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

var _ boardwatch.Deliverer = (*Sender)(nil)

// Options adjusts a Sender. The zero value works, but sends no mail.
type Options struct {
	BaseURL      string           // of the app, without a slash at the end; used in links to boards
	Mailer       account.Mailer   // for email channels; nil: there is no mail server
	PrivateHosts []string         // hosts that may be on a private network (account.PrivateChannelHost)
	HeaderPrefix string           // of the header with the id of the delivery; empty means X-Boardwatch
	Version      string           // of the program, for the User-Agent; empty means dev
	Timeout      time.Duration    // for a whole attempt; 0 means 10 s
	Local        bool             // development: this machine is allowed too
	Proxy        *url.URL         // used by all attempts except those to private hosts; nil: no proxy
	RootCAs      *x509.CertPool   // the trusted authorities; nil: the system's
	Resolver     *net.Resolver    // nil: the system's
	Now          func() time.Time // nil means time.Now
}

// Sender makes attempts. It may be used concurrently.
type Sender struct {
	o        Options
	public   *outbound.Poster
	private  *outbound.Poster // for the hosts that the operator named
	delivery string
}

// New returns a sender with its own connections.
func New(o Options) *Sender {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	base := outbound.PosterOptions{Timeout: o.Timeout, RootCAs: o.RootCAs, Resolver: o.Resolver}
	public, private := base, base
	public.Policy, public.Proxy = outbound.Policy{Loopback: o.Local}, o.Proxy
	private.Policy = outbound.Policy{Private: true}
	return &Sender{
		o: o, public: outbound.NewPoster(public), private: outbound.NewPoster(private),
		delivery: http.CanonicalHeaderKey(cmp.Or(o.HeaderPrefix, "X-Boardwatch") + "-Delivery"),
	}
}

// CloseIdleConnections closes connections that no attempt uses.
func (s *Sender) CloseIdleConnections() {
	s.public.CloseIdleConnections()
	s.private.CloseIdleConnections()
}

// Deliver makes one attempt. Redirects are not followed. The receipt's error tells the channel's owner what went wrong;
// of the address it shows only the host, even if the place repeats the rest.
func (s *Sender) Deliver(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	start := time.Now()
	receipt := s.attempt(ctx, w, d)
	receipt.Duration = time.Since(start)
	return receipt
}

func (s *Sender) attempt(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	letters, err := s.read(d.Body)
	if err != nil {
		return boardwatch.Receipt{Error: err.Error()}
	}
	if w.Channel == boardwatch.ChannelEmail {
		return s.mail(ctx, w, d.ID, letters)
	}
	write, ok := places()[w.Channel]
	if !ok {
		return boardwatch.Receipt{Error: fmt.Sprintf("this version of boardwatch knows no channels of the kind %q", w.Channel)}
	}
	return s.post(ctx, w, d.ID, write, letters[0])
}

// read reads the messages of a delivery, one per line.
func (s *Sender) read(body []byte) ([]letter, error) {
	var letters []letter
	for line := range bytes.Lines(body) {
		var m boardwatch.Message
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, errors.New("the message cannot be read")
		}
		letters = append(letters, s.letter(m))
	}
	if len(letters) == 0 {
		return nil, errors.New("there is no message")
	}
	return letters, nil
}

// post sends a message to any place except mail.
func (s *Sender) post(ctx context.Context, w boardwatch.Webhook, id string, write place, l letter) boardwatch.Receipt {
	if err := account.CheckChannelURL(w.Secret, s.o.Local, s.o.PrivateHosts); err != nil {
		return boardwatch.Receipt{Error: refusal(err)}
	}
	to, err := url.Parse(w.Secret)
	if err != nil {
		return boardwatch.Receipt{Error: "the address cannot be used"}
	}
	wish, err := write(to, l)
	if err != nil {
		return boardwatch.Receipt{Error: refusal(err)}
	}
	req, err := wish.request(ctx)
	if err != nil {
		return boardwatch.Receipt{Error: "the address cannot be used"}
	}
	req.Header.Set("User-Agent", "Boardwatch-Channels/"+cmp.Or(s.o.Version, "dev"))
	req.Header.Set(s.delivery, id)
	poster := s.public
	if account.PrivateChannelHost(to, s.o.PrivateHosts) {
		poster = s.private
	}
	answer, err := poster.Do(ctx, req, w.Secret)
	receipt := boardwatch.Receipt{Code: answer.Code, RetryAfter: pause(answer, s.o.Now())}
	switch {
	case err != nil:
		receipt.Error = err.Error()
	case wish.nothing != "" && answer.Code == http.StatusNoContent:
		receipt.Error = wish.nothing
	}
	return receipt
}

// refusal says why no request is sent to an address.
func refusal(err error) string {
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		return "the address is refused: " + e.Message
	}
	return "the address is refused"
}
