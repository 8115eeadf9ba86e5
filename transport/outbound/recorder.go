package outbound

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// masked stands in an archive for what is nobody's business.
const masked = "masked"

// Recorder collects exchanges for an archive: hand its Record to Options.Trace. It keeps everything in memory until
// WriteTo and is safe for concurrent use. Cookies, credentials and headers for proxies are masked; addresses and bodies
// are written as they are.
type Recorder struct {
	version string

	mu      sync.Mutex
	entries []writtenEntry
}

// NewRecorder is an empty recorder that names this version of the product as the archive's creator.
func NewRecorder(version string) *Recorder { return &Recorder{version: version} }

// Record adds an exchange. What never was one, such as a request that was given up, is left out.
func (r *Recorder) Record(_ context.Context, x Exchange) {
	if x.Err != nil && !recordable(KindOf(x.Err)) {
		return
	}
	e := entry(x)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries = append(r.entries, e)
}

// WriteTo writes everything recorded so far as one HAR 1.2 file.
func (r *Recorder) WriteTo(w io.Writer) (int64, error) {
	r.mu.Lock()
	entries := slices.Clone(r.entries)
	r.mu.Unlock()
	// Exchanges are told of when they end; HAR wants them in the order of their beginnings.
	slices.SortStableFunc(entries, func(a, b writtenEntry) int { return cmp.Compare(a.StartedDateTime, b.StartedDateTime) })
	file := writtenFile{Log: writtenLog{
		Version: "1.2", Creator: writtenCreator{Name: "boardwatch", Version: r.version}, Entries: entries,
	}}
	if file.Log.Entries == nil {
		file.Log.Entries = []writtenEntry{}
	}
	counted := &countingWriter{w: w}
	enc := json.NewEncoder(counted)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(file); err != nil {
		return counted.n, fmt.Errorf("write archive: %w", err)
	}
	return counted.n, nil
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

func entry(x Exchange) writtenEntry {
	ms := float64(x.Duration.Microseconds()) / 1000
	return writtenEntry{
		// Nanoseconds keep the order of quick exchanges.
		StartedDateTime: x.Start.UTC().Format("2006-01-02T15:04:05.000000000Z07:00"),
		Time:            ms,
		Request:         requestOf(x),
		Response:        responseOf(x),
		Timings:         writtenTimings{Wait: ms},
	}
}

func requestOf(x Exchange) writtenRequest {
	w := writtenRequest{
		harRequest:  harRequest{Method: x.Method, URL: withoutFragment(x.URL)},
		HTTPVersion: protocolOf(x),
		Cookies:     []harPair{},
		Headers:     pairs(x.RequestHeader),
		QueryString: queryPairs(x.URL),
		HeadersSize: -1,
		BodySize:    len(x.RequestBody),
	}
	if len(x.RequestBody) > 0 {
		post := &harPost{MimeType: x.RequestHeader.Get("Content-Type")}
		post.Text, post.Encoding = encodeText(x.RequestBody, utf8.Valid(x.RequestBody))
		w.PostData = post
	}
	return w
}

func responseOf(x Exchange) writtenResponse {
	w := writtenResponse{
		harResponse: harResponse{
			Status: x.Status, HTTPVersion: protocolOf(x), Headers: pairs(x.ResponseHeader),
			RedirectURL: x.ResponseHeader.Get("Location"), Error: string(KindOf(x.Err)),
		},
		StatusText: http.StatusText(x.Status), Cookies: []harPair{}, HeadersSize: -1, BodySize: -1,
	}
	w.Content.Size = len(x.Body)
	w.Content.MimeType = x.ResponseHeader.Get("Content-Type")
	w.Content.Text, w.Content.Encoding = encodeText(x.Body, isText(w.Content.MimeType, x.Body))
	return w
}

func protocolOf(x Exchange) string {
	if x.Proto == "" {
		return "HTTP/1.1"
	}
	return x.Proto
}

// isText reports whether the bytes are the UTF-8 that their type says they are. Everything else is written in base64, so
// that playing it gives the same bytes with the same meaning.
func isText(contentType string, b []byte) bool {
	kind, params, err := mime.ParseMediaType(contentType)
	ascii := isASCII(string(b))
	declared := err == nil && (isJSON(kind) || strings.EqualFold(params["charset"], "utf-8"))
	return ascii || declared && utf8.Valid(b)
}

func encodeText(b []byte, text bool) (encoded, encoding string) {
	if text {
		return string(b), ""
	}
	return base64.StdEncoding.EncodeToString(b), "base64"
}

func pairs(header http.Header) []harPair {
	list := make([]harPair, 0, len(header))
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			if isSecret(name) {
				value = masked
			}
			list = append(list, harPair{Name: name, Value: value})
		}
	}
	return list
}

func isSecret(header string) bool {
	switch http.CanonicalHeaderKey(header) {
	case "Authorization", "Cookie", "Set-Cookie":
		return true
	}
	return strings.HasPrefix(strings.ToLower(header), "proxy-")
}

func queryPairs(u *url.URL) []harPair {
	query := u.Query()
	list := make([]harPair, 0, len(query))
	for _, name := range slices.Sorted(maps.Keys(query)) {
		for _, value := range query[name] {
			list = append(list, harPair{Name: name, Value: value})
		}
	}
	return list
}

// recordable reports whether a kind of fault belongs to the exchange, not to who asked or to the archive.
func recordable(k Kind) bool {
	switch k {
	case KindRefused, KindUnknownHost, KindLookup, KindConnection, KindReset, KindTimeout, KindTLS, KindTooLarge,
		KindTruncated, KindEncoding, KindRedirect, KindProtocol, KindProxy:
		return true
	default:
		return false
	}
}

func words(k Kind) string { return strings.ReplaceAll(string(k), "_", " ") }
