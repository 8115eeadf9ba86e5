package ats_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// largeTenant is a Workday site with more roles than it admits to: it shows at most 2000 of whatever is asked for, and
// begins anew behind them.
type largeTenant struct {
	roles  []largeRole
	facets []string // the filters that it offers
	wall   int      // refuses every request from this one on; 0 never does
	asked  int
}

type largeRole struct {
	id     int
	values map[string]string
}

func (l *largeTenant) Do(r *http.Request) (*http.Response, error) {
	var question struct {
		AppliedFacets map[string][]string
		Offset        int
	}
	body := must(io.ReadAll(r.Body))
	if err := json.Unmarshal(body, &question); err != nil {
		return nil, err
	}
	l.asked++
	response := &http.Response{StatusCode: http.StatusOK, Header: make(http.Header), Request: r}
	if l.wall > 0 && l.asked >= l.wall {
		response.StatusCode = http.StatusForbidden
	}
	answer := must(json.Marshal(l.answer(question.AppliedFacets, question.Offset)))
	response.Body = io.NopCloser(strings.NewReader(string(answer)))
	return response, nil
}

func (l *largeTenant) answer(facets map[string][]string, offset int) map[string]any {
	left := slices.DeleteFunc(slices.Clone(l.roles), func(role largeRole) bool {
		for name, values := range facets {
			if !slices.Contains(values, role.values[name]) {
				return true
			}
		}
		return false
	})
	shown := left[:min(len(left), 2000)]
	rows := []any{}
	for i := offset; i < offset+20 && len(shown) > 0; i++ {
		if i >= len(shown) && len(left) < 2000 {
			break
		}
		role := shown[i%len(shown)]
		rows = append(rows, map[string]any{
			"title": fmt.Sprintf("Role %d", role.id), "externalPath": fmt.Sprintf("/job/Oslo/Role_R%d", role.id), "locationsText": "Oslo",
			"bulletFields": []string{fmt.Sprintf("R%d", role.id)},
		})
	}
	return map[string]any{"total": len(shown), "jobPostings": rows, "facets": l.counts(left)}
}

func (l *largeTenant) counts(roles []largeRole) []any {
	facets := []any{}
	for _, name := range l.facets {
		counts := make(map[string]int)
		for _, role := range roles {
			if value := role.values[name]; value != "" {
				counts[value]++
			}
		}
		values := []any{}
		for value, n := range counts {
			values = append(values, map[string]any{"id": value, "descriptor": value, "count": n})
		}
		facets = append(facets, map[string]any{"facetParameter": "group", "values": []any{
			map[string]any{"facetParameter": name, "descriptor": name, "values": values},
		}})
	}
	return facets
}

func TestWorkdayBeyondItsCap(t *testing.T) {
	t.Parallel()
	roles := func(n int) (out []largeRole) {
		for i := range n {
			out = append(out, largeRole{i, map[string]string{
				"jobFamilyGroup": []string{"crew", "crew", "crew", "shore"}[i%4], "timeType": []string{"full", "part"}[i/4%2],
				"locations": fmt.Sprint("harbour ", i%7), "workerSubType": map[bool]string{true: "regular"}[i%3 == 0],
			}})
		}
		return out
	}
	tests := []struct {
		name   string
		tenant largeTenant
		health boardwatch.Health
		reason string
		roles  int
	}{
		{name: "below the cap", tenant: largeTenant{roles: roles(1999)}, health: boardwatch.HealthOK, roles: 1999},
		{name: "one filter parts it", tenant: largeTenant{roles: roles(2400), facets: []string{"jobFamilyGroup"}}, health: boardwatch.HealthOK, roles: 2400},
		{name: "a part needs a second filter", tenant: largeTenant{roles: roles(4000), facets: []string{"jobFamilyGroup", "timeType"}}, health: boardwatch.HealthOK, roles: 4000},
		{name: "a filter that does not count every role is not taken", tenant: largeTenant{roles: roles(2400), facets: []string{"workerSubType", "timeType"}}, health: boardwatch.HealthOK, roles: 2400},
		{
			name: "filters are not enough", tenant: largeTenant{roles: roles(4000), facets: []string{"jobFamilyGroup"}}, health: boardwatch.HealthPartial,
			reason: "workday shows 2000 roles at a time and offers no filter that makes it show the rest", roles: 3000,
		},
		{
			name: "no filter at all", tenant: largeTenant{roles: roles(2400)}, health: boardwatch.HealthPartial,
			reason: "workday shows 2000 roles at a time and offers no filter that makes it show the rest", roles: 2000,
		},
		{
			name: "a part is refused", tenant: largeTenant{roles: roles(2400), facets: []string{"timeType"}, wall: 2}, health: boardwatch.HealthPartial,
			reason: "workday, asked for a part of its list, refused the request (403)", roles: 20,
		},
		{
			name: "a page of a part is refused", tenant: largeTenant{roles: roles(2400), facets: []string{"timeType"}, wall: 4}, health: boardwatch.HealthPartial,
			reason: "workday, asked for page 3, refused the request (403)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			reading, err := ats.Read(t.Context(), adapter("workday"), &tt.tenant, "northwind.wd5/Careers")
			require.NoError(t, err)
			reading = reading.Normalize()
			require.Equal(t, tt.health, reading.Health, reading.Reason)
			require.Equal(t, tt.reason, reading.Reason)
			if tt.roles > 0 {
				require.Len(t, reading.Postings, tt.roles)
			}
		})
	}
}
