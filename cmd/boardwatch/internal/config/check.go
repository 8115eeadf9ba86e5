package config

import (
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/internal/canonical"
	"github.com/boardwatch/boardwatch/transport/mail"
)

// CheckEach says which of the values is not allowed; there must be some.
func CheckEach(values []string, allowed ...string) error {
	if len(values) == 0 {
		return fmt.Errorf("must be one or more of %s", strings.Join(allowed, ", "))
	}
	for _, v := range values {
		if !slices.Contains(allowed, v) {
			return fmt.Errorf("%q is not one of %s", v, strings.Join(allowed, ", "))
		}
	}
	return nil
}

func atLeast(least, n int) error {
	if n < least {
		return fmt.Errorf("must be at least %d, is %d", least, n)
	}
	return nil
}

// Between says that a number is too small or too large.
func Between[N int | int64](least, most, n N) error {
	if n < least || n > most {
		return fmt.Errorf("must be between %d and %d, is %d", least, most, n)
	}
	return nil
}

func positive(d time.Duration) error {
	if d <= 0 {
		return errors.New("must be positive")
	}
	return nil
}

func notNegative(d time.Duration) error {
	if d < 0 {
		return errors.New("must not be negative")
	}
	return nil
}

func checkSchedule(waits []time.Duration) error {
	if len(waits) > 50 {
		return errors.New("has more than 50 waits")
	}
	for _, w := range waits {
		if err := positive(w); err != nil {
			return fmt.Errorf("every wait %w", err)
		}
	}
	return nil
}

// CheckListen says why an address is not one to listen on.
func CheckListen(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil || !isPort(port) {
		return fmt.Errorf("%q is not an address and port such as 127.0.0.1:8080", address)
	}
	return nil
}

// OnLoopback reports whether nobody but this machine reaches an address to listen on.
func OnLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && boardwatch.IsLocalhost(host)
}

func isPort(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}

// CheckURL never repeats the address, which may hold a password.
func CheckURL(raw string, schemes ...string) error {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || !slices.Contains(schemes, u.Scheme) {
		return fmt.Errorf("is not an address that begins with %s://", strings.Join(schemes, ":// or "))
	}
	return nil
}

func checkSchemes(schemes []string) error {
	for _, s := range schemes {
		switch {
		case s == "" || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "":
			return fmt.Errorf("%q is not a scheme such as cursor", s)
		case slices.Contains([]string{"http", "https", "javascript", "data", "file", "blob", "vbscript", "about"}, s):
			return fmt.Errorf("%q cannot be allowed", s)
		}
	}
	return nil
}

func checkRemotes(remotes []string) error {
	for _, r := range remotes {
		if err := CheckURL(r, "ws", "wss"); err != nil {
			return err
		}
	}
	return nil
}

// CheckOrigin says why an address is not the beginning of a site's addresses.
func CheckOrigin(raw string) error {
	if _, ok := canonical.Origin(strings.TrimSuffix(raw, "/")); !ok {
		return errors.New("is not an address such as https://boards.example.com, without path, query or password")
	}
	return nil
}

// checkContact accepts an e-mail address, and the address of a page.
func checkContact(raw string) error {
	if u, err := url.Parse(raw); err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil {
		return nil
	}
	if a, err := netmail.ParseAddress(raw); err == nil && a.Address == raw {
		return nil
	}
	return errors.New("is neither an e-mail address nor an address such as https://example.com/help")
}

func checkOrigins(origins []string) error {
	for _, o := range origins {
		if err := CheckOrigin(o); err != nil {
			return err
		}
	}
	return nil
}

// checkHosts accepts hosts with or without a port.
func checkHosts(hosts []string) error {
	for _, host := range hosts {
		if err := account.CheckPrivateHost(host); err != nil {
			return err
		}
	}
	return nil
}

func checkNetworks(list []string) error {
	for _, s := range list {
		if _, err := parseNetwork(s); err != nil {
			return fmt.Errorf("%q is neither an address such as 10.0.0.1 nor a network such as 10.0.0.0/8", s)
		}
	}
	return nil
}

func parseNetwork(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil {
		return a.Unmap().WithZone("").Prefix(a.Unmap().BitLen())
	}
	return netip.ParsePrefix(s)
}

func checkDatabase(raw string) error {
	if file, ok := strings.CutPrefix(raw, "sqlite:"); ok && file != "" {
		return nil
	}
	u, err := url.Parse(raw) // a host may be missing: "postgres:///boards?host=/run/postgresql"
	if err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql") && strings.Contains(raw, "://") {
		return nil
	}
	return errors.New("is neither sqlite:FILE nor postgres://user:password@host/name")
}

func checkPrintable(s string) error {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return errors.New("must contain only printable ASCII")
	}
	return nil
}

func checkHeaderPrefix(s string) error {
	valid := func(r rune) bool {
		return r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !valid(r) }) || strings.Trim(s, "-") != s {
		return fmt.Errorf("%q is not a header name such as X-Boardwatch", s)
	}
	return nil
}

func checkEmail(s string) error {
	if _, err := account.NormalizeEmail(s); err != nil {
		return fmt.Errorf("%q is not an e-mail address", s)
	}
	return nil
}

// checkSMTP never repeats the password.
func checkSMTP(m Mail) error {
	_, err := mail.NewSMTP(string(m.SMTPURL), mail.Options{Password: string(m.Password)})
	return err
}

func checkMailPassword(c Config) error {
	if c.Mail.SMTPURL == "" {
		return errors.New("also needs mail.smtp_url")
	}
	return nil
}

// checkPassword never repeats the password.
func checkPassword(s string) error {
	n := account.NewAccount{Email: "operator@localhost", Plan: account.PlanUltra, Password: s}
	return n.Validate()
}

func checkMailFrom(s string) error {
	if _, err := netmail.ParseAddress(s); err != nil {
		return fmt.Errorf("%q is not a sender such as Boardwatch <boards@example.com>", s)
	}
	return nil
}

func checkSecretsKey(c Config) error {
	if c.Secrets.KeyFile != "" {
		return errors.New("is given twice: by itself and as secrets.key_file")
	}
	_, err := DecodeKey(string(c.Secrets.Key))
	return err
}

// checkProvider reports an issuer that is none, or that could be read and changed on its way here.
func checkProvider(o OIDC) error {
	if o.ClientID == "" {
		return errors.New("also needs oidc.client_id")
	}
	if err := CheckURL(o.Issuer, "https", "http"); err != nil {
		return err
	}
	u, err := url.Parse(o.Issuer)
	switch {
	case err != nil, u.User != nil, strings.ContainsAny(o.Issuer, "?#"):
		return errors.New("is not an address such as https://login.example.com, without query or password")
	case u.Scheme == "http" && !onThisMachine(u.Hostname()):
		return errors.New("must begin with https://, unless the provider is on this machine")
	}
	return nil
}

func onThisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func checkScopes(scopes []string) error {
	for _, s := range scopes {
		if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }) {
			return fmt.Errorf("%q is not a scope such as email", s)
		}
	}
	return nil
}

func checkName(s string) error {
	if len(s) > 60 || strings.ContainsFunc(s, unicode.IsControl) {
		return errors.New("must be at most 60 bytes without control characters")
	}
	return nil
}

func checkDomains(domains []string) error {
	for _, d := range domains {
		if err := checkEmail("somebody@" + d); err != nil || strings.ContainsAny(d, "@*") {
			return fmt.Errorf("%q is not a domain such as example.com", d)
		}
	}
	return nil
}

// checkWithoutPasswords makes sure that there is another way in.
func checkWithoutPasswords(c Config) error {
	if !c.Signup.Password && c.OIDC.Issuer == "" {
		return errors.New("can only be false with oidc.issuer: nobody could sign in")
	}
	return nil
}

// checkTeacher reports an address that is none, or one without a model.
func checkTeacher(t Teacher) error {
	switch {
	case t.URL == "":
		return nil
	case t.Model == "":
		return errors.New("also needs teacher.model")
	}
	return CheckURL(t.URL, "http", "https")
}
