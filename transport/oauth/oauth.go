// Package oauth is the authorization server. A person allows a program to use their list over MCP, and the program gets
// tokens for it. Clients are public and use PKCE (S256). They register here (RFC 7591), or their id is the address of a
// document that describes them. Package boardwatch/account decides what a token is worth.
package oauth

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// Pages are what a person sees of the authorization server.
type Pages interface {
	// Person is who is signed in at the browser; false: nobody.
	Person(r *http.Request) (account.Account, bool, error)
	// SignIn sends the browser to sign in first, and to come back to a path afterwards.
	SignIn(w http.ResponseWriter, r *http.Request, next string)
	// Consent asks the person. The form is posted to consentPath, with the fields that are named there.
	Consent(w http.ResponseWriter, r *http.Request, q account.Question)
	// Return says, on a page, that the program asked for what cannot be done, and leads back to the program's own address. A
	// program that has registered itself is named, and only the person's own click leads there; to another one the page
	// goes by itself.
	Return(w http.ResponseWriter, r *http.Request, c account.Client, address string)
	// Refuse says what is wrong.
	Refuse(w http.ResponseWriter, r *http.Request, status int, title, text string)
	// Fail says that something went wrong here, and logs what.
	Fail(w http.ResponseWriter, r *http.Request, err error)
}

// The paths of the authorization server.
const (
	authorizePath = "/oauth/authorize"
	tokenPath     = "/oauth/token" //nolint:gosec // a path, no secret
	registerPath  = "/oauth/register"
	revokePath    = "/oauth/revoke"
	// consentPath takes a person's answer: "request" holds the token of the question, each "scope" one that is allowed,
	// and "deny" is there when nothing is.
	consentPath = "/oauth/consent"

	serverPath   = "/.well-known/oauth-authorization-server"
	resourcePath = "/.well-known/oauth-protected-resource"
	mcpPath      = "/mcp"
)

// Resource is what tokens are good for, for a service that people reach at base.
func Resource(base string) string { return strings.TrimSuffix(base, "/") + mcpPath }

// Options are the settings of a Handler.
type Options struct {
	BaseURL   string           // where people and clients reach the service; it is the issuer
	Schemes   []string         // schemes other than https that apps take answers at, such as cursor
	Documents *Documents       // reads what clients publish about themselves
	Log       *slog.Logger     // nil: silent
	Now       func() time.Time // the clock; nil means time.Now
}

// Handler answers the authorization server's paths.
type Handler struct {
	grants  *account.Grants
	pages   Pages
	o       Options
	issuer  string
	origin  *http.CrossOriginProtection
	mux     *http.ServeMux
	askings *account.Turns // of addresses, at each of the doors
	issuing *account.Turns
	signups *account.Turns
	clients *account.Turns // that are kept
}

// An address may do so much at once, and then as much again at this interval. Assistants that run elsewhere serve all of
// their people from a few addresses.
const (
	burst     = 120
	oneTurnIn = time.Second / 12
)

// A network may register so many clients at once, and then one at this interval: each is kept for hours. At once are those
// of an assistant that serves many people from one address, or of a developer's tests.
const (
	clientBurst = 30
	oneClientIn = time.Minute
)

// New returns a Handler.
func New(grants *account.Grants, pages Pages, o Options) (*Handler, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	h := &Handler{
		grants: grants, pages: pages, o: o, issuer: strings.TrimSuffix(o.BaseURL, "/"), mux: http.NewServeMux(),
		origin:  http.NewCrossOriginProtection(),
		askings: account.NewTurns(burst, oneTurnIn, o.Now), issuing: account.NewTurns(burst, oneTurnIn, o.Now),
		signups: account.NewTurns(burst, oneTurnIn, o.Now), clients: account.NewTurns(clientBurst, oneClientIn, o.Now),
	}
	if err := h.origin.AddTrustedOrigin(h.issuer); err != nil {
		return nil, err
	}
	h.origin.SetDenyHandler(http.HandlerFunc(h.foreign))
	h.mux.HandleFunc("GET "+authorizePath, h.authorize)
	h.mux.HandleFunc("POST "+authorizePath, h.authorize)
	h.mux.Handle("POST "+consentPath, h.origin.Handler(http.HandlerFunc(h.consent)))
	h.mux.Handle(authorizePath, only("GET, HEAD, POST"))
	h.mux.Handle(consentPath, only("POST"))
	h.mux.Handle(tokenPath, open(h.token, http.MethodPost))
	h.mux.Handle(registerPath, open(h.register, http.MethodPost))
	h.mux.Handle(revokePath, open(h.revoke, http.MethodPost))
	h.mux.Handle(serverPath, open(h.serverDocument, http.MethodGet))
	h.mux.Handle(resourcePath, open(h.resourceDocument, http.MethodGet))
	h.mux.Handle(resourcePath+mcpPath, open(h.resourceDocument, http.MethodGet))
	h.mux.Handle(resourcePath+mcpPath+"/{$}", open(h.resourceDocument, http.MethodGet))
	return h, nil
}

// Patterns are what the Handler answers, for a mux.
func Patterns() []string {
	return []string{
		authorizePath, consentPath, tokenPath, registerPath, revokePath, serverPath, resourcePath, resourcePath + mcpPath,
		resourcePath + mcpPath + "/{$}",
	}
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// Safe reports whether tokens may be given out at a base address: over https, or on this machine alone.
func Safe(base string) bool {
	u, err := url.Parse(base)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http" && isLoopback(u))
}
