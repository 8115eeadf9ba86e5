package boardwatch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func demandOf(account, board, host string) boardwatch.Demand {
	return boardwatch.Demand{BoardID: board, AccountID: account, Host: host}
}

func TestDemands(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name            string
		waiting, leased []boardwatch.Demand
		underWay        []boardwatch.Demand
		n               int
		want            []string
	}{
		{name: "nothing waits", n: 4},
		{
			name:    "an account has two at a time, in its order",
			waiting: []boardwatch.Demand{demandOf("a", "1", "x"), demandOf("a", "2", "y"), demandOf("a", "3", "z")},
			n:       4, want: []string{"1", "2"},
		},
		{
			name:    "accounts take turns",
			waiting: []boardwatch.Demand{demandOf("a", "1", "x"), demandOf("a", "2", "y"), demandOf("b", "3", "z")},
			n:       2, want: []string{"1", "3"},
		},
		{
			name:    "a host has one at a time, whoever asks",
			waiting: []boardwatch.Demand{demandOf("a", "1", "x"), demandOf("b", "2", "x"), demandOf("c", "3", "y")},
			n:       4, want: []string{"1", "3"},
		},
		{
			name:    "what is leased counts",
			waiting: []boardwatch.Demand{demandOf("a", "3", "z"), demandOf("b", "4", "x"), demandOf("b", "5", "w")},
			leased:  []boardwatch.Demand{demandOf("a", "1", "x"), demandOf("a", "2", "y")},
			n:       4, want: []string{"5"},
		},
		{
			name:     "and so does what is looked at without a lease, once",
			waiting:  []boardwatch.Demand{demandOf("a", "2", "y"), demandOf("a", "3", "z"), demandOf("a", "1", "x")},
			leased:   []boardwatch.Demand{demandOf("a", "1", "x")},
			underWay: []boardwatch.Demand{demandOf("a", "1", "x")},
			n:        4, want: []string{"2"},
		},
		{
			name:     "a board that is still looked at waits",
			waiting:  []boardwatch.Demand{demandOf("b", "1", "x")},
			underWay: []boardwatch.Demand{demandOf("a", "1", "w")},
			n:        4,
		},
		{
			name:    "no more than there is room for",
			waiting: []boardwatch.Demand{demandOf("a", "1", "x"), demandOf("b", "2", "y"), demandOf("", "3", "z")},
			n:       1, want: []string{"1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := boardwatch.ClaimFilter{Kind: boardwatch.ClaimDemanded, UnderWay: tt.underWay}
			var got []string
			for _, d := range f.Demands(tt.waiting, tt.leased, tt.n, inOrder) {
				got = append(got, d.BoardID)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// inOrder lets the account that asked first come first.
func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func TestDemandHost(t *testing.T) {
	t.Parallel()
	for address, host := range map[string]string{
		"https://northwind.example/careers": "northwind.example",
		"http://127.0.0.1:8080/jobs":        "127.0.0.1:8080",
		"northwind":                         "northwind",
	} {
		require.Equal(t, host, boardwatch.DemandHost(address))
	}
}
