package rest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// sampleJobs are a full page.
func sampleJobs() jobsBody {
	b := jobsBody{Total: 20_000, PolledAt: instant(time.UnixMilli(1_795_000_000_123))}
	for range 100 {
		b.Jobs = append(b.Jobs, boardwatch.Job{
			ID: boardwatch.NewID(), BoardID: boardwatch.NewID(), Company: "Northwind Optics", Title: "Senior Optical Engineer (all genders)",
			Location: "Bergen, Norway", Department: "Engineering", URL: "https://northwind.example/careers/senior-optical-engineer",
			Status: boardwatch.JobOpen, FirstSeenAt: time.UnixMilli(1_794_000_000_000), LastSeenAt: time.UnixMilli(1_795_000_000_000),
		})
	}
	return b
}

// Lists write themselves, in the very bytes that encoding/json would.
func TestListsAreWrittenAsTheirStructsSay(t *testing.T) {
	t.Parallel()
	type plainJobs jobsBody
	type plainBoards boardsBody
	full := sampleJobs()
	boards := boardsBody{Boards: []boardwatch.BoardView{{ID: "a", Status: boardwatch.BoardPending}, {ID: "b", Company: "B & <C>"}}, Total: 2}
	for name, pair := range map[string][2]any{
		"a full page":     {full, plainJobs(full)},
		"an empty page":   {jobsBody{Jobs: []boardwatch.Job{}}, plainJobs{Jobs: []boardwatch.Job{}}},
		"boards":          {boards, plainBoards(boards)},
		"no boards":       {boardsBody{Boards: []boardwatch.BoardView{}}, plainBoards{Boards: []boardwatch.BoardView{}}},
		"a moment in CET": {jobsBody{PolledAt: instant(time.Unix(1, 0).In(time.FixedZone("", 3600))), Jobs: []boardwatch.Job{}}, plainJobs{PolledAt: instant(time.Unix(1, 0)), Jobs: []boardwatch.Job{}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			write(w, http.StatusOK, pair[0])
			want, err := json.Marshal(pair[1])
			require.NoError(t, err)
			require.Equal(t, string(want)+"\n", w.Body.String())
		})
	}
}

func BenchmarkWriteJobs(b *testing.B) {
	body := sampleJobs()
	b.ReportAllocs()
	for b.Loop() {
		write(httptest.NewRecorder(), http.StatusOK, body)
	}
}
