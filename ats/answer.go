package ats

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/foreign"
)

// maxAnswer bounds what is taken from a client that has no limit of its own.
const maxAnswer = 64 << 20

// A systemError is what a system did wrong, in words that follow its name: "refused the request (403)".
type systemError struct {
	did        string
	cause      cause.Cause
	unknown    bool // there is no such board
	noPage     bool // it answered 404 with a web page: something else than the board may be missing
	retryAfter time.Duration
}

func (e *systemError) Error() string { return e.did }

// Cause is cause.SiteError unless something more exact is known.
func (e *systemError) Cause() cause.Cause { return cmp.Or(e.cause, cause.SiteError) }

// TooLarge reports whether the answer was too large to take.
func (e *systemError) TooLarge() bool { return e.cause == cause.TooLarge }

func didf(format string, args ...any) error {
	return &systemError{did: fmt.Sprintf(format, args...)}
}

// noBoard is the error of a system that says, or must be understood to say, that there is no such board.
func noBoard(how string) error {
	return &systemError{did: "has no such board: " + how, cause: cause.UnknownBoard, unknown: true}
}

// isUnknown reports whether err says that there is no such board.
func isUnknown(err error) bool {
	e, ok := errors.AsType[*systemError](err)
	return ok && e.unknown
}

// isTooLarge reports whether err says that the answer was too large to take. Clients say it with a method of that name.
func isTooLarge(err error) bool {
	e, ok := errors.AsType[interface {
		error
		TooLarge() bool
	}](err)
	return ok && e.TooLarge()
}

// failed ends a Read that has no list: a failure of the system becomes a reading, any other error stays an error.
func failed(a Adapter, err error) (boardwatch.Reading, error) {
	if err == ErrUnchanged { //nolint:errorlint // how most readings end, which needs no words
		return boardwatch.Reading{}, err
	}
	e, ok := errors.AsType[*systemError](err)
	if !ok {
		return boardwatch.Reading{}, fmt.Errorf("read %s: %w", a.Name(), err)
	}
	reading := boardwatch.Failed(e.Cause(), a.Name()+" "+e.did)
	reading.Unknown, reading.RetryAfter = e.unknown, e.retryAfter
	return reading, nil
}

// finish ends a Read that has a list, or an error, which is treated as in failed. An empty list of an experimental adapter
// counts for nothing.
func finish(a Adapter, reading boardwatch.Reading, err error) (boardwatch.Reading, error) {
	if err != nil {
		return failed(a, err)
	}
	if Experimental(a) && reading.Health == boardwatch.HealthOK && len(reading.Postings) == 0 {
		reading.Health, reading.Cause = boardwatch.HealthPartial, cause.Unsure
		reading.Reason = a.Name() + " shows no roles, but its adapter was never checked against a real board: an empty list counts for nothing"
	}
	return reading, nil
}

// with is client with further headers on every request: name, value, name, value.
func with(client Doer, headers ...string) Doer {
	return headed{client, headers}
}

type headed struct {
	Doer

	headers []string
}

func (h headed) Do(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	for pair := range slices.Chunk(h.headers, 2) {
		request.Header.Set(pair[0], pair[1])
	}
	return h.Doer.Do(request)
}

// getJSON asks for a JSON document and decodes it into what into points at.
func getJSON(ctx context.Context, client Doer, address string, into any) error {
	return fetchJSON(ctx, client, http.MethodGet, address, nil, into)
}

// postJSON sends a JSON document and decodes the JSON answer into what into points at.
func postJSON(ctx context.Context, client Doer, address string, body, into any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	return fetchJSON(ctx, client, http.MethodPost, address, encoded, into)
}

// postForm sends what a form holds and decodes the JSON answer into what into points at.
func postForm(ctx context.Context, client Doer, address string, form url.Values, into any) error {
	client = with(client, "Content-Type", "application/x-www-form-urlencoded")
	return fetchJSON(ctx, client, http.MethodPost, address, []byte(form.Encode()), into)
}

func fetchJSON(ctx context.Context, client Doer, method, address string, body []byte, into any) error {
	a, err := send(ctx, client, method, address, "application/json", body)
	if err != nil {
		return err
	}
	return a.decode(into)
}

// getList asks for a document that holds a list. It is decoded into exact as a whole, which costs half as much as row by
// row, and only where that fails into rough, whose rows stay as they are.
func getList(ctx context.Context, client Doer, address string, exact, rough any) (isRough bool, err error) {
	a, err := send(ctx, client, http.MethodGet, address, "application/json", nil)
	if err != nil {
		return false, err
	}
	if a.status == http.StatusOK && json.Unmarshal(a.body, exact) == nil {
		a.signs.hear(a.address, a.body, exact)
		return false, nil
	}
	return true, a.decode(rough)
}

// decode decodes an answer of status 200; any other is a refusal.
func (a answer) decode(into any) error {
	if a.status != http.StatusOK {
		return a.refusal()
	}
	err := decodeJSON(a.body, into)
	if err == nil {
		a.signs.hear(a.address, a.body, into)
	}
	return err
}

// getPage asks for a page of HTML.
func getPage(ctx context.Context, client Doer, address string) ([]byte, error) {
	a, err := send(ctx, client, http.MethodGet, address, "text/html", nil)
	if err != nil {
		return nil, err
	}
	switch a.status {
	case http.StatusOK:
		return a.body, nil
	case http.StatusNotFound:
		return nil, noBoard("its page is not found")
	default:
		return nil, a.refusal()
	}
}

// answer is what a system said to one request.
type answer struct {
	address string
	status  int
	header  http.Header
	body    []byte
	signs   *signs // of the reading
}

// send sends one request and takes the whole answer, whatever its status.
func send(ctx context.Context, client Doer, method, address, accept string, body []byte) (answer, error) {
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, content)
	if err != nil {
		return answer{}, fmt.Errorf("make request: %w", err)
	}
	request.Header = accepting(accept)
	if body != nil {
		request.Header = http.Header{"Accept": {accept}, "Content-Type": {"application/json"}}
	}
	response, err := client.Do(request)
	if err == ErrUnchanged { //nolint:errorlint // how most readings end, which needs no words
		return answer{}, err
	}
	if err != nil {
		return answer{}, fmt.Errorf("ask %s: %w", request.URL.Host, err)
	}
	text, err := take(response)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return answer{}, fmt.Errorf("take the answer of %s: %w", request.URL.Host, err)
	}
	if len(text) > maxAnswer {
		return answer{}, &systemError{did: fmt.Sprintf("gave an answer of more than %d MiB", maxAnswer>>20), cause: cause.TooLarge}
	}
	text = foreign.UTF8(text, response.Header.Get("Content-Type"))
	heard := signsOf(ctx)
	heard.begin(address, response.Header)
	return answer{address, response.StatusCode, response.Header, text, heard}, nil
}

// Headers of nearly all requests. They must not be changed: to add something to a request, clone it.
var (
	acceptJSON = http.Header{"Accept": {"application/json"}}
	acceptHTML = http.Header{"Accept": {"text/html"}}
)

func accepting(accept string) http.Header {
	switch accept {
	case "application/json":
		return acceptJSON
	case "text/html":
		return acceptHTML
	default:
		return http.Header{"Accept": {accept}}
	}
}

// expected is the largest buffer that is allocated before the answer is read.
const expected = 1 << 20

// take reads the whole body of an answer, or one byte more than the limit if it is longer.
func take(response *http.Response) ([]byte, error) {
	var content bytes.Buffer
	content.Grow(int(min(max(0, response.ContentLength), expected)) + bytes.MinRead)
	_, err := content.ReadFrom(io.LimitReader(response.Body, maxAnswer+1))
	return content.Bytes(), err
}

// decodeJSON decodes a document. One that does not have the promised form is an error.
func decodeJSON(document []byte, into any) error {
	err := json.Unmarshal(document, into)
	mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case err == nil:
		return nil
	case ok:
		return didf("answered in an unknown form: %s", inWords(mismatch))
	case isPage(document):
		return didf("answered with a web page where JSON was promised")
	case len(bytes.TrimSpace(document)) == 0:
		return didf("returned an empty answer")
	default:
		return &systemError{cause: cause.Truncated, did: fmt.Sprintf("returned JSON that is broken or cut off (%d bytes)", len(document))}
	}
}

// inWords says what is wrong with JSON that does not fit: "location is a text, not an object".
func inWords(mismatch *json.UnmarshalTypeError) string {
	what := mismatch.Field
	if what == "" {
		what = "it"
	}
	found, _, _ := strings.Cut(mismatch.Value, " ")
	found = map[string]string{"array": "a list", "object": "an object", "string": "a text", "bool": "true or false"}[found]
	if found == "" {
		found = "a number"
	}
	wanted := "a number"
	switch mismatch.Type.Kind() {
	case reflect.Struct, reflect.Map:
		wanted = "an object"
	case reflect.Slice, reflect.Array:
		wanted = "a list"
	case reflect.String:
		wanted = "a text"
	case reflect.Bool:
		wanted = "true or false"
	default:
	}
	if found == wanted {
		return what + " is not of the expected size"
	}
	return what + " is " + found + ", not " + wanted
}

// isPage reports whether a document is HTML or XML, by its first character.
func isPage(document []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(document), []byte("<"))
}

// refusal is the error for any other status than 200. A 404 with a web page does not mean that the board is unknown, because
// something else than the system may have answered. A redirect to another host does: that is how systems answer for boards
// that they do not have.
func (a answer) refusal() error {
	wait, _ := boardwatch.RetryAfter(a.header.Get("Retry-After"), time.Now())
	e := &systemError{retryAfter: wait}
	switch {
	case a.status == http.StatusNotFound && isPage(a.body):
		e.did, e.noPage = "answered 404 with a web page", true
	case a.status == http.StatusNotFound || a.status == http.StatusGone:
		return noBoard(fmt.Sprintf("it answered %d", a.status))
	case a.status >= 300 && a.status < 400:
		from, to := a.redirect()
		e.cause, e.did, e.unknown = cause.Moved, fmt.Sprintf("redirects to %s (%d)", cmp.Or(to, "nowhere"), a.status), to != "" && to != from
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		e.cause, e.did = cause.Refused, fmt.Sprintf("refused the request (%d)", a.status)
	case a.status == http.StatusTooManyRequests:
		e.cause, e.did = cause.Throttled, "asked for fewer requests (429)"
	case a.status >= 500:
		e.did = fmt.Sprintf("is out of order (%d)", a.status)
	default:
		e.did = fmt.Sprintf("answered with status %d", a.status)
	}
	return e
}

// redirect returns the host that was asked and the one that the answer redirects to, or "". The rest of the address is kept
// out of messages.
func (a answer) redirect() (from, to string) {
	asked, err := url.Parse(a.address)
	location := a.header.Get("Location")
	if err != nil || location == "" {
		return "", ""
	}
	if target, err := asked.Parse(location); err == nil {
		to = target.Hostname()
	}
	return asked.Hostname(), to
}
