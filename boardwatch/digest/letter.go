package digest

import (
	"context"
	"embed"
	"fmt"
	htmltemplate "html/template"
	"io"
	"strings"
	"text/template"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

//go:embed templates
var files embed.FS

// functions are the functions of the templates.
func functions() map[string]any {
	return map[string]any{"count": count, "plain": plain, "place": place, "link": link, "was": was, "happened": happened}
}

// letter is the data for the templates of the daily mail.
type letter struct {
	news

	Date        string // in the person's zone
	Base        string
	Unsubscribe string
	Zone        string
}

// write writes the daily mail and saves the link that ends it.
func (d *Digest) write(ctx context.Context, due track.DueDigest, day account.DigestDay, n news) (account.Mail, error) {
	l, token := account.NewLink(account.LinkUnsubscribe, n.Until)
	l.AccountID, l.Email = due.Account.ID, due.Account.Email
	if err := d.store.CreateLink(ctx, l); err != nil {
		return account.Mail{}, fmt.Errorf("write daily mail: %w", err)
	}
	date, err := time.Parse(time.DateOnly, day.Date)
	if err != nil {
		return account.Mail{}, fmt.Errorf("write daily mail: %w", err)
	}
	text := letter{
		news: n, Base: d.o.BaseURL, Date: date.Format("Monday, 2 January 2006"),
		Unsubscribe: d.o.UnsubscribeURL + "?token=" + token, Zone: due.Preferences.Location().String(),
	}
	m := account.Mail{
		ID: "digest." + due.Account.ID + "." + day.Date, To: due.Account.Email, Subject: n.subject(), Unsubscribe: text.Unsubscribe,
	}
	if due.Day == day.Date {
		m.ID += "." + l.ID // a second one of the day
	}
	if m.Text, err = plainText("daily.txt", text); err != nil {
		return account.Mail{}, err
	}
	m.HTML, err = richText("daily.html", text)
	return m, err
}

func plainText(name string, data any) (string, error) {
	t, err := template.New(name).Funcs(functions()).ParseFS(files, "templates/"+name)
	return fill(t, err, data)
}

func richText(name string, data any) (string, error) {
	t, err := htmltemplate.New(name).Funcs(functions()).ParseFS(files, "templates/"+name)
	return fill(t, err, data)
}

// form is a template of either kind.
type form interface {
	Execute(out io.Writer, data any) error
}

// fill executes a form with data. unread says why the form could not be parsed, or is nil.
func fill(f form, unread error, data any) (string, error) {
	if unread != nil {
		return "", fmt.Errorf("read template: %w", unread)
	}
	var out strings.Builder
	if err := f.Execute(&out, data); err != nil {
		return "", fmt.Errorf("write mail: %w", err)
	}
	return out.String(), nil
}
