package main

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

// digest writes to people; it is nil where no mail server is set up.
func (a *app) digest(base string) (*digest.Digest, error) {
	server, err := a.smtp(base)
	if err != nil || server == nil {
		return nil, err
	}
	return digest.New(a.store, server, digest.Options{
		Hour: a.cfg.Mail.DigestHour, BaseURL: base, UnsubscribeURL: base + account.UnsubscribePath, Log: a.log,
	}), nil
}

// smtp is the mail server of the settings, or nil.
func (a *app) smtp(base string) (*mail.SMTP, error) {
	if a.cfg.Mail.SMTPURL == "" {
		return nil, nil //nolint:nilnil // no mail server is a value like any other
	}
	return mailServer(a.cfg, base)
}

func mailServer(cfg config.Config, base string) (*mail.SMTP, error) {
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
