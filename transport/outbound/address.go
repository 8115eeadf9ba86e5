package outbound

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// maxAddress is the longest URL that is asked for.
const maxAddress = 8 << 10

// Policy says which addresses may be reached. The zero value allows public hosts only.
type Policy struct {
	// Private allows addresses of private networks and of this machine, as Options.AllowPrivate does.
	Private bool
	// Loopback allows addresses of this machine.
	Loopback bool
}

// Policy says which addresses a client with these options may reach.
func (o Options) Policy() Policy { return Policy{Private: o.AllowPrivate, Loopback: o.AllowLoopback} }

// Check examines an address as it is written. It returns an *Error if a request to it would be refused before anything
// is sent.
func (p Policy) Check(u *url.URL) error {
	if e := p.check(u); e != nil {
		return e
	}
	return nil
}

// metadata are the addresses inside private ranges at which clouds give credentials to their machines. They are always
// refused.
func metadata() []netip.Addr {
	return []netip.Addr{netip.AddrFrom4([4]byte{100, 100, 100, 200}), netip.MustParseAddr("fd00:ec2::254")}
}

// sharedSpace is the address range that carriers give to their customers (RFC 6598). It is as private as RFC 1918.
func sharedSpace() netip.Prefix { return netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64, 0, 0}), 10) }

// allows examines the address that is being connected to.
func (p Policy) allows(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	switch {
	case boardwatch.PublicAddr(a):
		return true
	case a.IsLoopback():
		return p.Loopback || p.Private
	case !p.Private || slices.Contains(metadata(), a):
		return false
	default:
		return a.IsPrivate() || sharedSpace().Contains(a)
	}
}

// check judges an address as it is written, before anything is looked up or sent.
func (p Policy) check(u *url.URL) *Error {
	host, e := asciiHost(u)
	if e != nil {
		return e
	}
	a, isAddr := literal(host)
	switch {
	case isAddr && !a.IsValid():
		return invalid("the host name in the address is not one")
	case isAddr && !p.allows(a):
		return &Error{Kind: KindRefused, Message: shown(host) + " is not on the public Internet"}
	case isLocalhost(host) && !p.Loopback && !p.Private:
		return &Error{Kind: KindRefused, Message: shown(host) + " is not on the public Internet"}
	case host == "invalid" || strings.HasSuffix(host, ".invalid"):
		// RFC 6761: such names never exist, and no name server is to be asked.
		return &Error{Kind: KindUnknownHost, Message: "the host " + shown(host) + " does not exist"}
	}
	return nil
}

// asciiHost is the host as it will be looked up: lower case, ASCII, without a trailing dot. Everything else about the
// address that could deceive is refused on the way.
func asciiHost(u *url.URL) (string, *Error) {
	if u == nil {
		return "", invalid("there is no address")
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return "", invalid("the address has to begin with https:// or http://")
	case u.User != nil:
		return "", invalid("an address with a name or password in it is not read")
	case u.Opaque != "" || u.Hostname() == "":
		return "", invalid("the address names no host")
	case len(u.Host)+len(u.Path)+len(u.RawQuery) > maxAddress:
		return "", invalid("the address is too long")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "", invalid("the address has an impossible port")
		}
	}
	return cleanHost(u.Hostname())
}

func cleanHost(host string) (string, *Error) {
	if !isASCII(host) {
		// The transport does the same before it connects, so "１２７.0.0.1" has to be judged as 127.0.0.1.
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", invalid("the host name in the address is not one")
		}
		host = ascii
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "" || len(host) > 253 || strings.ContainsFunc(host, notInHost) {
		return "", invalid("the host name in the address is not one")
	}
	return host, nil
}

func invalid(message string) *Error { return &Error{Kind: KindInvalid, Message: message} }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// notInHost names what no host name and no literal address holds; zones of IPv6 ("%eth0") are among it.
func notInHost(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("-._:", r)
}

func isLocalhost(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "localhost.localdomain"
}

// isLoopback reports whether a host that passed the check is this very machine.
func isLoopback(host string) bool {
	a, isAddr := literal(host)
	return isLocalhost(host) || isAddr && a.Unmap().IsLoopback()
}

// literal is the IP address that a host spells, in any way that some resolver would understand: 127.0.0.1, 2130706433,
// 0x7f.1, 0177.0.0.1, ::ffff:7f00:1. A host that can only be meant as an address, but is none, yields the zero Addr.
func literal(host string) (a netip.Addr, isAddr bool) {
	if strings.Contains(host, ":") {
		a, _ = netip.ParseAddr(host) // the zero Addr when it is none
		return a, true
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || last[0] < '0' || last[0] > '9' {
		return netip.Addr{}, false // a name: the common case
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return a, true
	}
	if _, ok := number(last); !ok && strings.ContainsFunc(last, notDigit) {
		return netip.Addr{}, false // a name like "acme.1st"
	}
	return numeric(strings.Split(host, ".")), true
}

// numeric reads the IPv4 spellings of inet_aton: one to four numbers, each decimal, octal or hexadecimal, of which the
// last fills all the bytes that are left. It is the zero Addr when they do not fit.
func numeric(parts []string) netip.Addr {
	if len(parts) > 4 {
		return netip.Addr{}
	}
	var sum uint64
	for i, part := range parts {
		n, ok := number(part)
		room := uint64(1) << 8
		if i == len(parts)-1 {
			room = 1 << (8 * (5 - len(parts)))
		}
		if !ok || n >= room {
			return netip.Addr{}
		}
		sum = sum*room + n
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
}

func number(s string) (n uint64, ok bool) {
	base := 10
	switch {
	case s == "0x":
		return 0, true // inet_aton takes it for zero
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		base = 8
	}
	n, err := strconv.ParseUint(s, base, 33)
	return n, err == nil
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// shown is a host as an error may show it.
func shown(host string) string {
	if len(host) > 100 {
		return host[:100] + "…"
	}
	return host
}
