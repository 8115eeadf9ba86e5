package config

import "regexp"

// serviceLink is one form of the variables that Kubernetes gives every container for each Service in its namespace.
type serviceLink struct{ name, value *regexp.Regexp }

// serviceLinks are those of Services whose names begin with boardwatch, which look like settings.
func serviceLinks() []serviceLink {
	const service, port = `^BOARDWATCH(_[A-Z0-9_]+)?`, `_PORT_[0-9]+_(TCP|UDP|SCTP)`
	link := func(name, value string) serviceLink {
		return serviceLink{regexp.MustCompile(service + name + "$"), regexp.MustCompile("^" + value + "$")}
	}
	return []serviceLink{
		link(`(_SERVICE_HOST|`+port+`_ADDR)`, `[0-9a-f.:]+`),
		link(`(_SERVICE_PORT(_[A-Z0-9_]+)?|`+port+`_PORT)`, `[0-9]+`),
		link(`(_PORT|`+port+`)`, `(tcp|udp|sctp)://\S+`),
		link(port+`_PROTO`, `(tcp|udp|sctp)`),
	}
}

// IsServiceLink reports whether Kubernetes has set a variable, by the form of its name and its value.
func IsServiceLink(name, value string) bool {
	for _, l := range serviceLinks() {
		if l.name.MatchString(name) && l.value.MatchString(value) {
			return true
		}
	}
	return false
}
