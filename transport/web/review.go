package web

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// reviewPage lists everything that still gives access to an account after its password was set by a link. Somebody else
// may have had the account until then, and keys, webhooks and channels work without a password.
type reviewPage struct {
	Keys     []account.APIKey
	Webhooks []boardwatch.Webhook
	Channels []channelRow
}

// left lists what the new owner of an account has to review.
func (a *App) left(ctx context.Context, owner account.Account) (p reviewPage, err error) {
	if p.Keys, err = a.s.Keys.List(ctx, owner); err != nil {
		return p, err
	}
	if p.Webhooks, err = a.s.Webhooks.List(ctx, owner); err != nil {
		return p, err
	}
	channels, err := a.s.Channels.List(ctx, owner)
	for _, ch := range channels {
		p.Channels = append(p.Channels, newChannelRow(ch, nil, a.o.Now(), time.UTC))
	}
	return p, err
}

func (p reviewPage) empty() bool { return len(p.Keys)+len(p.Webhooks)+len(p.Channels) == 0 }

func (a *App) showReview(w http.ResponseWriter, r *http.Request, c *caller) error {
	p, err := a.left(r.Context(), c.Account)
	if err != nil {
		return err
	}
	if p.empty() {
		http.Redirect(w, r, "/boards", http.StatusSeeOther)
		return nil
	}
	return a.show(w, r, c, http.StatusOK, "review", view{Title: "Keys, webhooks and channels", Section: "Settings", Page: p})
}

// review deletes the selected entries. An entry that is already gone is not an error.
func (a *App) review(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := r.ParseForm(); err != nil {
		return boardwatch.Invalid("form", "cannot be read")
	}
	deleted := 0
	for name, remove := range map[string]func(context.Context, account.Account, string) error{
		"key": a.s.Keys.Delete, "webhook": a.s.Webhooks.Delete, "channel": a.s.Channels.Delete,
	} {
		for _, id := range r.PostForm[name] {
			switch err := remove(r.Context(), c.Account, id); {
			case err == nil:
				deleted++
			case boardwatch.CodeOf(err) != boardwatch.CodeNotFound:
				return err
			}
		}
	}
	text := "Everything was kept."
	if deleted > 0 {
		text = fmt.Sprintf("%d %s deleted.", deleted, noun(deleted, "was", "were"))
	}
	a.back(w, r, "/boards", flash{"good", text})
	return nil
}
