package teacher_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/teacher"
)

// saying is a server that answers every question with these words.
func saying(t *testing.T, words string) string {
	t.Helper()
	return answering(t, func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": words}}}})
	})
}

func answering(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL + "/v1"
}

func TestTitlesAreAskedForInTheChatAPI(t *testing.T) {
	t.Parallel()
	var asked struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	var header http.Header
	var path string
	url := answering(t, func(w http.ResponseWriter, r *http.Request) {
		header, path = r.Header.Clone(), r.URL.Path
		_ = json.NewDecoder(r.Body).Decode(&asked)
		_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"Here:\n`+"```"+`json\n[\"Balloon Pilot\", \" \", \"Rope Whisperer\"]\n`+"```"+`"}}]}`)
	})
	titles, err := teacher.New(teacher.Options{URL: url, Model: "small", Key: "open-sesame"}).Titles(t.Context(), []string{"Careers", "Balloon Pilot"})
	require.NoError(t, err)
	require.Equal(t, []string{"Balloon Pilot", "Rope Whisperer"}, titles)
	require.Equal(t, "/v1/chat/completions", path)
	require.Equal(t, "Bearer open-sesame", header.Get("Authorization"))
	require.Equal(t, "small", asked.Model)
	require.Equal(t, "Careers\nBalloon Pilot\n", asked.Messages[1].Content)
}

func TestTitlesOfAServerThatFails(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		url  func(t *testing.T) string
		want string
	}{
		"no list":         {func(t *testing.T) string { t.Helper(); return saying(t, "I cannot help with that.") }, "contains no list of titles"},
		"a list of other": {func(t *testing.T) string { t.Helper(); return saying(t, `[{"title":"Pilot"}]`) }, "contains no list of titles"},
		"no completion": {func(t *testing.T) string {
			t.Helper()
			return answering(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") })
		}, "is not a chat completion"},
		"an error": {func(t *testing.T) string {
			t.Helper()
			return answering(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) })
		}, "status 401"},
		"silence": {func(t *testing.T) string {
			t.Helper()
			return answering(t, func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // only then is it noticed that the client has gone
				<-r.Context().Done()
			})
		}, ""},
		"endless words": {func(t *testing.T) string {
			t.Helper()
			return answering(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), 2<<20)) })
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			_, err := teacher.New(teacher.Options{
				URL: tt.url(t), Model: "small", Key: "open-sesame", Timeout: 300 * time.Millisecond, Log: slog.New(slog.NewTextHandler(&log, nil)),
			}).Titles(t.Context(), []string{"Balloon Pilot"})
			require.ErrorContains(t, err, tt.want)
			require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("\n")), "it costs a line in the log")
			require.NotContains(t, log.String(), "open-sesame")
		})
	}
}

func TestTitlesAreAskedForUpToADailyLimit(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	teaches := teacher.New(teacher.Options{URL: saying(t, "[]"), Model: "small", DailyLimit: 2, Now: func() time.Time { return now }})
	ask := func() error {
		_, err := teaches.Titles(t.Context(), nil)
		return err
	}
	require.NoError(t, ask())
	now = now.Add(time.Hour)
	require.NoError(t, ask())
	require.ErrorContains(t, ask(), "daily limit")
	now = now.Add(23*time.Hour - time.Millisecond)
	require.ErrorContains(t, ask(), "daily limit")
	now = now.Add(time.Millisecond)
	require.NoError(t, ask())
	require.ErrorContains(t, ask(), "daily limit")
}
