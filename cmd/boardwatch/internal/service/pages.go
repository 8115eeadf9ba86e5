package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/diagnosis"
	"github.com/boardwatch/boardwatch/transport/mail"
	"github.com/boardwatch/boardwatch/transport/oidc"
	"github.com/boardwatch/boardwatch/transport/rest"
	"github.com/boardwatch/boardwatch/transport/web"
)

// peopleParts is what a person meets: the app, and the mail that it causes.
type peopleParts struct {
	pages      *web.App
	identities *account.Identities
	grants     *account.Grants
	connector  http.Handler // the MCP door
	authorizer http.Handler // gives out tokens for it; nil where that is not safe
	// send hands mail over until the context ends; nil where no mail is sent.
	send func(ctx context.Context) error
}

// newPeople puts the app together for a process that is reached at base.
func newPeople(a *app.App, base string) (*peopleParts, error) {
	address, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("base_url: %w", err)
	}
	p := &peopleParts{grants: grants(a, base)}
	if p.connector, err = connector(a, p.grants, base); err != nil {
		return nil, err
	}
	mailer, err := mailer(a, base, p)
	if err != nil {
		return nil, err
	}
	sender, err := a.NewSender(base, a.Config.Dev)
	if err != nil {
		return nil, err
	}
	options := account.Options{Plans: a.Config.AllPlans()}
	p.identities = account.NewIdentities(a.Store, a.Hasher, mailer, account.IdentityOptions{
		Mode: account.SignUpMode(a.Config.Signup.Mode), Plan: account.PlanName(a.Config.Signup.Plan), BaseURL: base, Log: a.Log,
		Key: peopleKey(a.Key), NoPasswords: !a.Config.Signup.Password, Passkeys: account.PasskeysWork(address), Provider: account.ProviderOptions{
			Issuer: a.Config.OIDC.Issuer, Name: a.Config.OIDC.Name, Domains: a.Config.OIDC.AllowedDomains, Create: a.Config.OIDC.Create,
		},
	})
	passkeys, err := p.passkeys(address)
	if err != nil {
		return nil, err
	}
	p.pages, err = web.New(web.Services{
		Plans: a.Config.AllPlans(), Tracker: a.Lists, Feed: track.NewFeed(a.Store, nil), Identities: p.identities,
		Manager: a.Accounts, Keys: a.Keys, Webhooks: a.Webhooks(), Channels: a.Channels(), Preferences: account.NewPreferenceManager(a.Store, options),
		Operator: account.NewOperator(a.Store), Grants: p.grants, Provider: provider(a, base), Passkeys: passkeys,
		Dispatcher: deliver.New(a.Store, sender, deliver.Options{
			Rules: a.Config.Rules(), Log: a.Log, Timeout: a.Config.Webhook.Timeout, Rates: a.Store,
		}),
	}, web.Options{
		Contact: a.Config.Contact, Health: findings(a), Exists: exists(a), Browser: browserState(a), Rules: a.Config.Rules(), Headers: sender.Webhooks.Headers,
		BaseURL: address, Mail: p.send != nil, Hour: a.Config.Mail.DigestHour, Tries: len(a.Config.Webhook.RetrySchedule) + 1, Version: build.Version(), Log: a.Log,
		Reference: rest.Reference(base), NotFound: http.HandlerFunc(rest.NotFound), WantsPage: rest.WantsPage, Database: a.Store.Ping,
	})
	if err != nil {
		return nil, err
	}
	p.authorizer, err = authorization(a, p.grants, p.pages, base)
	return p, err
}

// passkeys are how people sign in with them; nil where browsers allow none.
func (p *peopleParts) passkeys(base *url.URL) (*account.Passkeys, error) {
	if !account.PasskeysWork(base) {
		return nil, nil //nolint:nilnil // no passkeys is a value like any other
	}
	return account.NewPasskeys(p.identities, base)
}

// provider is the one of the settings; nil when there is none.
func provider(a *app.App, base string) *oidc.Provider {
	if a.Config.OIDC.Issuer == "" {
		return nil
	}
	return oidc.New(oidc.Options{
		Issuer: a.Config.OIDC.Issuer, ClientID: a.Config.OIDC.ClientID, ClientSecret: string(a.Config.OIDC.ClientSecret),
		Scopes: a.Config.OIDC.Scopes, RedirectURL: base + web.ProviderReturn,
	})
}

// peopleKey is what browsers are known by and sign-ins are encrypted with, made of the secret key: processes with the same
// one know the same browsers, and finish what another began.
func peopleKey(key []byte) []byte {
	if key == nil {
		return nil
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("known browsers"))
	return mac.Sum(nil)
}

// browserState is how the operator's page asks after the browser; nil where this process reads no pages.
func browserState(a *app.App) func() string {
	if a.Browser == nil || !a.Config.Runs("worker") {
		return nil
	}
	return a.Browser.State
}

// mailer hands mail to the server of the settings. Without one, the links in it go to the log.
func mailer(a *app.App, base string, p *peopleParts) (account.Mailer, error) {
	if a.Config.Mail.SMTPURL == "" {
		return mail.NewLog(a.Log), nil
	}
	server, err := a.SMTP(base)
	if err != nil {
		return nil, err
	}
	outbox := mail.NewOutbox(server, a.Log)
	p.send = outbox.Run
	return outbox, nil
}

// startPeople runs what the app needs besides requests. Without the role api there is no app.
func startPeople(ctx context.Context, a *app.App, group *errgroup.Group, base string) (*peopleParts, error) {
	if !a.Config.Runs("api") {
		return nil, nil //nolint:nilnil // no app is a value like any other
	}
	p, err := newPeople(a, base)
	if err != nil {
		return nil, err
	}
	if p.send != nil {
		group.Go(func() error { return p.send(ctx) })
	}
	return p, p.welcome(ctx, a.Config.Admin, a.Log)
}

// welcome makes the first operator as the settings say, or tells whoever reads the log how it is done, as long as there is
// no account.
func (p *peopleParts) welcome(ctx context.Context, admin config.Admin, log *slog.Logger) error {
	if admin.Email != "" && admin.Password != "" {
		made, ok, err := p.identities.CreateFirst(ctx, admin.Email, string(admin.Password))
		if ok {
			log.InfoContext(ctx, "the first operator was made", slog.String("email", made.Email))
		}
		return err
	}
	link, err := p.identities.SetupLink(ctx)
	if err != nil || link == "" {
		return err
	}
	log.InfoContext(ctx, "there is no account yet: make the first one within half an hour", slog.String("url", link))
	return nil
}

// exists tells whether a host name exists, so that a misspelt one is not added to a list; nil where this machine may not look
// names up for the boards: behind a proxy, and in development.
func exists(a *app.App) func(ctx context.Context, host string) bool {
	if a.Config.HTTP.Proxy != "" || os.Getenv("HTTPS_PROXY")+os.Getenv("https_proxy") != "" || a.Config.Dev || a.Config.Demo {
		return nil
	}
	return func(ctx context.Context, host string) bool {
		ctx, cancel := context.WithTimeoutCause(ctx, 3*time.Second, errors.New("no answer in time"))
		defer cancel()
		_, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		unknown, is := errors.AsType[*net.DNSError](err)
		return !is || !unknown.IsNotFound
	}
}

// findings tells the operator's page what this process depends on, as doctor does.
func findings(a *app.App) func(ctx context.Context) []web.Finding {
	kinds := map[diagnosis.State]string{diagnosis.OK: "ok", diagnosis.Warning: "warn", diagnosis.Fault: "bad"}
	return func(ctx context.Context) []web.Finding {
		var findings []web.Finding
		for _, f := range diagnosis.Service(ctx, a.Config, a.Store) {
			findings = append(findings, web.Finding{Check: f.Check, Kind: kinds[f.State], Detail: f.Detail})
		}
		return findings
	}
}
