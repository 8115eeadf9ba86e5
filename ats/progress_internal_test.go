package ats

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// followed is a context and what it is told about a reading.
func followed(t *testing.T) (ctx context.Context, told *[]Progress) {
	t.Helper()
	told = &[]Progress{}
	return WithProgress(t.Context(), func(p Progress) { *told = append(*told, p) }), told
}

func TestProgressOfAList(t *testing.T) {
	t.Parallel()
	read := func(ctx context.Context, pages ...page) {
		_, err := paged{size: 2}.read(ctx, invented{Recording}, func(at turn) (page, error) { return pages[at.page], nil })
		require.NoError(t, err)
	}
	ctx, told := followed(t)
	read(ctx, pageWith(t, 5, 1, 2), pageWith(t, 0, 3, 4), pageWith(t, 0, 5))
	require.Equal(t, []Progress{{Done: 2, Total: 5}, {Done: 4, Total: 5}, {Done: 5, Total: 5}}, *told)

	ctx, told = followed(t)
	read(ctx, pageWith(t, 0, 1, 2), pageWith(t, 0, 3))
	require.Equal(t, []Progress{{Done: 2}, {Done: 3}}, *told, "nothing says how many there are")

	ctx, told = followed(t)
	read(partOf(ctx, 100, 150), pageWith(t, 3, 1, 2), pageWith(t, 3, 3))
	require.Equal(t, []Progress{{Done: 102, Total: 150}, {Done: 103, Total: 150}}, *told, "of a part of a larger list")
	ctx, told = followed(t)
	read(partOf(ctx, 150, 151), pageWith(t, 2, 1, 2))
	require.Equal(t, []Progress{{Done: 152, Total: 152}}, *told, "never more than all")
	require.Equal(t, t.Context(), partOf(t.Context(), 1, 2), "nobody listens")
}

func TestProgressOfRolesWithPages(t *testing.T) {
	t.Parallel()
	ctx, told := followed(t)
	postings := []boardwatch.Posting{{Key: "1", Title: "Welder"}, {Key: "2", Title: "Buyer", Location: "Oslo"}, {Key: "3", Title: "Planner"}}
	details{
		adapter: invented{Recording}, board: "northwind",
		lacks: func(p boardwatch.Posting) bool { return p.Location == "" },
		fetch: func(_ context.Context, p *boardwatch.Posting) error { p.Location = "Bergen"; return nil },
	}.fill(partOf(ctx, 1, 9), nil, postings)
	require.Equal(t, []Progress{{Details: true, Done: 1, Total: 3}, {Details: true, Done: 3, Total: 3}}, *told)
	require.Equal(t, "Bergen", postings[2].Location)
}
