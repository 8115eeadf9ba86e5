package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func conditionCases() cases {
	return cases{
		"a sound database has no faults, and reports its size and what is overdue": func(t *testing.T, w *world) {
			s := w.Store
			c, err := s.Condition(t.Context())
			require.NoError(t, err)
			require.Empty(t, c.Faults)
			require.Positive(t, c.Size)
			require.LessOrEqual(t, c.Connections, c.ConnectionLimit)
			require.Zero(t, c.OldestBoard)
			require.Zero(t, c.OldestDelivery)

			a := w.account(account.PlanUltra)
			w.webhook(a)
			b := w.owe(a, "northwind", 2)
			overdue := w.clock().Add(-time.Hour)
			require.NoError(t, w.saveUnchanged(t.Context(), w.claim(b.ID), "x", overdue))
			w.passMoment()
			c, err = s.Condition(t.Context())
			require.NoError(t, err)
			require.Greater(t, c.OldestBoard, 59*time.Minute)
			require.Positive(t, c.OldestDelivery)
		},
		"a sound database can be written to, again and again": func(t *testing.T, w *world) {
			require.NoError(t, w.TryWrite(t.Context()))
			require.NoError(t, w.TryWrite(t.Context()))
		},
	}
}
