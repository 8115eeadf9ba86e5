package mail_test

import (
	"crypto/x509"
	"encoding/base64"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/mail"
	"github.com/boardwatch/boardwatch/transport/mail/mailtest"
)

func noon() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

func newSMTP(t *testing.T, url string, o mail.Options) *mail.SMTP {
	t.Helper()
	if o.BaseURL == "" {
		o.BaseURL = "https://boards.example"
	}
	o.Now = noon
	s, err := mail.NewSMTP(url, o)
	require.NoError(t, err)
	return s
}

func TestSMTP(t *testing.T) {
	t.Parallel()

	t.Run("sends both parts, using the host of the base URL", func(t *testing.T) {
		t.Parallel()
		server := mailtest.New(t, mailtest.Options{})
		s := newSMTP(t, server.URL(), mail.Options{From: "Bôards <boards@boards.example>"})
		require.NoError(t, s.Send(t.Context(), account.Mail{
			ID: "digest-1", To: "ann@northwind.example", Subject: "3 new roles – Zürich", Text: "Grüße\n", HTML: "<p>Grüße</p>\n",
			Unsubscribe: "https://boards.example/unsubscribe?token=x",
		}))
		m := server.Wait(1)[0]
		require.Equal(t, "boards.example", m.Hello)
		require.Equal(t, "boards@boards.example", m.From)
		require.Equal(t, []string{"ann@northwind.example"}, m.To)
		require.Equal(t, "3 new roles – Zürich", m.Subject)
		require.Equal(t, "Grüße\n", m.Text)
		require.Contains(t, m.HTML, "<title>3 new roles – Zürich</title>")
		require.Contains(t, m.HTML, "</p>\n<p>Grüße</p>\n</div>\n</body>")
		require.Equal(t, "<digest-1@boards.example>", m.Header.Get("Message-Id"))
		require.Equal(t, "auto-generated", m.Header.Get("Auto-Submitted"))
		require.Equal(t, "<https://boards.example/unsubscribe?token=x>", m.Header.Get("List-Unsubscribe"))
		require.Equal(t, "List-Unsubscribe=One-Click", m.Header.Get("List-Unsubscribe-Post"))
		at, err := m.Header.Date()
		require.NoError(t, err)
		require.True(t, noon().Equal(at))
	})

	t.Run("chooses a sender and an id", func(t *testing.T) {
		t.Parallel()
		server := mailtest.New(t, mailtest.Options{})
		s := newSMTP(t, server.URL(), mail.Options{BaseURL: "http://127.0.0.1:8080"})
		for range 2 {
			require.NoError(t, s.Send(t.Context(), account.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"}))
		}
		got := server.Wait(2)
		require.Equal(t, "boardwatch@[127.0.0.1]", got[0].From)
		require.Equal(t, "[127.0.0.1]", got[0].Hello)
		require.NotEqual(t, got[0].Header.Get("Message-Id"), got[1].Header.Get("Message-Id"))
		require.Empty(t, got[0].HTML)
		require.Empty(t, got[0].Header.Get("List-Unsubscribe"))
	})

	t.Run("signs in", func(t *testing.T) {
		t.Parallel()
		server := mailtest.New(t, mailtest.Options{Password: "sesame"})
		s := newSMTP(t, server.URL(), mail.Options{})
		require.NoError(t, s.Check(t.Context()))
		require.NoError(t, s.Send(t.Context(), account.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"}))
		require.Equal(t, "boardwatch", server.Wait(1)[0].User)
		s = newSMTP(t, strings.Replace(server.URL(), "sesame", "swordfish", 1), mail.Options{})
		err := s.Send(t.Context(), account.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"})
		require.Error(t, err)
		require.NotContains(t, err.Error(), "swordfish")
		require.Error(t, s.Check(t.Context()))
		require.Len(t, server.Received(), 1)
	})

	t.Run("encrypts if the server supports it", func(t *testing.T) {
		t.Parallel()
		certificate, file := mailtest.Certificate(t)
		roots := pool(t, file)
		for _, o := range []mailtest.Options{
			{Password: "sesame", TLS: certificate},
			{Password: "sesame", TLS: certificate, Implicit: true},
			{Password: "sesame", TLS: certificate, Login: true},
			{Password: "sesame", TLS: certificate, Login: true, Implicit: true},
		} {
			server := mailtest.New(t, o)
			for i, options := range []mail.Options{{RootCAs: roots}, {Unverified: true}} {
				s := newSMTP(t, server.URL(), options)
				require.NoError(t, s.Send(t.Context(), account.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"}))
				require.Equal(t, "boardwatch", server.Wait(i + 1)[i].User)
				require.True(t, o.Implicit || server.Wait(i + 1)[i].TLS)
			}
			err := newSMTP(t, server.URL(), mail.Options{}).Check(t.Context())
			require.ErrorContains(t, err, "certificate")
		}
	})

	t.Run("signs in with LOGIN where a local server has only that", func(t *testing.T) {
		t.Parallel()
		server := mailtest.New(t, mailtest.Options{Password: "sesame", Login: true})
		require.NoError(t, newSMTP(t, server.URL(), mail.Options{}).Check(t.Context()))
		far := strings.Replace(server.URL(), "127.0.0.1", "0.0.0.0", 1) // leads to this machine, but does not look like it
		require.ErrorContains(t, newSMTP(t, far, mail.Options{}).Check(t.Context()), "STARTTLS")
	})

	t.Run("signs in with any password", func(t *testing.T) {
		t.Parallel()
		for _, password := range []string{"a#b", "a/b", "a@b", "a%b", "a?b", "%41", ":", "pä ss", "#/@%?"} {
			server := mailtest.New(t, mailtest.Options{Password: password})
			require.NoError(t, newSMTP(t, server.URL(), mail.Options{}).Check(t.Context()), password)
			require.NoError(t, newSMTP(t, "smtp://boardwatch@"+server.Addr, mail.Options{Password: password}).Check(t.Context()), password)
		}
	})

	t.Run("reports that a server is unreachable, or refuses the message", func(t *testing.T) {
		t.Parallel()
		server := mailtest.New(t, mailtest.Options{})
		server.Refuse(func(string) error {
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
		})
		err := newSMTP(t, server.URL(), mail.Options{}).Send(t.Context(), account.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"})
		require.ErrorContains(t, err, "no such user")
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, listener.Close())
		require.Error(t, newSMTP(t, "smtp://"+listener.Addr().String(), mail.Options{}).Check(t.Context()))
	})

	t.Run("a message of which the server did not say that it took it is not sent", func(t *testing.T) {
		t.Parallel()
		server := mailtest.New(t, mailtest.Options{})
		server.HangUp(1)
		s := newSMTP(t, server.URL(), mail.Options{})
		letter := account.Mail{ID: "digest-1", To: "ann@northwind.example", Subject: "x", Text: "x"}
		require.Error(t, s.Send(t.Context(), letter))
		require.NoError(t, s.Send(t.Context(), letter))
		got := server.Wait(2)
		require.Equal(t, got[0].Header.Get("Message-Id"), got[1].Header.Get("Message-Id"))
	})
}

// pool is a file with authorities, as it is trusted.
func pool(t *testing.T, file string) *x509.CertPool {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(raw))
	return pool
}

func TestMailServersCannotRepeatSecrets(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t, mailtest.Options{Password: "sesame"})
	err := newSMTP(t, "smtp://boardwatch@"+server.Addr, mail.Options{Password: "swordfish"}).Check(t.Context())
	require.ErrorContains(t, err, "no such user: boardwatch …")
	require.NotContains(t, err.Error(), "swordfish")
	require.NotContains(t, err.Error(), base64.StdEncoding.EncodeToString([]byte("\x00boardwatch\x00swordfish"))[20:])

	server.Refuse(func(string) error {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "spam: https://boards.example/reset?token=3Dopense=73ame"}
	})
	err = newSMTP(t, server.URL(), mail.Options{}).Send(t.Context(), account.Mail{
		To: "ann@northwind.example", Subject: "x", Text: "x", Link: "https://boards.example/reset?token=opensesame",
	})
	require.ErrorContains(t, err, "spam: https://boards.example")
	require.NotContains(t, err.Error(), "opense")
}

func TestNothingThatStrangersWriteEndsAHeaderLine(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t, mailtest.Options{})
	s := newSMTP(t, server.URL(), mail.Options{})
	hostile := []string{
		"Acme\r\nBcc: eve@evil.example", "Acme\nBcc: eve@evil.example", "Acme\rBcc: eve@evil.example",
		"Acme\r\n\r\nbody", "Acme\u2028Bcc: eve@evil.example", "Acme\x00\x0b\x0cBcc:", "=?utf-8?q?=0D=0ABcc:_eve=40evil.example?=",
		strings.Repeat("é\r\n", 300),
	}
	for _, text := range hostile {
		require.NoError(t, s.Send(t.Context(), account.Mail{
			ID: text, To: "ann@northwind.example", Subject: text, Text: text, HTML: text, Unsubscribe: "https://boards.example/u?token=" + text,
		}))
	}
	for i, m := range server.Wait(len(hostile)) {
		require.Equal(t, []string{"ann@northwind.example"}, m.To, hostile[i])
		require.NotContains(t, m.Header, "Bcc", hostile[i])
		for name := range m.Header {
			require.Contains(t, []string{
				"From", "To", "Subject", "Date", "Message-Id", "Auto-Submitted", "List-Unsubscribe", "List-Unsubscribe-Post",
				"Mime-Version", "Content-Type", "Content-Transfer-Encoding",
			}, name, hostile[i])
		}
	}
	for _, to := range []string{"ann@northwind.example\r\nBcc: eve@evil.example", "ann@northwind.example, eve@evil.example", "", "ann"} {
		require.Error(t, s.Send(t.Context(), account.Mail{To: to, Subject: "x", Text: "x"}), to)
	}
	require.Len(t, server.Received(), len(hostile))
}

func TestNewSMTPRefusesWhatItCannotUse(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "mail.example", "http://mail.example", "smtp://", "smtp://u:hunter2@mail.example:0", "smtp://u:hunter2@mail.example:99999"} {
		_, err := mail.NewSMTP(url, mail.Options{})
		require.Error(t, err, url)
		require.NotContains(t, err.Error(), "hunter2")
	}
	for _, url := range []string{
		"smtp://u:hun#ter2@mail.example:587", "smtp://u:hun/ter2@mail.example", "smtp://u:12#34hunter2@mail.example", "smtp://u:hun?ter2@mail.example",
		"smtp://u:hun%ter2@mail.example", "smtps://u:hun ter2@mail.example",
	} {
		_, err := mail.NewSMTP(url, mail.Options{})
		require.ErrorContains(t, err, "has to be escaped there (# as %23, / as %2F", url)
		require.ErrorContains(t, err, "mail.password")
		require.NotContains(t, err.Error(), "ter2")
	}
	_, err := mail.NewSMTP("smtp://u:hunter2@mail.example", mail.Options{Password: "hunter2"})
	require.EqualError(t, err, "the password of the mail server is given twice: in its address and by itself")
	_, err = mail.NewSMTP("smtp://mail.example", mail.Options{Password: "hunter2"})
	require.EqualError(t, err, "the address of the mail server names no user for the password: smtp://user@host:587")
	_, err = mail.NewSMTP("smtp://mail.example", mail.Options{From: "nobody"})
	require.Error(t, err)
}

func TestAPasswordIsNotSentInTheOpen(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t, mailtest.Options{Password: "sesame"})
	_, port, err := net.SplitHostPort(server.Addr)
	require.NoError(t, err)
	s := newSMTP(t, "smtp://boardwatch:sesame@0.0.0.0:"+port, mail.Options{}) // leads to this machine, but does not look like it
	require.ErrorContains(t, s.Check(t.Context()), "STARTTLS")
}
