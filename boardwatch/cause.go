package boardwatch

import (
	"context"
	"errors"
	"slices"
)

// Cause says why a reading is not ok, why discovery found no board, or why an address was refused. It comes with a
// sentence for people, which may be reworded at any time. Code only branches on causes.
//
// The zero value means that there is nothing to explain.
type Cause string

// The closed set of causes.
const (
	CauseGone             Cause = "gone"               // the page no longer exists
	CauseUnknownBoard     Cause = "unknown_board"      // the hosted system has no such board
	CauseRefused          Cause = "refused"            // the site, or a rule of boardwatch, refused the request
	CauseThrottled        Cause = "throttled"          // the site asked for fewer requests
	CauseSiteError        Cause = "site_error"         // the site answered with an error, or with something unusable
	CauseUnreachable      Cause = "unreachable"        // no connection: name, network, TLS or proxy
	CauseTimeout          Cause = "timeout"            // no answer in time
	CauseTooLarge         Cause = "too_large"          // the answer exceeds what is read
	CauseWall             Cause = "wall"               // a bot wall; Reading.BlockedBy names its vendor
	CauseRobots           Cause = "robots"             // robots.txt disallows the page, or could not be read
	CauseConsent          Cause = "consent"            // the site shows a consent page instead
	CauseSignIn           Cause = "sign_in"            // only members may see the page
	CauseMaintenance      Cause = "maintenance"        // the site says that it is under maintenance
	CauseTruncated        Cause = "truncated"          // the answer was cut off, or shows only the beginning of the list
	CauseMoved            Cause = "moved"              // the address leads to another site or to another page
	CauseNeedsBrowser     Cause = "needs_browser"      // the page is rendered by JavaScript
	CauseBrowserFailed    Cause = "browser_failed"     // the browser could not be started, or failed on the page
	CauseNoList           Cause = "no_list"            // the page shows no list of roles, and does not say that there are none
	CauseListError        Cause = "list_error"         // the page says that its list could not be loaded
	CausePageMissing      Cause = "page_missing"       // a further page of the list could not be read, or is reached by script only
	CausePageLimit        Cause = "page_limit"         // the list has more pages than are read
	CauseFewerThanClaimed Cause = "fewer_than_claimed" // the source lists fewer roles than it says it has
	CauseBadRows          Cause = "bad_rows"           // rows could not be understood
	CauseLatestOnly       Cause = "latest_only"        // a feed of the latest entries is not a complete list
	CauseUnsure           Cause = "unsure"             // the page can be read in more than one way
	CauseMassLoss         Cause = "mass_loss"          // too many roles vanished at once
	CauseReplaced         Cause = "replaced"           // none of the known roles is listed, but others are
	CauseFlooded          Cause = "flooded"            // far more roles than before at once
	CauseSystemSick       Cause = "system_sick"        // many boards of the same hosted system are sick
	CauseRecipeBroken     Cause = "recipe_broken"      // the board's recipe no longer fits the page
	CauseInternal         Cause = "internal"           // a fault of boardwatch
)

// Causes returns every cause, in the order of the documentation.
func Causes() []Cause {
	return []Cause{
		CauseGone, CauseUnknownBoard, CauseRefused, CauseThrottled, CauseSiteError, CauseUnreachable, CauseTimeout,
		CauseTooLarge, CauseWall, CauseRobots, CauseConsent, CauseSignIn, CauseMaintenance, CauseTruncated, CauseMoved,
		CauseNeedsBrowser, CauseBrowserFailed, CauseNoList, CauseListError, CausePageMissing, CausePageLimit,
		CauseFewerThanClaimed, CauseBadRows, CauseLatestOnly, CauseUnsure, CauseMassLoss, CauseReplaced, CauseFlooded,
		CauseSystemSick, CauseRecipeBroken, CauseInternal,
	}
}

// Advice returns a sentence about what an operator can do about the cause with the settings; empty if there is nothing.
// Show it only to operators, because users cannot change settings.
func (c Cause) Advice() string {
	if c == CauseWall {
		return "Some sites block the addresses of data centers: http.proxy or browser.remote_url can lead through another network."
	}
	return ""
}

// Known reports whether the cause is one of the set.
func (c Cause) Known() bool { return slices.Contains(Causes(), c) }

// CauseOf returns the cause of an error: that of the first error in its chain with a method Cause. For a person's wrong
// input it is CauseRefused, for an expired deadline CauseTimeout, and for any other error CauseInternal. Nil has no
// cause.
func CauseOf(err error) Cause {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[interface {
		error
		Cause() Cause
	}](err); ok {
		return e.Cause()
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return CauseRefused
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return CauseTimeout
	}
	return CauseInternal
}
