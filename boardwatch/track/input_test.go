package track_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// fields returns the names of the fields in an invalid_request error.
func fields(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
	var e *boardwatch.Error
	require.ErrorAs(t, err, &e)
	var names []string
	for _, f := range e.Details.([]boardwatch.FieldError) {
		require.NotEmpty(t, f.Message)
		names = append(names, f.Field)
	}
	return names
}

func TestNewBoardValidate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		board track.NewBoard
		wrong []string
	}{
		{"a bare domain is fine", track.NewBoard{URL: "acme.example"}, nil},
		{"500 characters are fine", track.NewBoard{URL: strings.Repeat("ü", 500)}, nil},
		{"501 characters are not", track.NewBoard{URL: strings.Repeat("ü", 501)}, []string{"url"}},
		{"an empty address is not", track.NewBoard{}, []string{"url"}},
		{"a company of 120 characters is fine", track.NewBoard{URL: "x", CompanyName: strings.Repeat("é", 120)}, nil},
		{"121 characters are not", track.NewBoard{URL: "x", CompanyName: strings.Repeat("é", 121)}, []string{"companyName"}},
		{"every wrong field is named", track.NewBoard{CompanyName: "a\x00b"}, []string{"url", "companyName"}},
		{"invalid UTF-8 is refused", track.NewBoard{URL: "a\xff"}, []string{"url"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.wrong, fields(t, tt.board.Validate()))
		})
	}
}

func TestValidateFilter(t *testing.T) {
	t.Parallel()
	id := boardwatch.NewID()
	tests := []struct {
		name   string
		filter track.JobFilter
		wrong  []string
	}{
		{"nothing asked for is fine", track.JobFilter{}, nil},
		{"the bounds themselves are fine", track.JobFilter{
			BoardID: id, Status: boardwatch.JobClosed, Search: strings.Repeat("Ж", 200), Location: strings.Repeat("Ж", 200),
			Limit: 100, Skip: 9007199254740991,
		}, nil},
		{"past the bounds every field is named", track.JobFilter{
			BoardID: strings.ToUpper(id) + "0", Status: "gone", Search: strings.Repeat("Ж", 201), Location: "a\x00",
			Limit: 101, Skip: 9007199254740992,
		}, []string{"boardId", "status", "search", "location", "limit", "skip"}},
		{"less than nothing is refused", track.JobFilter{Limit: -1, Skip: math.MinInt64}, []string{"limit", "skip"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.wrong, fields(t, track.ValidateFilter(tt.filter)))
		})
	}
}

func TestParseStatus(t *testing.T) {
	t.Parallel()

	t.Run("all means every board and every role", func(t *testing.T) {
		t.Parallel()
		b, err := track.ParseBoardStatus("all")
		require.NoError(t, err)
		require.Empty(t, b)
		j, err := track.ParseJobStatus("all")
		require.NoError(t, err)
		require.Empty(t, j)
	})

	t.Run("each status is itself", func(t *testing.T) {
		t.Parallel()
		for _, s := range []boardwatch.BoardStatus{
			boardwatch.BoardPending, boardwatch.BoardScraping, boardwatch.BoardReady, boardwatch.BoardFailed,
		} {
			got, err := track.ParseBoardStatus(string(s))
			require.NoError(t, err)
			require.Equal(t, s, got)
		}
		for _, s := range []boardwatch.JobStatus{boardwatch.JobOpen, boardwatch.JobClosed} {
			got, err := track.ParseJobStatus(string(s))
			require.NoError(t, err)
			require.Equal(t, s, got)
		}
	})

	t.Run("anything else is refused, the empty text too", func(t *testing.T) {
		t.Parallel()
		for _, s := range []string{"", "Ready", "OPEN", "gone"} {
			_, err := track.ParseBoardStatus(s)
			require.Equal(t, []string{"status"}, fields(t, err))
			_, err = track.ParseJobStatus(s)
			require.Equal(t, []string{"status"}, fields(t, err))
		}
	})
}
