package track_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func TestAListIsToldInLines(t *testing.T) {
	t.Parallel()
	list := track.JobList{Total: 40}
	for i := range 9 {
		list.Jobs = append(list.Jobs, boardwatch.Job{ID: strconv.Itoa(i), Title: []string{"Baker", "Cook", "Diver"}[i%3], Location: fmt.Sprint("Town ", i), TextHash: "x"})
	}
	fields := map[string][]boardwatch.FieldChange{"3": {{Field: boardwatch.FieldTitle, From: "Chef", To: "Baker"}}}
	told := list.Once(2, fields)
	require.Len(t, told.Jobs, 2)
	require.Equal(t, "in 2 places: Town 0; Town 6", told.Jobs[0].Location, "the one that changed otherwise is told by itself")
	require.Equal(t, "in 3 places: Town 1; Town 4; Town 7", told.Jobs[1].Location)
	require.Equal(t, 35, told.More())
	require.Equal(t, 40-9, list.More())
	require.Equal(t, 40-9, list.Once(10, fields).More())
}
