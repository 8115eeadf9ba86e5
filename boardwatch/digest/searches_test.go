package digest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// search saves a search of a person.
func (w *world) search(a account.Account, name, text string, kinds ...boardwatch.ChangeKind) boardwatch.Search {
	w.t.Helper()
	q := boardwatch.Search{
		ID: boardwatch.NewID(), AccountID: a.ID, Name: name, CreatedAt: w.clock(), Criteria: boardwatch.Criteria{Text: text}, Kinds: kinds,
	}
	require.NoError(w.t, w.CreateSearch(w.t.Context(), q, track.MaxSearches))
	return q
}

func TestSearchesHaveTheirOwnPartOfTheMail(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 20, 12, 0))
	a := w.account("ann", 7, "")
	b := w.track(a, "contoso")
	w.work()
	w.find(b, "Baker")
	q := w.search(a, "Data <jobs>", "data")
	w.search(a, "Only closed", "", boardwatch.ChangeClosed)
	w.turn(at(2026, 11, 20, 13, 0))
	w.find(b, "Data Engineer", "Writer")
	w.turn(at(2026, 11, 21, 7, 0))
	w.work()
	m := w.server.Wait(1)[0]
	for _, text := range []string{"Data <jobs>: 1 change", base + "/searches/" + q.ID, "- new: Data Engineer (Berlin), Contoso", "- Writer (Berlin)"} {
		require.Contains(t, m.Text, text)
	}
	require.Contains(t, m.HTML, "Data &lt;jobs&gt;</a>")
	require.Contains(t, m.HTML, `<a href="https://jobs.example/Data%20Engineer">Data Engineer</a><br><small>new · Contoso`)
	require.NotContains(t, m.Text, "Only closed", "it has found nothing")
}

func TestAMailCanTellOfSearchesOnly(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 20, 12, 0))
	a, other := w.account("ann", 7, ""), w.account("bob", 7, "")
	for _, person := range []account.Account{a, other} {
		p, err := w.Preferences(t.Context(), person.ID)
		require.NoError(t, err)
		p.OnlySaved = true
		require.NoError(t, w.SavePreferences(t.Context(), p))
	}
	b := w.track(a, "contoso")
	w.track(other, "contoso")
	w.work()
	w.find(b, "Baker")
	w.search(a, "Data", "data")
	w.turn(at(2026, 11, 20, 13, 0))
	w.find(b, "Writer")
	w.turn(at(2026, 11, 21, 7, 0))
	w.work()
	w.turn(at(2026, 11, 21, 9, 0))
	w.work()
	require.Empty(t, w.server.Received(), "nothing that they asked for has changed")
	w.find(b, "Data Engineer")
	w.turn(at(2026, 11, 22, 7, 0))
	w.work()
	got := w.server.Wait(1)
	require.Len(t, got, 1, "who has no search gets nothing")
	require.Equal(t, []string{a.Email}, got[0].To)
	require.Equal(t, "1 change in Data", got[0].Subject)
	require.Contains(t, got[0].Text, "new: Data Engineer")
	require.NotContains(t, got[0].Text, "Writer")
	w.turn(at(2026, 11, 23, 7, 0))
	w.work()
	require.Len(t, w.server.Received(), 1, "nothing is told twice")
}

func TestARoleInSeveralPlacesIsToldOnce(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 20, 12, 0))
	a := w.account("ann", 7, "")
	b := w.track(a, "contoso")
	w.work()
	w.find(b, "Baker")
	w.search(a, "Cooks", "cook")
	w.turn(at(2026, 11, 20, 13, 0))
	r := boardwatch.Reading{Company: "Contoso", Claimed: -1, Health: boardwatch.HealthOK, Postings: []boardwatch.Posting{{Key: "Baker", Title: "Baker", Location: "Berlin", URL: "https://jobs.example/Baker"}}}
	for i := range 26 {
		place := fmt.Sprintf("Town %02d", i)
		r.Postings = append(r.Postings, boardwatch.Posting{Key: place, Title: "Cook", Location: place, Text: "Soup."})
	}
	for i := range 22 {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: fmt.Sprint("d", i), Title: fmt.Sprintf("Diver %02d", i), Text: "Deep."})
	}
	w.read(b, r)
	w.turn(at(2026, 11, 21, 7, 0))
	w.work()
	m := w.server.Wait(1)[0]
	require.Contains(t, m.Subject, "49 new roles at Contoso")
	require.Contains(t, m.Text, "Cooks: 26 changes")
	require.Equal(t, 2, strings.Count(m.Text, "in 26 places: Town 00; Town 01;"), m.Text)
	require.Contains(t, m.HTML, "in 26 places: Town 00; ")
	require.NotContains(t, m.Text, "and 6 more", "all of them are told")
	require.Contains(t, m.Text, "- Diver 18\n")
	require.NotContains(t, m.Text, "- Diver 19\n")
	require.Contains(t, m.Text, "and 4 more")
}
