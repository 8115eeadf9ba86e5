package account

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/canonical"
)

// ProviderOptions are an operator's settings for the people of an OpenID Connect provider.
type ProviderOptions struct {
	Issuer  string   // empty: there is no provider
	Name    string   // what people call the provider
	Domains []string // domains of the addresses that are accepted; empty: all
	Create  bool     // people without an account get one
}

// Guest is a person for whom the provider vouches.
type Guest struct {
	Issuer, Subject string
	Email           string // normalised; empty if the provider gave none
	EmailVerified   bool
	SignedInAt      time.Time // when they proved to the provider who they are; zero if it does not say, which counts as long ago
}

// Arrived is a guest who was signed in.
type Arrived struct {
	Entered

	// Reclaimed says that the account was created by somebody who had not proved that the address is theirs. Its keys
	// and webhooks may be somebody else's, so show them to the person.
	Reclaimed bool
}

// Arrive signs a guest in: to the account connected to them, or else to the one with their confirmed address, or else
// to a new one if the operator allows that or there is an invitation. A guest who may not sign in gets an unauthorized
// error with a sentence for the person.
func (i *Identities) Arrive(ctx context.Context, g Guest, invitation string, v Visitor) (Arrived, error) {
	if g.Issuer == "" || g.Issuer != i.o.Provider.Issuer || g.Subject == "" {
		return Arrived{}, fmt.Errorf("let a guest in: %q is not the provider", g.Issuer)
	}
	in, err := i.arriveAgain(ctx, g, v)
	if boardwatch.CodeOf(err) != boardwatch.CodeNotFound || err == nil {
		return in, err
	}
	l, c, err := i.connection(ctx, g, invitation)
	if err != nil {
		return Arrived{}, err
	}
	a, err := i.store.Connect(ctx, l, c)
	switch boardwatch.CodeOf(err) {
	case boardwatch.CodeInvalidRequest: // the guest signed in in another window first
		if in, again := i.arriveAgain(ctx, g, v); again == nil {
			return in, nil
		}
		return Arrived{}, i.refuse("cannot be connected to the account that has your address. If the account is yours, sign in another way first")
	case boardwatch.CodeNotFound:
		return Arrived{}, i.refuse("let you in, but your account or your invitation changed at the same time. Try again")
	default:
	}
	if err != nil {
		return Arrived{}, fmt.Errorf("connect %s: %w", i.o.Provider.Name, err)
	}
	if c.Create == nil {
		i.send(ctx, connectedLetter(a.Email, i.o.Provider.Name, g.Email, i.o.BaseURL))
	}
	in, err = i.admit(ctx, a, g, v)
	in.Reclaimed = c.Reclaim
	return in, err
}

// arriveAgain signs in a guest who is connected to an account; otherwise it is a not_found error.
func (i *Identities) arriveAgain(ctx context.Context, g Guest, v Visitor) (Arrived, error) {
	_, a, err := i.store.LoginBySubject(ctx, g.Issuer, g.Subject)
	if err != nil {
		return Arrived{}, fmt.Errorf("find login: %w", err)
	}
	return i.admit(ctx, a, g, v)
}

// admit signs a guest in to their account, unless the login was removed at the same moment.
func (i *Identities) admit(ctx context.Context, a Account, g Guest, v Visitor) (Arrived, error) {
	now := boardwatch.Milli(i.o.Now())
	if err := i.store.TouchLogin(ctx, g.Issuer, g.Subject, g.Email, now); err != nil {
		return Arrived{}, fmt.Errorf("let a guest in: %w", err)
	}
	in, err := i.enterBy(ctx, a, WayProvider, provenAt(g.SignedInAt, now), v)
	if err != nil {
		return Arrived{}, err
	}
	_, still, err := i.store.LoginBySubject(ctx, g.Issuer, g.Subject)
	if err == nil && still.ID == a.ID {
		return Arrived{Entered: in}, nil
	}
	if gone := i.sessions.End(ctx, a, in.Session.ID); gone != nil && boardwatch.CodeOf(gone) != boardwatch.CodeNotFound {
		return Arrived{}, gone
	}
	if err != nil && boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return Arrived{}, fmt.Errorf("let a guest in: %w", err)
	}
	return Arrived{}, i.refuse("is no longer connected to this account")
}

// provenAt is when a person proved who they are, as the provider says: they may have been signed in there for long. Its
// clock may be ahead.
func provenAt(said, now time.Time) time.Time {
	if said.After(now) {
		return now
	}
	return boardwatch.Milli(said)
}

// connection decides which account a guest gets who is not connected to one yet.
func (i *Identities) connection(ctx context.Context, g Guest, invitation string) (Login, Connection, error) {
	l := i.loginOf(g)
	if g.Email == "" || !g.EmailVerified {
		return l, Connection{}, i.refuse("does not say that your e-mail address is confirmed, so no account can be found by it. " +
			"Confirm the address there, or sign in another way and connect " + i.o.Provider.Name + " in the settings")
	}
	a, err := i.find(ctx, g.Email)
	switch {
	case err != nil:
		return l, Connection{}, fmt.Errorf("let a guest in: %w", err)
	case a.ID == "" && invitation != "":
		return i.invitedConnection(ctx, l, g, invitation)
	case !i.o.Provider.accepts(g.Email):
		return l, Connection{}, i.refuse("gives the address " + g.Email + ", which does not belong to an organisation that may sign in here")
	case a.ID != "":
		l.AccountID = a.ID
		return l, Connection{Email: g.Email, Sole: true, Reclaim: !a.Verified}, nil
	}
	return i.newConnection(ctx, l, g)
}

// newConnection creates an account for a guest if the operator allows it: for people of the configured domains, or for
// everybody if sign-up is open.
func (i *Identities) newConnection(ctx context.Context, l Login, g Guest) (Login, Connection, error) {
	mode, err := i.Mode(ctx)
	if err != nil {
		return l, Connection{}, err
	}
	if !i.o.Provider.Create || len(i.o.Provider.Domains) == 0 && mode != SignUpOpen {
		return l, Connection{}, i.refuse("knows you, but " + g.Email + " has no account here. Ask the operator for one")
	}
	return l, Connection{Create: i.guestAccount(g, i.o.Plan)}, nil
}

// invitedConnection creates an account for an invited guest.
func (i *Identities) invitedConnection(
	ctx context.Context, l Login, g Guest, token string,
) (Login, Connection, error) {
	link, err := i.invitation(ctx, token)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return l, Connection{}, i.refuse("knows you, but the invitation has been used, withdrawn, or has expired. Ask for another one")
	}
	if err != nil {
		return l, Connection{}, err
	}
	if link.Email != "" && link.Email != g.Email {
		return l, Connection{}, i.refuse("gives the address " + g.Email + ", but the invitation is for another address")
	}
	return l, Connection{Create: i.guestAccount(g, link.Plan), Invitation: link.Hash}, nil
}

func (i *Identities) loginOf(g Guest) Login {
	now := boardwatch.Milli(i.o.Now())
	return Login{Issuer: g.Issuer, Subject: g.Subject, Email: g.Email, CreatedAt: now, LastUsedAt: now}
}

func (i *Identities) guestAccount(g Guest, plan PlanName) *Account {
	return &Account{
		ID: boardwatch.NewID(), Email: g.Email, Plan: plan, Verified: true, CreatedAt: boardwatch.Milli(i.o.Now()),
	}
}

// accepts reports whether a normalised address belongs to one of the domains.
func (o ProviderOptions) accepts(email string) bool {
	return len(o.Domains) == 0 || slices.ContainsFunc(o.Domains, func(d string) bool {
		host, ok := canonical.Host(d)
		return ok && strings.HasSuffix(email, "@"+host)
	})
}

// refuse returns the error for a guest, whose reason is a statement about the provider.
func (i *Identities) refuse(why string) error {
	return &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: i.o.Provider.Name + " " + why}
}

// Logins lists the account's identities at the provider.
func (i *Identities) Logins(ctx context.Context, a Account) ([]Login, error) {
	all, err := i.store.Logins(ctx, a.ID)
	if err != nil {
		return nil, fmt.Errorf("list logins: %w", err)
	}
	return slices.DeleteFunc(all, func(l Login) bool { return l.Issuer != i.o.Provider.Issuer }), nil
}

// ConnectGuest connects a guest to the account of a person who has proved that it is theirs (Confirm). Somebody
// who is already connected to an account is an invalid_request error.
func (i *Identities) ConnectGuest(ctx context.Context, a Account, g Guest) error {
	if g.Issuer == "" || g.Issuer != i.o.Provider.Issuer || g.Subject == "" {
		return fmt.Errorf("connect a guest: %q is not the provider", g.Issuer)
	}
	l := i.loginOf(g)
	l.AccountID = a.ID
	if _, err := i.store.Connect(ctx, l, Connection{Sole: true}); err != nil {
		return fmt.Errorf("connect %s: %w", i.o.Provider.Name, err)
	}
	i.send(ctx, connectedLetter(a.Email, i.o.Provider.Name, g.Email, i.o.BaseURL))
	return nil
}

// Renew signs a guest in again to the account they are signed in to, after the provider had them sign in again.
// Somebody else is an unauthorized error.
func (i *Identities) Renew(ctx context.Context, a Account, g Guest, v Visitor) (Arrived, error) {
	_, owner, err := i.store.LoginBySubject(ctx, g.Issuer, g.Subject)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound && err != nil || err == nil && owner.ID != a.ID {
		return Arrived{}, i.refuse("knows you as somebody else. Sign in there as the person that this account is connected to")
	}
	if err != nil {
		return Arrived{}, fmt.Errorf("find login: %w", err)
	}
	return i.admit(ctx, owner, g, v)
}

// DisconnectGuest removes the account's login at the provider, if there is another way to sign in.
func (i *Identities) DisconnectGuest(ctx context.Context, a Account, subject string, p Proof, v Visitor) error {
	a, err := i.confirm(ctx, a, p, v)
	if err != nil {
		return err
	}
	if err := i.store.DropLogin(ctx, a.ID, i.o.Provider.Issuer, subject, i.otherWays(a)); err != nil {
		return fmt.Errorf("disconnect %s: %w", i.o.Provider.Name, err)
	}
	i.o.Log.InfoContext(ctx, "a login was disconnected", slog.String("account_id", a.ID))
	i.send(ctx, disconnectedLetter(a.Email, i.o.Provider.Name, i.o.BaseURL))
	return nil
}

// otherWays says what counts as a way into an account here.
func (i *Identities) otherWays(a Account) OtherWays {
	return OtherWays{Password: i.AllowsPassword(a), Issuer: i.o.Provider.Issuer, Passkeys: i.o.Passkeys}
}
