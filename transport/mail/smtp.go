// Package mail sends the service's mail. SMTP passes messages to a mail server, Outbox accepts them at once and sends
// them later, and Log is used if there is no mail server.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/internal/redact"
)

var _ account.Mailer = (*SMTP)(nil)

// timeout bounds each step of the SMTP dialogue.
const timeout = 15 * time.Second

// Options configure an SMTP. The zero value works.
type Options struct {
	From    string           // the sender, such as "Boardwatch <boards@example.com>"; empty: boardwatch at the host of BaseURL
	BaseURL string           // the service's own address; its host is used in the greeting
	Now     func() time.Time // the clock; nil means time.Now

	Password   string         // used if the address of the server has a user without a password
	RootCAs    *x509.CertPool // the trusted authorities; nil: the system's
	Unverified bool           // the server's certificate is not checked
}

// SMTP passes messages to a mail server, over one connection each. It may be used concurrently.
type SMTP struct {
	host     string
	port     int
	user     string
	password string
	secure   bool // TLS from the first byte
	local    bool // the server is on this machine
	from     *mail.Address
	helo     string
	domain   string
	tls      *tls.Config
	now      func() time.Time
}

// NewSMTP returns an SMTP for a server given as smtp://user:password@host:587, which uses encryption if the server
// supports it, or as smtps://…, which is encrypted from the first byte. A password is sent unencrypted only to this
// same machine. Errors do not contain the password.
func NewSMTP(server string, o Options) (*SMTP, error) {
	u, err := parse(server)
	if err != nil {
		return nil, err
	}
	s := &SMTP{host: u.Hostname(), secure: u.Scheme == "smtps", port: 587, now: o.Now}
	if s.secure {
		s.port = 465
	}
	if p := u.Port(); p != "" {
		if s.port, err = strconv.Atoi(p); err != nil || s.port < 1 || s.port > 65535 {
			return nil, errors.New("the port of the mail server is not a number between 1 and 65535")
		}
	}
	s.user = u.User.Username()
	given, both := u.User.Password()
	switch s.password = cmp.Or(o.Password, given); {
	case o.Password != "" && both:
		return nil, errors.New("the password of the mail server is given twice: in its address and by itself")
	case o.Password != "" && s.user == "":
		return nil, errors.New("the address of the mail server names no user for the password: smtp://user@host:587")
	}
	s.local = boardwatch.IsLocalhost(s.host)
	if s.now == nil {
		s.now = time.Now
	}
	s.tls = &tls.Config{
		ServerName: s.host, MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs,
		InsecureSkipVerify: o.Unverified, //nolint:gosec // the operator said so
	}
	s.domain, s.helo = names(o.BaseURL)
	return s, s.setFrom(o.From)
}

// parse reads the address of a mail server. Where it can be read in two ways, it was most likely meant differently.
func parse(server string) (*url.URL, error) {
	_, rest, _ := strings.Cut(server, "://")
	end := strings.IndexAny(rest, "/?#")
	u, err := url.Parse(server)
	switch {
	case end >= 0 && strings.Contains(rest[end:], "@"), err != nil && strings.Contains(rest, "@"):
		return nil, errors.New("the user or the password in the address of the mail server contains a character that has to be escaped " +
			"there (# as %23, / as %2F, ? as %3F, % as %25); escape it, or give the password by itself, as mail.password")
	case err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps":
		return nil, errors.New("the address of the mail server does not look like smtp://user:password@host:587")
	}
	return u, nil
}

// names returns the domain of message ids and of the default sender, and the name for the greeting. The usual greeting,
// the machine's own name, is often refused by strict servers.
func names(baseURL string) (domain, helo string) {
	domain = "localhost"
	if u, err := url.Parse(baseURL); err == nil && u.Hostname() != "" {
		domain = u.Hostname()
	}
	ip, err := netip.ParseAddr(domain)
	switch {
	case err != nil:
		return domain, domain
	case ip.Is4():
		return "[" + domain + "]", "[" + domain + "]"
	default:
		return "[IPv6:" + ip.WithZone("").String() + "]", "[IPv6:" + ip.WithZone("").String() + "]"
	}
}

func (s *SMTP) setFrom(from string) error {
	if from == "" {
		s.from = &mail.Address{Name: "Boardwatch", Address: "boardwatch@" + s.domain}
		return nil
	}
	a, err := mail.ParseAddress(from)
	if err != nil {
		return errors.New("the sender of mail does not look like Boardwatch <boards@example.com>")
	}
	s.from = a
	return nil
}

// Send passes a message to the server. It counts as sent when the server has said that it accepts it.
func (s *SMTP) Send(ctx context.Context, m account.Mail) error {
	msg, err := s.message(m)
	if err != nil {
		return fmt.Errorf("write mail: %w", err)
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return s.failure("reach", err, m)
	}
	sent := client.SendWithSMTPClient(conn, msg)
	bye := client.CloseWithSMTPClient(conn)
	if msg.IsDelivered() {
		return nil // the server's goodbye does not matter
	}
	return s.failure("send mail by", errors.Join(sent, bye), m)
}

// failure is an error of the mail server. Servers may repeat what they were sent, so the password and the links of the
// message are removed from it.
func (s *SMTP) failure(doing string, err error, m account.Mail) error {
	return fmt.Errorf("%s mail server %s: %s", doing, s.address(), redact.WithoutSecrets(err.Error(), s.password, m.Link, m.Unsubscribe))
}

// Check greets the mail server, signs in if configured, and says goodbye.
func (s *SMTP) Check(ctx context.Context) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return s.failure("reach", err, account.Mail{})
	}
	if err := client.CloseWithSMTPClient(conn); err != nil {
		return s.failure("leave", err, account.Mail{})
	}
	return nil
}

func (s *SMTP) address() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

func (s *SMTP) client() (*gomail.Client, error) {
	policy := gomail.TLSOpportunistic
	if s.user != "" && !s.local {
		policy = gomail.TLSMandatory
	}
	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithHELO(s.helo), gomail.WithTimeout(timeout), gomail.WithTLSPolicy(policy),
		gomail.WithTLSConfig(s.tls),
	}
	if s.secure {
		options = append(options, gomail.WithSSL())
	}
	if s.user != "" {
		auth := gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover)
		if s.local && !s.secure {
			auth = gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthPlainNoEnc, gomail.SMTPAuthLoginNoEnc)
		}
		options = append(options, auth, gomail.WithUsername(s.user), gomail.WithPassword(s.password))
	}
	c, err := gomail.NewClient(s.host, options...)
	if err != nil {
		return nil, fmt.Errorf("use mail server %s: %w", s.address(), err)
	}
	return c, nil
}

// message returns the message in its wire format. Text from strangers, such as the name of a company, cannot break out
// of a header: control characters become spaces, and the library encodes the rest.
func (s *SMTP) message(m account.Mail) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(s.from)
	if err := msg.To(m.To); err != nil {
		return nil, errors.New("the recipient's address cannot be used")
	}
	msg.Subject(oneLine(m.Subject))
	msg.SetDateWithValue(s.now())
	id := m.ID
	if id == "" {
		id = account.NewToken()
	}
	msg.SetMessageIDWithValue(idOf(id) + "@" + s.domain)
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Unsubscribe != "" {
		msg.SetGenHeaderPreformatted(gomail.HeaderListUnsubscribe, "<"+strings.ReplaceAll(oneLine(m.Unsubscribe), " ", "%20")+">")
		msg.SetGenHeaderPreformatted(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		html, err := page(m)
		if err != nil {
			return nil, err
		}
		msg.AddAlternativeString(gomail.TypeTextHTML, html)
	}
	return msg, nil
}

// oneLine returns a text without control characters and line breaks.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || r == '\u2028' || r == '\u2029'
	}), " ")
}

// idOf keeps the characters of a message's id that are allowed before the @.
func idOf(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		default:
			return '.'
		}
	}, id)
}

//go:embed page.html
var pageHTML string

// pageTemplate is the page around the content of every message. Where a mail program drops its styles, headings, lists and links
// are left.
var pageTemplate = template.Must(template.New("page").Parse(pageHTML)) //nolint:gochecknoglobals // read once

// page is the HTML part of a message.
func page(m account.Mail) (string, error) {
	var text strings.Builder
	err := pageTemplate.Execute(&text, struct {
		Title   string
		Content template.HTML
	}{oneLine(m.Subject), template.HTML(m.HTML)}) //nolint:gosec // its writer has escaped what strangers wrote
	if err != nil {
		return "", fmt.Errorf("write the page of a message: %w", err)
	}
	return text.String(), nil
}
