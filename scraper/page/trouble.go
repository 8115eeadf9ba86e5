package page

import (
	"strconv"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// Trouble is what keeps a page from being read, or from being read whole: the cause, and the same as a sentence. The zero
// value means that nothing does.
type Trouble struct {
	Cause  cause.Cause
	Reason string
}

// None reports whether nothing stands in the way.
func (t Trouble) None() bool { return t.Cause == "" }

// Fail makes the reading a failed one.
func (t Trouble) Fail(r *boardwatch.Reading) {
	r.Health, r.Cause, r.Reason = boardwatch.HealthFailed, t.Cause, t.Reason
}

// Limit makes the reading a partial one.
func (t Trouble) Limit(r *boardwatch.Reading) {
	r.Health, r.Cause, r.Reason = boardwatch.HealthPartial, t.Cause, t.Reason
}

// Troubles with their sentences. Code goes by the cause alone.
var (
	pageTooLarge    = Trouble{cause.TooLarge, "the page is too large to be read whole"}
	ListPartTooLong = Trouble{cause.TooLarge, "a page of the list is too large to be read whole"}
	pagesFollow     = Trouble{cause.PageMissing, "the list continues on further pages"}
	TooManyPages    = Trouble{cause.PageLimit, "the list has more pages than are read"}
	GoesOnElsewhere = Trouble{cause.PageMissing, "the list continues where no link leads"}
	showsPart       = Trouble{cause.Truncated, "the page shows only part of the list"}
	noneForNow      = Trouble{cause.Unsure, "the page says that there are no roles, and gives a reason why it may not show them now"}
	uncertainList   = Trouble{cause.Unsure, "it is not certain that these are the open roles, because they do not look like a list of roles"}
	UnsureEntries   = Trouble{cause.Unsure, "next to the roles there are similar entries that may also be roles"}
)

// ClaimsMore is the trouble of a page that says it has more roles than it shows.
func ClaimsMore(claimed, shown int) Trouble {
	return Trouble{
		cause.FewerThanClaimed, "the page says it has " + strconv.Itoa(claimed) + " roles, but shows only " + strconv.Itoa(shown),
	}
}

// PageUnread is the trouble of a list whose further page could not be read.
func PageUnread(number int, why string) Trouble {
	return Trouble{cause.PageMissing, "page " + strconv.Itoa(number) + " of the list " + why}
}
