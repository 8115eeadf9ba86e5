package boardwatch

import "time"

// missed is the rule that closes roles: an open role that a reading does not show is closed at the required number of
// counted absences in a row.
func (c *Change) missed(j Job, v verdict, rules Rules, now time.Time) {
	if v.Counts {
		j.Misses++
		c.Counted++
		if j.Misses >= rules.closeAfter() {
			j.Status, j.ClosedAt = JobClosed, now
			c.Closed = append(c.Closed, j)
			return
		}
	}
	c.Missing++
	if v.Counts && j.Misses == 1 {
		c.Missed = append(c.Missed, j)
	}
	// From now on its LastSeenAt stays behind, while that of the seen roles moves.
	if v.Counts || v.Health == HealthOK && j.LastSeenAt.Equal(v.Since) {
		c.Touched = append(c.Touched, j)
	}
}
