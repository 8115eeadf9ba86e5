package boardwatch_test
import ("testing";"fmt";"time")
func TestDebug(t *testing.T) {
	for _, s := range sicknesses() {
		if s.name != debugName { continue }
		p := newPatient(s, debugWit, debugSize, debugCad, 45, 0)
		for p.board.NextCheckAt.Before(p.careers.end) {
			now := p.board.NextCheckAt.Add(time.Second)
			b := p.tally
			p.check(now, false)
			if b.closedLive != p.closedLive || b.toldAgain != p.toldAgain {
				fmt.Println(now, p.board.State.Health, p.board.State.Cause, p.tally, p.board.OpenJobs, p.board.State.Returns)
				for _, j := range p.jobs { if j.FirstSeenAt.Equal(now) || j.ClosedAt.Equal(now) { fmt.Println("   ", j.ID, j.Key, j.Title, j.Status, j.FirstSeenAt, j.MissedSince, j.Testimony, p.owner[j.ID]) } }
			}
		}
		p.finish()
		fmt.Println(p.tally)
		for _, j := range p.jobs { n := p.owner[j.ID]; if n < foreign && j.Status == "open" && !p.careers.roles[n].live(p.careers.end) { fmt.Println("open:", j.Key, j.Title, j.URL, j.Misses, j.MissedSince, j.LastSeenAt, j.Testimony, j.MassLoss, p.careers.roles[n].closes, p.shown[n], p.board.State.LastSuccessAt, p.board.State.Health) } }
	}
}
