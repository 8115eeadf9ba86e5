package boardwatch

import (
	"net/url"
	"strings"
)

// Access is how an operator wants one board to be read, where that differs from the settings. The zero value means that
// the operator set nothing.
type Access struct {
	// Proxy is the address of the proxy for its requests. NoProxy means no proxy, and empty means the proxy of the
	// settings. The address may contain a password.
	Proxy string `json:"proxy,omitempty"`
	// Robots is whether robots.txt is obeyed on its pages.
	Robots RobotsRule `json:"robots,omitempty"`
}

// NoProxy as Access.Proxy means that a board is read without a proxy.
const NoProxy = "none"

// RobotsRule says whether robots.txt is obeyed.
type RobotsRule string

// The rules a board can have.
const (
	RobotsDefault RobotsRule = ""       // as the settings say
	RobotsObey    RobotsRule = "obey"   // regardless of the settings
	RobotsIgnore  RobotsRule = "ignore" // regardless of the settings
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
// "default" is empty. The error does not repeat it, because it may contain a password.
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

// Redacted returns the access without the proxy's password, for display.
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
