package diagnosis

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
		want  State
		says  string
	}{
		{"sound", storage.Condition{Size: 5 << 20}, "integrity", OK, "5.0 MiB, nothing is broken"},
		{"broken", storage.Condition{Faults: []string{"page 3 is torn"}}, "integrity", Fault, "page 3 is torn; keep"},
		{"few connections", storage.Condition{Connections: 40, ConnectionLimit: 97}, "connections", OK, "40 of 97"},
		{"many connections", storage.Condition{Connections: 90, ConnectionLimit: 97}, "connections", Warning, "90 of 97"},
		{"nothing waits", storage.Condition{}, "overdue boards", OK, "no board waits"},
		{"a board waits a little", storage.Condition{OldestBoard: time.Minute}, "overdue boards", OK, "for 1m0s"},
		{"a board waits for long", storage.Condition{OldestBoard: time.Hour}, "overdue boards", Warning, "is a service"},
		{"a delivery waits for long", storage.Condition{OldestDelivery: time.Hour}, "overdue deliveries", Warning, "is a service"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			byCheck := map[string]Finding{}
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
	require.Equal(t, OK, examineDisk(20<<30, nil).State)
	require.Equal(t, Warning, examineDisk(500<<20, nil).State)
	require.Equal(t, Fault, examineDisk(1<<20, nil).State)
	require.Equal(t, Warning, examineDisk(0, errors.New("no such device")).State)
}
