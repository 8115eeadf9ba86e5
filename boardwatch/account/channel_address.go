package account

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// maxAddress is how long an address may be, in bytes.
const maxAddress = 2000

// CheckChannelURL checks the address of a channel other than mail and returns an invalid_request error if it is wrong.
// The rules are those of a webhook (boardwatch.CheckWebhookURL), unless the operator allows its host to be on a private network.
// Then plain HTTP is allowed, too. The IP address of the name is checked again when it is dialled.
func CheckChannelURL(raw string, dev bool, private []string) error {
	u, err := url.Parse(raw)
	if err != nil || !PrivateChannelHost(u, private) {
		return ofField("to", boardwatch.CheckWebhookURL(raw, dev))
	}
	switch {
	case len(raw) > maxAddress || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return boardwatch.Invalid("to", "must be at most 2000 characters without blanks or control characters")
	case u.User != nil || strings.Contains(raw, "#"):
		return boardwatch.Invalid("to", "must not carry a user name, a password or a fragment")
	case u.Scheme != "https" && u.Scheme != "http":
		return boardwatch.Invalid("to", "must begin with https:// or http://")
	}
	return nil
}

// PrivateChannelHost reports whether an address names one of these hosts at its port. A host without a port has that of
// the address's scheme.
func PrivateChannelHost(u *url.URL, private []string) bool {
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	port := cmp.Or(u.Port(), usual)
	return u.Host != "" && slices.ContainsFunc(private, func(entry string) bool {
		host, allowed, err := privateHost(entry)
		return err == nil && host == plainHost(u.Hostname()) && cmp.Or(allowed, usual) == port
	})
}

// CheckPrivateHost says why an entry is not a host, with or without a port, for PrivateChannelHost.
func CheckPrivateHost(entry string) error {
	_, _, err := privateHost(entry)
	return err
}

func privateHost(entry string) (host, port string, err error) {
	const such = "such as ntfy.lan, 10.0.0.5:8080 or [fd00::5]:8080"
	if a, err := netip.ParseAddr(entry); err == nil {
		return a.String(), "", nil // IPv6 without brackets
	}
	u, err := url.Parse("//" + entry)
	switch {
	case strings.Contains(entry, "://"):
		return "", "", fmt.Errorf("%q is an address; give only its host and port, %s", entry, such)
	case strings.Contains(entry, "/"):
		return "", "", fmt.Errorf("%q is a network or has a path; list each host, %s", entry, such)
	case err != nil || u.Host != entry || u.Hostname() == "" || strings.ContainsAny(entry, "*, ") || strings.HasSuffix(entry, ":"):
		return "", "", fmt.Errorf("%q is not a host with or without a port, %s", entry, such)
	}
	if port = u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "", "", fmt.Errorf("%q has a port that is not between 1 and 65535", entry)
		}
	}
	return plainHost(u.Hostname()), port, nil
}

// plainHost returns a host in the form in which it can be compared.
func plainHost(host string) string {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.String()
	}
	return strings.ToLower(host)
}

// ofField returns the invalid_request error for a field of another name.
func ofField(field string, err error) error {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return err
	}
	fields, ok := e.Details.([]boardwatch.FieldError)
	if !ok || len(fields) == 0 {
		return err
	}
	return boardwatch.Invalid(field, fields[0].Message)
}
