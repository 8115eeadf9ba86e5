package digest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// large returns a reading with that many roles.
func large(company string, n int) boardwatch.Reading {
	r := boardwatch.Reading{Company: company, Claimed: -1, Health: boardwatch.HealthOK}
	for i := range n {
		title := fmt.Sprintf("Senior Engineer for Distributed Systems %d", i)
		r.Postings = append(r.Postings, boardwatch.Posting{
			Key: title, Title: title, Location: "Berlin, Germany", Department: "Platform", URL: fmt.Sprintf("https://jobs.example/%d", i),
		})
	}
	return r
}

func TestTheMailOfTheFirstDayIsShort(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 20, 12, 0))
	a, late := w.account("ann", 7, ""), w.account("bob", 7, "")
	w.work()
	for i, company := range []string{"Contoso", "Fabrikam", "Northwind", "Acorn", "Bolt"} {
		b, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID},
			boardwatch.Board{Source: "greenhouse:" + company, URL: "https://boards.hosted.example/" + company}, company)
		require.NoError(t, err)
		w.read(b.ID, large(company, 100+84*i))
	}
	_, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: late.ID}, boardwatch.Board{Source: "greenhouse:Contoso"}, "")
	require.NoError(t, err)
	w.turn(at(2026, 11, 21, 7, 0))
	w.work()
	for _, m := range w.server.Wait(2) {
		require.Less(t, len(m.Text)+len(m.HTML), 10_000)
		require.NotContains(t, m.Text+m.HTML, "Distributed Systems", "what was there before is no news")
		switch m.To[0] {
		case a.Email:
			require.Equal(t, "Watching 1340 open roles on 5 boards", m.Subject)
			require.Contains(t, m.Text, "- Fabrikam: 184 open roles\n")
			require.Contains(t, m.HTML, "Fabrikam</a><br><small>184 open roles</small>")
		default:
			require.Equal(t, "Watching 100 open roles at Contoso", m.Subject, "a board that was read before")
		}
	}

	w.turn(at(2026, 11, 22, 7, 0))
	w.work()
	require.Len(t, w.server.Received(), 2, "it is told once")
}

func TestManyBoardsThatAreAddedAtOnceAreCounted(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 20, 12, 0))
	a := w.account("ann", 7, "")
	w.work()
	for i := range 60 {
		b, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID},
			boardwatch.Board{Source: fmt.Sprintf("greenhouse:c%d", i), URL: "https://boards.hosted.example/"}, "")
		require.NoError(t, err)
		w.read(b.ID, large(fmt.Sprintf("Company %d", i), 25))
	}
	w.turn(at(2026, 11, 21, 7, 0))
	w.work()
	m := w.server.Wait(1)[0]
	require.Equal(t, "Watching 1500 open roles on 60 boards", m.Subject)
	require.Contains(t, m.Text, "and 50 more boards")
	require.Less(t, len(m.Text)+len(m.HTML), 10_000)
}

func TestTheMailSaysWhatChanged(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 20, 12, 0))
	a := w.account("ann", 7, "")
	b := w.track(a, "contoso")
	w.work()
	reading := func(jobs ...[3]string) boardwatch.Reading {
		r := boardwatch.Reading{Company: "Contoso", Claimed: -1, Health: boardwatch.HealthOK}
		for _, j := range jobs {
			r.Postings = append(r.Postings, boardwatch.Posting{Key: j[0], Title: j[1], Location: j[2], URL: "https://jobs.example/" + j[0]})
		}
		return r
	}
	engineer, writer := [3]string{"1", "Engineer", "Berlin"}, [3]string{"2", "Writer", "Remote"}
	w.read(b, reading(engineer, writer))
	w.read(b, reading(engineer))
	w.read(b, reading(engineer)) // closes the writer
	w.turn(at(2026, 11, 21, 7, 0))
	w.work()
	w.server.Wait(1)

	w.turn(at(2026, 11, 21, 12, 0))
	w.read(b, reading([3]string{"1", "Engineer", "Oslo"}))
	w.read(b, reading([3]string{"1", "Senior <Engineer>", "Bergen"}, [3]string{"2", "Writer", ""}))
	w.turn(at(2026, 11, 22, 7, 0))
	w.work()
	m := w.server.Wait(2)[1]
	require.Equal(t, "1 role reopened at Contoso", m.Subject)
	for _, text := range []string{
		"1 role reopened:\n- Writer\n  location: Remote → nothing\n", "1 role changed:\n- Senior <Engineer> (Bergen)\n",
		"  title: Engineer → Senior <Engineer>\n", "  location: Berlin → Bergen\n",
	} {
		require.Contains(t, m.Text, text)
	}
	require.NotContains(t, m.Text, "Oslo", "what it was in between")
	require.NotContains(t, m.Text, "new role")
	require.Contains(t, m.HTML, "<small>title: Engineer → Senior &lt;Engineer&gt;</small>")
	require.Equal(t, 1, strings.Count(m.HTML, "location: Berlin → Bergen"))
}

func TestADayOfTheMailIsOneOfItsZone(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 20, 12, 0))
	b := w.track(w.account("ann", 7, "Asia/Tokyo"), "contoso")
	w.work()
	w.find(b, "Engineer")
	w.turn(time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)) // seven in the morning of the 21st
	w.work()
	require.Contains(t, w.server.Wait(1)[0].Text, "Saturday, 21 November 2026")
}
