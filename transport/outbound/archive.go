package outbound

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// Archive answers requests from recorded ones (HAR 1.2, from a Recorder or a browser). It is the Transport of a Client
// and safe for concurrent use.
//
// A request is answered by the recording with the same method and address. Else by one of the same method, host and
// path, whatever the scheme and a final slash, in which no query parameter that both have differs; the one with most
// equal parameters wins. Where several recordings differ by the body of the request, the body decides: equal bytes, then
// equal JSON, then JSON that differs only by members that one of the two does not have. Several answers to one request
// are played in their order, and the last one again and again.
type Archive struct {
	places map[place][]*recording

	mu sync.Mutex // guards recording.played
}

// place is what a request and its recording must have in common.
type place struct{ method, host, path string }

// recording is one request and all answers it got.
type recording struct {
	address string // without a fragment
	query   url.Values
	body    []byte
	answers []answer
	played  int
}

// answer is one recorded response, or the fault in place of it.
type answer struct {
	status int
	proto  string
	header http.Header
	body   []byte
	fault  *Error
}

// ReadArchive reads a HAR file. Entries that are not HTTP (data:, blob:, ws:) are skipped.
func ReadArchive(r io.Reader) (*Archive, error) {
	src := bufio.NewReader(r)
	if mark, err := src.Peek(3); err == nil && string(mark) == "\xef\xbb\xbf" {
		_, _ = src.Discard(3) // just peeked
	}
	var file struct {
		Log *struct {
			Entries []harEntry `json:"entries"`
		} `json:"log"`
	}
	if err := json.NewDecoder(src).Decode(&file); err != nil {
		return nil, fmt.Errorf("read archive: %w", err)
	}
	if file.Log == nil {
		return nil, errors.New("read archive: it is JSON, but not a HAR file: there is no log in it")
	}
	a := &Archive{places: make(map[place][]*recording)}
	for i, e := range file.Log.Entries {
		if err := a.add(e); err != nil {
			return nil, fmt.Errorf("read archive: entry %d: %w", i+1, err)
		}
	}
	return a, nil
}

func (a *Archive) add(e harEntry) error {
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		return errors.New("its address is not a URL") // the cause repeats the address
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	body, err := e.Request.PostData.bytes()
	if err != nil {
		return fmt.Errorf("decode request: %w", err)
	}
	got, err := e.Response.answer(u)
	if err != nil {
		return fmt.Errorf("decode response: %w", err)
	}
	at, address := placeOf(e.Request.Method, u), withoutFragment(u)
	for _, r := range a.places[at] {
		if r.address == address && bytes.Equal(r.body, body) {
			r.answers = append(r.answers, got)
			return nil
		}
	}
	a.places[at] = append(a.places[at], &recording{
		address: address, query: u.Query(), body: body, answers: []answer{got},
	})
	return nil
}

// RoundTrip plays back the matching recording. Without one it fails with KindNotRecorded.
func (a *Archive) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := requestBody(req)
	if err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	r := match(a.places[placeOf(req.Method, req.URL)], req.URL, body)
	if r == nil {
		return nil, &Error{
			Kind: KindNotRecorded, Message: "the archive holds no answer of " + shown(req.URL.Hostname()) + " to this request",
		}
	}
	got := a.play(r)
	if got.fault != nil {
		return nil, got.fault
	}
	return got.response(req), nil
}

// play is the next answer of a recording.
func (a *Archive) play(r *recording) answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	got := r.answers[r.played]
	if r.played < len(r.answers)-1 {
		r.played++
	}
	return got
}

func requestBody(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	defer func() { _ = req.Body.Close() }() // read only
	return io.ReadAll(req.Body)
}

func placeOf(method string, u *url.URL) place {
	if method == "" {
		method = http.MethodGet
	}
	at := endpointOf(u)
	if at.port != "80" && at.port != "443" {
		at.host += ":" + at.port
	}
	return place{method: strings.ToUpper(method), host: at.host, path: strings.TrimSuffix(u.EscapedPath(), "/")}
}

func (got answer) response(req *http.Request) *http.Response {
	resp := &http.Response{
		Status: strconv.Itoa(got.status) + " " + http.StatusText(got.status), StatusCode: got.status,
		Proto: got.proto, Header: got.header.Clone(), Request: req,
		Body: io.NopCloser(bytes.NewReader(got.body)), ContentLength: int64(len(got.body)),
	}
	resp.ProtoMajor, resp.ProtoMinor, _ = http.ParseHTTPVersion(got.proto)
	return resp
}

// answer is the recorded response as it was before anything about its transfer was undone: HAR holds decoded content.
func (r harResponse) answer(u *url.URL) (answer, error) {
	if r.Status == 0 {
		return answer{fault: failure(r.Error, shown(u.Hostname()))}, nil
	}
	if r.Status < 100 || r.Status > 999 {
		return answer{}, fmt.Errorf("%d is no status", r.Status)
	}
	got := answer{status: r.Status, proto: protocol(r.HTTPVersion), header: make(http.Header, len(r.Headers))}
	for _, h := range r.Headers {
		if !strings.HasPrefix(h.Name, ":") { // HTTP/2's own
			for value := range strings.SplitSeq(h.Value, "\n") { // how some browsers write several cookies
				got.header.Add(h.Name, strings.TrimSpace(value))
			}
		}
	}
	for _, name := range []string{"Content-Encoding", "Transfer-Encoding", "Content-Length"} {
		got.header.Del(name)
	}
	if r.RedirectURL != "" && got.header.Get("Location") == "" {
		got.header.Set("Location", r.RedirectURL)
	}
	var err error
	if got.body, err = decodeText(r.Content.Text, r.Content.Encoding); err != nil {
		return answer{}, err
	}
	if got.header.Get("Content-Type") == "" && r.Content.MimeType != "" && r.Content.MimeType != "x-unknown" {
		got.header.Set("Content-Type", r.Content.MimeType)
	}
	if r.Content.Encoding == "" {
		declareUTF8(got.header, r.Content.Text)
	}
	return got, nil
}

func (p *harPost) bytes() ([]byte, error) {
	if p == nil {
		return nil, nil
	}
	if p.Text == "" && len(p.Params) > 0 {
		form := make(url.Values, len(p.Params))
		for _, param := range p.Params {
			form.Add(param.Name, param.Value)
		}
		return []byte(form.Encode()), nil
	}
	return decodeText(p.Text, p.Encoding)
}

func decodeText(text, encoding string) ([]byte, error) {
	switch encoding {
	case "", "utf-8", "utf8":
		return []byte(text), nil
	case "base64":
		return base64.StdEncoding.DecodeString(text)
	}
	return nil, fmt.Errorf("the content is in the unknown encoding %q", encoding)
}

// declareUTF8 corrects the Content-Type of a text that the recorder has turned into UTF-8. JSON is UTF-8 anyway.
func declareUTF8(header http.Header, text string) {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || isASCII(text) || isJSON(kind) || strings.EqualFold(params["charset"], "utf-8") {
		return
	}
	params["charset"] = "utf-8"
	header.Set("Content-Type", mime.FormatMediaType(kind, params))
}

func isJSON(kind string) bool { return kind == "application/json" || strings.HasSuffix(kind, "+json") }

// protocol is a protocol as net/http writes it: browsers write "h2", "http/2.0" or nothing.
func protocol(version string) string {
	switch version = strings.ToUpper(version); version {
	case "H2", "HTTP/2", "HTTP/2.0":
		return "HTTP/2.0"
	case "HTTP/1.0":
		return version
	default:
		return "HTTP/1.1"
	}
}

// failure is the fault that an entry without a status recorded: a Kind of ours, or a browser's word for it.
func failure(recorded, host string) *Error {
	kind := Kind(recorded)
	switch {
	case strings.Contains(recorded, "ERR_NAME_NOT_RESOLVED"):
		kind = KindUnknownHost
	case strings.Contains(recorded, "ERR_CONNECTION_REFUSED"), strings.Contains(recorded, "ERR_ADDRESS_UNREACHABLE"):
		kind = KindConnection
	case strings.Contains(recorded, "TIMED_OUT"):
		kind = KindTimeout
	case strings.Contains(recorded, "ERR_CERT"), strings.Contains(recorded, "ERR_SSL"):
		kind = KindTLS
	case !recordable(kind):
		kind = KindReset
	}
	return &Error{Kind: kind, Message: "the request to " + host + " failed when it was recorded (" + words(kind) + ")"}
}
