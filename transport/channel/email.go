package channel

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/internal/redact"
)

// mail sends letters as a single mail.
func (s *Sender) mail(ctx context.Context, w boardwatch.Webhook, id string, letters []letter) boardwatch.Receipt {
	if s.o.Mailer == nil {
		return boardwatch.Receipt{Error: "there is no mail server: the operator has to set mail.smtp_url"}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.o.Timeout, errors.New("the mail server took too long"))
	defer cancel()
	err := s.o.Mailer.Send(ctx, s.message(w, id, letters))
	if err != nil {
		name, _, _ := strings.Cut(w.Secret, "@")
		return boardwatch.Receipt{Error: redact.WithoutSecrets(err.Error(), w.Secret, name)}
	}
	return boardwatch.Receipt{Code: http.StatusOK}
}

// message puts letters into a mail.
func (s *Sender) message(w boardwatch.Webhook, id string, letters []letter) account.Mail {
	subject := letters[0].title
	if len(letters) > 1 {
		subject = fmt.Sprintf("%s, and %d more", subject, len(letters)-1)
	}
	m := account.Mail{ID: "channel." + id, To: w.Secret, Subject: subject}
	plain, rich := plainText(), htmlMarkup()
	var text, page strings.Builder
	heading := "h1" // the first letter's: it is the subject, too
	for _, l := range letters {
		fmt.Fprintf(&text, "%s\n%s\n", l.title, strings.Repeat("=", len([]rune(l.title))))
		fmt.Fprintf(&page, "<%s>%s</%[1]s>\n", heading, html.EscapeString(l.title))
		heading = "h2"
		if l.note != "" {
			fmt.Fprintf(&text, "%s\n", l.note)
			fmt.Fprintf(&page, "<p>%s</p>\n", html.EscapeString(l.note))
		}
		if len(l.roles) > 0 {
			page.WriteString("<ul>\n")
			for _, r := range l.roles {
				fmt.Fprintf(&text, "\n- %s\n", plain.line(r))
				fmt.Fprintf(&page, "<li>%s</li>\n", rich.entry(r))
			}
			page.WriteString("</ul>\n")
		}
		if l.link != "" {
			fmt.Fprintf(&text, "\n%s: %s\n\n", l.linkText(0), l.link)
			fmt.Fprintf(&page, "<p>%s</p>\n", rich.link(html.EscapeString(l.linkText(0)), l.link))
		}
	}
	if s.o.BaseURL != "" {
		fmt.Fprintf(&text, "--\nTurn these mails off: %s/settings/channels\n", s.o.BaseURL)
		fmt.Fprintf(&page, "<p class=\"foot\"><a href=\"%s/settings/channels\">Turn these mails off</a></p>\n", html.EscapeString(s.o.BaseURL))
	}
	m.Text, m.HTML = text.String(), page.String()
	return m
}

// entry is a role in a list whose entries have two lines.
func (m markup) entry(r role) string {
	below := m.escape(r.what)
	if r.details != "" {
		below += " · " + m.escape(r.details)
	}
	return m.title(r) + "<br><small>" + below + "</small>"
}
