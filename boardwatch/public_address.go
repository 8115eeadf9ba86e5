package boardwatch

import "net/netip"

// specialPrefixes are the address ranges that are not the public Internet: every entry of the registries of
// special-purpose addresses, even if it says "globally reachable" (which there means a network service and not a
// company's site), multicast, and the public addresses that cloud providers use internally.
//
// https://www.iana.org/assignments/iana-ipv4-special-registry
// https://www.iana.org/assignments/iana-ipv6-special-registry
//
//nolint:gochecknoglobals // a constant table; Go has no constant prefixes
var specialPrefixes = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("10.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("127.0.0.0/8"),
	netip.MustParsePrefix("168.63.129.16/32"), // Azure: the host of a virtual machine
	netip.MustParsePrefix("169.254.0.0/16"),
	netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.31.196.0/24"), // AS112
	netip.MustParsePrefix("192.52.193.0/24"), // AMT
	netip.MustParsePrefix("192.88.99.0/24"),  // 6to4 relays
	netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("192.175.48.0/24"), // AS112
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("224.0.0.0/4"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), // protocols: Teredo, AMT, AS112, ORCHID and others
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"),         // 6to4
	netip.MustParsePrefix("2620:4f:8000::/48"), // AS112
	netip.MustParsePrefix("3fff::/20"),
}

// globalUnicast is the part of IPv6 that is assigned to networks. Everything else is reserved, local, or wraps or
// translates to another address.
//
//nolint:gochecknoglobals // a constant
var globalUnicast = netip.MustParsePrefix("2000::/3")

// PublicAddr reports whether an address is on the public Internet. Call it with the address that is being connected to,
// because a name may resolve differently between a check and a connection. IPv4 inside IPv6 is judged as IPv4.
func PublicAddr(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.Is4() && !globalUnicast.Contains(a) {
		return false
	}
	for _, p := range specialPrefixes {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
