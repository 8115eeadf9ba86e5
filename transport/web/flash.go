package web

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
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

// undo is the form that takes back what a flash tells.
type undo struct {
	Action string
	Fields url.Values
}

// undoable are the actions that an undo may have, and longestUndo is how long its fields may be, because a cookie carries it.
var undoable = regexp.MustCompile(`^/(roles/[0-9a-f]{24}/mark|boards|boards/([0-9a-f]{24}/(tags|remove)|change|steps)|changes/seen)$`)

const longestUndo = 1800

// putFlash shows a message on the next page, with a link if it has an address.
func (a *App) putFlash(w http.ResponseWriter, f flash, about link) {
	a.putFlashOf(w, f, about, undo{})
}

// putFlashOf is like putFlash, with a way to take back what the message tells.
func (a *App) putFlashOf(w http.ResponseWriter, f flash, about link, u undo) {
	if f.Text == "" {
		return
	}
	text, fields := f.Text, u.Fields.Encode()
	if len(text) > longestText {
		text = strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	if len(fields) > longestUndo {
		u.Action, fields = "", ""
	}
	value := []string{f.Kind}
	for _, part := range []string{text, about.Name, about.Address, u.Action, fields} {
		value = append(value, base64.RawURLEncoding.EncodeToString([]byte(part)))
	}
	a.setCookie(w, flashCookie, strings.Join(value, "."), 60)
}

// takeFlash puts the flash of the request on a page.
func (a *App) takeFlash(w http.ResponseWriter, r *http.Request, v *view) {
	cookie, err := r.Cookie(flashCookie)
	if err != nil || r.Header.Get("Boardwatch-Live") != "" { // a page that follows what happens does not show it
		return
	}
	a.setCookie(w, flashCookie, "", -1)
	kind, rest, _ := strings.Cut(cookie.Value, ".")
	var parts []string
	for encoded := range strings.SplitSeq(rest, ".") {
		part, err := base64.RawURLEncoding.DecodeString(encoded)
		if err != nil {
			return
		}
		parts = append(parts, strings.ToValidUTF8(string(part), ""))
	}
	if len(parts) != 5 || kind != "good" && kind != "bad" && kind != "warn" {
		return
	}
	v.Flash = &flash{kind, parts[0]}
	if address := localPath(parts[2], ""); address != "" {
		v.FlashLink = &link{parts[1], address}
	}
	if fields, err := url.ParseQuery(parts[4]); err == nil && undoable.MatchString(parts[3]) {
		v.Undo = &undo{parts[3], fields}
	}
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
