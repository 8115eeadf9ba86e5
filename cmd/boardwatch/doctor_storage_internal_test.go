package main

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/boardwatch/boardwatch/storage"
)

func TestExamineCondition(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		is    storage.Condition
		check string
		want  findingState
		says  string
	}{
		{"sound", storage.Condition{Size: 5 << 20}, "integrity", stateOK, "5.0 MiB, nothing is broken"},
		{"broken", storage.Condition{Faults: []string{"page 3 is torn"}}, "integrity", stateFault, "page 3 is torn; keep"},
		{"few connections", storage.Condition{Connections: 40, ConnectionLimit: 97}, "connections", stateOK, "40 of 97"},
		{"many connections", storage.Condition{Connections: 90, ConnectionLimit: 97}, "connections", stateWarning, "90 of 97"},
		{"nothing waits", storage.Condition{}, "overdue boards", stateOK, "no board waits"},
		{"a board waits a little", storage.Condition{OldestBoard: time.Minute}, "overdue boards", stateOK, "for 1m0s"},
		{"a board waits for long", storage.Condition{OldestBoard: time.Hour}, "overdue boards", stateWarning, "is a service"},
		{"a delivery waits for long", storage.Condition{OldestDelivery: time.Hour}, "overdue deliveries", stateWarning, "is a service"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			byCheck := map[string]finding{}
			for _, f := range examineCondition(tt.is) {
				byCheck[f.Check] = f
			}
			require.Equal(t, tt.want, byCheck[tt.check].State)
			require.Contains(t, byCheck[tt.check].Detail, tt.says)
		})
	}
}

func TestExamineDisk(t *testing.T) {
	t.Parallel()
	require.Equal(t, stateOK, examineDisk(20<<30, nil).State)
	require.Equal(t, stateWarning, examineDisk(500<<20, nil).State)
	require.Equal(t, stateFault, examineDisk(1<<20, nil).State)
	require.Equal(t, stateWarning, examineDisk(0, errors.New("no such device")).State)
}
