package diagnosis

import (
	"context"
	"errors"
	"time"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// mailTimeout is how long a mail server may take to answer the doctor.
const mailTimeout = 10 * time.Second

// examineMail greets the mail server, and signs in where that is set up. Nothing is sent.
func examineMail(ctx context.Context, cfg config.Config) Finding {
	if cfg.Mail.SMTPURL == "" {
		return Finding{"mail", Warning, "mail.smtp_url is empty: no mail is sent, and links that people need go to the log"}
	}
	server, err := app.MailServer(cfg, cfg.PublicURL(cfg.Listen))
	if err != nil {
		return Finding{"mail", Fault, err.Error()}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, mailTimeout, errors.New("no answer in time"))
	defer cancel()
	if err := server.Check(ctx); err != nil {
		return Finding{"mail", Fault, err.Error()}
	}
	if !cfg.Mail.TLSVerify {
		return Finding{"mail", Warning, cfg.Mail.SMTPURL.String() + " takes mail, but its certificate is not checked (mail.tls_verify): give its authority as mail.ca_file"}
	}
	return Finding{"mail", OK, cfg.Mail.SMTPURL.String() + " takes mail"}
}
