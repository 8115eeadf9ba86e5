package web

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// secretShown is a secret on the one page that shows it.
type secretShown struct{ Name, Text string }

// secretCookie carries a new secret from the form that created it to the page that shows it, so that reloading the page
// does not create another. No script can read it, and only that page gets it, once and within a minute.
const secretCookie = "boardwatch-secret"

// reveal redirects to the page that shows a new secret.
func (a *App) reveal(w http.ResponseWriter, r *http.Request, page string, s secretShown) {
	encode := base64.RawURLEncoding.EncodeToString
	a.setCookieFor(w, page, secretCookie, encode([]byte(s.Name))+"."+encode([]byte(s.Text)), 60)
	http.Redirect(w, r, page, http.StatusSeeOther)
}

// revealed returns the secret for the page to show; nil if there is none.
func (a *App) revealed(w http.ResponseWriter, r *http.Request, page string) *secretShown {
	cookie, err := r.Cookie(secretCookie)
	if err != nil || r.Method != http.MethodGet {
		return nil
	}
	a.setCookieFor(w, page, secretCookie, "", -1)
	name, text, _ := strings.Cut(cookie.Value, ".")
	s := &secretShown{}
	for _, part := range []struct {
		to   *string
		text string
	}{{&s.Name, name}, {&s.Text, text}} {
		decoded, err := base64.RawURLEncoding.DecodeString(part.text)
		if err != nil {
			return nil
		}
		*part.to = strings.ToValidUTF8(string(decoded), "")
	}
	return s
}
