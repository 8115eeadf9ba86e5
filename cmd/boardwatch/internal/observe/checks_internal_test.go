package observe

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	m := NewMetrics(build.Info{Version: "1.2.3", Go: "go1.26"})
	m.Observe(watch.CheckReport{
		Board: boardwatch.Board{Source: "greenhouse:northwind"}, Check: boardwatch.Check{Health: boardwatch.HealthFailed, Cause: cause.Timeout},
		Duration: time.Second,
	})
	m.Observe(watch.CheckReport{Board: boardwatch.Board{Source: "greenhouse:northwind"}, Unchanged: true})
	m.Observe(watch.CheckReport{Board: boardwatch.Board{Source: "page:x"}, Merged: true})
	m.Observe(watch.CheckReport{Board: boardwatch.Board{Source: "page:x"}, Err: errors.New("x")})
	m.Observe(watch.CheckReport{
		Board: boardwatch.Board{Source: "page:x"}, Check: boardwatch.Check{Health: boardwatch.HealthOK},
		Change: boardwatch.Change{Found: make([]boardwatch.Job, 3), Closed: make([]boardwatch.Job, 2)},
	})
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code)
	for _, line := range []string{
		`boardwatch_checks_total{system="greenhouse",verdict="failed"} 1`,
		`boardwatch_checks_total{system="greenhouse",verdict="ok"} 1`,
		`boardwatch_check_causes_total{cause="timeout",system="greenhouse"} 1`,
		`boardwatch_checks_total{system="page",verdict="merged"} 1`,
		`boardwatch_checks_total{system="page",verdict="unsaved"} 1`,
		`boardwatch_checks_total{system="page",verdict="ok"} 1`,
		`boardwatch_roles_changed_total{change="found"} 3`,
		`boardwatch_roles_changed_total{change="closed"} 2`,
		`boardwatch_check_duration_seconds_bucket{system="greenhouse",le="1"} 2`,
		`boardwatch_checks_in_flight 0`,
		`boardwatch_build_info{goversion="go1.26",revision="",version="1.2.3"} 1`,
		"go_goroutines ", "boardwatch_check_due_lag_seconds_count 0",
	} {
		require.Contains(t, w.Body.String(), line)
	}
}
