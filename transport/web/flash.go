package web

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// A flash is carried from a form to the page after it in a cookie that lives for a minute. It is text of this app alone:
// a page escapes it like any other.
const (
	flashCookie = "boardwatch-flash"
	themeCookie = "boardwatch-theme"
	longestText = 600
)

func (a *App) putFlash(w http.ResponseWriter, f flash) {
	if f.Text == "" {
		return
	}
	text := f.Text
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	a.setCookie(w, flashCookie, f.Kind+"."+base64.RawURLEncoding.EncodeToString([]byte(text)), 60)
}

func (a *App) takeFlash(w http.ResponseWriter, r *http.Request) *flash {
	cookie, err := r.Cookie(flashCookie)
	if err != nil {
		return nil
	}
	a.setCookie(w, flashCookie, "", -1)
	kind, encoded, _ := strings.Cut(cookie.Value, ".")
	text, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || kind != "good" && kind != "bad" && kind != "warn" {
		return nil
	}
	return &flash{kind, strings.ToValidUTF8(string(text), "")}
}

// themeOf is how the page is to look: as this browser was told last, else as the account prefers.
func themeOf(r *http.Request, c *caller) string {
	theme := boardwatch.ThemeAuto
	if c.known() {
		theme = c.Prefs.Theme
	}
	if cookie, err := r.Cookie(themeCookie); err == nil {
		theme = boardwatch.Theme(cookie.Value)
	}
	if theme == boardwatch.ThemeLight || theme == boardwatch.ThemeDark {
		return string(theme)
	}
	return ""
}

// setTheme is for this browser.
func (a *App) setTheme(w http.ResponseWriter, r *http.Request, _ *caller) error {
	theme := boardwatch.Theme(r.PostFormValue("theme"))
	if theme != boardwatch.ThemeLight && theme != boardwatch.ThemeDark {
		theme = boardwatch.ThemeAuto
	}
	a.rememberTheme(w, theme)
	http.Redirect(w, r, localPath(r.PostFormValue("back"), "/"), http.StatusSeeOther) //nolint:gosec // a path on this site
	return nil
}

func (a *App) rememberTheme(w http.ResponseWriter, theme boardwatch.Theme) {
	a.setCookie(w, themeCookie, string(theme), 365*24*3600)
}
