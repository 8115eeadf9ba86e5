package app

import (
	"crypto/x509"
	"fmt"
	"os"
	_ "time/tzdata" // so that everybody's time zone is known where the machine has none

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/digest"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/mail"
)

// Digest writes to people; it is nil where no mail server is set up.
func (a *App) Digest(base string) (*digest.Digest, error) {
	server, err := a.SMTP(base)
	if err != nil || server == nil {
		return nil, err
	}
	return digest.New(a.Store, server, digest.Options{
		Hour: a.Config.Mail.DigestHour, BaseURL: base, UnsubscribeURL: base + account.UnsubscribePath, Log: a.Log,
	}), nil
}

// SMTP is the mail server of the settings, or nil.
func (a *App) SMTP(base string) (*mail.SMTP, error) {
	if a.Config.Mail.SMTPURL == "" {
		return nil, nil //nolint:nilnil // no mail server is a value like any other
	}
	return MailServer(a.Config, base)
}

// MailServer is the mail server that the settings name, for a service that is reached at base.
func MailServer(cfg config.Config, base string) (*mail.SMTP, error) {
	o := mail.Options{From: cfg.Mail.From, BaseURL: base, Password: string(cfg.Mail.Password), Unverified: !cfg.Mail.TLSVerify}
	if cfg.Mail.CAFile != "" {
		authorities, err := os.ReadFile(cfg.Mail.CAFile)
		if err != nil {
			return nil, fmt.Errorf("mail.ca_file: read %s: %w", cfg.Mail.CAFile, config.PlainReadError(err))
		}
		if o.RootCAs, err = x509.SystemCertPool(); err != nil {
			o.RootCAs = x509.NewCertPool()
		}
		if !o.RootCAs.AppendCertsFromPEM(authorities) {
			return nil, fmt.Errorf("mail.ca_file: %s contains no certificate in PEM", cfg.Mail.CAFile)
		}
	}
	server, err := mail.NewSMTP(string(cfg.Mail.SMTPURL), o)
	if err != nil {
		return nil, fmt.Errorf("mail.smtp_url: %w", err)
	}
	return server, nil
}
