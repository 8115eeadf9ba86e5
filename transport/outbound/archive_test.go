package outbound_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// recorded is one entry of an archive in short form.
type recorded struct {
	method, url, post string
	status            int
	text              string
}

func archive(t *testing.T, entries ...recorded) *outbound.Archive {
	t.Helper()
	type object = map[string]any
	list := make([]object, len(entries))
	for i, e := range entries {
		if e.method == "" {
			e.method = http.MethodGet
		}
		request := object{"method": e.method, "url": e.url}
		if e.post != "" {
			request["postData"] = object{"mimeType": "application/json", "text": e.post}
		}
		list[i] = object{"request": request, "response": object{"status": e.status, "content": object{"text": e.text}}}
	}
	file, err := json.Marshal(object{"log": object{"entries": list}})
	require.NoError(t, err)
	a, err := outbound.ReadArchive(strings.NewReader(string(file)))
	require.NoError(t, err)
	return a
}

func TestArchiveAnswersWithTheClosestRecording(t *testing.T) {
	t.Parallel()
	pages := []recorded{
		{url: "https://a.example/jobs?page=1&lang=en&track=7", status: 200, text: "en 1"},
		{url: "https://a.example/jobs?page=2&lang=en", status: 200, text: "en 2"},
		{url: "https://a.example/jobs?page=1&lang=de", status: 200, text: "de 1"},
		{url: "https://a.example/jobs", status: 200, text: "all"},
	}
	list := []recorded{
		{method: "POST", url: "https://a.example/list", post: `{"offset":0,"limit":20}`, status: 200, text: "first"},
		{method: "POST", url: "https://a.example/list", post: `{"offset":20,"limit":20}`, status: 200, text: "second"},
		{method: "POST", url: "https://a.example/list", post: `{"offset":40,"limit":20,"filter":{"place":"Oslo"}}`, status: 200, text: "third"},
	}
	one := []recorded{{method: "POST", url: "https://a.example/list", post: `{"query":"long"}`, status: 200, text: "one"}}
	tests := []struct {
		name              string
		archive           []recorded
		method, url, post string
		want              string // empty: not in the archive
	}{
		{"the same address", pages, "GET", "https://a.example/jobs?page=1&lang=en&track=7", "", "en 1"},
		{"the same address, fewest parameters", pages, "GET", "https://a.example/jobs", "", "all"},
		{"another order of parameters", pages, "GET", "https://a.example/jobs?lang=de&page=1", "", "de 1"},
		{"another scheme", pages, "GET", "http://a.example/jobs?page=2&lang=en", "", "en 2"},
		{"the default port", pages, "GET", "https://a.example:443/jobs?page=2&lang=en", "", "en 2"},
		{"another case of the host", pages, "GET", "https://A.Example/jobs?page=2&lang=en", "", "en 2"},
		{"a final slash", pages, "GET", "https://a.example/jobs/?page=2&lang=en", "", "en 2"},
		{"a fragment", pages, "GET", "https://a.example/jobs#open", "", "all"},
		{"a parameter that was not recorded", pages, "GET", "https://a.example/jobs?page=2&lang=en&t=99", "", "en 2"},
		{"a parameter less than was recorded", pages, "GET", "https://a.example/jobs?page=2", "", "en 2"},
		{"most equal parameters", pages, "GET", "https://a.example/jobs?page=1&lang=en", "", "en 1"},
		{"a parameter that differs leaves the one without it", pages, "GET", "https://a.example/jobs?page=3", "", "all"},
		{"another path", pages, "GET", "https://a.example/job", "", ""},
		{"another host", pages, "GET", "https://b.example/jobs", "", ""},
		{"another port", pages, "GET", "https://a.example:8443/jobs", "", ""},
		{"another method", pages, "HEAD", "https://a.example/jobs", "", ""},
		{"no fitting parameters", pages[:3], "GET", "https://a.example/jobs?page=9", "", ""},

		{"equal bytes", list, "POST", "https://a.example/list", `{"offset":20,"limit":20}`, "second"},
		{"equal JSON", list, "POST", "https://a.example/list", `{ "limit": 20.0, "offset": 20 }`, "second"},
		{"JSON with a member more", list, "POST", "https://a.example/list", `{"offset":0,"limit":20,"searchText":""}`, "first"},
		{"JSON with a member less, inside", list, "POST", "https://a.example/list", `{"offset":40,"filter":{}}`, "third"},
		{"JSON that contradicts", list, "POST", "https://a.example/list", `{"offset":60,"limit":20}`, ""},
		{"no JSON", list, "POST", "https://a.example/list", `offset=0`, ""},
		{"a single recording need not agree", one, "POST", "https://a.example/list", `{"query":"longer"}`, "one"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client := outbound.New(outbound.Options{Transport: archive(t, test.archive...)})
			req := request(t, test.method, test.url, strings.NewReader(test.post))
			if test.want == "" {
				_, err := client.Do(req)
				require.Equal(t, outbound.KindNotRecorded, outbound.KindOf(err), "%v", err)
				require.Equal(t, 1, client.Requests())
				return
			}
			_, body := do(t, client, req)
			require.Equal(t, test.want, body)
		})
	}
}

func TestArchivePlaysSeveralAnswersInOrder(t *testing.T) {
	t.Parallel()
	const address = "https://a.example/jobs"
	a := archive(t,
		recorded{url: address, status: 200, text: "one"},
		recorded{url: address + "#x", status: 404, text: "two"},
		recorded{url: address, status: 502},
	)
	client := outbound.New(outbound.Options{Transport: a})
	for _, want := range []int{200, 404, 502, 502} {
		page, err := client.Get(t.Context(), address, nil)
		require.NoError(t, err)
		require.Equal(t, want, page.Status)
	}
	require.Equal(t, 2+3+3, client.Requests(), "a bad gateway is tried again, and nothing is waited for")
}

func TestArchiveOfABrowser(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/har/browser.har")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	a, err := outbound.ReadArchive(file)
	require.NoError(t, err)
	client := outbound.New(outbound.Options{Transport: a}).Session()

	page, err := client.Get(t.Context(), "https://northwind.example/careers/", nil)
	require.NoError(t, err)
	require.Equal(t, "https://careers.northwind.example/jobs?page=1", page.URL.String())
	require.Equal(t, "<h2>Küchenchef</h2><h2>Köchin</h2>", string(page.Body), "what is decoded is not decoded again")
	require.Equal(t, string(page.Body), string(page.Text()), "the text is UTF-8 now, whatever it was on the wire")
	require.Empty(t, page.Header.Get("Content-Encoding"))
	require.Empty(t, page.Header.Get("Content-Length"))
	require.Equal(t, []string{"a=1; Path=/", "b=2; Path=/"}, page.Header.Values("Set-Cookie"))

	page, err = client.Get(t.Context(), "https://careers.northwind.example/logo.png", nil)
	require.NoError(t, err)
	require.Equal(t, "\x89PNG", string(page.Body))
	require.Equal(t, "image/png", page.ContentType)

	_, err = client.Get(t.Context(), "https://gone.example/", nil)
	require.Equal(t, outbound.KindUnknownHost, outbound.KindOf(err), "%v", err)

	_, err = client.Get(t.Context(), "https://careers.northwind.example/other?key=secret", nil)
	require.Equal(t, outbound.KindNotRecorded, outbound.KindOf(err))
	require.NotContains(t, err.Error(), "secret")

	_, err = client.Get(t.Context(), "http://127.0.0.1/", nil)
	require.Equal(t, outbound.KindRefused, outbound.KindOf(err), "an archive opens no door")
}

func TestReadArchiveSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, want string }{
		"nothing":        {"", "read archive: EOF"},
		"no JSON":        {"<html>", "read archive: invalid character '<' looking for beginning of value"},
		"cut":            {`{"log":{"entries":[`, "read archive: unexpected EOF"},
		"another object": {`{"jobs":[]}`, "read archive: it is JSON, but not a HAR file: there is no log in it"},
		"a broken address": {
			`{"log":{"entries":[{"request":{"url":"https://anna:secret@a b/"}}]}}`, "read archive: entry 1: its address is not a URL",
		},
		"a broken body": {
			`{"log":{"entries":[{"request":{"url":"https://a.example/"},"response":{"status":200,"content":{"text":"%","encoding":"base64"}}}]}}`,
			"read archive: entry 1: decode response: illegal base64 data at input byte 0",
		},
		"an unknown encoding": {
			`{"log":{"entries":[{"request":{"url":"https://a.example/"},"response":{"status":200,"content":{"text":"%","encoding":"rot13"}}}]}}`,
			`read archive: entry 1: decode response: the content is in the unknown encoding "rot13"`,
		},
		"an impossible status": {
			`{"log":{"entries":[{"request":{"url":"https://a.example/"},"response":{"status":7}}]}}`,
			"read archive: entry 1: decode response: 7 is no status",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := outbound.ReadArchive(strings.NewReader(test.file))
			require.EqualError(t, err, test.want)
		})
	}
	_, err := outbound.ReadArchive(strings.NewReader("\xef\xbb\xbf" + `{"log":{"entries":[]}}`))
	require.NoError(t, err, "a byte order mark is passed over")
	_, err = outbound.ReadArchive(io.LimitReader(strings.NewReader(`{"log":{}}`), 100))
	require.NoError(t, err)
}
