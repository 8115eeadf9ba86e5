package boardwatch

import (
	"context"
	"net/url"
	"strings"
)

// Access is how an operator wants one board to be read otherwise than the settings say. The zero value is: no otherwise.
type Access struct {
	// Proxy is the address of the proxy that its requests take: NoProxy for none at all, empty as for all boards. It may
	// hold a password.
	Proxy string `json:"proxy,omitempty"`
	// Robots is whether robots.txt is obeyed on its pages.
	Robots RobotsRule `json:"robots,omitempty"`
}

// AccessStore is what an operator's wishes for single boards need from a store. Boards that a store returns show no
// password of a proxy in State.Access; only the board of a Claim does.
type AccessStore interface {
	// SetAccess has a board read so from its next check on, which is at once unless its source wants to be left alone. A
	// check that is under way loses its claim: it was made the old way, and its next time is not to put the new way off.
	// A proxy with a password is kept encrypted. A board that does not exist is a not_found error; the id may be an alias.
	SetAccess(ctx context.Context, boardID string, a Access) error
	// Access is how a board is to be read, with the proxy in the clear.
	Access(ctx context.Context, boardID string) (Access, error)
}

// NoProxy is the Access.Proxy of a board that is asked without a proxy.
const NoProxy = "none"

// RobotsRule is whether robots.txt is obeyed.
type RobotsRule string

// The rules a board can have.
const (
	RobotsDefault RobotsRule = ""       // as the settings say
	RobotsObey    RobotsRule = "obey"   // whatever the settings say
	RobotsIgnore  RobotsRule = "ignore" // the same
)

// ParseRobotsRule reads a rule as a person writes it; "default" is RobotsDefault.
func ParseRobotsRule(text string) (RobotsRule, error) {
	switch r := RobotsRule(strings.ToLower(strings.TrimSpace(text))); r {
	case RobotsObey, RobotsIgnore, RobotsDefault:
		return r, nil
	case "default":
		return RobotsDefault, nil
	}
	return "", Invalid("robots", "must be obey, ignore or default")
}

// ParseProxy reads the address of a proxy as a person writes it: http://, https:// or socks5:// with a host, or none;
// "default" is empty. The error repeats nothing of it, because it may hold a password.
func ParseProxy(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "", "default":
		return "", nil
	case NoProxy:
		return NoProxy, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
		return "", Invalid("proxy", "must be an address such as http://proxy.example:3128, none or default")
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
		return u.String(), nil
	}
	return "", Invalid("proxy", "must begin with http://, https:// or socks5://")
}

// Redacted is the access with the password of the proxy left out, to be shown.
func (a Access) Redacted() Access {
	if a.Proxy == "" || a.Proxy == NoProxy {
		return a
	}
	u, err := url.Parse(a.Proxy)
	if err != nil || u.Host == "" {
		a.Proxy = "?"
		return a
	}
	a.Proxy = u.Redacted()
	return a
}
