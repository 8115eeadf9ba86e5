package mail_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
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
		require.NoError(t, s.Send(t.Context(), boardwatch.Mail{
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
			require.NoError(t, s.Send(t.Context(), boardwatch.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"}))
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
		require.NoError(t, s.Send(t.Context(), boardwatch.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"}))
		require.Equal(t, "boardwatch", server.Wait(1)[0].User)
		s = newSMTP(t, strings.Replace(server.URL(), "sesame", "swordfish", 1), mail.Options{})
		err := s.Send(t.Context(), boardwatch.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"})
		require.Error(t, err)
		require.NotContains(t, err.Error(), "swordfish")
		require.Error(t, s.Check(t.Context()))
		require.Len(t, server.Received(), 1)
	})

	t.Run("encrypts if the server supports it", func(t *testing.T) {
		t.Parallel()
		certificate, roots := authority(t)
		server := mailtest.New(t, mailtest.Options{Password: "sesame", TLS: certificate})
		s := newSMTP(t, server.URL(), mail.Options{TLS: &tls.Config{RootCAs: roots, ServerName: "example.com", MinVersion: tls.VersionTLS12}})
		require.NoError(t, s.Send(t.Context(), boardwatch.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"}))
		require.True(t, server.Wait(1)[0].TLS)
		err := newSMTP(t, server.URL(), mail.Options{}).Check(t.Context())
		require.ErrorContains(t, err, "certificate")
	})

	t.Run("reports that a server is unreachable, or refuses the message", func(t *testing.T) {
		t.Parallel()
		server := mailtest.New(t, mailtest.Options{})
		server.Refuse(func(string) error {
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
		})
		err := newSMTP(t, server.URL(), mail.Options{}).Send(t.Context(), boardwatch.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"})
		require.ErrorContains(t, err, "no such user")
		require.NotErrorIs(t, err, boardwatch.ErrMailUncertain)
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, listener.Close())
		require.Error(t, newSMTP(t, "smtp://"+listener.Addr().String(), mail.Options{}).Check(t.Context()))
	})

	t.Run("does not know whether a message was accepted if the answer is lost", func(t *testing.T) {
		t.Parallel()
		s := newSMTP(t, "smtp://"+deafServer(t), mail.Options{})
		err := s.Send(t.Context(), boardwatch.Mail{To: "ann@northwind.example", Subject: "x", Text: "x"})
		require.ErrorIs(t, err, boardwatch.ErrMailUncertain)
	})
}

// deafServer takes one message and hangs up instead of answering.
func deafServer(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		server := &lines{conn: conn}
		server.say("220 mail.example")
		for {
			line, err := server.hear()
			switch {
			case err != nil:
				return
			case strings.HasPrefix(line, "DATA"):
				server.say("354 go on")
			case line == ".":
				return
			case !server.writing(line):
				server.say("250 yes")
			}
		}
	}()
	return listener.Addr().String()
}

// authority is a server's certificate for example.com, and its authority.
func authority(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	defer server.Close()
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	return &tls.Config{Certificates: server.TLS.Certificates, MinVersion: tls.VersionTLS12}, pool
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
		require.NoError(t, s.Send(t.Context(), boardwatch.Mail{
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
		require.Error(t, s.Send(t.Context(), boardwatch.Mail{To: to, Subject: "x", Text: "x"}), to)
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
	_, err := mail.NewSMTP("smtp://mail.example", mail.Options{From: "nobody"})
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
