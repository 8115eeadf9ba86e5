package rest_test

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/rest"
)

// door is a handler on a store of its own.
type door struct {
	http.Handler
	store *storage.Store
	keys  *account.Keys
}

func newDoor(tb testing.TB, log *slog.Logger) *door {
	tb.Helper()
	return doorOn(storagetest.New(tb), log)
}

func doorOn(store *storage.Store, log *slog.Logger) *door {
	h := rest.New(account.NewGate(store, account.Options{}), track.New(store, recognize, track.Options{}),
		rest.Options{Log: log})
	return &door{h, store, account.NewKeys(store, account.Options{})}
}

// recognize takes any address that begins like one.
func recognize(input string) (boardwatch.Recognized, error) {
	if !strings.HasPrefix(input, "https://") {
		return boardwatch.Recognized{}, errors.New("must begin with https://")
	}
	return boardwatch.Recognized{Address: input, URL: input}, nil
}

// caller makes an account on pro and returns the secret of its key.
func (d *door) caller(tb testing.TB) string {
	tb.Helper()
	a := account.Account{ID: boardwatch.NewID(), Email: boardwatch.NewID() + "@northwind.example", Plan: account.PlanPro, Verified: true}
	require.NoError(tb, d.store.CreateAccount(tb.Context(), a))
	_, secret, err := d.keys.Create(tb.Context(), a, "test")
	require.NoError(tb, err)
	return secret
}

func (d *door) ask(method, target, body, key string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

// failure is the published Error object.
type failure struct {
	Error struct {
		Code    boardwatch.Code         `json:"code"`
		Message string                  `json:"message"`
		Details []boardwatch.FieldError `json:"details"`
	} `json:"error"`
}

func failureOf(tb testing.TB, w *httptest.ResponseRecorder) failure {
	tb.Helper()
	require.Equal(tb, "application/json", w.Header().Get("Content-Type"))
	var f failure
	d := json.NewDecoder(w.Body)
	d.DisallowUnknownFields()
	require.NoError(tb, d.Decode(&f))
	require.NotEmpty(tb, f.Error.Code)
	require.NotEmpty(tb, f.Error.Message)
	return f
}

func TestHandler(t *testing.T) {
	t.Parallel()

	t.Run("tells nobody but the log why it failed", func(t *testing.T) {
		t.Parallel()
		var log strings.Builder
		d := newDoor(t, slog.New(slog.NewTextHandler(&log, nil)))
		key := d.caller(t)
		require.NoError(t, d.store.Close())
		w := d.ask(http.MethodGet, "/v1/status", "", key)
		require.Equal(t, http.StatusInternalServerError, w.Code)
		f := failureOf(t, w)
		require.Equal(t, boardwatch.CodeInternal, f.Error.Code)
		require.NotContains(t, f.Error.Message, "closed")
		require.Contains(t, log.String(), "database is closed")
		require.NotContains(t, log.String(), key)
	})

	t.Run("answers for a handler that panicked in the published shape", func(t *testing.T) {
		t.Parallel()
		w := httptest.NewRecorder()
		rest.Broken(w, httptest.NewRequest(http.MethodGet, "/v1/status", nil))
		require.Equal(t, http.StatusInternalServerError, w.Code)
		require.Equal(t, boardwatch.CodeInternal, failureOf(t, w).Error.Code)
	})

	t.Run("does not hang on a body that does not come", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t, nil)
		r := httptest.NewRequest(http.MethodPost, "/v1/boards", io.MultiReader(strings.NewReader(`{"url":`), broken{}))
		r.Header.Set("Authorization", "Bearer "+d.caller(t))
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.Equal(t, "body", failureOf(t, w).Error.Details[0].Field)
	})

	t.Run("names a field that somebody made up in a length that can be read", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t, nil)
		f := failureOf(t, d.ask(http.MethodGet, "/v1/boards?"+strings.Repeat("x", 5000)+"=1", "", d.caller(t)))
		require.Less(t, len(f.Error.Details[0].Field), 200)
	})

	t.Run("takes thousands of wrong parameters in its stride", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t, nil)
		var query strings.Builder
		for i := range 10_000 {
			query.WriteString("p" + time.Duration(i).String() + "&")
		}
		f := failureOf(t, d.ask(http.MethodGet, "/v1/jobs?"+query.String(), "", d.caller(t)))
		require.Len(t, f.Error.Details, 10_000)
		require.Contains(t, f.Error.Message, "and 9990 more")
	})
}

// broken is a body that breaks off.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestPlain(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for path, status := range map[string]int{
		"/": 204, "/a": 204, "/a/": 204, "/a.b/..c": 204, "//": 404, "/a//b": 404, "/a/./b": 404, "/a/../b": 404, "/a/..": 404, "/a//": 404, "/%2e%2e/a": 404,
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodGet, "http://boards.example", nil)
			var err error
			r.URL, err = r.URL.Parse("http://boards.example" + path)
			require.NoError(t, err)
			r.URL.Path = strings.ReplaceAll(path, "%2e", ".")
			rest.Plain(mux).ServeHTTP(w, r)
			require.Equal(t, status, w.Code)
		})
	}
}

// FuzzQuery sends any query: the answer is a page of roles or names what is wrong, and nothing else.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "limit=5", "limit=5&limit=6", "search=%ff", "search=a%00", "addedAfter=2026-11-20T09:00:00Z", "skip=9007199254740991", "boardId=", "&&=", "%zz=1",
		"status=all&search=%F0%9F%98%80", "a=b;c=d", "=&=",
	} {
		f.Add(seed)
	}
	d := newDoor(f, nil)
	callers := newCallers(d)
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodGet, "/v1/jobs", nil)
		r.URL.RawQuery = query
		r.Header.Set("Authorization", "Bearer "+callers.next(t))
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		if w.Code == http.StatusOK {
			require.True(t, json.Valid(w.Body.Bytes()))
			return
		}
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.NotEmpty(t, failureOf(t, w).Error.Details)
	})
}

// FuzzBody sends any body: the board is added or the answer names what is wrong.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"url":"https://northwind.example/careers"}`, `{"url":null}`, `{"url":"https://a.example","companyName":"\ud800"}`, `[]`, `{"url":"https://a","url":1}`,
		`{"URL":"x"}`, "{\"url\":\"https://\xff\"}", `{"url":"https://a.example"} x`, `{`, ``, `{"":""}`, `{"url":"https://a.example","companyName":""}`,
	} {
		f.Add(seed)
	}
	d := newDoor(f, nil)
	callers := newCallers(d)
	f.Fuzz(func(t *testing.T, body string) {
		w := d.ask(http.MethodPost, "/v1/boards", body, callers.next(t))
		switch w.Code {
		case http.StatusAccepted, http.StatusConflict: // new, or on the list already
			require.True(t, json.Valid(w.Body.Bytes()))
		default:
			require.Equal(t, http.StatusBadRequest, w.Code)
			require.NotEmpty(t, failureOf(t, w).Error.Details)
		}
	})
}

// callers are keys for many requests, each used as often as its budget allows.
type callers struct {
	door *door
	key  string
	left int
}

func newCallers(d *door) *callers { return &callers{door: d} }

func (c *callers) next(tb testing.TB) string {
	tb.Helper()
	if c.left == 0 {
		c.key, c.left = c.door.caller(tb), account.RESTRate().Limit
	}
	c.left--
	return c.key
}
