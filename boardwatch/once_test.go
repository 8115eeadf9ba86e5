package boardwatch_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func self(j *boardwatch.Job) *boardwatch.Job { return j }

func TestRolesWithTheSameTitleAndTextAreToldOnce(t *testing.T) {
	t.Parallel()
	job := func(id, board, title, location, text string) boardwatch.Job {
		j := boardwatch.Job{ID: id, BoardID: board, Title: title, Location: location}
		if text != "" {
			j.TextHash = boardwatch.TextHash(text)
		}
		return j
	}
	jobs := []boardwatch.Job{
		job("1", "a", "Cook", "Porto; Lisbon", "Cook soup."), job("2", "a", "Baker", "Porto", "Bake."), job("3", "a", "Cook", "Faro", "Cook soup."),
		job("4", "b", "Cook", "Braga", "Cook soup."), job("5", "a", "Cook", "Braga", "Cook stew."), job("6", "a", "Cook", "Porto", ""),
		job("7", "a", "Cook", "Evora", ""), job("8", "a", "Cook", "", "Cook soup."), job("9", "a", "Baker", "Porto", "Bake."),
		job("10", "a", "cook", "Leiria", "Cook soup."), job("11", "a", "Cook", "Sines", "Cook soup."),
	}
	jobs[0].Facts = boardwatch.Facts{Mode: boardwatch.ModeRemote, Type: boardwatch.TypeContract, Pay: boardwatch.Pay{Min: 1}}
	jobs[2].Facts, jobs[7].Facts, jobs[10].Facts = jobs[0].Facts, jobs[0].Facts, jobs[0].Facts
	jobs[7].Facts.Pay.Min, jobs[7].Facts.Type, jobs[7].Department = 2, boardwatch.TypeOther, "Kitchen"
	change := func(j boardwatch.Job) string { return strconv.FormatBool(j.ID == "11") }
	lines, others := boardwatch.Once(jobs, self, change)
	var told []string
	for i, j := range lines {
		told = append(told, fmt.Sprintf("%s %s, %s (%d)", j.ID, j.Title, j.Location, len(others[i])))
	}
	require.Equal(t, []string{
		"1 Cook, in 3 places: Faro; Lisbon; Porto (2)", "2 Baker, Porto, 2 times (1)", "4 Cook, Braga (0)", "5 Cook, Braga (0)", "6 Cook, Porto (0)",
		"7 Cook, Evora (0)", "10 cook, Leiria (0)", "11 Cook, Sines (0)",
	}, told)
	require.Equal(t, boardwatch.Facts{Mode: boardwatch.ModeRemote}, lines[0].Facts, "what all of them have")
	require.Empty(t, lines[0].Department)
	require.Equal(t, "Porto; Lisbon", jobs[0].Location, "what is told changes nothing")
	lines, others = boardwatch.Once([]boardwatch.Job(nil), self, change)
	require.Empty(t, lines)
	require.Empty(t, others)

	for i := range jobs {
		jobs[i] = job(strconv.Itoa(i), "a", "Cook", fmt.Sprintf("A town with a long name, no. %02d", i), "Cook soup.")
	}
	lines, _ = boardwatch.Once(jobs, self, func(boardwatch.Job) string { return "" })
	require.Equal(t, "in 11 places: A town with a long name, no. 00; A town with a long name, no. 01; …", lines[0].Location)
}

// Webhooks are told each role, channels those with the same title and text once.
func TestMessagesTellARoleOnce(t *testing.T) {
	t.Parallel()
	reading := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
	for i := range 27 {
		reading.Postings = append(reading.Postings, boardwatch.Posting{Key: strconv.Itoa(i), Title: "Cook", Location: fmt.Sprintf("Town %02d", i), Text: "Cook soup."})
	}
	reading.Postings = append(reading.Postings, boardwatch.Posting{Key: "other", Title: "Cook", Location: "Porto", Text: "Cook stew."})
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	in := boardwatch.CheckInput{
		Now: now, Fold: func(s string) string { return s },
		Board:       boardwatch.Board{ID: "b", State: boardwatch.BoardState{LastCheckedAt: now.Add(-time.Hour), LastSuccessAt: now.Add(-time.Hour)}},
		Subscribers: []boardwatch.Subscription{{AccountID: "a", BoardID: "b"}},
		Webhooks:    []boardwatch.Webhook{{ID: "w", AccountID: "a", Events: boardwatch.EventTypes()}},
		HasWords:    func(j boardwatch.Job, words string) bool { return j.Text == "Cook stew." && words == "stew" },
		Listeners: []boardwatch.Listener{
			{Channel: boardwatch.Channel{ID: "c", AccountID: "a", Kind: account.ChannelSlack, All: true}},
			{
				Channel: boardwatch.Channel{ID: "d", AccountID: "a", Kind: account.ChannelSlack},
				Looks:   []boardwatch.Search{{Name: "Stew", Criteria: boardwatch.Criteria{Words: "stew"}}},
			},
		},
	}
	in.Board.Status = boardwatch.BoardReady
	r := boardwatch.Decide(in, reading.Normalize(), false, boardwatch.DefaultRules(), boardwatch.NewID)
	require.Len(t, r.Change.Found, 28)
	require.Len(t, r.Payloads, 3)
	var event struct {
		Jobs []struct{ Location *string }
	}
	require.NoError(t, json.Unmarshal(r.Payloads[0].Body("1"), &event))
	require.Len(t, event.Jobs, 28)
	require.Equal(t, "Town 00", *event.Jobs[0].Location)
	var all, some boardwatch.Message
	require.NoError(t, json.Unmarshal(r.Payloads[1].Body("1"), &all))
	require.NoError(t, json.Unmarshal(r.Payloads[2].Body("1"), &some))
	require.Len(t, all.Roles, 2)
	require.Equal(t, 26, all.Roles[0].Others)
	require.Contains(t, all.Roles[0].Location, "in 27 places: Town 00; ")
	require.Zero(t, all.More)
	require.Equal(t, []string{"Stew"}, some.Searches)
	require.Len(t, some.Roles, 1)
	require.Equal(t, "Porto", some.Roles[0].Location)
}

func TestPayPerYear(t *testing.T) {
	t.Parallel()
	for want, pay := range map[float64]boardwatch.Pay{
		0: {Text: "good"}, 60_000: {Min: 50_000, Max: 60_000, Period: boardwatch.PerYear}, 50_000: {Min: 50_000}, 48_000: {Max: 4_000, Period: boardwatch.PerMonth},
		52_000: {Min: 1_000, Period: boardwatch.PerWeek}, 26_000: {Min: 100, Period: boardwatch.PerDay}, 41_600: {Min: 18, Max: 20, Period: boardwatch.PerHour},
	} {
		require.InDelta(t, want, pay.PerYear(), 0.001, "%+v", pay)
	}
}
