package ats_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// TestOutline: the list without descriptions, which lacks departments and offices too, shows the same roles.
func TestOutline(t *testing.T) {
	t.Parallel()
	greenhouse := adapter("greenhouse")
	long := fixture(t, "greenhouse", "normal.json")
	var document map[string]any
	require.NoError(t, json.Unmarshal(long, &document))
	for _, row := range list(at(document, "jobs")) {
		for _, part := range []string{"content", "departments", "offices"} {
			delete(row.(map[string]any), part) //nolint:forcetypeassert // rows of the fixture are objects
		}
	}
	short := must(json.Marshal(document))
	require.Less(t, len(short), len(long))
	var asked []string
	client := doerFunc(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.URL.RequestURI())
		if r.URL.RawQuery == "" {
			return exchange{Status: http.StatusOK}.response(short, r), nil
		}
		return exchange{Status: http.StatusOK}.response(long, r), nil
	})
	whole, err := ats.Read(t.Context(), greenhouse, client, "northwindlabs")
	require.NoError(t, err)
	outline, err := greenhouse.(ats.Outliner).Outline(t.Context(), client, "northwindlabs") //nolint:forcetypeassert // it is one
	require.NoError(t, err)
	require.Equal(t, []string{"/v1/boards/northwindlabs/jobs?content=true&pay_transparency=true", "/v1/boards/northwindlabs/jobs"}, asked)
	require.Equal(t, boardwatch.HealthOK, outline.Normalize().Health)
	require.NotEmpty(t, outline.Postings)
	require.NotEmpty(t, whole.Postings[0].Department)
	for i := range whole.Postings {
		whole.Postings[i].Department = ""
		for _, p := range []*boardwatch.Posting{&whole.Postings[i], &outline.Postings[i]} {
			p.Facts, p.Text = boardwatch.Facts{}, ""
		}
	}
	require.Equal(t, whole.Normalize().SetHash(), outline.Normalize().SetHash())

	for board, status := range map[string]int{"northwindlabs": http.StatusNotFound, "..": http.StatusOK} {
		gone := doerFunc(func(r *http.Request) (*http.Response, error) {
			return exchange{Status: status}.response([]byte(`{"status":404,"error":"Job not found"}`), r), nil
		})
		outline, err := greenhouse.(ats.Outliner).Outline(t.Context(), gone, board) //nolint:forcetypeassert // it is one
		require.NoError(t, err)
		require.True(t, outline.Unknown, board)
		require.Equal(t, boardwatch.HealthFailed, outline.Health)
	}
}
