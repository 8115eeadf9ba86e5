package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/service"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// careersSite is a company's careers page on loopback that does as it is told.
type careersSite struct {
	*httptest.Server

	mu     sync.Mutex
	roles  []demo.Role
	fault  http.HandlerFunc // answers instead of the page; nil: the page is well
	served int
}

func newCareersSite(t *testing.T, roles ...demo.Role) *careersSite {
	t.Helper()
	s := &careersSite{roles: slices.Clone(roles)}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *careersSite) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/careers" {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	roles, fault := slices.Clone(s.roles), s.fault
	s.served++
	s.mu.Unlock()
	if fault != nil {
		fault(w, r)
		return
	}
	_, _ = io.WriteString(w, careersPage(roles))
}

func careersPage(roles []demo.Role) string {
	var page bytes.Buffer
	if err := demo.CareersPage(&page, roles); err != nil {
		return err.Error()
	}
	return page.String()
}

func (s *careersSite) show(roles ...demo.Role) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.roles, s.fault = slices.Clone(roles), nil
}

func (s *careersSite) breakWith(fault http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

func (s *careersSite) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served
}

// output is a stream that may be read while it is written.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// installation is a database and a data directory, in which command lines are run.
type installation struct {
	t   *testing.T
	env []string
}

func install(t *testing.T, database string, settings ...string) *installation {
	t.Helper()
	return &installation{t, append([]string{
		"HOME=" + t.TempDir(), "BOARDWATCH_DATA_DIR=" + t.TempDir(), "BOARDWATCH_DATABASE=" + database,
	}, settings...)}
}

func (i *installation) cli(out, errs io.Writer) *command.CLI {
	return &command.CLI{In: strings.NewReader(""), Out: out, Err: errs, Environ: i.env, Now: time.Now}
}

// do runs a command line that has to succeed, and reads its JSON.
func (i *installation) do(into any, args ...string) {
	i.t.Helper()
	var out, errs output
	require.Zero(i.t, main.Execute(i.t.Context(), i.cli(&out, &errs), args), "%v: %s", args, &errs)
	require.NoError(i.t, json.Unmarshal([]byte(out.String()), into), "%v: %s", args, &out)
}

// running is a service in this process.
type running struct {
	url       string
	out, errs *output
	stop      context.CancelFunc
	code      <-chan int
}

func (i *installation) serve(args ...string) *running {
	i.t.Helper()
	if testing.Short() {
		i.t.Skip("starts a service")
	}
	ctx, cancel := context.WithCancel(i.t.Context())
	r := &running{out: &output{}, errs: &output{}, stop: cancel}
	code := make(chan int, 1)
	r.code = code
	done := make(chan struct{})
	go func() {
		defer close(done)
		code <- main.Execute(ctx, i.cli(r.out, r.errs), append([]string{"serve", "--listen", "127.0.0.1:0"}, args...))
	}()
	i.t.Cleanup(func() {
		cancel()
		<-done
	})
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	require.Eventually(i.t, func() bool {
		r.url = address.FindString(r.out.String())
		return r.url != ""
	}, 3*time.Minute, 10*time.Millisecond, "%s", r.errs)
	return r
}

func (r *running) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+path, nil)
	require.NoError(t, err)
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(raw)
}

const e2eEmail = "ann@northwind.example"

func (i *installation) board() boardwatch.BoardView {
	i.t.Helper()
	var boards []boardwatch.BoardView
	i.do(&boards, "board", "list", "--account", e2eEmail)
	require.Len(i.t, boards, 1)
	return boards[0]
}

// roles are the board's roles by title.
func (i *installation) roles() map[string]boardwatch.Job {
	i.t.Helper()
	var jobs []boardwatch.Job
	i.do(&jobs, "role", "list", "--account", e2eEmail, "--status", "all")
	byTitle := make(map[string]boardwatch.Job, len(jobs))
	for _, j := range jobs {
		byTitle[j.Title] = j
	}
	return byTitle
}

// checks counts the board's checks by their health.
func (i *installation) checks(id string) map[boardwatch.Health]int {
	i.t.Helper()
	var history []struct {
		Health  boardwatch.Health `json:"health"`
		Repeats int               `json:"repeats"`
	}
	i.do(&history, "board", "history", id, "--limit", "1000")
	counts := map[boardwatch.Health]int{}
	for _, c := range history {
		counts[c.Health] += 1 + c.Repeats
	}
	return counts
}

func (i *installation) eventually(what string, condition func() bool) {
	i.t.Helper()
	require.Eventually(i.t, condition, 2*time.Minute, 200*time.Millisecond, what) // a command each time, which opens the database
}

// TestService runs the whole program against a careers page on loopback.
func TestService(t *testing.T) {
	t.Parallel()
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, database(t),
				"BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=100ms", "BOARDWATCH_CHECKS_CLOSE_AFTER=2", "BOARDWATCH_CHECKS_CLOSE_HOLD=0s",
				"BOARDWATCH_CHECKS_SUSPECT_HOLD=1h", "BOARDWATCH_CHECKS_TIMEOUT=1s", "BOARDWATCH_LOG_LEVEL=error")
			optics, writer := demo.Role{ID: 1, Title: "Optical Engineer", Location: "Bergen", Department: "Engineering"}, demo.Role{ID: 2, Title: "Technical Writer", Location: "Remote", Department: "Documentation"}
			fitter, sailor := demo.Role{ID: 3, Title: "Fitter", Location: "Bergen", Department: "Workshop"}, demo.Role{ID: 4, Title: "Sailor", Location: "Halifax", Department: "Sea"}
			site := newCareersSite(t, optics, writer, fitter)
			i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
			r := i.serve()

			var added struct {
				Board  boardwatch.BoardView `json:"board"`
				Locked bool                 `json:"locked"`
			}
			i.do(&added, "board", "add", "--account", e2eEmail, site.URL+"/careers") // beside the running service
			id := added.Board.ID
			i.eventually("the board is read", func() bool { return i.board().Status == boardwatch.BoardReady })
			board := i.board()
			require.Equal(t, demo.Company, board.Company)
			require.Equal(t, 3, board.OpenJobs)
			first := i.roles()
			require.Equal(t, "Bergen", first["Fitter"].Location)
			require.Equal(t, site.URL+"/careers/3", first["Fitter"].URL)

			optics.Title = "Senior Optical Engineer"
			site.show(optics, writer, fitter, sailor)
			i.eventually("a role is found and another updated", func() bool { return i.board().OpenJobs == 4 })
			roles := i.roles()
			require.Equal(t, first["Optical Engineer"].ID, roles["Senior Optical Engineer"].ID)
			require.True(t, roles["Sailor"].FirstSeenAt.After(first["Fitter"].FirstSeenAt))

			before := site.count()
			site.show(optics, writer, sailor)
			i.eventually("a role is closed", func() bool { return i.board().ClosedJobs == 1 })
			require.GreaterOrEqual(t, site.count()-before, 2, "a single absence closes nothing")
			require.Equal(t, boardwatch.JobClosed, i.roles()["Fitter"].Status)

			site.show(optics, writer, fitter, sailor)
			i.eventually("the role is open again", func() bool { return i.board().OpenJobs == 4 })
			again := i.roles()["Fitter"]
			require.Equal(t, first["Fitter"].ID, again.ID)
			require.Equal(t, first["Fitter"].FirstSeenAt, again.FirstSeenAt)
			require.True(t, again.ClosedAt.IsZero())

			for _, f := range faults(optics, writer, fitter, sailor) {
				site.breakWith(f.answer)
				well := i.checks(id)[boardwatch.HealthOK]
				sick := func() int {
					n := 0
					for health, count := range i.checks(id) {
						if health != boardwatch.HealthOK {
							n += count
						}
					}
					return n
				}
				start := sick()
				i.eventually(f.name+" is met three times", func() bool { return sick()-start >= 3 })
				board := i.board()
				require.Equal(t, 4, board.OpenJobs, f.name)
				require.Equal(t, 0, board.ClosedJobs, f.name)
				require.LessOrEqual(t, i.checks(id)[boardwatch.HealthOK]-well, 1, "%s is not taken for health", f.name)
				site.show(optics, writer, fitter, sailor)
				i.eventually("the board recovers from "+f.name, func() bool {
					b := i.board()
					return b.Status == boardwatch.BoardReady && b.LastCheckedAt.Equal(b.LastSuccessAt)
				})
			}
			require.Len(t, i.roles(), 4)

			status, body := r.get(t, "/readyz")
			require.Equal(t, http.StatusOK, status)
			require.JSONEq(t, `{"status":"ready","parts":{"database":{"ok":true},"watcher":{"ok":true}}}`, body)
			r.stop()
			require.Zero(t, <-r.code, "%s", r.errs)
		})
	}
}

// siteFault is a way for a careers page not to be one.
type siteFault struct {
	name   string
	answer http.HandlerFunc
}

func faults(roles ...demo.Role) []siteFault {
	page := careersPage(roles)
	return []siteFault{
		{"an error of the server", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "out of order", http.StatusInternalServerError)
		}},
		{"silence", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"an answer that is cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(page)))
			_, _ = io.WriteString(w, page[:len(page)/2])
		}},
		{"a page that asks to sign in", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1>
				<form method="post" action="/session"><input name="email"><input name="password" type="password"><button>Sign in</button></form>
				</body></html>`)
		}},
		{"an empty page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}},
	}
}

// onSQLite is the address of a SQLite database without rows. Its schema is up to date, because a service that has to migrate
// takes far more time to start. Tests about a first start use a file that does not exist yet.
func onSQLite(t *testing.T) string {
	t.Helper()
	return "sqlite:" + storagetest.SQLiteFile(t)
}

// databases make a database without rows of each kind that can be tested here.
func databases() map[string]func(t *testing.T) string {
	return map[string]func(t *testing.T) string{
		"on SQLite": onSQLite,
		"on PostgreSQL": func(t *testing.T) string {
			t.Helper()
			return storagetest.PostgresURL(t)
		},
	}
}

func TestServe(t *testing.T) {
	t.Parallel()

	t.Run("answers for itself and for nothing else", func(t *testing.T) {
		t.Parallel()
		i := install(t, onSQLite(t), "BOARDWATCH_LOG_FORMAT=json")
		r := i.serve()
		status, body := r.get(t, "/healthz")
		require.Equal(t, http.StatusOK, status)
		require.JSONEq(t, `{"status":"ok"}`, body)
		status, body = r.get(t, "/nothing")
		require.Equal(t, http.StatusNotFound, status)
		require.JSONEq(t, `{"error":{"code":"not_found","message":"there is nothing at this address"}}`, body)

		var state service.Readiness
		i.do(&state, "health", "--url", r.url)
		require.Equal(t, "ready", state.Status)
		r.stop()
		require.Zero(t, <-r.code, "%s", r.errs)
		for line := range strings.Lines(r.errs.String()) {
			require.True(t, json.Valid([]byte(line)), line)
		}
		var out, errs output
		require.Equal(t, 1, main.Execute(t.Context(), i.cli(&out, &errs), []string{"health", "--url", r.url}))
		require.Contains(t, errs.String(), "no service answers at "+r.url)
	})

	t.Run("lets one process watch a SQLite file, and others answer beside it", func(t *testing.T) {
		t.Parallel()
		i := install(t, onSQLite(t), "BOARDWATCH_LOG_LEVEL=error")
		first := i.serve()
		var out, errs output
		require.Equal(t, 1, main.Execute(t.Context(), i.cli(&out, &errs), []string{"serve", "--listen", "127.0.0.1:0"}))
		require.Contains(t, errs.String(), "another process watches the boards of this database")
		require.Contains(t, errs.String(), "--role api")

		api := i.serve("--role", "api")
		_, body := api.get(t, "/readyz")
		require.JSONEq(t, `{"status":"ready","parts":{"database":{"ok":true}}}`, body)

		first.stop()
		require.Zero(t, <-first.code, "%s", first.errs)
		i.serve() // the lock has ended with its process
	})

	t.Run("says in a sentence that an address is taken", func(t *testing.T) {
		t.Parallel()
		taken := httptest.NewServer(http.NotFoundHandler())
		defer taken.Close()
		i := install(t, "sqlite:"+t.TempDir()+"/boards.db")
		var out, errs output
		require.Equal(t, 1, main.Execute(t.Context(), i.cli(&out, &errs), []string{"serve", "--listen", taken.Listener.Addr().String()}))
		require.Contains(t, errs.String(), "another program listens on "+taken.Listener.Addr().String()+" already")
	})

	t.Run("measures what it does", func(t *testing.T) {
		t.Parallel()
		site := newCareersSite(t, demo.Roles()...)
		metricsAddress := freeAddress(t)
		i := install(t, onSQLite(t), "BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=100ms",
			"BOARDWATCH_METRICS_LISTEN="+metricsAddress, "BOARDWATCH_LOG_LEVEL=error")
		i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra")
		i.do(&struct{}{}, "board", "add", "--account", e2eEmail, site.URL+"/careers")
		r := i.serve()
		r.url = "http://" + metricsAddress
		i.eventually("checks are counted", func() bool {
			_, body := r.get(t, "/metrics")
			return strings.Contains(body, `boardwatch_checks_total{system="page",verdict="ok"}`) &&
				strings.Contains(body, `boardwatch_store_duration_seconds_count{operation="save_unchanged"}`) &&
				strings.Contains(body, `boardwatch_roles_changed_total{change="found"} 8`) &&
				strings.Contains(body, `boardwatch_browser_up{browser="local"} 0`) && strings.Contains(body, "boardwatch_browser_pages_waiting 0")
		})
	})
}

// freeAddress is one on which nobody listens at the moment.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := service.Listen(t.Context(), "listen", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

// demoEmail is the address of the demo's account.
const demoEmail = "demo@boardwatch.example"

func TestDemo(t *testing.T) {
	t.Parallel()
	i := install(t, "sqlite:"+t.TempDir()+"/boards.db")
	r := i.serve("--demo")
	i.eventually("roles are found and closed", func() bool {
		out := r.out.String()
		return strings.Contains(out, "found     Harbourlight Instruments · Acoustics Researcher · Halifax · Laboratory") &&
			strings.Contains(out, "closed    Harbourlight Instruments · Field Service Technician")
	})
	require.Contains(t, r.out.String(), " role list")
	var jobs []boardwatch.Job
	i.do(&jobs, "role", "list", "--account", demoEmail, "--status", "closed")
	require.NotEmpty(t, jobs)
	requireDemoPast(t, i)
	requireDemoKey(t, r)
	r.stop()
	require.Zero(t, <-r.code, "%s", r.errs)

	again := i.serve("--demo") // in the same directory
	requireDemoKey(t, again)
	again.stop()
	require.Zero(t, <-again.code, "%s", again.errs)
}

var demoRequest = regexp.MustCompile(`curl -H "Authorization: (Bearer \w+)" "?(http\S+?)"?\n`)

// requireDemoKey requires that the requests which the demo shows can be made as they stand there.
func requireDemoKey(t *testing.T, r *running) {
	t.Helper()
	require.Eventually(t, func() bool { return len(demoRequest.FindAllString(r.out.String(), -1)) == 3 }, 3*time.Minute, 10*time.Millisecond, "%s", r.errs)
	for _, found := range demoRequest.FindAllStringSubmatch(r.out.String(), -1) {
		answer := send(t, http.MethodGet, found[2], "", "Authorization", found[1])
		require.Equal(t, http.StatusOK, answer.status, "%s: %s", found[2], answer.body)
	}
}

// requireDemoPast requires every company of the demo as it is to be met, after ninety days that were really read.
func requireDemoPast(t *testing.T, i *installation) {
	t.Helper()
	var boards []boardwatch.BoardView
	i.do(&boards, "board", "list", "--account", demoEmail)
	require.Len(t, boards, len(demo.Companies())+1)
	for _, c := range demo.Companies() {
		at := slices.IndexFunc(boards, func(b boardwatch.BoardView) bool { return b.CareersURL == c.Site })
		require.NotEqual(t, -1, at, c.Name)
		b, checks := boards[at], i.checks(boards[at].ID)
		require.Equal(t, c.Name, b.Company)
		require.WithinDuration(t, time.Now().AddDate(0, 0, -demo.PastDays), b.AddedAt, time.Hour, c.Name)
		switch c.Form {
		case demo.Walled:
			require.Equal(t, boardwatch.BoardFailed, b.Status)
			require.NotZero(t, checks[boardwatch.HealthBlocked])
			require.Zero(t, checks[boardwatch.HealthFailed])
		case demo.Halved:
			i.eventually("its loss is suspect", func() bool { return i.checks(b.ID)[boardwatch.HealthSuspect] > 0 })
			require.Greater(t, b.OpenJobs, 4, "what vanished is not closed")
		default:
			require.Equal(t, boardwatch.BoardReady, b.Status, c.Name)
			require.Equal(t, []boardwatch.Health{boardwatch.HealthOK}, slices.Collect(maps.Keys(checks)), c.Name)
		}
		if c.Form != demo.Empty {
			require.NotZero(t, b.OpenJobs, c.Name)
			require.Greater(t, b.ClosedJobs, c.Desks/4, c.Name)
		}
	}
}
