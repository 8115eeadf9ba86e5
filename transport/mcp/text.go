package mcp

import (
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

// plainJobs are jobs whose texts, which employers wrote, are plain.
func plainJobs(jobs []boardwatch.Job) []boardwatch.Job {
	jobs = slices.Clone(jobs)
	for i := range jobs {
		j := &jobs[i]
		j.Company, j.Title, j.Location, j.Department = plain(j.Company), plain(j.Title), plain(j.Location), plain(j.Department)
	}
	return jobs
}

func plainBoard(b boardwatch.BoardView) agentBoard {
	b.Company, b.Domain, b.Reason = plain(b.Company), plain(b.Domain), plain(b.Reason)
	return agentBoard(b)
}

func appendInstant(out []byte, name string, at time.Time) []byte {
	return at.UTC().AppendFormat(out, `,"`+name+`":"`+boardwatch.TimeFormat+`"`)
}

// appendNextSkip says where the next page begins, when this one of so many entries is not the last.
func appendNextSkip(out []byte, skip int64, shown int, total int64) []byte {
	out = append(out, `,"nextSkip":`...)
	if next := skip + int64(shown); shown > 0 && next < total {
		return strconv.AppendInt(out, next, 10)
	}
	return append(out, "null"...)
}
