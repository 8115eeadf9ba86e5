package main_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
)

func TestMetricsFollowTheConventions(t *testing.T) {
	t.Parallel()
	problems, err := testutil.GatherAndLint(everyMetric(t))
	require.NoError(t, err)
	require.Empty(t, problems)
}

// everyMetric is the program's registry. A metric with labels exists only once it has seen something, so one that is
// registered and was not used in Metrics would escape every test.
func everyMetric(t *testing.T) *prometheus.Registry {
	t.Helper()
	registry := main.Metrics()
	all, err := registry.Gather()
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, f := range all {
		seen[f.GetName()] = true
	}
	described := make(chan *prometheus.Desc)
	go func() {
		defer close(described)
		registry.Describe(described)
	}()
	for desc := range described {
		name := regexp.MustCompile(`fqName: "([^"]+)"`).FindStringSubmatch(desc.String())
		require.NotNil(t, name, desc.String())
		require.True(t, seen[name[1]], "%s has seen nothing: see Metrics", name[1])
	}
	return registry
}

// ours are the program's own metrics by name, each with its labels.
func ours(t *testing.T) map[string][]string {
	t.Helper()
	all, err := everyMetric(t).Gather()
	require.NoError(t, err)
	labels := map[string][]string{}
	for _, f := range all {
		labels[f.GetName()] = []string{}
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels[f.GetName()] = append(labels[f.GetName()], l.GetName())
		}
	}
	return labels
}

func TestMetricDocument(t *testing.T) {
	t.Parallel()
	all, err := everyMetric(t).Gather()
	require.NoError(t, err)
	labels := ours(t)
	var b strings.Builder
	b.WriteString("\n| Metric | Kind | Labels | Meaning |\n|---|---|---|---|\n")
	for _, f := range all {
		if !strings.HasPrefix(f.GetName(), "boardwatch_") {
			continue
		}
		var named []string
		for _, l := range labels[f.GetName()] {
			named = append(named, "`"+l+"`")
		}
		b.WriteString("| `" + f.GetName() + "` | " + strings.ToLower(f.GetType().String()) + " | " + strings.Join(named, ", ") + " | " + f.GetHelp() + " |\n")
	}
	replaceInDocument(t, filepath.Join("..", "..", "docs", "metrics.md"),
		"<!-- the table below is made by: go test ./cmd/boardwatch -run TestMetricDocument -update -->\n", "<!-- end of the table -->\n", b.String()+"\n")
}

// panel is a panel of the dashboard, as far as it is of interest here.
type panel struct {
	ID          int    `json:"id"`
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Targets     []struct {
		Expr string `json:"expr"`
	} `json:"targets"`
	FieldConfig struct {
		Defaults struct {
			Unit string `json:"unit"`
		} `json:"defaults"`
	} `json:"fieldConfig"`
}

func TestDashboardShowsMetricsThatExist(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "grafana.json"))
	require.NoError(t, err)
	var board struct {
		Panels []panel `json:"panels"`
	}
	require.NoError(t, json.Unmarshal(raw, &board))
	require.NotEmpty(t, board.Panels)
	metrics, seen := ours(t), map[int]bool{}
	for _, p := range board.Panels {
		require.False(t, seen[p.ID], "two panels have the number %d", p.ID)
		seen[p.ID] = true
		if p.Type == "row" {
			continue
		}
		require.NotEmpty(t, p.Description, p.Title)
		require.NotEmpty(t, p.FieldConfig.Defaults.Unit, p.Title)
		require.NotEmpty(t, p.Targets, p.Title)
		for _, target := range p.Targets {
			requireKnown(t, metrics, p.Title, target.Expr)
		}
	}
}

// alerts are the rules that the chart and the documentation offer.
func alerts(t *testing.T) (rules []struct{ Alert, Expr string }) {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(deployed(t, "deploy/chart/boardwatch/alerts.yaml")), &file))
	require.Len(t, file.Groups, 1)
	return file.Groups[0].Rules
}

func TestAlertsWatchMetricsThatExist(t *testing.T) {
	t.Parallel()
	metrics := ours(t)
	metrics["up"] = []string{}
	require.NotEmpty(t, alerts(t))
	for _, a := range alerts(t) {
		requireKnown(t, metrics, a.Alert, a.Expr)
	}
}

func TestAlertsFireWhenTheyShould(t *testing.T) {
	t.Parallel()
	cases := deployed(t, "deploy/alerts_test.yaml")
	for _, a := range alerts(t) {
		require.Regexp(t, `alertname: `+a.Alert+`,?\s+exp_alerts:`, cases, "no case makes it fire")
		require.Contains(t, cases, "eval_time: 14h, alertname: "+a.Alert+"}", "no case lets it be silent")
	}
	program, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("NOT TESTED: when alerts fire, because promtool is not installed")
	}
	out, err := exec.CommandContext(t.Context(), program, "test", "rules", filepath.Join("..", "..", "deploy", "alerts_test.yaml")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// requireKnown holds an expression to the metrics and labels that the program has.
func requireKnown(t *testing.T, metrics map[string][]string, where, expr string) {
	t.Helper()
	names := regexp.MustCompile(`\b(?:(?:boardwatch|go|process)_[a-z_]+|up\b)`).FindAllString(expr, -1)
	require.NotEmpty(t, names, "%s: %s", where, expr)
	var labels []string
	for _, name := range names {
		known, ok := metrics[name]
		if !ok {
			known, ok = metrics[regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")]
		}
		require.True(t, ok, "%s: there is no metric %s", where, name)
		labels = append(append(labels, known...), "le", "job", "instance")
	}
	for _, m := range regexp.MustCompile(`([a-z_]+) *(?:=~|!=|!~|=)"`).FindAllStringSubmatch(expr, -1) {
		require.Contains(t, labels, m[1], "%s: %s", where, expr)
	}
	for _, m := range regexp.MustCompile(`\bby ?\(([^)]*)\)`).FindAllStringSubmatch(expr, -1) {
		for l := range strings.SplitSeq(m[1], ",") {
			require.Contains(t, labels, strings.TrimSpace(l), "%s: %s", where, expr)
		}
	}
}

func TestRequestsAreCountedByDoor(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		path    string
		answer  http.HandlerFunc
		want    string
		panics  bool
		flushes bool
	}{
		"an operation":                      {"/v1/jobs", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, `code="429",door="rest"`, false, false},
		"the description":                   {"/openapi.json", func(http.ResponseWriter, *http.Request) {}, `code="200",door="rest"`, false, false},
		"a tool":                            {"/mcp", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }, `code="200",door="mcp"`, false, false},
		"a token":                           {"/oauth/token", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }, `code="400",door="oauth"`, false, false},
		"the app, whatever is asked for":    {"/v1x/..;/wp-login.php", http.NotFound, `code="404",door="app"`, false, false},
		"a probe":                           {"/readyz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, `code="503",door="probe"`, false, false},
		"a panic before anything is said":   {"/boards", func(http.ResponseWriter, *http.Request) { panic("x") }, `code="500",door="app"`, false, false},
		"a panic in the middle of a stream": {"/mcp", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK); panic("x") }, `code="200",door="mcp"`, true, false},
		"a hint before the answer": {"/", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusNoContent)
		}, `code="204",door="app"`, false, false},
		"a stream reaches the connection": {"/mcp", func(w http.ResponseWriter, _ *http.Request) { _ = http.NewResponseController(w).Flush() }, `code="200",door="mcp"`, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registry := prometheus.NewRegistry()
			door, w := main.Doors(registry, tt.answer), httptest.NewRecorder()
			ask := func() { door.ServeHTTP(w, httptest.NewRequest(http.MethodGet, tt.path, nil)) }
			if tt.panics {
				require.Panics(t, ask)
			} else {
				ask()
			}
			require.Equal(t, tt.flushes, w.Flushed)
			require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(
				"# HELP boardwatch_http_requests_total Requests answered, by door (rest, mcp, oauth, app, probe) and status.\n"+
					"# TYPE boardwatch_http_requests_total counter\nboardwatch_http_requests_total{"+tt.want+"} 1\n"), "boardwatch_http_requests_total"))
		})
	}
}

func TestFiguresAreCountedAtMostOnceAMinute(t *testing.T) {
	t.Parallel()
	registry, now, asked := prometheus.NewRegistry(), time.Unix(1e9, 0), 0
	var fault error
	main.Figures(registry, func() time.Time { return now }, func() (account.Figures, error) {
		asked++
		return account.Figures{Due: asked, Verdicts: []account.SystemVerdict{
			{System: "page", Health: boardwatch.HealthOK, Boards: 2}, {Boards: 3},
		}}, fault
	})
	value := func(name string) []float64 {
		all, err := registry.Gather()
		require.NoError(t, err)
		var values []float64
		for _, f := range all {
			if f.GetName() != name {
				continue
			}
			for _, m := range f.GetMetric() {
				values = append(values, m.GetGauge().GetValue())
			}
		}
		return values
	}
	require.Equal(t, []float64{1}, value("boardwatch_boards_due"))
	require.Equal(t, []float64{1}, value("boardwatch_boards_due"), "a second scrape asks nothing")
	require.Equal(t, []float64{3, 2}, value("boardwatch_boards_by_verdict"))
	now = now.Add(time.Minute)
	require.Equal(t, []float64{2}, value("boardwatch_boards_due"))

	now, fault = now.Add(time.Minute), errors.New("the database is away")
	require.Equal(t, []float64{0}, value("boardwatch_database_up"))
	require.Nil(t, value("boardwatch_boards_due"), "old figures would hide it")
	fault = nil
	require.Equal(t, []float64{1}, value("boardwatch_database_up"), "after a failure the next scrape asks again")
}
