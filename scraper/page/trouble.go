package page

import "github.com/boardwatch/boardwatch/boardwatch"

// Trouble is what keeps a page from being read, or from being read whole: the cause, and the same as a sentence. The zero
// value means that nothing does.
type Trouble struct {
	Cause  boardwatch.Cause
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
//
//nolint:gochecknoglobals // a constant table
var (
	pageTooLarge    = Trouble{boardwatch.CauseTooLarge, "the page is too large to be read whole"}
	ListPartTooLong = Trouble{boardwatch.CauseTooLarge, "a page of the list is too large to be read whole"}
	pagesFollow     = Trouble{boardwatch.CausePageMissing, "the list continues on further pages"}
	TooManyPages    = Trouble{boardwatch.CausePageLimit, "the list has more pages than are read"}
	GoesOnElsewhere = Trouble{boardwatch.CausePageMissing, "the list continues where no link leads"}
	showsPart       = Trouble{boardwatch.CauseTruncated, "the page shows only part of the list"}
	noneForNow      = Trouble{boardwatch.CauseUnsure, "the page says that there are no roles, and gives a reason why it may not show them now"}
	uncertainList   = Trouble{boardwatch.CauseUnsure, "it is not certain that these are the open roles, because they do not look like a list of roles"}
	UnsureEntries   = Trouble{boardwatch.CauseUnsure, "next to the roles there are similar entries that may also be roles"}
)

// ClaimsMore is the trouble of a page that says it has more roles than it shows.
func ClaimsMore(claimed, shown int) Trouble {
	return Trouble{
		boardwatch.CauseFewerThanClaimed, "the page says it has " + itoa(claimed) + " roles, but shows only " + itoa(shown),
	}
}

// PageUnread is the trouble of a list whose further page could not be read.
func PageUnread(number int, why string) Trouble {
	return Trouble{boardwatch.CausePageMissing, "page " + itoa(number) + " of the list " + why}
}
