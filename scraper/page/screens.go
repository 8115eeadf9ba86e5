package page

import "strings"

// screens are sizes of screens, a bit for each: phones, large phones, tablets, and three of computers.
type screens uint8

const (
	allScreens screens = 1<<6 - 1
	phones     screens = 1<<2 - 1
	tablets    screens = 1 << 2
	computers          = allScreens &^ (phones | tablets)
)

// from are the screens of a size and larger ones.
func from(size int) screens { return allScreens << size & allScreens }

// sizes are the names that frameworks of styles have for the screens from which a class counts.
var sizes = map[string]int{"xs": 0, "sm": 1, "md": 2, "lg": 3, "xl": 4, "xxl": 5, "2xl": 5}

// devices are the screens that their names for kinds of them stand for. Bootstrap 3 gave sizes the same meaning.
var devices = map[string]screens{
	"phone": phones, "mobile": phones, "handheld": phones, "small": phones, "xs": phones,
	"tablet": tablets, "medium": tablets, "sm": tablets, "touch": phones | tablets,
	"desktop": computers, "large": computers, "laptop": 1 << 3, "md": 1 << 3,
	"widescreen": 3 << 4, "xlarge": 3 << 4, "lg": 3 << 4, "fullhd": 1 << 5, "xxlarge": 1 << 5,
}

// hides are words for hiding in names of classes, shows those for the reverse, and deviceFillers say neither.
var (
	hides         = set("hidden hide no not disabled disable none off invisible")
	shows         = set("visible show shown")
	deviceFillers = set("is u on for device devices screen screens view visibility display elementor extra fusion fl vc et pb in inline block")
)

// plainHiding are classes that hide, whatever the screen, until a script takes them away; neverSeen those that leave an element to
// readers of the screen.
var (
	plainHiding = set("hidden d-none hide is-hidden hide-div invisible display-none w-condition-invisible u-hidden visibility--hidden")
	neverSeen   = set("sr-only visually-hidden visuallyhidden screen-reader-text element-invisible")
)

// hidingClass reports whether the classes of an element hide it on every screen, and whether one of them is such as scripts take
// away. Those that hide on small screens only come with one that shows again on larger ones ("hidden md:flex",
// "d-none d-lg-block"), and some hide on one screen each.
func hidingClass(class string) (hides, state bool) {
	const none = -1
	shown, hidden, only := allScreens, screens(0), screens(0)
	switched := [6]int{none, none, none, none, none, none} // by size: 1 shows from there on, 0 hides
	for token := range strings.FieldsSeq(class) {
		token = strings.TrimPrefix(strings.ToLower(token), "!")
		if plainHiding[token] || neverSeen[token] {
			shown, state = 0, plainHiding[token]
			continue
		}
		if at := strings.LastIndexByte(token, ':'); at >= 0 {
			variant, utility := token[:at], token[at+1:]
			size, known := sizes[strings.TrimPrefix(variant, "max-")]
			below := known && strings.HasPrefix(variant, "max-")
			switch shows, hides := showsAgain(utility), utility == "hidden"; {
			case !shows && !hides, variant == "print":
			case shows && !known:
				return false, false // somebody may have it shown
			case below && hides:
				hidden |= allScreens &^ from(size)
			case below:
				only |= allScreens &^ from(size)
			case known:
				switched[size] = 0
				countIf(&switched[size], shows)
			}
			continue
		}
		if size, shows, ok := bootstrapDisplay(token); ok {
			switched[size] = 0
			countIf(&switched[size], shows)
			continue
		}
		h, o := deviceClass(token)
		hidden, only = hidden|h, only|o
	}
	for size, shows := range switched {
		switch shows {
		case 0:
			shown &^= from(size)
		case 1:
			shown |= from(size)
		}
	}
	if only != 0 && shown == allScreens {
		shown = only
	}
	return (shown|only)&^hidden == 0, state
}

// bootstrapDisplay reads "d-lg-none" and "d-lg-flex".
func bootstrapDisplay(token string) (size int, shows, ok bool) {
	rest, found := strings.CutPrefix(token, "d-")
	name, value, cut := strings.Cut(rest, "-")
	size, known := sizes[name]
	return size, value != "none", found && cut && known
}

// deviceClass is where a class hides that names kinds or sizes of screens, and where one only shows: "hidden-phone",
// "elementor-hidden-tablet", "vc_hidden-lg", "hide-for-medium-only", "is-hidden-touch", "fusion-no-small-visibility", "visible-xs-block".
func deviceClass(token string) (hidden, only screens) {
	where := screens(0)
	hiding, showing, named := false, false, false
	upwards := strings.Contains(token, "-for-") || strings.HasPrefix(token, "is-hidden-")
	for word := range strings.FieldsFuncSeq(token, func(r rune) bool { return r == '-' || r == '_' }) {
		kind, isDevice := devices[word]
		switch {
		case isDevice:
			where, named = where|kind, true
		case word == "only", word == "down":
			upwards = false
		case hides[word]:
			hiding = true
		case shows[word]:
			showing = true
		case !deviceFillers[word]:
			return 0, 0
		}
	}
	if !named || hiding == showing {
		return 0, 0
	}
	if upwards && where&phones == 0 || strings.Contains(token, "-for-small") && upwards {
		where |= -(where & -where) & allScreens // that kind and every larger one
	}
	if hiding {
		return where, 0
	}
	return 0, where
}

func showsAgain(utility string) bool {
	switch utility {
	case "block", "flex", "grid", "inline", "inline-block", "inline-flex", "table", "table-row", "table-cell", "visible",
		"not-sr-only", "contents", "list-item", "flow-root", "inline-grid":
		return true
	}
	return false
}
