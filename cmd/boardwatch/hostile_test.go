package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
)

// TestHostileRequests sends what no client should to the built program: there is always an answer, it comes soon, and a
// refusal has the published shape. A failure names its request's number; the same numbers make the same requests.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHostile(t, binary, database(t))
			var group sync.WaitGroup
			var met sync.Map // statuses of answers
			for worker := range hostileWorkers {
				group.Go(func() {
					for n := worker; n < hostileRequests && !t.Failed(); n += hostileWorkers {
						status, err := h.try(t, n)
						if err != nil {
							t.Errorf("request %d: %v", n, err)
						}
						met.Store(status, true)
					}
				})
			}
			group.Wait()
			for _, status := range []int{http.StatusOK, http.StatusAccepted, http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound} {
				_, ok := met.Load(status)
				require.True(t, ok, "no request was answered with %d", status)
			}
			res := send(t, http.MethodGet, "http://"+h.addr+"/v1/status", "", "Authorization", "Bearer "+h.keys[len(h.keys)-1])
			require.Equal(t, http.StatusOK, res.status, "the program is as it was")
		})
	}
}

const (
	hostileWorkers = 8
	// perKey is how often a key is used: the budget would refuse more before looking at them.
	perKey = 50
	// soon is when every answer has come. A body that is promised and never sent ends with its connection.
	soon = 20 * time.Second
)

type hostile struct {
	addr string
	keys []string
}

func newHostile(t *testing.T, binary, database string) *hostile {
	t.Helper()
	h := &hostile{}
	i := install(t, database, "BOARDWATCH_LOG_LEVEL=error", "BOARDWATCH_ROLE=api")
	store, err := app.OpenStore(t.Context(), config.Config{Database: config.Secret(database)}, storage.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	keys := account.NewKeys(store, account.Options{})
	for n := range hostileRequests/perKey + 2 {
		a := account.Account{
			ID: boardwatch.NewID(), Email: fmt.Sprintf("person%d@northwind.example", n), Plan: account.PlanUltra, Verified: true,
			CreatedAt: boardwatch.Milli(time.Now()),
		}
		require.NoError(t, store.CreateAccount(t.Context(), a))
		_, key, err := keys.Create(t.Context(), a, "hostile")
		require.NoError(t, err)
		h.keys = append(h.keys, key)
	}
	cmd := exec.Command(binary, "serve", "--listen", "127.0.0.1:0")
	cmd.Env = i.env
	h.addr = strings.TrimPrefix(runServer(t, cmd), "http://")
	return h
}

// try sends one request and judges the answer.
func (h *hostile) try(t *testing.T, n int) (status int, err error) {
	t.Helper()
	m := mischief{rand.New(rand.NewPCG(7, uint64(n)))}
	method, raw := m.request(h.addr, h.keys[n/perKey])
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", h.addr)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(soon)); err != nil {
		return 0, err
	}
	var sending sync.WaitGroup
	sending.Go(func() {
		_, _ = conn.Write(raw) // the program may have answered and closed before all was sent
		if half, ok := conn.(*net.TCPConn); ok {
			_ = half.CloseWrite()
		}
	})
	status, err = judge(bufio.NewReader(conn), method, raw)
	_ = conn.Close()
	sending.Wait()
	if err != nil {
		return status, fmt.Errorf("%w\n%.700q", err, raw)
	}
	return status, nil
}

// judge reads the answer to a request.
func judge(in *bufio.Reader, method string, raw []byte) (status int, err error) {
	res, err := http.ReadResponse(in, &http.Request{Method: method})
	if err != nil {
		if !bytes.Contains(raw, []byte("\n\r\n")) && !bytes.Contains(raw, []byte("\n\n")) && errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, nil // a request without an end is none
		}
		return 0, fmt.Errorf("no answer: %w", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		err = fmt.Errorf("half an answer of status %d: %w", res.StatusCode, err)
	case res.StatusCode >= http.StatusInternalServerError:
		err = fmt.Errorf("status %d: %s", res.StatusCode, body)
	case res.StatusCode >= http.StatusMultipleChoices:
		err = judgeFailure(res, method, body, raw)
	case method == http.MethodHead || res.StatusCode == http.StatusNoContent || res.Header.Get("Content-Encoding") != "":
	case res.Header.Get("Content-Type") == "application/json" && !json.Valid(body):
		err = fmt.Errorf("status %d without JSON: %s", res.StatusCode, body)
	}
	return res.StatusCode, err
}

// judgeFailure compares a failure with the published shape. Outside of the interface there are pages for people too.
func judgeFailure(res *http.Response, method string, body, raw []byte) error {
	kind := res.Header.Get("Content-Type")
	outside := !regexp.MustCompile(`^\S+ /v1([/?\s]|$)`).Match(raw)
	if outside && res.StatusCode == http.StatusSeeOther {
		return nil
	}
	if kind != "application/json" {
		if outside && strings.HasPrefix(kind, "text/html") && bytes.Contains(raw, []byte("text/html")) {
			return nil
		}
		return fmt.Errorf("status %d is of type %q", res.StatusCode, kind)
	}
	if method == http.MethodHead {
		return nil
	}
	var e wireError
	in := json.NewDecoder(bytes.NewReader(body))
	in.DisallowUnknownFields()
	if err := in.Decode(&e); err != nil {
		return fmt.Errorf("status %d is no Error: %w: %s", res.StatusCode, err, body)
	}
	codes := map[int][]boardwatch.Code{
		http.StatusBadRequest:      {boardwatch.CodeInvalidRequest},
		http.StatusUnauthorized:    {boardwatch.CodeUnauthorized},
		http.StatusNotFound:        {boardwatch.CodeNotFound},
		http.StatusConflict:        {boardwatch.CodeAlreadyTracked},
		http.StatusTooManyRequests: {boardwatch.CodeRateLimited},
	}
	if !slices.Contains(codes[res.StatusCode], e.Error.Code) || e.Error.Message == "" {
		return fmt.Errorf("status %d does not go with %s", res.StatusCode, body)
	}
	if e.Error.Code != boardwatch.CodeInvalidRequest {
		return nil
	}
	var details []boardwatch.FieldError
	if err := json.Unmarshal(e.Error.Details, &details); err != nil || len(details) == 0 || details[0].Message == "" {
		return fmt.Errorf("no field is named: %s", body)
	}
	return nil
}

// mischief makes requests up.
type mischief struct{ *rand.Rand }

func (m mischief) pick(of ...string) string { return of[m.IntN(len(of))] }

// seldom is true once in n times.
func (m mischief) seldom(n int) bool { return m.IntN(n) == 0 }

// bytes are any bytes, most of them letters.
func (m mischief) bytes(most int) string {
	b := make([]byte, m.IntN(most+1))
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyz/%.&=?;:,{}[]\"\\'<>"[m.IntN(44)]
		if m.seldom(4) {
			b[i] = byte(m.Uint32())
		}
	}
	return string(b)
}

// text is a value that somebody might have thought of.
func (m mischief) text() string {
	switch m.IntN(6) {
	case 0:
		return m.bytes(40)
	case 1:
		return strings.Repeat(m.pick("a", "é", "%", "\\", "{{", "🦊", "(a|a)*", "\u202e"), m.IntN(300))
	case 2:
		return m.pick("-1", "0", "1", "100", "101", "+5", "1e3", "0x10", "007", "٣", "9007199254740991", "9007199254740992", "18446744073709551616", "NaN", "1.0", " 7")
	case 3:
		return m.pick("2026-11-20T09:00:00Z", "2026-11-20T09:00:00+24:00", "0000-00-00T00:00:00Z", "9999-12-31T23:59:60Z", "2026-11-20", "now", "-292277022399-01-01T00:00:00Z")
	case 4:
		return m.pick("open", "closed", "all", "ready", "OPEN", "null", "true", "' OR 1=1 --", "'; DROP TABLE jobs; --", "${jndi:ldap://x}", "../../etc/passwd", "<script>alert(1)</script>")
	default:
		return m.pick("66f2c1b0a998877665544332", "66F2C1B0A998877665544332", "66f2c1b0a99887766554433", "000000000000000000000000", "gggggggggggggggggggggggg")
	}
}

// encoded is a value as it might stand in an address, well encoded or not.
func (m mischief) encoded(s string) string {
	switch m.IntN(6) {
	case 0:
		return url.PathEscape(s)
	case 1:
		return strings.NewReplacer(" ", "", "\r", "", "\n", "").Replace(s)
	case 2:
		return url.QueryEscape(s) + m.pick("%", "%0", "%zz", "%00", "%ff", "%c0%af", "%ed%a0%80", "%u0041", "%0d%0aX-Y:z", "%2e%2e%2f")
	default:
		return url.QueryEscape(s)
	}
}

func (m mischief) path() string {
	p := m.pick("/v1/jobs", "/v1/jobs", "/v1/jobs", "/v1/boards", "/v1/boards", "/v1/status", "/v1/boards/"+m.encoded(m.text()), "/v1", "/v1/", "/", "/openapi.json", "/docs", "/healthz", "/assets/app.css")
	switch m.IntN(12) {
	case 0:
		return p + m.pick("/", "//", "/.", "/..", "/%2e%2e/status", ";x=y", "%00", "%2f", "\xff", "/"+m.encoded(m.text()))
	case 1:
		return strings.Replace(p, "/", m.pick("//", "/./", "/../", "\\", "/%2f", "/%76%31/"), 1)
	case 2:
		return m.pick("*", "http://northwind.example"+p, "http://[::1]"+p, "northwind.example:80", "?", "#", "", m.bytes(20), p+"#x", "/"+strings.Repeat("a/", m.IntN(40_000)))
	default:
		return p
	}
}

func (m mischief) query() string {
	if m.seldom(4) {
		return ""
	}
	var pairs []string
	for range m.IntN(5) {
		name := m.pick("boardId", "addedAfter", "status", "search", "location", "limit", "skip", "Limit", "limit[]", "", m.encoded(m.bytes(12)))
		value := m.encoded(m.text())
		if m.seldom(60) {
			value = strings.Repeat(m.pick("a", "%c3%a9", "%25"), m.IntN(25_000))
		}
		pair := name + m.pick("=", "=", "=", "=", "", "==", "%3d") + value
		for range 1 + m.IntN(2)*m.IntN(2)*m.IntN(500) {
			pairs = append(pairs, pair)
		}
	}
	return "?" + strings.Join(pairs, m.pick("&", "&", "&", "&&", ";"))
}

func (m mischief) body() string {
	address, err := json.Marshal(m.text())
	if err != nil {
		panic(err)
	}
	switch m.IntN(12) {
	case 0:
		return m.bytes(200)
	case 1:
		n := m.IntN(20_000)
		return strings.Repeat(m.pick("[", `{"url":`, `[{"a":`), n)
	case 2:
		return `{"url":"` + strings.Repeat(m.pick("a", "é", `\u0000`), m.IntN(70_000)) + `"}`
	case 3:
		return m.pick(`{"url":"\ud800"}`, `{"url":"\u0000"}`, "{\"url\":\"\xff\"}", `{"url":"a","url":"b"}`, `{"URL":"a.example"}`, `{"url":null}`, `{"url":["a"]}`, `{"url":1e999}`, "null", "[]", "", `""`, "{}", `{"url":"a.example"}{}`, "\xef\xbb\xbf{}", `{"url":"a.example","companyName":null}`, `{"__proto__":{},"url":"a.example"}`)
	case 4:
		return strings.Repeat(" ", m.IntN(70_000)) + `{"url":"northwind.example"}`
	case 5:
		return strings.Repeat("x", m.IntN(2_000_000))
	case 6:
		return `{"url":"https://` + m.pick("user:pass@northwind.example", "127.0.0.1", "[::1]", "169.254.169.254", "0x7f.1", "localhost", "a..b", strings.Repeat("a.", 200)+"example", "xn--a", "ünïcode.example:99999") + `/"}`
	default:
		return `{"url":` + string(address) + m.pick("", `,"companyName":`+string(address), `,"x":1`, ",") + m.pick("}", "}", "}", "")
	}
}

func (m mischief) headers(addr, key string) []string {
	list := []string{"Host: " + addr}
	if !m.seldom(12) {
		list = append(list, m.pick("Authorization: ", "Authorization: ", "Authorization: ", "authorization:")+m.pick("Bearer ", "Bearer ", "Bearer ", "bearer ")+key)
	}
	for range m.IntN(2) * m.IntN(6) {
		list = append(list, m.pick(
			"Authorization: Bearer "+m.bytes(30), "Authorization: Basic dTpw", "X-Api-Key: "+key, "Cookie: session="+m.bytes(20), "Accept: text/html",
			"Accept-Encoding: gzip", "Accept-Encoding: gzip;q=x, "+m.bytes(10), "Range: bytes=0-1", "If-None-Match: *", "If-Modified-Since: "+m.bytes(10),
			"Expect: 100-continue", "Expect: "+m.bytes(5), "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "Connection: close, Authorization", "Host: other.example",
			"X-Forwarded-For: "+m.bytes(30), "X-HTTP-Method-Override: DELETE", "X-Original-URL: /v1/status", "Content-Type: "+m.bytes(20), "Content-Type: text/xml",
			"Transfer-Encoding: chunked", "Transfer-Encoding: identity", "Transfer-Encoding: xchunked", "Transfer-Encoding : chunked", "Transfer-Encoding:\tchunked",
			"Content-Length: "+m.pick("0", "5", "-1", "+3", "99999999999999999999", "3, 3", "0x3"), "X-Y: a\r\n folded", "X-Y: "+m.bytes(300), m.bytes(30),
			"X-Y: "+strings.Repeat("a", m.IntN(90_000)), strings.Repeat("X-Y: z\r\n", m.IntN(3000))+"X-Z: z",
		))
	}
	m.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// request is a request as it goes over the wire, and its method, which says whether the answer has a body.
func (m mischief) request(addr, key string) (method string, raw []byte) {
	if m.seldom(8) { // an honest one in between
		method, rest, _ := strings.Cut(m.pick("GET /v1/jobs?search=engineer", "GET /v1/status", "HEAD /v1/boards", "POST /v1/boards"), " ")
		body := fmt.Sprintf(`{"url":"https://boards.greenhouse.io/northwind%d"}`, m.IntN(1000))
		return method, fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", method, rest, addr, key, len(body), body)
	}
	method = m.pick("GET", "GET", "GET", "GET", "POST", "POST", "POST", "DELETE", "HEAD", "PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "PRI", "G\x00T", "QUERY", strings.Repeat("A", m.IntN(100)))
	line := method + " " + m.path() + m.query() + m.pick(" ", " ", " ", " ", "  ", "\t") + m.pick("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "http/1.1", "")
	headers := m.headers(addr, key)
	body := ""
	if method == "POST" || m.seldom(8) {
		body = m.body()
		switch m.IntN(8) {
		case 0: // the body may be taken for a second request
		case 1:
			headers = append(headers, "Transfer-Encoding: chunked")
			body = m.pick("", ";x=\"y\"") + strconv.FormatInt(int64(len(body)), 16) + m.pick("", ";x=y", ";"+strings.Repeat("z", m.IntN(9000))) + "\r\n" + body + "\r\n0\r\n" + m.pick("\r\n", "X-T: y\r\n\r\n", "")
		case 2:
			headers = append(headers, "Content-Length: "+strconv.Itoa(len(body)+m.IntN(9)-4))
		default:
			headers = append(headers, "Content-Length: "+strconv.Itoa(len(body)))
		}
	}
	end := m.pick("\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n")
	raw = []byte(line + end + strings.Join(headers, end) + end + end + body)
	if m.seldom(40) && len(raw) > 0 {
		raw = raw[:m.IntN(len(raw))]
	}
	return method, raw
}
