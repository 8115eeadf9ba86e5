// Package cause is the words for why a board could not be read, or not completely.
package cause

import "slices"

// Cause says why a reading is not ok, why discovery found no board, or why an address was refused. It comes with a
// sentence for people, which may be reworded at any time. Code only branches on causes.
//
// The zero value means that there is nothing to explain.
type Cause string

// The closed set of causes.
const (
	Gone             Cause = "gone"               // the page no longer exists
	UnknownBoard     Cause = "unknown_board"      // the hosted system has no such board
	Refused          Cause = "refused"            // the site, or a rule of boardwatch, refused the request
	Throttled        Cause = "throttled"          // the site asked for fewer requests
	SiteError        Cause = "site_error"         // the site answered with an error, or with something unusable
	Unreachable      Cause = "unreachable"        // no connection: name, network, TLS or proxy
	Timeout          Cause = "timeout"            // no answer in time
	TooLarge         Cause = "too_large"          // the answer exceeds what is read
	Wall             Cause = "wall"               // a bot wall; Reading.BlockedBy names its vendor
	Robots           Cause = "robots"             // robots.txt disallows the page, or could not be read
	Consent          Cause = "consent"            // the site shows a consent page instead
	SignIn           Cause = "sign_in"            // only members may see the page
	Maintenance      Cause = "maintenance"        // the site says that it is under maintenance
	Truncated        Cause = "truncated"          // the answer was cut off, or shows only the beginning of the list
	Moved            Cause = "moved"              // the address leads to another site or to another page
	NeedsBrowser     Cause = "needs_browser"      // the page is rendered by JavaScript
	BrowserFailed    Cause = "browser_failed"     // the browser could not be started, or failed on the page
	NoList           Cause = "no_list"            // the page shows no list of roles, and does not say that there are none
	ListError        Cause = "list_error"         // the page says that its list could not be loaded
	PageMissing      Cause = "page_missing"       // a further page of the list could not be read, or is reached by script only
	PageLimit        Cause = "page_limit"         // the list has more pages than are read
	FewerThanClaimed Cause = "fewer_than_claimed" // the source lists fewer roles than it says it has
	BadRows          Cause = "bad_rows"           // rows could not be understood
	LatestOnly       Cause = "latest_only"        // a feed of the latest entries is not a complete list
	Unsure           Cause = "unsure"             // the page can be read in more than one way
	MassLoss         Cause = "mass_loss"          // too many roles vanished at once
	Replaced         Cause = "replaced"           // none of the known roles is listed, but others are
	Flooded          Cause = "flooded"            // far more roles than before at once
	SystemSick       Cause = "system_sick"        // many boards of the same hosted system are sick
	RecipeBroken     Cause = "recipe_broken"      // the board's recipe no longer fits the page
	Internal         Cause = "internal"           // a fault of boardwatch
)

// All returns every cause, in the order of the documentation.
func All() []Cause {
	return []Cause{
		Gone, UnknownBoard, Refused, Throttled, SiteError, Unreachable, Timeout,
		TooLarge, Wall, Robots, Consent, SignIn, Maintenance, Truncated, Moved,
		NeedsBrowser, BrowserFailed, NoList, ListError, PageMissing, PageLimit,
		FewerThanClaimed, BadRows, LatestOnly, Unsure, MassLoss, Replaced, Flooded,
		SystemSick, RecipeBroken, Internal,
	}
}

// Advice returns a sentence about what an operator can do about the cause with the settings; empty if there is nothing.
// Show it only to operators, because users cannot change settings.
func (c Cause) Advice() string {
	if c == Wall {
		return "Some sites block the addresses of data centers: http.proxy or browser.remote_url can lead through another network."
	}
	return ""
}

// Known reports whether the cause is one of the set.
func (c Cause) Known() bool { return slices.Contains(All(), c) }
