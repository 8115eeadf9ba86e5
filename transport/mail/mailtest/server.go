// Package mailtest provides a real SMTP server on the loopback interface for tests.
package mailtest

import (
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
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
	options  Options

	mu       sync.Mutex
	hangUps  int // on messages to come, instead of confirming them
	received []Message
	refuse   func(to string) error // may be nil
	arrived  chan struct{}         // has room for one
}

// Options configure a Server.
type Options struct {
	Password string      // makes the server want the user "boardwatch" to sign in with it
	Login    bool        // AUTH LOGIN is the only way to sign in, as it is at some old servers
	TLS      *tls.Config // offered by STARTTLS
	Implicit bool        // TLS from the first byte instead
}

// Certificate is a server's certificate for 127.0.0.1 and example.com, and a file with its authority, which nobody trusts
// who was not told to.
func Certificate(tb testing.TB) (server *tls.Config, authority string) {
	tb.Helper()
	web := httptest.NewUnstartedServer(nil)
	web.StartTLS()
	defer web.Close()
	authority = filepath.Join(tb.TempDir(), "authority.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw}
	require.NoError(tb, os.WriteFile(authority, pem.EncodeToMemory(block), 0o600))
	return &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12}, authority
}

// New starts a server.
func New(tb testing.TB, o Options) *Server {
	tb.Helper()
	s := &Server{tb: tb, Password: o.Password, options: o, arrived: make(chan struct{}, 1)}
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	s.Addr = listener.Addr().String()
	if o.Implicit {
		listener = tls.NewListener(listener, o.TLS)
	}
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
	u := url.URL{Scheme: "smtp", Host: s.Addr}
	if s.options.Implicit {
		u.Scheme = "smtps"
	}
	if s.Password != "" {
		u.User = url.UserPassword("boardwatch", s.Password)
	}
	return u.String()
}

// HangUp makes the server take the next n messages without confirming them: it closes the connection.
func (s *Server) HangUp(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hangUps = n
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
	if c.server.options.Login {
		return []string{sasl.Login}
	}
	return []string{sasl.Plain}
}

// Auth signs the client in.
func (c *session) Auth(mechanism string) (sasl.Server, error) {
	if mechanism == sasl.Login {
		return &login{signIn: c.signIn}, nil
	}
	return sasl.NewPlainServer(func(_, user, password string) error { return c.signIn(user, password) }), nil
}

// signIn refuses what is wrong, and repeats it, in the open and as it came.
func (c *session) signIn(user, password string) error {
	if user != "boardwatch" || password != c.server.Password {
		encoded := base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password))
		return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "no such user: " + user + " " + password + " " + encoded}
	}
	c.now.User = user
	return nil
}

// login is the server's side of AUTH LOGIN.
type login struct {
	signIn func(user, password string) error
	said   []string
}

// Next is called with each answer of the client.
func (l *login) Next(response []byte) (challenge []byte, done bool, err error) {
	if response != nil {
		l.said = append(l.said, string(response))
	}
	switch len(l.said) {
	case 0:
		return []byte("Username:"), false, nil
	case 1:
		return []byte("Password:"), false, nil
	default:
		return nil, true, l.signIn(l.said[0], l.said[1])
	}
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
	hangUp := c.server.hangUps > 0
	if hangUp {
		c.server.hangUps--
	}
	c.server.mu.Unlock()
	if hangUp {
		_ = c.conn.Close() // the client sees what it sees when a server dies
	}
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
