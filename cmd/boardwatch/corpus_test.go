package main_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
)

// The tests of this file have the built program read recordings of real boards through an HTTPS proxy on loopback. The
// recordings are not part of the repository: BOARDWATCH_CORPUS names their folder.

// recording is one entry of the corpus' manifest.
type recording struct {
	File         string           `json:"file"`
	ATS          string           `json:"ats"`
	Company      string           `json:"company"`
	Kind         string           `json:"kind"`
	Method       string           `json:"method"`
	URL          string           `json:"url"`
	Status       int              `json:"status"`
	ContentType  *string          `json:"content_type"` //nolint:tagliatelle // the manifest's own word
	Authenticity string           `json:"authenticity"`
	Jobs         *int             `json:"jobs"`
	Claimed      *int             `json:"total_claimed"` //nolint:tagliatelle // the manifest's own word
	Facts        []map[string]any `json:"facts"`
}

// scraped is what the program prints for one address.
type scraped struct {
	Source string        `json:"source"`
	Health string        `json:"health"`
	Reason *string       `json:"reason"`
	Jobs   []scrapedRole `json:"jobs"`
}

type scrapedRole struct {
	ID         string  `json:"id"`
	Title      string  `json:"title"`
	Location   *string `json:"location"`
	Department *string `json:"department"`
	URL        *string `json:"url"`
}

func TestCorpusScrape(t *testing.T) {
	t.Parallel()
	corpus := os.Getenv("BOARDWATCH_CORPUS")
	if corpus == "" {
		t.Skip("BOARDWATCH_CORPUS names no folder of recordings")
	}
	var manifest []recording
	raw, err := os.ReadFile(filepath.Join(corpus, "MANIFEST.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &manifest))
	program := buildProgram(t)
	ca := newAuthority(t)

	for _, look := range looks(manifest) {
		r := look[0]
		t.Run(r.File, func(t *testing.T) {
			t.Parallel()
			address, _, _ := strings.Cut(r.URL, " ") // some carry a remark
			if u, err := url.Parse(address); err != nil || !named(u, r.ATS) {
				t.Skipf("%s names no board of %s", r.URL, r.ATS)
			}
			var bodies [][]byte
			for _, r := range look {
				body, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(r.File)))
				require.NoError(t, err)
				bodies = append(bodies, body)
			}
			play := ca.playing(t, r, bodies)
			got, code := scrape(t, program, ca, play.proxy, address)
			if r.Kind == "error" {
				require.Equal(t, 1, code)
				require.Contains(t, []string{"failed", "blocked"}, got.Health)
				require.NotNil(t, got.Reason)
				require.Empty(t, got.Jobs)
				return
			}
			if play.asked.Load() == 0 {
				t.Skip("the recording is of an address that is not asked for")
			}
			if cutOff(look) {
				require.Equal(t, "partial", got.Health, "a part of a list is not the list")
				require.Equal(t, 1, code)
				return
			}
			require.Equal(t, "ok", got.Health, "%v", text(got.Reason))
			require.Zero(t, code)
			require.True(t, strings.HasPrefix(got.Source, r.ATS+":"), got.Source)
			sameAsManifest(t, look, got)
		})
	}
}

var pageMark = regexp.MustCompile(`\.(?:page-|offset-)(\d+)`)

// looks puts the recordings together that belong to one reading, in the order of their pages.
func looks(manifest []recording) [][]recording {
	var out [][]recording
	at := make(map[string]int)
	for _, r := range manifest {
		if r.Kind != "list" && r.Kind != "list-page" && r.Kind != "error" {
			continue
		}
		name := pageMark.ReplaceAllString(r.File, "")
		i, known := at[name]
		if !known {
			i = len(out)
			at[name], out = i, append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	for _, look := range out {
		slices.SortFunc(look, func(a, b recording) int { return cmp.Compare(a.page(), b.page()) })
	}
	return out
}

func (r recording) page() int {
	if m := pageMark.FindStringSubmatch(r.File); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// cutOff reports whether the recording holds fewer rows than it says there are, or one that says nothing.
func cutOff(look []recording) bool {
	rows := 0
	for _, r := range look {
		if slices.ContainsFunc(r.Facts, func(fact map[string]any) bool { return fact["id"] == nil && fact["title"] == nil }) {
			return true
		}
		if r.Jobs != nil {
			rows += *r.Jobs
		}
	}
	return look[0].Claimed != nil && *look[0].Claimed > rows
}

func named(u *url.URL, system string) bool {
	name, _, ok := ats.Match(u, ats.All())
	return ok && name == system
}

func sameAsManifest(t *testing.T, look []recording, got scraped) {
	t.Helper()
	rows, unlisted := 0, 0
	for _, r := range look {
		if r.Jobs != nil {
			rows += *r.Jobs
		}
		for _, fact := range r.Facts {
			id := fmt.Sprint(fact["id"])
			if n, ok := fact["id"].(float64); ok {
				id = fmt.Sprintf("%.0f", n)
			}
			at := slices.IndexFunc(got.Jobs, func(j scrapedRole) bool { return j.ID == id || text(j.URL) == id })
			if fact["isListed"] == false {
				require.Equal(t, -1, at, "an unlisted row is shown")
				unlisted++
				continue
			}
			if title := folded(fact["title"]); title == "" || id == "<nil>" {
				continue
			}
			require.NotEqual(t, -1, at, "role %s is missing", id)
			sameAsFact(t, fact, got.Jobs[at])
		}
	}
	ids := make(map[string]bool)
	for _, j := range got.Jobs {
		require.False(t, ids[j.ID], "role %s stands twice", j.ID)
		ids[j.ID] = true
	}
	require.LessOrEqual(t, len(got.Jobs), rows)
	require.NotZero(t, len(got.Jobs)+unlisted+max(0, 1-rows))
}

// sameAsFact compares what the manifest has: one place of each row, and addresses that a person can open.
func sameAsFact(t *testing.T, fact map[string]any, j scrapedRole) {
	t.Helper()
	require.Equal(t, folded(fact["title"]), folded(j.Title))
	if location := folded(fact["location"]); location != "" {
		require.Contains(t, folded(text(j.Location)), location)
	}
	address, _, _ := strings.Cut(folded(fact["url"]), " ") // some carry a remark
	if strings.HasPrefix(address, "http") && !strings.HasPrefix(address, "https://api.") {
		require.Equal(t, address, text(j.URL))
	}
	if department := folded(fact["department"]); department != "" {
		require.Equal(t, department, text(j.Department))
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func folded(v any) string {
	if v == nil {
		return ""
	}
	return strings.Join(strings.Fields(fmt.Sprint(v)), " ")
}

func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "boardwatch")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

func scrape(t *testing.T, program string, ca *authority, proxy, address string) (scraped, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "scrape", "-o", "json", address)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{
		"HOME=" + cmd.Dir, "HTTPS_PROXY=" + proxy, "HTTP_PROXY=" + proxy, "SSL_CERT_FILE=" + ca.file, "BOARDWATCH_HTTP_PAUSE=1ms",
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](cmd.Run()); ok {
		code = exit.ExitCode()
	}
	var got scraped
	require.NoError(t, json.Unmarshal(out.Bytes(), &got), "%s%s", out.String(), errs.String())
	return got, code
}

// authority signs certificates for every host that the program asks the proxy for.
type authority struct {
	file string // its certificate, for SSL_CERT_FILE
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "recordings"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return &authority{file, cert, key}
}

func (a *authority) sign(host string) (*tls.Certificate, error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), DNSNames: []string{host}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, a.key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}, nil
}

// played is a proxy that answers a recording's own address with it.
type played struct {
	proxy string
	asked atomic.Int64 // answers given from the recording
}

// playing starts a proxy on loopback that answers the recording's own address with its pages, one after the other and the
// same question with the same page, and knows nothing else.
func (a *authority) playing(t *testing.T, r recording, pages [][]byte) *played {
	t.Helper()
	at, _, _ := strings.Cut(r.URL, " ")
	recorded, err := url.Parse(at)
	require.NoError(t, err)
	p := &played{}
	var mu sync.Mutex
	given := make(map[string][]byte)
	answer := func(req *http.Request, question string) *http.Response {
		mu.Lock()
		defer mu.Unlock()
		status, header, content := http.StatusNotFound, http.Header{"Content-Type": {"text/plain"}}, []byte("Not Found")
		samePath := strings.TrimSuffix(req.URL.Path, "/") == strings.TrimSuffix(recorded.Path, "/")
		page, again := given[question]
		if !again && len(pages) > 0 {
			page = pages[0]
		}
		if req.Method == r.Method && req.Host == recorded.Host && samePath && (again || len(pages) > 0) {
			if !again {
				given[question], pages = page, pages[1:]
			}
			p.asked.Add(1)
			status, content = r.Status, page
			if r.ContentType != nil {
				header.Set("Content-Type", *r.ContentType)
			}
		}
		return &http.Response{
			StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: header, ContentLength: int64(len(content)),
			Body: io.NopCloser(bytes.NewReader(content)), Request: req,
		}
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go a.tunnel(conn, answer)
		}
	}()
	p.proxy = "http://" + listener.Addr().String()
	return p
}

// tunnel serves one CONNECT: it takes the place of the host and answers what is asked inside.
func (a *authority) tunnel(conn net.Conn, answer func(req *http.Request, question string) *http.Response) {
	defer func() { _ = conn.Close() }()
	connect, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil || connect.Method != http.MethodConnect {
		return
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	host, _, _ := net.SplitHostPort(connect.Host)
	inside := tls.Server(conn, &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return a.sign(host) }})
	reader := bufio.NewReader(inside)
	for {
		req, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		body, err := io.ReadAll(req.Body)
		if err != nil || answer(req, req.Method+req.URL.String()+string(body)).Write(inside) != nil {
			return
		}
	}
}
