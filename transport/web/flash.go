package web

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// A flash is carried from a form to the next page in a cookie that lives for a minute. Pages escape its text like any
// other.
const (
	flashCookie = "boardwatch-flash"
	themeCookie = "boardwatch-theme"
	longestText = 600
)

// putFlash shows a message on the next page, with a link if it has an address.
func (a *App) putFlash(w http.ResponseWriter, f flash, about link) {
	if f.Text == "" {
		return
	}
	text := f.Text
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	value := []string{f.Kind}
	for _, part := range []string{text, about.Name, about.Address} {
		value = append(value, base64.RawURLEncoding.EncodeToString([]byte(part)))
	}
	a.setCookie(w, flashCookie, strings.Join(value, "."), 60)
}

func (a *App) takeFlash(w http.ResponseWriter, r *http.Request) (*flash, *link) {
	cookie, err := r.Cookie(flashCookie)
	if err != nil || r.Header.Get("Boardwatch-Live") != "" { // a page that follows what happens does not show it
		return nil, nil
	}
	a.setCookie(w, flashCookie, "", -1)
	kind, rest, _ := strings.Cut(cookie.Value, ".")
	var parts []string
	for encoded := range strings.SplitSeq(rest, ".") {
		part, err := base64.RawURLEncoding.DecodeString(encoded)
		if err != nil {
			return nil, nil
		}
		parts = append(parts, strings.ToValidUTF8(string(part), ""))
	}
	if len(parts) != 3 || kind != "good" && kind != "bad" && kind != "warn" {
		return nil, nil
	}
	f := &flash{kind, parts[0]}
	if address := localPath(parts[2], ""); address != "" {
		return f, &link{parts[1], address}
	}
	return f, nil
}

// themeOf returns the theme of the page: the last choice made in this browser, or else the account's preference.
func themeOf(r *http.Request, c *caller) string {
	theme := account.ThemeAuto
	if c.known() {
		theme = c.Prefs.Theme
	}
	if cookie, err := r.Cookie(themeCookie); err == nil {
		theme = account.Theme(cookie.Value)
	}
	if theme == account.ThemeLight || theme == account.ThemeDark {
		return string(theme)
	}
	return ""
}

// setTheme sets the theme of this browser only.
func (a *App) setTheme(w http.ResponseWriter, r *http.Request, _ *caller) error {
	theme := account.Theme(r.PostFormValue("theme"))
	if theme != account.ThemeLight && theme != account.ThemeDark {
		theme = account.ThemeAuto
	}
	a.rememberTheme(w, theme)
	http.Redirect(w, r, localPath(r.PostFormValue("back"), "/"), http.StatusSeeOther) //nolint:gosec // a path on this site
	return nil
}

func (a *App) rememberTheme(w http.ResponseWriter, theme account.Theme) {
	a.setCookie(w, themeCookie, string(theme), 365*24*3600)
}
