package scraper

import "github.com/boardwatch/boardwatch/boardwatch"

// trouble is what keeps a page from being read, or from being read whole: the cause, and the same as a sentence. The zero
// value means that nothing does.
type trouble struct {
	cause  boardwatch.Cause
	reason string
}

// none reports whether nothing stands in the way.
func (t trouble) none() bool { return t.cause == "" }

// fail makes the reading a failed one.
func (t trouble) fail(r *boardwatch.Reading) {
	r.Health, r.Cause, r.Reason = boardwatch.HealthFailed, t.cause, t.reason
}

// limit makes the reading a partial one.
func (t trouble) limit(r *boardwatch.Reading) {
	r.Health, r.Cause, r.Reason = boardwatch.HealthPartial, t.cause, t.reason
}

// Troubles with their sentences. Code goes by the cause alone.
//
//nolint:gochecknoglobals // a constant table
var (
	pageTooLarge    = trouble{boardwatch.CauseTooLarge, "the page is too large to be read whole"}
	listPartTooLong = trouble{boardwatch.CauseTooLarge, "a page of the list is too large to be read whole"}
	pagesFollow     = trouble{boardwatch.CausePageMissing, "the list goes on, on further pages"}
	tooManyPages    = trouble{boardwatch.CausePageLimit, "the list has more pages than are read"}
	goesOnElsewhere = trouble{boardwatch.CauseTruncated, "the list goes on where no link leads"}
	showsPart       = trouble{boardwatch.CauseTruncated, "the page shows only a part of the list"}
	unsureEntries   = trouble{boardwatch.CauseUnsure, "beside the roles stand entries like them that may be roles as well"}
)

// claimsMore is the trouble of a page that says it has more roles than it shows.
func claimsMore(claimed, shown int) trouble {
	return trouble{
		boardwatch.CauseFewerThanClaimed, "the page says it has " + itoa(claimed) + " roles, but shows only " + itoa(shown),
	}
}

// pageUnread is the trouble of a list whose further page could not be read.
func pageUnread(number int, why string) trouble {
	return trouble{boardwatch.CausePageMissing, "page " + itoa(number) + " of the list " + why}
}
