// Package web is the web app. Its pages are rendered on the server and work without JavaScript. One small script makes
// some of them faster, and only that script uses the routes under /api.
package web

import (
	"context"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport"
	"github.com/boardwatch/boardwatch/transport/oidc"
)

// Services are the services that the pages use.
type Services struct {
	Plans       account.Plans
	Tracker     *track.Tracker
	Feed        *track.Feed
	Identities  *account.Identities
	Manager     *account.Manager
	Keys        *account.Keys
	Webhooks    *account.Webhooks
	Channels    *account.Channels
	Preferences *account.PreferenceManager
	Grants      *account.Grants // nil: no apps can be connected
	Operator    *account.Operator
	Dispatcher  *deliver.Dispatcher // pings and resends; it need not run in this process
	Passkeys    *account.Passkeys   // nil: browsers do not allow them at the base URL
	Provider    *oidc.Provider      // nil: there is no OpenID Connect provider
}

// Options are the settings of an App.
type Options struct {
	BaseURL *url.URL         // where people reach the app; its scheme decides whether cookies are secure
	Mail    bool             // whether mail is sent, and not only written to the log
	Rules   boardwatch.Rules // when roles close
	Contact string           // of the operator: an e-mail address or a web address; empty: not known
	Tries   int              // the most attempts for a delivery; 0 means 6
	Hour    int              // at which people get the daily e-mail who have chosen none
	Version string           // shown at the foot of every page
	// Headers returns the headers of an attempt at a delivery, signed with that signature. Nil means that pages show none.
	Headers func(d boardwatch.Delivery, signature string) http.Header
	// Exists reports whether a host name exists. Nil means that nobody can tell, as behind a proxy that looks names up.
	Exists func(ctx context.Context, host string) bool
	// Health examines what an operator should know about: the database, the disk, the mail server. Nil: nothing can be said.
	Health func(ctx context.Context) []Finding
	// Reference describes the REST interface, as the content of a page; empty: there is no such page.
	Reference template.HTML
	// Browser describes the state of the browser that reads pages; nil means that this process has none.
	Browser func() string
	// NotFound answers requests for missing pages for which WantsPage is false. Both may be nil: then everybody gets
	// the page for people.
	NotFound  http.Handler
	WantsPage func(*http.Request) bool
	// Database reports whether the database answers, so that a page that fails because of it can say so. Nil means that
	// it always answers.
	Database func(context.Context) error
	Log      *slog.Logger     // nil means that nothing is logged
	Now      func() time.Time // the clock; nil means time.Now
}

// App answers the app's pages.
type App struct {
	s      Services
	o      Options
	assets *assets
	pages  *pages
	mux    *http.ServeMux
	// departures counts the sign-ins at the provider begun by each network.
	departures *account.Turns
	// readers counts how often each network reads shared lists.
	readers *account.Turns
	crowd   crowd

	served http.Handler // the mux, behind the check of a form's origin
}

// New returns an App. An error means that an embedded file is faulty.
func New(s Services, o Options) (*App, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tries == 0 {
		o.Tries = 6
	}
	a := &App{
		s: s, o: o, mux: http.NewServeMux(),
		departures: account.NewTurns(30, 2*time.Second, o.Now), readers: account.NewTurns(60, time.Second, o.Now),
	}
	origin := http.NewCrossOriginProtection()
	if err := origin.AddTrustedOrigin(o.BaseURL.Scheme + "://" + o.BaseURL.Host); err != nil {
		return nil, err
	}
	origin.SetDenyHandler(http.HandlerFunc(a.denyOrigin))
	var err error
	if a.assets, err = loadAssets(); err != nil {
		return nil, err
	}
	if a.pages, err = loadPages(a.assets, o.Now); err != nil {
		return nil, err
	}
	a.routes()
	a.served = origin.Handler(a.mux)
	return a, nil
}

// ServeHTTP answers a request.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.guard(w, policy)
	if !a.addressed(r) {
		a.misdirected(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	a.served.ServeHTTP(w, r)
}

// guard sets the headers that restrict what a page may do.
func (a *App) guard(w http.ResponseWriter, policy string) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin") // "no-referrer" would remove the origin of forms, which is what protects them
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// maxForm is the largest size of a form, in bytes: an imported list is the largest. The server reads no more of any
// body.
const maxForm = 1 << 20

func (a *App) secure() bool { return a.o.BaseURL.Scheme == "https" }

// address returns the full address of a path below the base URL.
func (a *App) address(path string) string {
	return strings.TrimSuffix(a.o.BaseURL.String(), "/") + path
}

func (a *App) routes() {
	for address, file := range a.assets.byAddress {
		a.mux.Handle("GET "+address, file)
	}
	a.mux.HandleFunc("GET /favicon.ico", a.favicon)
	a.mux.Handle("GET /{$}", a.open(a.start))
	a.mux.Handle("POST /theme", a.open(a.setTheme))
	a.mux.Handle("/", a.open(a.nothing))
	for pattern, handler := range map[string]handler{
		"GET /signin": a.showSignIn, "POST /signin": a.signIn, "POST /signout": a.signOut,
		"GET " + ProviderPath: a.goToProvider, "GET " + ProviderReturn: a.returned,
		"GET /signup": a.showSignUp, "POST /signup": a.signUp, "POST /signup/again": a.signUpAgain, "POST /signup/accept": a.acceptInvitation,
		"GET /setup": a.showSetUp, "POST /setup": a.setUp,
		"GET /verify": a.showVerify, "POST /verify": a.verify,
		"GET /reset": a.showReset, "POST /reset": a.sendReset, "POST /reset/confirm": a.reset,
		"GET /unsubscribe": a.showUnsubscribe, "POST /unsubscribe": a.unsubscribe,
		"GET /docs":       a.showReference,
		"GET " + helpPath: a.showHelp, "GET " + helpPath + "/{page}": a.showHelp,
		"GET /feeds/{token}": a.download(a.feed), "GET /feeds/{token}/{board}": a.download(a.feed),
		"GET /feeds/{token}/searches/{id}": a.download(a.searchFeed),
		"GET " + sharedPrefix + "{token}":  a.shared(a.showShared), "GET " + sharedPrefix + "{token}/widget": a.shared(a.showWidget),
		"GET " + sharedPrefix + "{token}/feed": a.shared(a.sharedAtom), "GET " + sharedPrefix + "{token}/feed.json": a.shared(a.sharedJSON),
	} {
		a.mux.Handle(pattern, a.open(handler))
	}
	for pattern, handler := range map[string]handler{
		"GET /boards": a.listBoards, "POST /boards": a.addBoard, "GET /boards/{id}": a.showBoard,
		"POST /boards/{id}/check": a.checkBoard, "GET /boards/{id}/remove": a.askRemoval, "POST /boards/{id}/remove": a.removeBoard,
		"POST /boards/{id}/tags": a.tagBoard,
		"POST /boards/steps":     a.hideSteps,
		"POST /boards/change":    a.changeBoards,
		"GET /compare":           a.compareBoards,
		"GET /roles":             a.listRoles, "GET /roles/{id}": a.showRole, "GET /changes": a.listChanges, "POST /changes/seen": a.markSeen,
		"POST /searches": a.saveSearch, "GET /searches/{id}": a.showSearch, "POST /searches/{id}": a.changeSearch,
		"POST /searches/{id}/share": a.shareSearch,
		"GET /searches/{id}/delete": a.askSearchRemoval, "POST /searches/{id}/delete": a.removeSearch,
		"POST /roles/{id}/mark": a.saveMark, "GET /add": a.showAdd, "GET /import": a.showImport, "POST /import": a.importBoards, "GET /export": a.download(a.export),
		"GET /signin/again":                        a.askAgain,
		"POST /settings/signin/connect":            a.connect,
		"POST /settings/signin/disconnect":         a.disconnectProvider,
		"POST /settings/signin/passkeys/{id}/name": a.renamePasskey, "POST /settings/signin/passkeys/{id}/delete": a.deletePasskey,
		"GET /settings": a.showSettings, "GET /settings/{section}": a.showSection,
		"GET " + account.ReviewPath: a.showReview, "POST " + account.ReviewPath: a.review,
		"POST /settings/account/verify": a.sendVerification, "POST /settings/account/email": a.changeEmail,
		"POST /settings/account/password": a.changePassword, "POST /settings/account/look": a.changeLook,
		"POST /settings/account/delete": a.deleteAccount, "POST /settings/account/sessions/{id}/delete": a.endSession,
		"POST /settings/keys": a.createKey, "GET /settings/keys/{id}/delete": a.askKeyDeletion, "POST /settings/keys/{id}/delete": a.deleteKey,
		"POST /settings/channels":     a.createChannel,
		"GET /settings/channels/{id}": a.showChannel, "POST /settings/channels/{id}": a.changeChannel,
		"POST /settings/channels/{id}/on":    a.switchChannel(true),
		"POST /settings/channels/{id}/off":   a.switchChannel(false),
		"GET /settings/channels/{id}/delete": a.askChannelDeletion, "POST /settings/channels/{id}/delete": a.deleteChannel,
		"POST /settings/channels/{id}/test":  a.testChannel,
		"POST /settings/webhooks":            a.createWebhook,
		"GET /settings/webhooks/{id}/delete": a.askWebhookDeletion, "POST /settings/webhooks/{id}/delete": a.deleteWebhook,
		"GET /settings/webhooks/{id}": a.showWebhook, "POST /settings/webhooks/{id}": a.changeWebhook,
		"POST /settings/webhooks/{id}/resend": a.resendDead,
		"POST /settings/webhooks/{id}/on":     a.switchWebhookOn, "POST /settings/webhooks/{id}/test": a.testWebhook,
		"GET /settings/webhooks/{id}/secret": a.askNewSecret, "POST /settings/webhooks/{id}/secret": a.newSecret,
		"GET /settings/webhooks/{id}/deliveries/{delivery}":         a.showDelivery,
		"POST /settings/webhooks/{id}/deliveries/{delivery}/resend": a.resend,
		"GET /settings/apps/{id}/delete":                            a.askDisconnection,
		"POST /settings/apps/{id}/delete":                           a.disconnect,
		"POST /settings/email":                                      a.changeEmails,
		"GET /settings/email/feed":                                  a.askFeedReset,
		"POST /settings/email/feed":                                 a.resetFeed,
		"GET /boards/{id}/misread":                                  a.showMisread,
		"POST /boards/{id}/misread":                                 a.reportMisread,
		"GET /boards/{id}/lesson":                                   a.operator(a.showLesson),
		"POST /boards/{id}/lesson":                                  a.operator(a.askLesson),
		"POST /boards/{id}/lesson/use":                              a.operator(a.useLesson),
		"GET /boards/{id}/recipe/clear":                             a.operator(a.askRecipeRemoval),
		"POST /boards/{id}/recipe/clear":                            a.operator(a.clearRecipe),
		"POST /boards/{id}/misread/delete":                          a.dropReport,
		"POST /admin/misreads/{id}":                                 a.operator(a.answerMisreads),
		"GET /admin":                                                a.operator(a.showOperator),
		"GET /admin/health":                                         a.operator(a.showHealth),
		"POST /admin/boards/{id}/check":                             a.operator(a.checkAnyBoard),
		"POST /admin/invitations":                                   a.operator(a.invite),
		"POST /admin/invitations/{id}/delete":                       a.operator(a.withdraw),
		"POST /admin/signup":                                        a.operator(a.setSignUp),
		"POST /admin/accounts/{id}/plan":                            a.operator(a.setPlan),
		"POST /admin/accounts/{id}/verify":                          a.operator(a.confirmAccount),
		"GET /admin/accounts/{id}/delete":                           a.operator(a.askAccountDeletion),
		"POST /admin/accounts/{id}/delete":                          a.operator(a.deleteAccountOf),
	} {
		a.mux.Handle(pattern, a.signedIn(handler))
	}
	a.mux.Handle(apiPath, a.api())
	a.mux.Handle(strings.TrimSuffix(apiPath, "/"), a.open(a.nothing)) // otherwise it would be redirected
}

// caller is the person at the browser.
type caller struct {
	Account account.Account
	Session account.Session
	Prefs   account.Preferences
	Zone    *time.Location // used for the times they are shown
}

// nobody stands for a person who has not signed in.
func nobody() *caller { return &caller{Zone: time.UTC} }

// known reports whether somebody is signed in.
func (c *caller) known() bool { return c.Account.ID != "" }

// handler answers one route. Its error becomes a page that says what is wrong.
type handler func(w http.ResponseWriter, r *http.Request, c *caller) error

// open lets everybody in, and passes on who is signed in.
func (a *App) open(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := a.caller(r)
		if err == nil {
			err = h(w, r, c)
		}
		if err != nil {
			a.fail(w, r, c, err)
		}
	})
}

// signedIn lets in people who have signed in. Others are sent to the sign-in page and return afterwards.
func (a *App) signedIn(h handler) http.Handler {
	return a.open(func(w http.ResponseWriter, r *http.Request, c *caller) error {
		if c.known() {
			leave, err := a.crowd.enter(r.Context(), c.Account.ID, mostPages, waitingPages)
			if err != nil {
				return err
			}
			defer leave()
			return h(w, r, c)
		}
		needed, err := a.s.Identities.NeedsSetup(r.Context())
		if err != nil {
			return err
		}
		if needed {
			http.Redirect(w, r, account.SetupPath, http.StatusSeeOther)
			return nil
		}
		next := r.URL.RequestURI()
		if r.Method != http.MethodGet { // back to the page of the form
			next = "/boards"
			if from, err := url.Parse(r.Referer()); err == nil && from.Host == r.Host {
				next = localPath(from.RequestURI(), next)
			}
			a.putFlash(w, flash{"warn", "Your sign-in has ended, so what you have just sent was not saved. Sign in to go on."}, link{})
		}
		to := "/signin?next=" + url.QueryEscape(next)
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	})
}

// operator lets operators in. Anybody else gets "not found".
func (a *App) operator(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request, c *caller) error {
		if !c.Account.Admin {
			return a.nothing(w, r, c)
		}
		return h(w, r, c)
	}
}

// caller finds who is at the browser; the caller is empty if nobody is signed in.
func (a *App) caller(r *http.Request) (*caller, error) {
	c := nobody()
	cookie, err := r.Cookie(a.cookieName())
	if err != nil {
		return c, nil //nolint:nilerr // no cookie: nobody
	}
	session, owner, err := a.s.Identities.Sessions().Find(r.Context(), cookie.Value)
	switch {
	case boardwatch.CodeOf(err) == boardwatch.CodeUnauthorized:
		return c, nil
	case err != nil:
		return c, err
	}
	prefs, err := a.s.Preferences.Of(r.Context(), owner)
	if err != nil {
		return c, err
	}
	return &caller{owner, session, prefs, prefs.Location()}, nil
}

// cookieName is the name of the sign-in cookie. Browsers accept a __Host- cookie only over https, for this host and all
// of its paths.
func (a *App) cookieName() string {
	if a.secure() {
		return "__Host-boardwatch"
	}
	return "boardwatch"
}

func (a *App) keep(w http.ResponseWriter, in account.Entered) {
	a.setCookie(w, a.cookieName(), in.Token, int(account.SessionLife/time.Second))
	a.setCookie(w, a.browserCookie(), in.Browser, int(account.BrowserLife/time.Second))
}

func (a *App) forget(w http.ResponseWriter) { a.setCookie(w, a.cookieName(), "", -1) }

// setCookie sets a cookie for that many seconds; a negative number deletes it.
func (a *App) setCookie(w http.ResponseWriter, name, value string, seconds int) {
	a.setCookieFor(w, "/", name, value, seconds)
}

// setCookieFor is like setCookie, for one path of the app.
func (a *App) setCookieFor(w http.ResponseWriter, path, name, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // it is Secure wherever the app is reached over https
		Name: name, Value: value, Path: path, MaxAge: seconds, HttpOnly: true, Secure: a.secure(), SameSite: http.SameSiteLaxMode,
	})
}

// browserCookie is the cookie that identifies a browser in which somebody has signed in before.
func (a *App) browserCookie() string { return a.cookieName() + "-browser" }

// visitor returns the network address and browser of a request.
func (a *App) visitor(r *http.Request) account.Visitor {
	v := account.Visitor{Address: r.RemoteAddr, UserAgent: r.UserAgent()}
	if cookie, err := r.Cookie(a.browserCookie()); err == nil {
		v.Browser = cookie.Value
	}
	return v
}

// start redirects to the page that a person probably wants.
func (a *App) start(w http.ResponseWriter, r *http.Request, c *caller) error {
	if c.known() {
		http.Redirect(w, r, "/boards", http.StatusSeeOther)
		return nil
	}
	needed, err := a.s.Identities.NeedsSetup(r.Context())
	if err != nil {
		return err
	}
	to := "/signin"
	if needed {
		to = account.SetupPath
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

func (a *App) favicon(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, a.assets.addresses["icon.svg"], http.StatusFound)
}

// show sends a page.
func (a *App) show(w http.ResponseWriter, r *http.Request, c *caller, status int, name string, v view) error {
	v.Contact = contactOf(a.o.Contact)
	v.Version, v.Here, v.Theme = a.o.Version, r.URL.RequestURI(), themeOf(r, c)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		v.Here, v.Still = "/", true
	}
	if !c.known() && a.plain(r) {
		v.Secure = a.address("/")
	}
	if c.known() {
		v.Account = &viewer{Email: c.Account.Email, Plan: c.Account.Plan, Admin: c.Account.Admin}
		v.NoShortcuts = !c.Prefs.Shortcuts
		n, err := a.news(r, c)
		if err != nil && status < http.StatusInternalServerError { // a page about a failure does without
			return err
		}
		v.News = n
	}
	if v.Flash == nil {
		a.takeFlash(w, r, &v)
	}
	body, err := a.pages.render(name, c.Zone, v)
	if err != nil {
		return err
	}
	writePage(w, r, status, body)
	return nil
}

// fail answers with what went wrong. Internal errors go to the log only.
func (a *App) fail(w http.ResponseWriter, r *http.Request, c *caller, err error) {
	if c == nil {
		c = nobody()
	}
	p := messagePage{Link: &link{"Go to boards", "/boards"}}
	status := http.StatusBadRequest
	await(w, err)
	switch code := boardwatch.CodeOf(err); {
	case errors.Is(err, account.ErrBusy):
		status, p.Title, p.Text = http.StatusServiceUnavailable, "Too busy", strings.Join(sentences(err), " ")
	case code == boardwatch.CodeNotFound:
		status, p.Title, p.Text = http.StatusNotFound, "Not found", "This does not exist, or it is not on your list."
	case code == boardwatch.CodeUnauthorized, code == boardwatch.CodePlanRequired, code == boardwatch.CodeEmailNotVerified:
		status, p.Title, p.Text = http.StatusForbidden, "Not allowed", strings.Join(sentences(err), " ")
	case code == boardwatch.CodeRateLimited:
		status, p.Title, p.Text = http.StatusTooManyRequests, "Too often", strings.Join(sentences(err), " ")
	case code == boardwatch.CodeInternal && a.noDatabase(w, r, err):
		status, p.Title = http.StatusServiceUnavailable, "The database does not answer"
		p.Text = "Nothing was lost: this page needs the database, which cannot be reached at the moment. Boards are read again as soon as it is back. Try again in a moment."
	case code == boardwatch.CodeInternal:
		if !transport.Gone(r.Context()) {
			a.o.Log.ErrorContext(r.Context(), "page failed", slog.String("path", LoggedPath(r.URL.Path)), slog.Any("error", err))
		}
		status, p.Title = http.StatusInternalServerError, "That did not work"
		p.Text = "Something went wrong on our side; the log has the details. Try again in a moment."
	default:
		p.Title, p.Text = "That cannot be done", strings.Join(sentences(err), " ")
	}
	if err := a.show(w, r, c, status, "message", view{Title: p.Title, Page: p}); err != nil {
		http.Error(w, p.Title, http.StatusInternalServerError)
	}
}

// databaseTimeout is how long the database may take to answer.
const databaseTimeout = 2 * time.Second

// noDatabase reports whether a request failed because the database does not answer. If so, it logs that and tells the
// browser when to try again.
func (a *App) noDatabase(w http.ResponseWriter, r *http.Request, err error) bool {
	if a.o.Database == nil {
		return false
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), databaseTimeout, errors.New("the database took too long to answer"))
	defer cancel()
	if a.o.Database(ctx) == nil || transport.Gone(r.Context()) {
		return false
	}
	a.o.Log.WarnContext(r.Context(), "the database does not answer", slog.String("path", LoggedPath(r.URL.Path)), slog.Any("error", err))
	w.Header().Set("Retry-After", "10")
	return true
}

// await tells the browser how long to wait after too many requests or a temporary failure.
func await(w http.ResponseWriter, err error) {
	if errors.Is(err, account.ErrBusy) {
		w.Header().Set("Retry-After", "2")
	}
	if e, ok := errors.AsType[*boardwatch.Error](err); ok && e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((e.RetryAfter+time.Second-1)/time.Second)))
	}
}

// messagePage shows a single message.
type messagePage struct {
	Title, Text string
	Link        *link
}

func (a *App) nothing(w http.ResponseWriter, r *http.Request, c *caller) error {
	if a.o.NotFound != nil && a.o.WantsPage != nil && !a.o.WantsPage(r) {
		a.o.NotFound.ServeHTTP(w, r)
		return nil
	}
	p := messagePage{"Page not found", "There is nothing at this address.", &link{"Go to boards", "/boards"}}
	return a.show(w, r, c, http.StatusNotFound, "message", view{Title: p.Title, Page: p})
}

// denyOrigin answers a form sent by another site.
func (a *App) denyOrigin(w http.ResponseWriter, r *http.Request) {
	p := messagePage{
		Title: "Sent from another site",
		Text: "This form did not come from " + a.o.BaseURL.Host + ", so nothing was done. If you reach boardwatch through a proxy, " +
			"its address must be the one that base_url is set to.",
	}
	if strings.HasPrefix(r.URL.Path, apiPath) {
		_ = writeJSON(w, http.StatusForbidden, apiError{p.Text}) // the client may have gone
		return
	}
	c, err := a.caller(r)
	if err != nil {
		c = nobody()
	}
	if err := a.show(w, r, c, http.StatusForbidden, "message", view{Title: p.Title, Page: p}); err != nil {
		http.Error(w, p.Title, http.StatusForbidden)
	}
}

// back sends the browser to a page after a form, with a sentence about the outcome.
func (a *App) back(w http.ResponseWriter, r *http.Request, to string, f flash) {
	a.backAbout(w, r, to, f, link{})
}

// backAbout is like back, with a link to the subject of the sentence.
func (a *App) backAbout(w http.ResponseWriter, r *http.Request, to string, f flash, about link) {
	a.putFlash(w, f, about)
	http.Redirect(w, r, to, http.StatusSeeOther) //nolint:gosec // a path of the app
}

// backUndo is like back, with a way to take it back.
func (a *App) backUndo(w http.ResponseWriter, r *http.Request, to string, f flash, u undo) {
	a.putFlashOf(w, f, link{}, u)
	http.Redirect(w, r, to, http.StatusSeeOther) //nolint:gosec // a path of the app
}

// localPath returns s if it is a path on this site, or else the fallback.
func localPath(s, fallback string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(s, "/") ||
		strings.HasPrefix(s, "//") || strings.ContainsAny(s, "\\\r\n\t") {
		return fallback
	}
	return s
}
