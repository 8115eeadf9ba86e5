package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

const listenSecret = "whsec_northwind"

// printedDelivery is what "listen" prints of a request.
type printedDelivery struct {
	At                          string
	Valid, Repeat               bool
	Reason, ID, Type, Signature *string
	Status                      int
	Event                       json.RawMessage
}

// listening is a listen command that runs until the test ends.
type listening struct {
	t   *testing.T
	url string
	out *bufio.Reader
}

func startListening(t *testing.T, args ...string) *listening {
	t.Helper()
	out, outWriter := io.Pipe()
	errs, errWriter := io.Pipe()
	c := &command.CLI{In: strings.NewReader(""), Out: outWriter, Err: errWriter, Environ: []string{"HOME=" + t.TempDir()}, Now: time.Now}
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() {
		code <- main.Execute(ctx, c, append([]string{"listen", "--addr", "127.0.0.1:0", "--secret", listenSecret}, args...))
		_ = outWriter.Close()
		_ = errWriter.Close()
	}()
	said := bufio.NewReader(errs)
	line, err := said.ReadString('\n')
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, said) }()
	t.Cleanup(func() {
		cancel()
		require.Zero(t, <-code)
	})
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	require.True(t, ok, line)
	return &listening{t, url, bufio.NewReader(out)}
}

// post sends a body and gives back the status of the answer and what was printed.
func (l *listening) post(body, signature string) (status int, printed printedDelivery) {
	l.t.Helper()
	req, err := http.NewRequestWithContext(l.t.Context(), http.MethodPost, l.url+"/any/path", strings.NewReader(body))
	require.NoError(l.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Boardwatch-Signature", signature)
	answered := make(chan int, 1)
	go func() {
		defer close(answered)
		answer, err := http.DefaultTransport.RoundTrip(req)
		if err == nil {
			_ = answer.Body.Close()
			answered <- answer.StatusCode
		}
	}()
	line, err := l.out.ReadBytes('\n')
	require.NoError(l.t, err)
	require.NoError(l.t, json.Unmarshal(line, &printed))
	return <-answered, printed
}

func sampleEvent() (body, signature string) {
	p := boardwatch.PingPayload("", boardwatch.Webhook{ID: boardwatch.NewID(), Events: boardwatch.EventTypes()}, time.Now())
	d := p.Body(boardwatch.NewID())
	return string(d), boardwatch.Sign([]byte(listenSecret), d, time.Now())
}

func TestListen(t *testing.T) {
	t.Parallel()

	t.Run("prints what is valid and says when it comes again", func(t *testing.T) {
		t.Parallel()
		l := startListening(t)
		body, signature := sampleEvent()
		status, first := l.post(body, signature)
		require.Equal(t, 204, status)
		require.True(t, first.Valid)
		require.Nil(t, first.Reason)
		require.Equal(t, 204, first.Status, "the answer is its own")
		require.Equal(t, signature, *first.Signature)
		require.NoError(t, boardwatch.Verify([]byte(listenSecret), first.Event, *first.Signature, time.Minute, time.Now()))
		require.Equal(t, "ping", *first.Type)
		require.JSONEq(t, body, string(first.Event))
		require.False(t, first.Repeat)

		status, second := l.post(body, signature)
		require.Equal(t, 204, status)
		require.True(t, second.Repeat)
		require.Equal(t, *first.ID, *second.ID)
	})
	t.Run("refuses what is not signed as it should be, and says why", func(t *testing.T) {
		t.Parallel()
		l := startListening(t)
		body, signature := sampleEvent()
		stale := boardwatch.Sign([]byte(listenSecret), []byte(body), time.Now().Add(-time.Hour))
		for bad, reason := range map[string]string{
			"": "not of the form",
			signature[:len(signature)-64] + strings.Repeat("0", 64): "does not match",
			stale: "too old",
		} {
			status, printed := l.post(body, bad)
			require.Equal(t, 401, status)
			require.Equal(t, status, printed.Status)
			require.Equal(t, command.Optional(bad), printed.Signature)
			require.False(t, printed.Valid)
			require.Nil(t, printed.ID)
			require.Equal(t, "null", string(printed.Event))
			require.Contains(t, *printed.Reason, reason)
		}
	})
	t.Run("forwards bytes and headers as they came, and the answer back", func(t *testing.T) {
		t.Parallel()
		body, signature := sampleEvent()
		app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got, err := io.ReadAll(r.Body)
			same := err == nil && string(got) == body && r.Header.Get("X-Boardwatch-Signature") == signature
			switch {
			case !same || r.URL.RequestURI() != "/app?x=1":
				w.WriteHeader(http.StatusTeapot)
			default:
				http.Redirect(w, r, "/elsewhere", http.StatusFound)
			}
		}))
		t.Cleanup(app.Close)
		l := startListening(t, "--forward", app.URL+"/app?x=1")
		status, printed := l.post(body, signature)
		require.Equal(t, 302, status, "redirects are not followed")
		require.True(t, printed.Valid)
		require.Equal(t, 302, printed.Status)

		_, refused := l.post(body, "t=1,v1=00")
		require.Equal(t, 401, refused.Status, "what is not valid goes nowhere")
	})
	t.Run("takes what any of its secrets signed", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "hook.secret")
		require.NoError(t, os.WriteFile(file, []byte("whsec_third\n"), 0o600))
		l := startListening(t, "--secret", "whsec_second,half", "--secret-file", file)
		body, signature := sampleEvent()
		for _, secret := range []string{"whsec_second,half", "whsec_third"} {
			status, _ := l.post(body, boardwatch.Sign([]byte(secret), []byte(body), time.Now()))
			require.Equal(t, 204, status)
		}
		status, _ := l.post(body, signature)
		require.Equal(t, 204, status)
		status, _ = l.post(body, boardwatch.Sign([]byte("whsec_fourth"), []byte(body), time.Now()))
		require.Equal(t, 401, status)
	})
	t.Run("says when nobody is there to forward to", func(t *testing.T) {
		t.Parallel()
		l := startListening(t, "--forward", "http://127.0.0.1:1/token-of-mine") // a port that is never given out
		body, signature := sampleEvent()
		status, printed := l.post(body, signature)
		require.Equal(t, 502, status)
		require.Equal(t, status, printed.Status)
		require.Contains(t, *printed.Reason, "forward: ")
		require.NotContains(t, *printed.Reason, "token-of-mine")
	})
	t.Run("a port that is taken is named", func(t *testing.T) {
		t.Parallel()
		busy := httptest.NewServer(http.NotFoundHandler())
		t.Cleanup(busy.Close)
		var errs strings.Builder
		c := &command.CLI{In: strings.NewReader(""), Out: io.Discard, Err: &errs, Environ: []string{"HOME=" + t.TempDir()}, Now: time.Now}
		require.Equal(t, 1, main.Execute(t.Context(), c, []string{"listen", "--secret", "s", "--addr", busy.Listener.Addr().String()}))
		require.Contains(t, errs.String(), "another program listens on "+busy.Listener.Addr().String())
	})
}
