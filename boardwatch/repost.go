package boardwatch

import (
	"slices"
	"strings"
	"time"
)

// Repost is a role that was posted anew under another id.
type Repost struct {
	Role uint32    `json:"role"` // hash of its title and place
	At   time.Time `json:"at"`
}

// mostReposts is how many reposts a board remembers: the last ones.
const mostReposts = 200

// rememberReposts remembers for ReopenWithin which roles were posted anew.
func (s *BoardState) rememberReposts(who identity, now time.Time) {
	if len(who.anew) == 0 {
		return
	}
	s.Reposts = slices.DeleteFunc(slices.Clone(s.Reposts), func(r Repost) bool {
		return now.Sub(r.At) > ReopenWithin || slices.Contains(who.anew, r.Role)
	})
	for _, role := range who.anew {
		s.Reposts = append(s.Reposts, Repost{role, now})
	}
	s.Reposts = s.Reposts[max(0, len(s.Reposts)-mostReposts):]
}

// postedAnew returns whether a role took the place of one with the same title and place, which was gone by then, or was
// posted anew before. Where keys tell little, every role may have been.
func (m *matching) postedAnew(reposts []Repost, now time.Time) func(Job) bool {
	if m.loose {
		return func(Job) bool { return true }
	}
	before := make(map[uint32]bool, len(reposts))
	for _, r := range reposts {
		before[r.Role] = now.Sub(r.At) <= ReopenWithin
	}
	first := make(map[roleName]Job)
	for _, i := range m.jobs {
		j := m.known[i]
		role := m.texts.role(j.posting())
		if other, ok := first[role]; !ok || j.FirstSeenAt.Before(other.FirstSeenAt) {
			first[role] = j
		}
	}
	return func(j Job) bool {
		if strings.HasPrefix(j.Key, MergedKey) || !j.posting().hasID() || before[j.posting().hash()] {
			return true
		}
		other := first[m.texts.role(j.posting())]
		gone := other.Status == JobClosed || !other.MissedSince.IsZero() && !other.MissedSince.After(j.FirstSeenAt)
		return j.Status == JobOpen && gone && other.FirstSeenAt.Before(j.FirstSeenAt)
	}
}
