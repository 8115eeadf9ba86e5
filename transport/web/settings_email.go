package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

type emailSection struct {
	settingsPage

	Mail, Digest, Notices bool
	OnlySaved             bool
	Hours                 []choice
	Zone                  string
	Zones                 []string
	FeedAddress           string
}

// zones are offered; any other IANA name may be typed.
func zones() []string {
	return []string{
		"UTC", "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "America/Chicago", "America/Denver", "America/Los_Angeles",
		"America/New_York", "America/Sao_Paulo", "America/Toronto", "Asia/Dubai", "Asia/Hong_Kong", "Asia/Kolkata", "Asia/Seoul",
		"Asia/Shanghai", "Asia/Singapore", "Asia/Tokyo", "Australia/Sydney", "Europe/Amsterdam", "Europe/Berlin", "Europe/Dublin",
		"Europe/Lisbon", "Europe/London", "Europe/Madrid", "Europe/Paris", "Europe/Rome", "Europe/Stockholm", "Europe/Warsaw",
		"Europe/Zurich", "Pacific/Auckland",
	}
}

func (a *App) emailSection(r *http.Request, c *caller, o outcome) (emailSection, error) {
	token, err := a.s.Preferences.FeedToken(r.Context(), c.Account)
	if err != nil {
		return emailSection{}, err
	}
	prefs := c.Prefs
	if o.form != nil {
		prefs = withForm(prefs, o.form.Get)
	}
	p := emailSection{
		settingsPage: a.frame(c, "email", o.wrong), Mail: a.o.Mail, Digest: prefs.Digest, Notices: prefs.Notices,
		OnlySaved: prefs.OnlySaved,
		Zone:      prefs.TimeZone, Zones: zones(), FeedAddress: a.address("/feeds/" + token),
	}
	p.Hours = append(p.Hours, choice{strconv.Itoa(account.DefaultHour), fmt.Sprintf("%02d:00, the usual hour of this installation", a.o.Hour), prefs.DigestHour == account.DefaultHour})
	for hour := range 24 {
		p.Hours = append(p.Hours, choice{strconv.Itoa(hour), fmt.Sprintf("%02d:00", hour), prefs.DigestHour == hour})
	}
	return p, nil
}

// withForm returns the preferences that the form asks for.
func withForm(prefs account.Preferences, get func(string) string) account.Preferences {
	prefs.Digest, prefs.Notices, prefs.OnlySaved = get("digest") == "on", get("notices") == "on", get("about") == "searches"
	prefs.TimeZone = strings.TrimSpace(get("zone"))
	if hour, err := strconv.Atoi(get("hour")); err == nil {
		prefs.DigestHour = hour
	}
	return prefs
}

func (a *App) changeEmails(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Preferences.Save(r.Context(), c.Account, withForm(c.Prefs, r.PostFormValue)); err != nil {
		return a.refuse(w, r, c, "email", err)
	}
	a.back(w, r, "/settings/email", flash{"good", "Saved."})
	return nil
}

func (a *App) askFeedReset(w http.ResponseWriter, r *http.Request, c *caller) error {
	return a.askDeletion(w, r, c, confirmPage{
		Heading: "Create a new address for your feeds?", Lead: "The old addresses stop working at once, in every feed reader.",
		Button: "Create a new address", Cancel: "/settings/email",
	})
}

func (a *App) resetFeed(w http.ResponseWriter, r *http.Request, c *caller) error {
	if _, err := a.s.Preferences.ResetFeed(r.Context(), c.Account); err != nil {
		return err
	}
	a.back(w, r, "/settings/email", flash{"good", "The feeds have new addresses; the old ones have stopped working."})
	return nil
}
