package mcp

import (
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// plain leaves out of a text what no person sees and a model may read: control characters, marks of direction, and the
// invisible letters in which instructions can be hidden. The joiners that some scripts need stay.
func plain(s string) string {
	if !strings.ContainsFunc(s, boardwatch.Invisible) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if boardwatch.Invisible(r) {
			return -1
		}
		return r
	}, s)
}

// agentJob is a role as agents see it: the published object with what its source states and its history. The text is there if
// it was asked for and is kept.
type agentJob struct {
	boardwatch.JobObject

	Facts   boardwatch.Facts       `json:"facts"`
	Text    string                 `json:"text,omitempty"`
	History []boardwatch.RoleEvent `json:"history"`
}

// maxText is how many bytes of a role's text are returned, and cutMark says that there is more.
const (
	maxText = 8 << 10
	cutMark = "\n\n[The text goes on. It was cut here.]"
)

// plainText is a text of several lines, plain and not too long.
func plainText(text string) string {
	cut := len(text) > maxText
	if cut {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plain(line)
	}
	if text = strings.Join(lines, "\n"); cut {
		text += cutMark
	}
	return text
}

func plainFacts(f boardwatch.Facts) boardwatch.Facts {
	for _, text := range []*string{&f.TypeText, &f.Pay.Text, &f.Requisition, &f.Language} {
		*text = plain(*text)
	}
	f.Places = slices.Clone(f.Places)
	for i, p := range f.Places {
		f.Places[i].Text, f.Places[i].City = plain(p.Text), plain(p.City)
	}
	return f
}

// plainJobs are jobs with their histories. The texts that employers wrote are made plain.
func plainJobs(jobs []boardwatch.Job, histories map[string][]boardwatch.RoleEvent) []agentJob {
	out := make([]agentJob, len(jobs))
	for i, j := range jobs {
		j.Company, j.Title, j.Location, j.Department = plain(j.Company), plain(j.Title), plain(j.Location), plain(j.Department)
		out[i] = agentJob{j.Object(), plainFacts(j.Facts), plainText(j.Text), plainEvents(histories[j.ID])}
	}
	return out
}

func plainEvents(events []boardwatch.RoleEvent) []boardwatch.RoleEvent {
	events = append([]boardwatch.RoleEvent{}, events...) // an empty list is not null
	for i := range events {
		events[i].Changes = slices.Clone(events[i].Changes)
		for k, c := range events[i].Changes {
			events[i].Changes[k].From, events[i].Changes[k].To = plain(c.From), plain(c.To)
		}
	}
	return events
}

func plainBoard(b boardwatch.BoardView) agentBoard {
	b.Company, b.Domain = plain(b.Company), plain(b.Domain)
	return agentBoard{b.Object(), orNull(string(b.Cause)), orNull(plain(b.Reason))}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// instant is a moment as it is published.
type instant time.Time

// MarshalText writes the moment in UTC with three decimals.
func (i instant) MarshalText() ([]byte, error) {
	return time.Time(i).UTC().AppendFormat(nil, boardwatch.TimeFormat), nil
}

// nextSkip is where the next page begins; nil on the last page.
func nextSkip(skip int64, shown int, total int64) *int64 {
	next := skip + int64(shown)
	if shown == 0 || next >= total {
		return nil
	}
	return &next
}
