package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"

// The three receivers of the documentation take and refuse the same, and print the same.
func TestReceivers(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t *testing.T) (url string, printed func() string){
		"Go":   startGo,
		"Node": func(t *testing.T) (string, func() string) { t.Helper(); return startProgram(t, "node", "receiver.mjs") },
		"Python": func(t *testing.T) (string, func() string) {
			t.Helper()
			return startProgram(t, "python3", "receiver.py")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, printed := start(t)
			exercise(t, url, printed)
		})
	}
}

func startGo(t *testing.T) (url string, printed func() string) {
	t.Helper()
	out := &output{}
	handler, err := newHandler(secret, out)
	require.NoError(t, err)
	site := httptest.NewServer(handler)
	t.Cleanup(site.Close)
	return site.URL + "/hook", out.String
}

func startProgram(t *testing.T, program, file string) (url string, printed func() string) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip(program + " is not installed")
	}
	out := &output{}
	cmd := exec.CommandContext(t.Context(), path, file, "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "WEBHOOK_SECRET="+secret)
	cmd.Stdout = out
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	require.True(t, ok, line)
	return url, out.String
}

// output is what a receiver has printed so far.
type output struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}

func exercise(t *testing.T, url string, printed func() string) {
	t.Helper()
	send := func(method, body string, headers ...string) int {
		req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		require.NoError(t, err)
		for _, h := range headers {
			req.Header.Add("X-Boardwatch-Signature", h)
		}
		answer, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer.StatusCode
	}
	sign := func(secret, body string, at time.Time) string {
		return boardwatch.Sign([]byte(secret), []byte(body), at)
	}
	now := time.Now()
	ping := `{"id":"1","type":"ping","createdAt":"2026-11-20T12:00:00.000Z","webhook":{"id":"w","events":[]}}`
	good := sign(secret, ping, now)
	stamp, right, _ := strings.Cut(good, ",")

	require.NotEqual(t, 204, send(http.MethodGet, ""))
	for name, forged := range map[string]string{
		"another secret":      sign("whsec_other", ping, now),
		"other bytes":         sign(secret, ping+" ", now),
		"too old":             sign(secret, ping, now.Add(-302*time.Second)),
		"another time":        "t=1," + right,
		"no signature":        stamp,
		"no time":             right,
		"two times":           stamp + "," + stamp + "," + right,
		"half a signature":    stamp + "," + right[:40],
		"not in hexadecimal":  stamp + ",v1=" + strings.Repeat("zz", 32),
		"letters from afar":   stamp + ",v1=" + strings.Repeat("é", 32),
		"nonsense":            "nonsense",
		"empty":               "",
		"a time that is none": "t=now," + right,
		"a negative time":     "t=-5," + right,
	} {
		require.Equal(t, 401, send(http.MethodPost, ping, forged), name)
	}
	require.Equal(t, 401, send(http.MethodPost, ping))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(strings.Repeat("x", 4<<20+1)))
	require.NoError(t, err)
	if answer, err := http.DefaultTransport.RoundTrip(req); err == nil { // the connection may end before the answer is read
		require.NoError(t, answer.Body.Close())
		require.Equal(t, 413, answer.StatusCode)
	}
	require.Empty(t, printed())

	require.Equal(t, 204, send(http.MethodPost, ping, good))
	require.Equal(t, 204, send(http.MethodPost, ping, sign(secret, ping, now.Add(-200*time.Second))), "again, by a retry")
	for id, event := range []string{"event-found", "event-archived-truncated", "event-board-failed"} {
		body, err := os.ReadFile(filepath.Join("..", "..", "boardwatch", "testdata", "json", event+".json"))
		require.NoError(t, err)
		text := strings.Replace(string(body), "65f0c0ffee000000000000ff", strings.Repeat("a", id+1), 1)
		require.Equal(t, 204, send(http.MethodPost, text, sign(secret, text, now)), event)
	}
	unknown := `{"id":"9","type":"board.renamed"}`
	require.Equal(t, 204, send(http.MethodPost, unknown, stamp+",v1="+strings.Repeat("00", 32)+","+sign(secret, unknown, now)[len(stamp)+1:]))
	require.Equal(t, 1, strings.Count(printed(), "ping\tw\n"))
	require.Contains(t, printed(), "found\tNorthwind Labs\tEngineer <Storage> & \"Caches\"\n")
	require.Equal(t, boardwatch.MaxEventJobs, strings.Count(printed(), "closed\t"))
	require.Equal(t, 1, strings.Count(printed(), "failed\t"))
}

// The receivers in the documentation are the ones that are tested.
func TestDocumentShowsTheReceivers(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "webhooks.md"))
	require.NoError(t, err)
	for file, language := range map[string]string{"main.go": "go", "receiver.mjs": "js", "receiver.py": "python"} {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(page), "```"+language+"\n"+string(code)+"```", file)
	}
}

func TestHandlerNeedsASecret(t *testing.T) {
	t.Parallel()
	_, err := newHandler("", io.Discard)
	require.ErrorContains(t, err, "secret is missing")
}
