package ats

import (
	"slices"
	"strings"
)

// vendorNames are the labels before a vendor's domain that are the vendor's own on every system. A system that keeps more
// for itself names them in its adapter. Words that companies are called, such as "beta" or "trust", are not
// here.
var vendorNames = strings.Fields(`
	www www1 www2 www3 web m
	api apis apihub app apps backend graphql webhook webhooks
	account accounts admin auth login logout my oauth register secure security signin signup sso
	apply careers employee employees job jobs
	blog care community developer developers doc docs email go help helpdesk info kb mail marketing report reports status support
	asset assets cdn cdn2 cdn3 files fonts image images img js smtp static upload uploads
	billing dashboard internal monitoring
	demo dev preview qa sandbox stage staging test uat
`)

// isVendorLabel reports whether a label before a vendor's domain is the vendor's own on every system.
func isVendorLabel(label string) bool { return slices.Contains(vendorNames, label) }

// noName is the error of a name that no board has.
func noName() error {
	return noBoard("no company's board has this name; use the address at which the company itself shows its roles")
}
