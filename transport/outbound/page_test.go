package outbound_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

func TestGetFollowsRedirects(t *testing.T) {
	t.Parallel()
	client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/careers":
			http.Redirect(w, r, "/jobs?lang=en#open", http.StatusMovedPermanently)
		case "/jobs":
			http.Redirect(w, r, "../list/", http.StatusTemporaryRedirect)
		default:
			w.Header().Set("Content-Type", "Text/HTML; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "gone")
		}
	})
	page, err := client.Get(t.Context(), " "+address+"/careers\n", nil)
	require.NoError(t, err)
	require.Equal(t, address+"/list/", page.URL.String())
	require.Equal(t, []string{address + "/careers", address + "/jobs?lang=en#open"}, page.Hops)
	require.Equal(t, http.StatusNotFound, page.Status, "every status is a page")
	require.Equal(t, "text/html", page.ContentType)
	require.Equal(t, "gone", string(page.Body))
	require.Equal(t, 3, client.Requests())
}

func TestGetReturnsARedirectWithoutATarget(t *testing.T) {
	t.Parallel()
	client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusFound)
	})
	page, err := client.Get(t.Context(), address, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusFound, page.Status)
	require.Empty(t, page.Hops)
}

func TestGetDoesNotRunInCircles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, message string
		requests      int
		target        func(r *http.Request) string
	}{
		{"to itself", "127.0.0.1 redirects in a circle", 1, func(r *http.Request) string { return r.URL.Path }},
		{"to itself with another fragment", "127.0.0.1 redirects in a circle", 1, func(*http.Request) string { return "#x" }},
		{"back and forth", "127.0.0.1 redirects in a circle", 2, func(r *http.Request) string {
			return map[string]string{"/a": "/b", "/b": "/a"}[r.URL.Path]
		}},
		{"ever on", "127.0.0.1 redirects too many times", 11, func(r *http.Request) string { return r.URL.Path + "a" }},
		{"nowhere", "127.0.0.1 redirects to something that is no address", 1, func(*http.Request) string { return "http://[broken" }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", test.target(r))
				w.WriteHeader(http.StatusFound)
			})
			_, err := client.Get(t.Context(), address+"/a", nil)
			require.Equal(t, outbound.KindRedirect, outbound.KindOf(err), "%v", err)
			require.EqualError(t, err, test.message)
			require.Equal(t, test.requests, client.Requests())
		})
	}
}

func TestGetFollowsTenRedirects(t *testing.T) {
	t.Parallel()
	client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
		if n, _ := strconv.Atoi(r.URL.Path[1:]); n < 10 {
			http.Redirect(w, r, "/"+strconv.Itoa(n+1), http.StatusSeeOther)
		}
	})
	page, err := client.Get(t.Context(), address+"/0", nil)
	require.NoError(t, err)
	require.Len(t, page.Hops, 10)
}

func TestSessionMaySeeAnAddressTwice(t *testing.T) {
	t.Parallel()
	client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("consent"); err != nil {
			http.SetCookie(w, &http.Cookie{Name: "consent", Value: "1"})
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "roles")
	})
	page, err := client.Session().Get(t.Context(), address+"/jobs", nil)
	require.NoError(t, err)
	require.Equal(t, "roles", string(page.Body))
	_, err = client.Get(t.Context(), address+"/jobs", nil)
	require.Equal(t, outbound.KindRedirect, outbound.KindOf(err))
}

func TestGetKeepsCredentialsAtTheirHost(t *testing.T) {
	t.Parallel()
	client, other := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, "%q %q %q", r.Header.Get("Authorization"), r.Header.Get("Cookie"), r.Header.Get("Accept"))
	})
	server := httptest.NewServer(http.RedirectHandler(other, http.StatusFound))
	t.Cleanup(server.Close)
	header := http.Header{"Authorization": {"Bearer secret"}, "Cookie": {"id=secret"}, "Accept": {"text/html"}}
	page, err := client.Get(t.Context(), server.URL, header)
	require.NoError(t, err)
	require.Equal(t, `"" "" "text/html"`, string(page.Body))
	require.Len(t, header, 3, "the header is not changed")

	page, err = client.Get(t.Context(), other, header)
	require.NoError(t, err)
	require.Equal(t, `"Bearer secret" "id=secret" "text/html"`, string(page.Body))
}

func TestPageText(t *testing.T) {
	t.Parallel()
	const text = "Kürschner in Åbo, Größe: naïve"
	late := strings.Repeat("<!-- -->", 400) + "Zürich, Kraków"
	tests := []struct {
		name, contentType, head, text string
		encoding                      encoding.Encoding // nil: UTF-8
	}{
		{"UTF-8 that nobody names", "", "", text, nil},
		{"UTF-8 by the header", "text/html; charset=UTF-8", "", text, nil},
		{"UTF-8 that begins late", "text/html", "", late, nil},
		{"UTF-8 that its page calls something else", "text/html", `<meta charset="iso-8859-1">`, text, nil},
		{"Latin 1 by the header", "text/html; charset=ISO-8859-1", "", text, charmap.Windows1252},
		{"Latin 1 by the page", "text/html", `<meta charset="iso-8859-1">`, text, charmap.Windows1252},
		{"Latin 1 that nobody names", "text/html", "", text, charmap.Windows1252},
		{"Latin 2 by the page's http-equiv", "text/html", `<meta http-equiv=Content-Type content="text/html; charset=iso-8859-2">`, "Łódź, Kraków", charmap.ISO8859_2},
		{"Shift JIS by the header", "text/html; charset=Shift_JIS", "", "採用情報", japanese.ShiftJIS},
		{"ISO-2022-JP by the page", "text/html", `<meta charset="iso-2022-jp">`, "採用情報", japanese.ISO2022JP},
		{"XML by its declaration", "application/xml", `<?xml version="1.0" encoding="ISO-8859-2"?>`, "Łódź", charmap.ISO8859_2},
		{"UTF-16 with its mark", "text/html", "", text, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
		{"an encoding that does not exist", "text/html; charset=klingon", "", text, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			page := outbound.Page{Header: http.Header{"Content-Type": {test.contentType}}, Body: []byte(test.head + test.text)}
			if test.encoding != nil {
				var err error
				page.Body, err = test.encoding.NewEncoder().Bytes(page.Body)
				require.NoError(t, err)
			}
			require.Equal(t, test.head+test.text, string(page.Text()))
		})
	}
	marked := outbound.Page{Body: []byte("\xef\xbb\xbfÅbo")}
	require.Equal(t, "Åbo", string(marked.Text()), "the byte order mark is no text")
}
