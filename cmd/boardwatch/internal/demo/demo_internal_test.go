package demo

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDemoStory(t *testing.T) {
	t.Parallel()

	t.Run("ends where it began", func(t *testing.T) {
		t.Parallel()
		first, down := page(0)
		require.False(t, down)
		last, down := page(steps - 1)
		require.False(t, down)
		require.Equal(t, first, last)
		again, _ := page(steps)
		require.Equal(t, first, again)
	})

	t.Run("has other new roles for hours", func(t *testing.T) {
		t.Parallel()
		const laps = int(5 * time.Hour / (steps * pace))
		seen := map[string]bool{}
		for lap := range laps {
			for _, e := range story(lap) {
				if e.kind != opens || e.role.ID < firstNew {
					continue
				}
				words := e.role.Title + " in " + e.role.Location
				require.NotContains(t, seen, words)
				require.NotContains(t, seen, strconv.Itoa(e.role.ID))
				seen[words], seen[strconv.Itoa(e.role.ID)] = true, true
			}
		}
		require.Len(t, seen, 2*2*laps)
	})

	t.Run("is told in order and within its length", func(t *testing.T) {
		t.Parallel()
		step := 0
		for _, e := range story(0) {
			require.Greater(t, e.step, step)
			step = e.step
		}
		require.Less(t, step, steps)
	})

	t.Run("shows every kind of change within a minute", func(t *testing.T) {
		t.Parallel()
		require.LessOrEqual(t, steps*pace, time.Minute)
		kinds := map[string]int{}
		for _, e := range story(0) {
			kinds[e.kind]++
		}
		require.Len(t, kinds, 5)
	})

	t.Run("never takes away so many roles that the board would be doubted", func(t *testing.T) {
		t.Parallel()
		before, _ := page(0)
		for step := 1; step <= 3*steps; step++ {
			now, down := page(step)
			if down {
				continue
			}
			gone := map[int]bool{}
			for _, r := range before {
				gone[r.ID] = true
			}
			for _, r := range now {
				delete(gone, r.ID)
			}
			require.LessOrEqual(t, len(gone), 2, "step %d", step)
			before = now
		}
	})
}

func TestDemoSite(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	ask := func(step int, path string) *httptest.ResponseRecorder {
		site := site{began: began, pace: time.Second, now: func() time.Time { return began.Add(time.Duration(step) * time.Second) }}
		w := httptest.NewRecorder()
		site.handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w
	}
	tests := []struct {
		name    string
		step    int
		path    string
		status  int
		has     []string
		without []string
	}{
		{"lists the roles and names the company", 0, "/careers", 200, []string{"Optical Engineer", `href="/careers/4103"`, Company}, []string{"4109"}},
		{"adds another role in the next lap", steps + 1, "/careers", 200, []string{"Optics Engineer"}, []string{"Acoustics Researcher"}},
		{"adds a role", 1, "/careers", 200, []string{"Acoustics Researcher"}, nil},
		{"takes one away", 2, "/careers", 200, nil, []string{"Field Service Technician"}},
		{"gives one another title at the same address", 4, "/careers", 200, []string{`<a href="/careers/4101">Senior Optical Engineer</a>`}, nil},
		{"is down for a while", 8, "/careers", 500, nil, []string{"4101"}},
		{"is back", 9, "/careers", 200, []string{"4101"}, nil},
		{"shows a role by itself", 0, "/careers/4105", 200, []string{"Sales Manager, Northern Europe"}, nil},
		{"does not show one that is closed", 2, "/careers/4103", 404, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ask(tt.step, tt.path)
			require.Equal(t, tt.status, got.Code)
			for _, s := range tt.has {
				require.Contains(t, got.Body.String(), s)
			}
			for _, s := range tt.without {
				require.NotContains(t, got.Body.String(), s)
			}
		})
	}
}

func TestDemoWorld(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	now := began
	world := NewWorld(func() time.Time { return now })
	world.Pass(-PastDays)
	require.InDelta(t, -PastDays, world.day(), 1e-9)
	world.past.Store(nil)
	now = began.Add(3 * dayLength)
	require.InDelta(t, 3, world.day(), 1e-9, "since it began, days pass quickly")
	world.Pass(-2)
	now = began.Add(5 * dayLength)
	require.InDelta(t, -2, world.day(), 1e-9, "the past is played")
	world.Begin()
	require.InDelta(t, 0, world.day(), 1e-9, "the story waits for the past")
	now = now.Add(dayLength)
	require.InDelta(t, 1, world.day(), 1e-9)

	for _, c := range Companies() {
		seen, changes := map[int]string{}, 0
		before := map[int]bool{}
		for day := -PastDays; day < 200; day++ {
			open, lost := map[int]bool{}, 0
			for _, r := range c.roles(float64(day)) {
				require.False(t, open[r.ID], "%s has two roles of the number %d", c.Name, r.ID)
				open[r.ID] = true
				if !before[r.ID] && seen[r.ID] == "" {
					changes++
				}
				require.NotContains(t, seen[r.ID], "Senior Senior")
				seen[r.ID] = r.Title
			}
			for id := range before {
				if !open[id] {
					lost++
				}
			}
			require.LessOrEqual(t, 2*lost, max(len(before), 5), "%s would be doubted on day %d", c.Name, day)
			before = open
		}
		require.GreaterOrEqual(t, changes, 2*c.Desks, c.Name)
	}
}
