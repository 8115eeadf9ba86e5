// Package mailtest provides a real SMTP server on the loopback interface for tests.
package mailtest

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

// Message is a message as received by the server.
type Message struct {
	Hello    string // what the client called itself
	User     string // the user who signed in; empty: nobody
	TLS      bool
	From     string // the envelope's sender
	To       []string
	Raw      string
	Header   mail.Header
	Subject  string // decoded
	Text     string // the plain part
	HTML     string // the HTML part; empty if there is none
	Received time.Time
}

// Server is an SMTP server that keeps its messages. It ends with the test.
type Server struct {
	tb       testing.TB
	Addr     string
	Password string // of the user "boardwatch"; empty: signing in is not offered

	mu       sync.Mutex
	received []Message
	refuse   func(to string) error // may be nil
	arrived  chan struct{}         // has room for one
}

// Options configure a Server.
type Options struct {
	Password string      // makes the server want the user "boardwatch" to sign in with it
	TLS      *tls.Config // offered by STARTTLS
}

// New starts a server.
func New(tb testing.TB, o Options) *Server {
	tb.Helper()
	s := &Server{tb: tb, Password: o.Password, arrived: make(chan struct{}, 1)}
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	s.Addr = listener.Addr().String()
	server := smtp.NewServer(s)
	server.Domain = "mail.example"
	server.AllowInsecureAuth = true
	server.TLSConfig = o.TLS
	server.ErrorLog = silent{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // ends with an error when it is closed
	}()
	tb.Cleanup(func() {
		_ = server.Close()   // an error says that it was closed
		_ = listener.Close() // which the server does only if it serves already
		<-ended
	})
	return s
}

// URL is the server's address as a setting.
func (s *Server) URL() string {
	if s.Password != "" {
		return "smtp://boardwatch:" + s.Password + "@" + s.Addr
	}
	return "smtp://" + s.Addr
}

// Refuse makes the server answer recipients with an error; nil accepts them again.
func (s *Server) Refuse(refuse func(to string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = refuse
}

// Received returns the messages so far.
func (s *Server) Received() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Message(nil), s.received...)
}

// Wait waits until there are n messages, and returns them.
func (s *Server) Wait(n int) []Message {
	s.tb.Helper()
	deadline := time.After(20 * time.Second)
	for {
		if list := s.Received(); len(list) >= n {
			return list
		}
		select {
		case <-s.arrived:
		case <-deadline:
			require.Len(s.tb, s.Received(), n, "mail did not arrive in time")
		}
	}
}

// NewSession is called by the SMTP library.
func (s *Server) NewSession(c *smtp.Conn) (smtp.Session, error) {
	_, secure := c.TLSConnectionState()
	return &session{server: s, conn: c, secure: secure}, nil
}

// session is one dialogue with a client.
type session struct {
	server *Server
	conn   *smtp.Conn
	secure bool
	now    Message
}

// Reset forgets the message being sent.
func (c *session) Reset() { c.now = Message{User: c.now.User} }

// Logout ends the dialogue.
func (c *session) Logout() error { return nil }

// AuthMechanisms are the ways to sign in.
func (c *session) AuthMechanisms() []string {
	if c.server.Password == "" {
		return nil
	}
	return []string{sasl.Plain}
}

// Auth signs the client in.
func (c *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "boardwatch" || password != c.server.Password {
			return smtp.ErrAuthFailed
		}
		c.now.User = user
		return nil
	}), nil
}

// Mail begins a message.
func (c *session) Mail(from string, _ *smtp.MailOptions) error {
	if c.server.Password != "" && c.now.User == "" {
		return smtp.ErrAuthRequired
	}
	c.now.From = from
	return nil
}

// Rcpt adds a recipient.
func (c *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	c.server.mu.Lock()
	refuse := c.server.refuse
	c.server.mu.Unlock()
	if refuse != nil {
		if err := refuse(to); err != nil {
			return err
		}
	}
	c.now.To = append(c.now.To, to)
	return nil
}

// Data receives the message.
func (c *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m := c.now
	m.Hello, m.TLS, m.Raw, m.Received = c.conn.Hostname(), c.secure, string(raw), time.Now()
	if err := m.parse(); err != nil {
		return err
	}
	c.server.mu.Lock()
	c.server.received = append(c.server.received, m)
	c.server.mu.Unlock()
	select {
	case c.server.arrived <- struct{}{}:
	default:
	}
	return nil
}

func (m *Message) parse() error {
	parsed, err := mail.ReadMessage(strings.NewReader(m.Raw))
	if err != nil {
		return err
	}
	m.Header = parsed.Header
	if m.Subject, err = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject")); err != nil {
		return err
	}
	kind, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	if !strings.HasPrefix(kind, "multipart/") {
		m.Text, err = decoded(parsed.Body, parsed.Header.Get("Content-Transfer-Encoding"))
		return err
	}
	parts := multipart.NewReader(parsed.Body, params["boundary"])
	for {
		part, err := parts.NextPart() // decodes quoted-printable
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		body, err := decoded(part, part.Header.Get("Content-Transfer-Encoding"))
		if err != nil {
			return err
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			m.HTML = body
		} else {
			m.Text = body
		}
	}
}

func decoded(r io.Reader, encoding string) (string, error) {
	if strings.EqualFold(encoding, "quoted-printable") {
		r = quotedprintable.NewReader(r)
	}
	body, err := io.ReadAll(r)
	return string(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))), err
}

// silent discards the SMTP library's log.
type silent struct{}

// Printf says nothing.
func (silent) Printf(string, ...any) {}

// Println says nothing.
func (silent) Println(...any) {}
