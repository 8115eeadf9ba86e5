package sqlite

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// boards returns boards with numbers from first to last.
func boards(first, last int) (list []dueBoard) {
	for n := first; n <= last; n++ {
		list = append(list, dueBoard{id: strconv.Itoa(n), text: "text"})
	}
	return list
}

func TestBoardsReadAhead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var a ahead
		require.Empty(t, a.take(10, 1))
		require.Zero(t, a.more, "the first claim says nothing about the next")
		require.Empty(t, a.take(10, 1))
		require.Equal(t, 40, a.more, "two claims at once")

		a.boards, a.read, a.writes = boards(1, 25), time.Now(), 1
		require.Equal(t, boards(1, 10), a.take(10, 1))
		a.drop(boards(12, 13))
		require.Equal(t, append(boards(11, 11), boards(14, 22)...), a.take(10, 1), "12 and 13 are leased now")
		require.Empty(t, a.take(10, 1), "three are too few")
		require.Equal(t, 80, a.more, "it was used up")

		a.boards, a.read, a.writes = boards(1, 25), time.Now(), 1
		require.Empty(t, a.take(10, 2), "somebody has written since then")
		require.Equal(t, 20, a.more)

		a.boards, a.read, a.writes = boards(1, 25), time.Now(), 2
		<-time.After(aheadFor)
		require.Len(t, a.take(10, 2), 10)
		<-time.After(time.Nanosecond)
		require.Empty(t, a.take(10, 2), "too old")
		require.Equal(t, 5, a.more)

		for range 10 {
			a.take(200, 2)
		}
		require.Equal(t, mostAhead, a.more)
	})
}
