package mcp

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// plain leaves out of a text what no person sees and a model may read: control characters, marks of direction, and the
// invisible letters in which instructions can be hidden. The joiners that some scripts need stay.
func plain(s string) string {
	hidden := func(r rune) bool {
		if r < unicode.MaxASCII {
			return r < ' '
		}
		return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d'
	}
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, s)
}

// agentJob is a role with what has happened to it.
type agentJob struct {
	boardwatch.Job
	history []boardwatch.RoleEvent
}

// AppendJSON appends the published Job object with what its source states and its history. The text is there if it was asked for
// and is kept.
func (j agentJob) AppendJSON(out []byte) []byte {
	out = j.Job.AppendJSON(out)
	out = append(append(out[:len(out)-1], `,"facts":`...), j.Facts.JSON()...)
	if j.Text != "" {
		text, err := json.Marshal(j.Text)
		if err != nil {
			panic("mcp: a text that cannot be written: " + err.Error()) // no string cannot
		}
		out = append(append(out, `,"text":`...), text...)
	}
	out = boardwatch.AppendList(append(out, `,"history":`...), j.history)
	return append(out, '}')
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
		j.Facts, j.Text = plainFacts(j.Facts), plainText(j.Text)
		out[i] = agentJob{j, plainEvents(histories[j.ID])}
	}
	return out
}

func plainEvents(events []boardwatch.RoleEvent) []boardwatch.RoleEvent {
	events = slices.Clone(events)
	for i := range events {
		events[i].Changes = slices.Clone(events[i].Changes)
		for k, c := range events[i].Changes {
			events[i].Changes[k].From, events[i].Changes[k].To = plain(c.From), plain(c.To)
		}
	}
	return events
}

func plainBoard(b boardwatch.BoardView) agentBoard {
	b.Company, b.Domain, b.Reason = plain(b.Company), plain(b.Domain), plain(b.Reason)
	return agentBoard(b)
}

func appendInstant(out []byte, name string, at time.Time) []byte {
	return at.UTC().AppendFormat(out, `,"`+name+`":"`+boardwatch.TimeFormat+`"`)
}

// appendNextSkip appends where the next page begins, or null on the last page.
func appendNextSkip(out []byte, skip int64, shown int, total int64) []byte {
	out = append(out, `,"nextSkip":`...)
	if next := skip + int64(shown); shown > 0 && next < total {
		return strconv.AppendInt(out, next, 10)
	}
	return append(out, "null"...)
}
