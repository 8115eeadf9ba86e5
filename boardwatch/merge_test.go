package boardwatch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestNothingThatOnlyTheEndedBoardShowedReachesTheSurvivor(t *testing.T) {
	t.Parallel()
	job := func(id, title, place string) boardwatch.Job {
		return boardwatch.Job{ID: id, Key: id, Title: title, Location: place, Status: boardwatch.JobOpen, FirstSeenAt: noon.Add(-time.Hour), LastSeenAt: noon}
	}
	hook := func(account string) boardwatch.Webhook {
		return boardwatch.Webhook{ID: "hook-" + account, AccountID: account, Events: boardwatch.EventTypes()}
	}
	in := boardwatch.MergeInput{
		Now: noon.Add(time.Hour), From: boardwatch.Board{ID: "from", Source: "page:https://invented.example/jobs"}, Into: board,
		Moving: []boardwatch.Job{job("a", "Invented Officer", "Nowhere"), job("b", "Welder (m/w/d)", "Oslo")},
		Known:  []boardwatch.Job{job("x", "Welder", "OSLO"), job("y", "Cook", "Rome")},
		Subscribers: []boardwatch.Subscription{
			{AccountID: "came", BoardID: board.ID}, {AccountID: "stayed", BoardID: board.ID}, {AccountID: "both", BoardID: board.ID},
		},
		Webhooks: []boardwatch.Webhook{hook("came"), hook("stayed"), hook("both")},
		SawFrom:  map[string]bool{"came": true, "both": true}, SawInto: map[string]bool{"stayed": true, "both": true},
	}
	r := boardwatch.Merge(in, ids())
	require.Equal(t, map[string]string{"b": "x"}, r.Same)
	require.Len(t, r.Closed, 1)
	require.Equal(t, "Invented Officer", r.Closed[0].Title)
	require.Equal(t, boardwatch.JobClosed, r.Closed[0].Status)
	require.Equal(t, "the board became another one", r.RoleEvents()[0].Reason())

	bodies := map[string]string{}
	for _, p := range r.Payloads {
		bodies[p.ID] = string(p.Tail)
	}
	told := map[string][]boardwatch.EventType{}
	for _, d := range r.Deliveries {
		told[d.WebhookID] = append(told[d.WebhookID], d.Type)
		if d.Type == boardwatch.EventJobFound {
			require.Contains(t, bodies[d.PayloadID], "Cook")
			require.NotContains(t, bodies[d.PayloadID], "Invented")
		} else {
			require.Contains(t, bodies[d.PayloadID], "Invented Officer")
			require.NotContains(t, bodies[d.PayloadID], "Welder", "the survivor has it too")
		}
	}
	require.Equal(t, map[string][]boardwatch.EventType{
		"hook-came": {boardwatch.EventJobArchived, boardwatch.EventJobFound}, "hook-both": {boardwatch.EventJobArchived},
	}, told)
}
