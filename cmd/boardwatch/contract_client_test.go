package main_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/client"
)

// TestContractThroughClient walks the published interface with the package client, which has to ask for what it is told,
// and to lose nothing of the answers.
func TestContractThroughClient(t *testing.T) { //nolint:tparallel // what it asked is counted after its only subtest
	t.Parallel()
	c := newContract(t, buildBinary(t), onSQLite(t))
	c.through = &clientDoor{url: c.url, made: map[string]int{}}
	t.Run("rules", c.run)
	for _, o := range []string{"GET status", "GET boards", "POST boards", "DELETE boards", "GET jobs"} {
		require.Greater(t, c.through.made[o], 5, o)
	}
}

// clientDoor makes requests with the client, and writes its results as the interface does.
type clientDoor struct {
	url  string
	mu   sync.Mutex // guards what follows
	made map[string]int
}

// try makes a request if a client can: one with a key in its place, to an operation, with arguments as it writes them.
func (d *clientDoor) try(t *testing.T, method, path, body string, headers ...string) (reply, bool) {
	t.Helper()
	if d == nil || len(headers) != 2 || headers[0] != "Authorization" {
		return reply{}, false
	}
	key, ok := strings.CutPrefix(headers[1], "Bearer ")
	if !ok || !account.ValidAPIKey(key) {
		return reply{}, false
	}
	path, query, _ := strings.Cut(path, "?")
	operation, id, _ := strings.Cut(strings.TrimPrefix(path, "/v1/"), "/")
	recorder := &recorder{}
	c, err := client.New(d.url, key, client.Options{Patience: -1, HTTP: &http.Client{Transport: recorder}})
	require.NoError(t, err)
	call := func() (any, error) { return nil, errNoCall }
	switch name := method + " " + operation; {
	case !strings.HasPrefix(path, "/v1/") || body != "" && method != http.MethodPost:
	case name == "GET status" && id == "" && path == "/v1/status" && query == "":
		call = func() (any, error) { s, err := c.Status(t.Context()); return writtenStatus(s), err }
	case name == "GET boards" && path == "/v1/boards":
		call = callBoards(t, c, query)
	case name == "POST boards" && path == "/v1/boards" && query == "":
		call = callAddBoard(t, c, body)
	case name == "DELETE boards" && id != "" && query == "" && escaped(id):
		name, err := url.PathUnescape(id)
		require.NoError(t, err)
		call = func() (any, error) { return nil, c.DeleteBoard(t.Context(), name) }
	case name == "GET jobs" && path == "/v1/jobs":
		call = callJobs(t, c, query)
	}
	answer, err := call()
	if errors.Is(err, errNoCall) {
		return reply{}, false
	}
	d.mu.Lock()
	d.made[method+" "+operation]++
	d.mu.Unlock()
	return recorder.reply(t, answer, err), true
}

// errNoCall means that the client has no call that makes such a request.
var errNoCall = errors.New("no call makes this request")

// escaped says whether a part of a path is written as the client writes it.
func escaped(part string) bool {
	plain, err := url.PathUnescape(part)
	return err == nil && url.PathEscape(plain) == part
}

func callBoards(t *testing.T, c *client.Client, query string) func() (any, error) {
	t.Helper()
	values, ok := once(query, "status")
	return func() (any, error) {
		if !ok {
			return nil, errNoCall
		}
		return c.Boards(t.Context(), boardwatch.BoardStatus(values["status"]))
	}
}

func callAddBoard(t *testing.T, c *client.Client, body string) func() (any, error) {
	t.Helper()
	var b client.NewBoard
	err := json.Unmarshal([]byte(body), &b)
	written, _ := json.Marshal(b)
	return func() (any, error) {
		if err != nil || string(written) != body {
			return nil, errNoCall
		}
		added, err := c.AddBoard(t.Context(), b)
		return addResult{added.Board, added.Locked}, err
	}
}

func callJobs(t *testing.T, c *client.Client, query string) func() (any, error) {
	t.Helper()
	values, ok := once(query, "boardId", "addedAfter", "status", "search", "location", "limit", "skip")
	f := client.JobFilter{
		BoardID: values["boardId"], Status: boardwatch.JobStatus(values["status"]), Search: values["search"], Location: values["location"],
	}
	number := func(name string) int64 {
		n, err := strconv.ParseInt(values[name], 10, 64)
		ok = ok && (values[name] == "" || err == nil && n != 0 && strconv.FormatInt(n, 10) == values[name])
		return n
	}
	limit, skip := number("limit"), number("skip")
	if at := values["addedAfter"]; at != "" {
		var err error
		f.AddedAfter, err = time.Parse(time.RFC3339Nano, at)
		ok = ok && err == nil && !f.AddedAfter.IsZero() && slices.Contains([]string{written(f.AddedAfter), f.AddedAfter.Format(time.RFC3339Nano)}, at)
	}
	return func() (any, error) {
		if !ok {
			return nil, errNoCall
		}
		page, err := c.Jobs(t.Context(), f, int(limit), skip)
		return map[string]any{"jobs": page.Jobs, "total": page.Total, "polledAt": written(page.PolledAt)}, err
	}
}

// once are the parameters of a query, if each is one of these, is there once and is not empty.
func once(query string, names ...string) (map[string]string, bool) {
	values, err := url.ParseQuery(query)
	out := make(map[string]string)
	for name, v := range values {
		if !slices.Contains(names, name) || len(v) != 1 || v[0] == "" {
			return nil, false
		}
		out[name] = v[0]
	}
	return out, err == nil
}

// written is a moment as the interface writes it.
func written(at time.Time) string { return at.UTC().Format(boardwatch.TimeFormat) }

func writtenOrNull(at *time.Time) any {
	if at == nil {
		return nil
	}
	return written(*at)
}

// writtenStatus is the published Status object.
func writtenStatus(s client.Status) any {
	if s.Key == nil {
		return nil // the request failed
	}
	return map[string]any{
		"status": s.Status, "account": s.Account,
		"key":       map[string]any{"name": s.Key.Name, "hint": s.Key.Hint, "lastUsedAt": writtenOrNull(s.Key.LastUsedAt)},
		"rateLimit": map[string]any{"limit": s.RateLimit.Limit, "remaining": s.RateLimit.Remaining, "resetAt": writtenOrNull(s.RateLimit.ResetAt)},
		"polledAt":  written(s.PolledAt),
	}
}

// recorder keeps the status and the headers, which the client does not hand out.
type recorder struct {
	status int
	header http.Header
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		r.status, r.header = res.StatusCode, res.Header
	}
	return res, err
}

// reply is what the client was told, made from what it has understood.
func (r *recorder) reply(t *testing.T, answer any, err error) reply {
	t.Helper()
	if err != nil {
		refused, ok := errors.AsType[*client.Error](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, r.status, refused.Status)
		require.Equal(t, r.header.Get("X-Request-Id"), refused.RequestID)
		inner := map[string]any{"code": refused.Code, "message": refused.Message}
		if refused.Fields != nil {
			inner["details"] = refused.Fields
		}
		if refused.BoardID != "" {
			inner["details"] = boardwatch.AlreadyTracked{BoardID: refused.BoardID}
		}
		if refused.RetryAfter != 0 {
			inner["retryAfter"] = int(refused.RetryAfter / time.Second)
		}
		answer = map[string]any{"error": inner}
	}
	if answer == nil {
		return reply{r.status, r.header, ""}
	}
	body, err := json.Marshal(answer)
	require.NoError(t, err)
	return reply{r.status, r.header, string(body) + "\n"}
}
