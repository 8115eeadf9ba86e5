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

func putFlash(w http.ResponseWriter, f flash) {
	if f.Text == "" {
		return
	}
	text := f.Text
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	http.SetCookie(w, &http.Cookie{
		Name: flashCookie, Value: f.Kind + "." + base64.RawURLEncoding.EncodeToString([]byte(text)), Path: "/", MaxAge: 60,
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func takeFlash(w http.ResponseWriter, r *http.Request) *flash {
	cookie, err := r.Cookie(flashCookie)
	if err != nil {
		return nil
	}
	http.SetCookie(w, &http.Cookie{Name: flashCookie, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode})
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
	http.Redirect(w, r, localPath(r.PostFormValue("back"), "/"), http.StatusSeeOther)
	return nil
}

func (a *App) rememberTheme(w http.ResponseWriter, theme boardwatch.Theme) {
	http.SetCookie(w, &http.Cookie{
		Name: themeCookie, Value: string(theme), Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, Secure: a.secure(),
		SameSite: http.SameSiteLaxMode,
	})
}
