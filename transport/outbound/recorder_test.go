package outbound_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

func TestWhatIsRecordedPlaysTheSame(t *testing.T) {
	t.Parallel()
	latin := "K\xfcrschner"
	paths := map[string]struct{ contentType, body string }{
		"/json":    {"application/json", `{"title":"Küchenchef <b>","sep":"` + "\u2028" + `"}`},
		"/html":    {"text/html; charset=utf-8", "<p>Küchenchef & Köchin</p>"},
		"/unnamed": {"text/html", "<p>Küchenchef</p>"},
		"/latin":   {"text/html; charset=iso-8859-1", latin},
		"/wrong":   {"text/html; charset=iso-8859-1", "Küchenchef"},
		"/broken":  {"application/json", `{"title":"` + latin + `"}`},
		"/image":   {"image/png", "\x89PNG\x00\x01"},
		"/empty":   {"text/plain", ""},
	}
	recorder := outbound.NewRecorder("1.2.3")
	live, address := serve(t, outbound.Options{Trace: recorder.Record}, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "cookie-secret"})
		if r.Method == http.MethodPost {
			_, _ = io.Copy(w, r.Body)
			return
		}
		page := paths[r.URL.Path]
		w.Header().Set("Content-Type", page.contentType)
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(zipped(t, page.body))
	})
	header := http.Header{"Authorization": {"Bearer header-secret"}, "Cookie": {"id=other-secret"}}
	want := make(map[string]*outbound.Page)
	for path := range paths {
		page, err := live.Get(t.Context(), address+path+"?q=a%20b&q=c", header)
		require.NoError(t, err)
		want[path] = page
	}
	posts := []string{`{"offset":0}`, `{"offset":20}`, "\x00\xff binary"}
	for _, post := range posts {
		do(t, live, request(t, http.MethodPost, address+"/list", strings.NewReader(post)))
	}

	var file bytes.Buffer
	n, err := recorder.WriteTo(&file)
	require.NoError(t, err)
	require.Equal(t, int64(file.Len()), n)
	require.NotContains(t, file.String(), "secret")
	require.Contains(t, file.String(), "Küchenchef <b>", "text stays readable")
	a, err := outbound.ReadArchive(&file)
	require.NoError(t, err)
	played := loopback(t, outbound.Options{Transport: a})
	for path, page := range want {
		got, err := played.Get(t.Context(), address+path+"?q=a%20b&q=c", nil)
		require.NoError(t, err)
		require.Equal(t, paths[path].body, string(got.Body), path)
		require.Equal(t, page.Text(), got.Text(), path)
		require.Equal(t, page.ContentType, got.ContentType, path)
		require.Equal(t, page.Status, got.Status, path)
	}
	for _, post := range posts {
		_, body := do(t, played, request(t, http.MethodPost, address+"/list", strings.NewReader(post)))
		require.Equal(t, post, body)
	}
}

func TestRecorderWritesHAR(t *testing.T) {
	t.Parallel()
	recorder := outbound.NewRecorder("1.2.3")
	client, address := serve(t, outbound.Options{Trace: recorder.Record}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "roles")
	})
	_, err := client.Get(t.Context(), address+"/old?page=2#top", nil)
	require.NoError(t, err)

	var file bytes.Buffer
	_, err = recorder.WriteTo(&file)
	require.NoError(t, err)
	var har struct {
		Log struct {
			Version string
			Creator struct{ Name, Version string }
			Entries []struct {
				StartedDateTime time.Time
				Time            *float64
				Request         map[string]any
				Response        map[string]any
				Cache, Timings  map[string]any
			}
		}
	}
	require.NoError(t, json.Unmarshal(file.Bytes(), &har))
	require.Equal(t, "1.2", har.Log.Version)
	require.Equal(t, "boardwatch", har.Log.Creator.Name)
	require.Equal(t, "1.2.3", har.Log.Creator.Version)
	require.Len(t, har.Log.Entries, 2)
	first := har.Log.Entries[0]
	require.WithinDuration(t, time.Now(), first.StartedDateTime, time.Minute)
	require.NotNil(t, first.Time)
	require.NotNil(t, first.Cache)
	for _, name := range []string{"send", "wait", "receive"} {
		require.Contains(t, first.Timings, name)
	}
	for _, name := range []string{"method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"} {
		require.NotNil(t, first.Request[name], name)
	}
	for _, name := range []string{"status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize"} {
		require.NotNil(t, first.Response[name], name)
	}
	require.Equal(t, address+"/old?page=2", first.Request["url"], "HAR has no fragments")
	require.Equal(t, "/new", first.Response["redirectURL"])
	content, ok := har.Log.Entries[1].Response["content"].(map[string]any)
	require.True(t, ok)
	require.Equal(t, map[string]any{"size": 5.0, "mimeType": "text/plain; charset=utf-8", "text": "roles"}, content)
}

func TestRecorderKeepsFaults(t *testing.T) {
	t.Parallel()
	recorder := outbound.NewRecorder("")
	client := loopback(t, outbound.Options{Trace: recorder.Record, Backoff: once})
	address := speak(t, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
	_, err := client.Get(t.Context(), address, nil)
	require.Equal(t, outbound.KindTruncated, outbound.KindOf(err))

	var file bytes.Buffer
	_, err = recorder.WriteTo(&file)
	require.NoError(t, err)
	a, err := outbound.ReadArchive(&file)
	require.NoError(t, err)
	_, err = loopback(t, outbound.Options{Transport: a}).Get(t.Context(), address, nil)
	require.Equal(t, outbound.KindTruncated, outbound.KindOf(err))
	require.EqualError(t, err, "the request to 127.0.0.1 failed when it was recorded (truncated)")
}

func TestRecorderWithoutExchangesWritesAnEmptyArchive(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	_, err := outbound.NewRecorder("1").WriteTo(&file)
	require.NoError(t, err)
	require.Contains(t, file.String(), `"entries": []`)
}
