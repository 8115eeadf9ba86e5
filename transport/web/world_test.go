package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport"
	"github.com/boardwatch/boardwatch/transport/oauth"
	"github.com/boardwatch/boardwatch/transport/oidc"
	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
	"github.com/boardwatch/boardwatch/transport/rest"
	"github.com/boardwatch/boardwatch/transport/web"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

const (
	ownerEmail = "ada@northwind.example"
	password   = "a sentence that only ada would say"
)

// world is the app over a real store, with a clock that the test moves.
type world struct {
	t          testing.TB
	store      *storage.Store
	now        atomic.Int64
	accounts   *account.Manager
	keys       *account.Keys
	identities *account.Identities
	grants     *account.Grants
	hasher     *account.Hasher
	mails      *letterbox
	receiver   boardwatch.Receipt
	sender     boardwatch.Deliverer // nil: nothing is sent, and the receiver answers
	site       *httptest.Server
	log        *lines
	handler    atomic.Value // an http.Handler
	invitation string       // its path; empty: nobody is invited
}

type worldOptions struct {
	mode    account.SignUpMode
	baseURL string // empty: the server's own
	contact string // of the operator
	exists  func(ctx context.Context, host string) bool
	rules   boardwatch.Rules
	health  func(ctx context.Context) []web.Finding
	mail    bool

	documents *oauth.Documents // nil: programs cannot describe themselves

	provider    *oidctest.Provider // nil: there is none
	domains     []string
	create      bool
	noPasswords bool
	localhost   bool // the site is reached by a name, for which browsers allow passkeys

	hasher *account.Hasher // nil: one with cheap hashes
}

var start = time.Date(2026, 10, 21, 9, 0, 0, 0, time.UTC)

func newWorld(tb testing.TB, o worldOptions) *world {
	tb.Helper()
	if o.hasher == nil {
		o.hasher = account.NewHasherOf(64)
	}
	w := &world{t: tb, mails: &letterbox{}, log: &lines{}, hasher: o.hasher, receiver: boardwatch.Receipt{Code: 200, Duration: 84 * time.Millisecond}}
	w.now.Store(start.UnixMilli()) // the history of a list is made first, because clocks of stores do not go back
	w.store = storagetest.Open(tb, storage.Options{Plans: plans(), Now: w.clock, SealKey: []byte(storagetest.SealKey)})
	options := account.Options{Plans: plans(), Now: w.clock}
	w.accounts = account.NewManager(w.store, w.hasher, options)
	w.keys = account.NewKeys(w.store, options)

	w.site = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.handler.Load().(http.Handler).ServeHTTP(rw, r) }))
	tb.Cleanup(w.site.Close)
	w.serve(o)
	return w
}

// serve replaces the process that answers by another one on the same store.
func (w *world) serve(o worldOptions) {
	w.t.Helper()
	if o.localhost {
		w.site.URL = strings.Replace(w.site.URL, "127.0.0.1", "localhost", 1)
	}
	if o.baseURL == "" {
		o.baseURL = w.site.URL
	}
	base, err := url.Parse(o.baseURL)
	require.NoError(w.t, err)
	options := account.Options{Plans: plans(), Now: w.clock}
	log := slog.New(slog.NewTextHandler(w.log, nil))
	w.identities = account.NewIdentities(w.store, w.hasher, w.mails, account.IdentityOptions{
		Mode: o.mode, BaseURL: o.baseURL, Now: w.clock, NoPasswords: o.noPasswords, Passkeys: account.PasskeysWork(base), Provider: w.providerOptions(o),
		Key: []byte("of all processes"),
	})
	w.grants = account.NewGrants(w.store, account.GrantOptions{Resource: oauth.Resource(o.baseURL), Now: w.clock})
	app, err := web.New(web.Services{
		Plans: plans(), Tracker: track.New(w.store, recognize, track.Options{Plans: plans()}), Feed: track.NewFeed(w.store, w.clock),
		Identities: w.identities, Manager: w.accounts, Keys: w.keys,
		Webhooks:    account.NewWebhooks(w.store, account.WebhookOptions{Options: options}),
		Channels:    account.NewChannels(w.store, account.ChannelOptions{Now: w.clock, Mail: o.mail}),
		Preferences: account.NewPreferenceManager(w.store, options), Operator: account.NewOperator(w.store),
		Grants:     w.grants,
		Dispatcher: deliver.New(w.store, answering{w}, deliver.Options{Now: w.clock, Rates: w.store}),
		Provider:   w.providerClient(o),
		Passkeys:   w.passkeys(base),
	}, web.Options{BaseURL: base, Reference: rest.Reference(o.baseURL), Contact: o.contact, Exists: o.exists, Health: o.health, Mail: o.mail, Version: "1.2.3", Database: w.store.Ping, Log: log, Now: w.clock, Headers: webhook.New(webhook.Options{}).Headers, Rules: o.rules, Hour: 7})
	require.NoError(w.t, err)
	authorization, err := oauth.New(w.grants, app, oauth.Options{BaseURL: o.baseURL, Documents: o.documents, Now: w.clock})
	require.NoError(w.t, err)
	mux := http.NewServeMux()
	mux.Handle("/", app)
	for _, pattern := range oauth.Patterns() {
		mux.Handle(pattern, authorization)
	}
	w.handler.Store(http.Handler(http.HandlerFunc(transport.Compress(mux).ServeHTTP)))
}

func (w *world) passkeys(base *url.URL) *account.Passkeys {
	if !account.PasskeysWork(base) {
		return nil
	}
	p, err := account.NewPasskeys(w.identities, base)
	require.NoError(w.t, err)
	return p
}

func (w *world) providerOptions(o worldOptions) account.ProviderOptions {
	if o.provider == nil {
		return account.ProviderOptions{}
	}
	return account.ProviderOptions{Issuer: o.provider.URL, Name: "Northwind ID", Domains: o.domains, Create: o.create}
}

func (w *world) providerClient(o worldOptions) *oidc.Provider {
	if o.provider == nil {
		return nil
	}
	o.provider.Redirect, o.provider.Now = o.baseURL+web.ProviderReturn, w.clock
	return oidc.New(oidc.Options{
		Issuer: o.provider.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret, Scopes: []string{"email"},
		RedirectURL: o.provider.Redirect, Now: w.clock,
	})
}

func plans() account.Plans {
	p := account.DefaultPlans()
	ultra := p[account.PlanUltra]
	ultra.Boards = 10
	p[account.PlanUltra] = ultra
	pro := p[account.PlanPro]
	pro.Cadence = time.Hour
	p[account.PlanPro] = pro
	return p
}

func recognize(input string) (boardwatch.Recognized, error) {
	if input == "ftp://nowhere.example" {
		return boardwatch.Recognized{}, errors.New("ftp addresses cannot be read: use https")
	}
	if !strings.Contains(input, ".") {
		return boardwatch.Recognized{}, errors.New("must name a public host")
	}
	address := input
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	source := ""
	if name, ok := strings.CutPrefix(input, "https://boards.greenhouse.io/"); ok {
		source = "greenhouse:" + name
	}
	return boardwatch.Recognized{Address: address, Source: source, URL: address}, nil
}

func (w *world) clock() time.Time { return time.UnixMilli(w.now.Load()).UTC() }

func (w *world) pass(d time.Duration) { w.now.Add(d.Milliseconds()) }

// answering is a receiver of webhooks.
type answering struct{ w *world }

func (a answering) Deliver(ctx context.Context, h boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	if a.w.sender != nil {
		return a.w.sender.Deliver(ctx, h, d)
	}
	return a.w.receiver
}

// letterbox collects the mail that was sent.
type letterbox struct {
	mu   sync.Mutex
	sent []account.Mail
}

func (l *letterbox) Send(_ context.Context, m account.Mail) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, m)
	return nil
}

// to returns the link in the last mail to an address.
func (l *letterbox) to(tb testing.TB, email string) *url.URL {
	tb.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range slices.Backward(l.sent) {
		if m.To == email && m.Link != "" {
			u, err := url.Parse(m.Link)
			require.NoError(tb, err)
			return u
		}
	}
	require.Fail(tb, "no mail", "to %s", email)
	return nil
}

// lines is a log that can be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// account creates an account with a password.
func (w *world) account(email string, plan account.PlanName, admin bool) account.Account {
	w.t.Helper()
	a, err := w.accounts.Create(w.t.Context(), account.NewAccount{
		Email: email, Plan: plan, Verified: true, Admin: admin, Password: password,
	})
	require.NoError(w.t, err)
	return a
}

// company is a board with the history of its roles.
type company struct {
	name, domain, source string
	open                 func(day int) int // roles on each of 31 days
	failing              string            // what is wrong with it at the end
}

func rising(from, to int) func(int) int {
	return func(day int) int { return from + (to-from)*day/30 }
}

func companies() []company {
	return []company{
		{"Northwind Labs", "northwindlabs.example", "greenhouse:northwind", rising(60, 86), ""},
		{"Aster Robotics", "asterrobotics.example", "lever:aster", rising(75, 61), ""},
		{"Quarry & Finch", "quarryfinch.example", "workday:quarry.wd5/External", rising(40, 19), "the page answered 403 three times in a row"},
		{"Halcyon Health", "halcyonhealth.example", "ashby:halcyon", func(d int) int { return 88 - d%7 }, ""},
		{"Tidewater Bank", "tidewaterbank.example", "page:https://tidewaterbank.example/careers", rising(20, 71), ""},
		{"Pinecone Analytics", "pineconeanalytics.example", "smartrecruiters:pinecone", rising(18, 30), ""},
		{"Osprey Games", "ospreygames.example", "lever:osprey", func(d int) int { return 6 + 5*(d%3) }, ""},
		{"Basalt Energy", "basaltenergy.example", "ashby:basalt", func(d int) int { return min(3+d, 31) - 26*(d/30) }, ""}, // most are missing at the end
		{"Cobalt Metrics", "cobaltmetrics.example", "greenhouse:cobalt", rising(80, 97), ""},
		{"", "", "", nil, ""}, // just added
		{"Vireo Audio", "vireoaudio.example", "recruitee:vireo", rising(50, 67), ""},
		{"Juniper Foods", "juniperfoods.example", "smartrecruiters:juniper", rising(60, 73), ""},
	}
}

// populate gives the account a list of boards with a month of history.
func (w *world) populate(a account.Account) { w.populateDaily(a, func(int) {}) }

// lesson gives the account's first board that is read as a page a recipe, an answered lesson and a report.
func (w *world) lesson(a account.Account) {
	w.t.Helper()
	ctx := w.t.Context()
	boards, err := w.store.Tracked(ctx, a.ID, "")
	require.NoError(w.t, err)
	i := slices.IndexFunc(boards, func(b track.TrackedBoard) bool { return b.Board.System() == boardwatch.PageSystem })
	id := boards[i].Board.ID
	require.NoError(w.t, w.store.SaveMisread(ctx, account.Misread{
		BoardID: id, AccountID: a.ID, Text: "Half of the roles are missing, and one of those shown is a picnic.", Titles: []string{"Balloon Pilot", "Weather Archivist"},
	}))
	require.NoError(w.t, w.store.AskLesson(ctx, boardwatch.Lesson{BoardID: id, Like: []string{"Balloon Pilot"}, Not: []string{"Summer Picnic"}}))
	l, _, err := w.store.TakeLesson(ctx, time.Minute)
	require.NoError(w.t, err)
	l.Recipe = `{"version":1,"entry":"div.openings > article.opening","title":"h3","link":"a","place":{"select":"p","after":"Location:"},"not":["Summer Picnic"]}`
	l.Health, l.Cause, l.Reason, l.Roles = boardwatch.HealthPartial, cause.Truncated, "the page shows only part of the list", 120
	for _, title := range []string{"Balloon Pilot", "Weather Archivist", "Engineer of Very Long Ropes and of Everything That Hangs on Them"} {
		l.Postings = append(l.Postings, boardwatch.Posting{Title: title, Location: "Porto, Portugal", Department: "Flight"})
	}
	l.Lists = []boardwatch.TextList{
		{First: []string{"Balloon Pilot", "Weather Archivist", "Engineer of Very Long Ropes and of Everything That Hangs on Them"}, Count: 120},
		{First: []string{"Porto, Portugal", "Bergen, Norway"}, Count: 9},
		{First: []string{"We are kind to each other, also on days on which the wind comes from the wrong side", "We look up"}, Count: 4},
	}
	require.NoError(w.t, w.store.AnswerLesson(ctx, l))
	require.NoError(w.t, w.store.SetRecipe(ctx, id, l.Recipe))
}

// populateDaily is like populate, but lets the test do something in the evening of each day.
func (w *world) populateDaily(a account.Account, evening func(day int)) {
	w.t.Helper()
	ctx := w.t.Context()
	_, err := w.accounts.SetPlan(ctx, a.Email, account.PlanPro)
	require.NoError(w.t, err)
	titles := []string{"Staff Engineer, Storage", "Product Designer", "Data Analyst", "Account Executive", "Site Reliability Engineer", "Recruiter"}
	places := []string{"Berlin", "Remote, EU", "Lisbon", "New York, NY", "London"}
	all := companies()
	byID := map[string]company{}
	for _, c := range all {
		want := boardwatch.Board{Source: c.source, URL: "https://" + c.domain + "/careers", Status: boardwatch.BoardScraping}
		if c.name == "" {
			want = boardwatch.Board{URL: "https://lumenfreight.example"}
		}
		b, _, err := w.store.Subscribe(ctx, boardwatch.Subscription{AccountID: a.ID}, want, want.URL)
		require.NoError(w.t, err)
		byID[b.ID] = c
	}
	for day := range 31 {
		if day == 29 { // the last two come with a smaller plan
			_, err := w.accounts.SetPlan(ctx, a.Email, account.PlanUltra)
			require.NoError(w.t, err)
		}
		claims, err := w.store.ClaimDue(ctx, 100, time.Minute, boardwatch.ClaimFilter{})
		require.NoError(w.t, err)
		for _, claim := range claims {
			c := byID[claim.Board.ID]
			if c.name == "" {
				require.NoError(w.t, w.store.Release(ctx, claim))
				continue
			}
			reading := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: c.name, Domain: c.domain}
			for n := range c.open(day) {
				reading.Postings = append(reading.Postings, boardwatch.Posting{
					Key: strconv.Itoa(n), Title: titles[n%len(titles)], Location: places[n%len(places)], Department: "Team " + strconv.Itoa(n%4),
					URL: fmt.Sprintf("https://%s/jobs/%d", c.domain, n),
				})
			}
			if c.failing != "" && day > 28 {
				reading = boardwatch.Failed(cause.SiteError, c.failing)
			}
			require.NoError(w.t, w.store.SaveCheck(ctx, claim, func(in boardwatch.CheckInput) boardwatch.CheckResult {
				return boardwatch.Decide(in, reading.Normalize(), false, boardwatch.DefaultRules(), boardwatch.NewID)
			}))
		}
		evening(day)
		if day < 30 {
			w.pass(24 * time.Hour)
		}
	}
	w.pass(11 * time.Minute)
}

// browser is a person's browser.
type browser struct {
	t    testing.TB
	w    *world
	http *http.Client
}

func (w *world) browser() *browser {
	w.t.Helper()
	return w.browserIn(w.t)
}

// browserIn returns a browser inside a fuzz target.
func (w *world) browserIn(tb testing.TB) *browser {
	tb.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(tb, err)
	return &browser{tb, w, &http.Client{Jar: jar}}
}

// signedIn returns the browser of a person who has signed in.
func (w *world) signedIn(email string) *browser {
	w.t.Helper()
	b := w.browser()
	page := b.post("/signin", url.Values{"email": {email}, "password": {password}})
	require.Equal(w.t, "/boards", page.path, page.text)
	return b
}

// page is an answer after all redirects.
type page struct {
	status int
	method string
	path   string
	query  string
	text   string
	header http.Header
}

func (b *browser) get(path string) page {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.w.site.URL+path, nil)
	require.NoError(b.t, err)
	return b.do(r)
}

func (b *browser) post(path string, form url.Values) page {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.w.site.URL+path, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", b.w.site.URL)
	return b.do(r)
}

func (b *browser) do(r *http.Request) page {
	b.t.Helper()
	answer, err := b.http.Do(r)
	require.NoError(b.t, err)
	defer answer.Body.Close()
	var text bytes.Buffer
	_, err = text.ReadFrom(answer.Body)
	require.NoError(b.t, err)
	return page{answer.StatusCode, answer.Request.Method, answer.Request.URL.Path, answer.Request.URL.RawQuery, text.String(), answer.Header}
}

// webhooks gives the account three webhooks: a working one, a failing one, and one that was switched off.
func (w *world) webhooks(a account.Account) {
	w.t.Helper()
	for _, host := range []string{"hooks", "slow", "gone"} {
		h := boardwatch.Webhook{
			ID: boardwatch.NewID(), AccountID: a.ID, URL: "https://" + host + ".example/boardwatch", Secret: account.NewWebhookSecret(),
			Events: []boardwatch.EventType{boardwatch.EventJobFound, boardwatch.EventJobArchived}, CreatedAt: w.clock(),
		}
		require.NoError(w.t, w.store.CreateWebhook(w.t.Context(), h, boardwatch.MaxWebhooks))
	}
}

// board adds a board to the account's list and reads it once.
func (w *world) board(a account.Account, reading boardwatch.Reading) (id string) {
	w.t.Helper()
	url := "https://" + boardwatch.NewID() + ".example/careers"
	b, _, err := w.store.Subscribe(w.t.Context(), boardwatch.Subscription{AccountID: a.ID},
		boardwatch.Board{Source: "page:" + url, URL: url, Status: boardwatch.BoardScraping}, url)
	require.NoError(w.t, err)
	w.read(b.ID, reading)
	return b.ID
}

// readNext reads a board again, a day later.
func (w *world) readNext(id string, reading boardwatch.Reading) {
	w.t.Helper()
	w.pass(24 * time.Hour)
	w.read(id, reading)
}

// read checks a board that is due.
func (w *world) read(id string, reading boardwatch.Reading) {
	w.t.Helper()
	ctx := w.t.Context()
	claims, err := w.store.ClaimDue(ctx, 1000, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(w.t, err)
	due := false
	for _, claim := range claims {
		if claim.Board.ID != id {
			require.NoError(w.t, w.store.Release(ctx, claim))
			continue
		}
		due = true
		require.NoError(w.t, w.store.SaveCheck(ctx, claim, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			return boardwatch.Decide(in, reading.Normalize(), false, boardwatch.DefaultRules(), boardwatch.NewID)
		}))
	}
	require.True(w.t, due, "the board is not due")
}

// signedInAs returns the browser of another person, for whom it creates an account.
func (w *world) signedInAs(email string) *browser {
	w.t.Helper()
	w.account(email, account.PlanUltra, false)
	return w.signedIn(email)
}

// listing returns a healthy reading of roles, each with a key, a title and a place.
func listing(roles ...[3]string) boardwatch.Reading {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Northwind"}
	for _, role := range roles {
		r.Postings = append(r.Postings, boardwatch.Posting{
			Key: role[0], Title: role[1], Location: role[2], URL: "https://northwind.example/jobs/" + role[0],
		})
	}
	return r
}

func (b *browser) cookie(name string) string {
	b.t.Helper()
	site, err := url.Parse(b.w.site.URL)
	require.NoError(b.t, err)
	for _, c := range b.http.Jar.Cookies(site) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

var feedAddress = regexp.MustCompile(`/feeds/([A-Za-z0-9_-]{43})`)

func feedToken(tb testing.TB, b *browser) string {
	tb.Helper()
	found := feedAddress.FindStringSubmatch(b.get("/settings/email").text)
	require.NotNil(tb, found)
	return found[1]
}

// failDeliveries lets every delivery fail for some days, until its webhook or channel is switched off.
func (w *world) failDeliveries() {
	w.t.Helper()
	for range 7 {
		w.deliverAll(func(string) boardwatch.Receipt {
			return boardwatch.Receipt{Code: 503, Error: "503 Service Unavailable", Duration: time.Second}
		})
		w.pass(13 * time.Hour)
	}
}

// deliverAll tries every due delivery once, for real if the world has a sender. A webhook is switched off after it has failed for an hour.
func (w *world) deliverAll(receipt func(host string) boardwatch.Receipt) {
	w.t.Helper()
	ctx := w.t.Context()
	rules := boardwatch.Rules{}
	rules.DisableAfter = time.Hour
	claims, err := w.store.ClaimWebhooks(ctx, 10, time.Minute)
	require.NoError(w.t, err)
	var outcomes []boardwatch.Attempts
	for _, c := range claims {
		target, err := url.Parse(c.Webhook.URL)
		require.NoError(w.t, err)
		due, _, err := w.store.DueDeliveries(ctx, c.Webhook.ID, w.clock(), nil, 1000, 100<<20)
		require.NoError(w.t, err)
		o := boardwatch.Attempts{Claim: c, Webhook: c.Webhook}
		for _, d := range due {
			answer := receipt
			if w.sender != nil {
				answer = func(string) boardwatch.Receipt { return w.sender.Deliver(ctx, c.Webhook, d) }
			}
			after := d.After(answer(target.Host), rules, w.clock())
			o.Deliveries, o.Webhook = append(o.Deliveries, after), o.Webhook.After(after, rules, w.clock())
			if !o.Webhook.DisabledAt.IsZero() {
				break // the others are dropped
			}
		}
		outcomes = append(outcomes, o)
	}
	_, err = w.store.SaveAttempts(ctx, outcomes)
	require.NoError(w.t, err)
	require.NoError(w.t, w.store.ReleaseWebhooks(ctx, claims))
}

// furnished returns a world in which everything has happened: an operator on the largest plan with a month of history,
// keys, and webhooks that work, fail and have been switched off.
func furnished(tb testing.TB) (*world, account.Account) {
	tb.Helper()
	w := newWorld(tb, worldOptions{mode: account.SignUpOpen, mail: true, provider: oidctest.New(tb), localhost: true})
	owner := w.account(ownerEmail, account.PlanUltra, true)
	w.webhooks(owner)
	w.channels(owner)
	w.populateDaily(owner, func(day int) {
		w.deliverAll(func(host string) boardwatch.Receipt {
			switch {
			case host == "gone.example" && day > 3:
				return boardwatch.Receipt{Error: "no answer within 10s", Duration: 10 * time.Second}
			case host == "slow.example" && day > 29:
				return boardwatch.Receipt{Code: 503, Error: "503 Service Unavailable", Duration: 310 * time.Millisecond}
			default:
				return boardwatch.Receipt{Code: 200, Duration: time.Duration(60+7*day) * time.Millisecond}
			}
		})
	})
	for _, name := range []string{"CI pipeline", "Laptop"} {
		_, _, err := w.keys.Create(tb.Context(), owner, name)
		require.NoError(tb, err)
	}
	w.connectApps(owner)
	w.lesson(owner)
	w.remember(owner)
	w.waysIn(owner)
	return w, owner
}

// channels gives the account channels that work, that fail, and that were switched off, by failures or by hand.
func (w *world) channels(a account.Account) {
	w.t.Helper()
	for i, c := range []boardwatch.Channel{
		{Kind: account.ChannelNtfy, To: "https://hooks.example/topic", Name: "The phone that lies on the table beside the other phones"},
		{Kind: account.ChannelTelegram, To: "https://slow.example/bot1:x/sendMessage?chat_id=1", Failures: true},
		{Kind: account.ChannelSlack, To: "https://gone.example/services/T0/B0/x", Name: "Team"},
		{Kind: boardwatch.ChannelEmail, To: a.Email, Failures: true},
	} {
		c.ID, c.AccountID, c.CreatedAt = boardwatch.NewID(), a.ID, w.clock().Add(time.Duration(i)*time.Second)
		c.All = !c.Failures
		c, err := account.CleanChannel(c)
		require.NoError(w.t, err)
		require.NoError(w.t, w.store.CreateChannel(w.t.Context(), c, account.MaxChannels))
	}
}

// waysIn gives the account a login at the provider and two passkeys, and invites a person.
func (w *world) waysIn(a account.Account) {
	w.t.Helper()
	guest := account.Guest{Issuer: w.identities.Provider().Issuer, Subject: "ada-1", Email: "ada.lovelace.of.the.analytical.engine@northwind.example"}
	require.NoError(w.t, w.identities.ConnectGuest(w.t.Context(), a, guest))
	for i, name := range []string{"Phone", "The security key in the drawer with the other security keys"} {
		p := account.Passkey{
			ID: boardwatch.NewID(), AccountID: a.ID, CredentialID: account.NewToken(), Name: name, Credential: []byte("{}"), CreatedAt: w.clock(),
		}
		if i == 0 {
			p.LastUsedAt = w.clock()
		}
		require.NoError(w.t, w.store.CreatePasskey(w.t.Context(), p, account.MaxPasskeys))
	}
	invited, err := w.identities.Invite(w.t.Context(), a, "guest@contoso.example", account.PlanPro)
	require.NoError(w.t, err)
	link, err := url.Parse(invited.URL)
	require.NoError(w.t, err)
	w.invitation = link.RequestURI()
}

// keptSearch is the id of the search saved by remember.
const keptSearch = "5ea4c45ea4c45ea4c45ea4c4"

// remember saves a search of the account, gives two boards tags, and marks roles.
func (w *world) remember(a account.Account) {
	w.t.Helper()
	ctx := w.t.Context()
	boards, err := w.store.Tracked(ctx, a.ID, "")
	require.NoError(w.t, err)
	for _, b := range boards[:2] {
		_, err := w.store.Tag(ctx, a.ID, b.Board.ID, []string{"near home", "robotics and other machines"}, nil)
		require.NoError(w.t, err)
	}
	require.NoError(w.t, w.store.CreateSearch(ctx, boardwatch.Search{
		ID: keptSearch, AccountID: a.ID, Name: "Engineers in Berlin who would move to another place if they had to", CreatedAt: w.clock(),
		Criteria: boardwatch.Criteria{Text: "engineer", Tags: []string{"near home"}},
	}, track.MaxSearches))
	page, err := w.store.Jobs(ctx, a.ID, track.JobFilter{Search: "engineer", Status: boardwatch.JobOpen})
	require.NoError(w.t, err)
	for i, m := range []track.Mark{{Starred: true}, {AppliedOn: "2026-10-20", Note: "Ask about the ropes."}} {
		m.AccountID, m.JobID = a.ID, page.Jobs[i].ID
		require.NoError(w.t, w.store.SaveMark(ctx, m, track.MaxMarks, track.MaxNotes))
	}
}

// upload sends a form as browsers send one with files.
func (b *browser) upload(path string, fields map[string]string) page {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for k, v := range fields {
		require.NoError(b.t, form.WriteField(k, v))
	}
	require.NoError(b.t, form.Close())
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.w.site.URL+path, &body)
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return b.do(r)
}
