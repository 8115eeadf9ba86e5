package main

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
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
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

// people puts the app together for a process that is reached at base.
func (a *app) people(base string) (*peopleParts, error) {
	address, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("base_url: %w", err)
	}
	p := &peopleParts{grants: a.grants(base)}
	if p.connector, err = a.connector(p.grants, base); err != nil {
		return nil, err
	}
	mailer, err := a.mailer(base, p)
	if err != nil {
		return nil, err
	}
	sender, err := a.newSender(base, a.cfg.Dev)
	if err != nil {
		return nil, err
	}
	options := account.Options{Plans: a.cfg.AllPlans()}
	p.identities = account.NewIdentities(a.store, a.hasher, mailer, account.IdentityOptions{
		Mode: account.SignUpMode(a.cfg.Signup.Mode), Plan: account.PlanName(a.cfg.Signup.Plan), BaseURL: base, Log: a.log,
		Key: peopleKey(a.key), NoPasswords: !a.cfg.Signup.Password, Passkeys: account.PasskeysWork(address), Provider: account.ProviderOptions{
			Issuer: a.cfg.OIDC.Issuer, Name: a.cfg.OIDC.Name, Domains: a.cfg.OIDC.AllowedDomains, Create: a.cfg.OIDC.Create,
		},
	})
	passkeys, err := p.passkeys(address)
	if err != nil {
		return nil, err
	}
	p.pages, err = web.New(web.Services{
		Plans: a.cfg.AllPlans(), Tracker: a.lists, Feed: track.NewFeed(a.store, nil), Identities: p.identities,
		Manager: a.accounts, Keys: a.keys, Webhooks: a.webhooks(), Channels: a.channels(), Preferences: account.NewPreferenceManager(a.store, options),
		Operator: account.NewOperator(a.store), Grants: p.grants, Provider: a.provider(base), Passkeys: passkeys,
		Dispatcher: deliver.New(a.store, sender, deliver.Options{
			Rules: a.cfg.Rules(), Log: a.log, Timeout: a.cfg.Webhook.Timeout, Rates: a.store,
		}),
	}, web.Options{
		Contact: a.cfg.Contact, Health: a.health, Exists: a.exists(), Browser: a.browserState(), Rules: a.cfg.Rules(), Headers: sender.webhooks.Headers,
		BaseURL: address, Mail: p.send != nil, Tries: len(a.cfg.Webhook.RetrySchedule) + 1, Version: programVersion(), Log: a.log,
		Reference: rest.Reference(base), NotFound: http.HandlerFunc(rest.NotFound), WantsPage: rest.WantsPage, Database: a.ping,
	})
	if err != nil {
		return nil, err
	}
	p.authorizer, err = a.authorization(p.grants, p.pages, base)
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
func (a *app) provider(base string) *oidc.Provider {
	if a.cfg.OIDC.Issuer == "" {
		return nil
	}
	return oidc.New(oidc.Options{
		Issuer: a.cfg.OIDC.Issuer, ClientID: a.cfg.OIDC.ClientID, ClientSecret: string(a.cfg.OIDC.ClientSecret),
		Scopes: a.cfg.OIDC.Scopes, RedirectURL: base + web.ProviderReturn,
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
func (a *app) browserState() func() string {
	if a.browser == nil || !a.cfg.Runs("worker") {
		return nil
	}
	return a.browser.State
}

// mailer hands mail to the server of the settings. Without one, the links in it go to the log.
func (a *app) mailer(base string, p *peopleParts) (account.Mailer, error) {
	if a.cfg.Mail.SMTPURL == "" {
		return mail.NewLog(a.log), nil
	}
	server, err := a.smtp(base)
	if err != nil {
		return nil, err
	}
	outbox := mail.NewOutbox(server, a.log)
	p.send = outbox.Run
	return outbox, nil
}

// startPeople runs what the app needs besides requests. Without the role api there is no app.
func (a *app) startPeople(ctx context.Context, group *errgroup.Group, base string) (*peopleParts, error) {
	if !a.cfg.Runs("api") {
		return nil, nil //nolint:nilnil // no app is a value like any other
	}
	p, err := a.people(base)
	if err != nil {
		return nil, err
	}
	if p.send != nil {
		group.Go(func() error { return p.send(ctx) })
	}
	return p, p.welcome(ctx, a.cfg.Admin, a.log)
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
func (a *app) exists() func(ctx context.Context, host string) bool {
	if a.cfg.HTTP.Proxy != "" || os.Getenv("HTTPS_PROXY")+os.Getenv("https_proxy") != "" || a.cfg.Dev || a.cfg.Demo {
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

// health examines what this process depends on, as doctor does.
func (a *app) health(ctx context.Context) []web.Finding {
	ctx, cancel := context.WithTimeoutCause(ctx, databaseTimeout, errors.New("no answer in time"))
	defer cancel()
	found := examineStore(ctx, a.store, time.Now, a.cfg.Database.String())
	if file, ok := sqliteFile(a.cfg); ok {
		found = append(found, examineDisk(freeSpace(file)))
	}
	found = append(append(found, conditionOf(ctx, a.store)...), examineMail(ctx, a.cfg))
	kinds := map[findingState]string{stateOK: "ok", stateWarning: "warn", stateFault: "bad"}
	findings := make([]web.Finding, len(found))
	for i, f := range found {
		findings[i] = web.Finding{Check: f.Check, Kind: kinds[f.State], Detail: f.Detail}
	}
	return findings
}
