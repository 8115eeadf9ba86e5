package main_test

import (
	"bufio"
	"bytes"
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
	"slices"
	"strings"
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
	Facts        []map[string]any `json:"facts"`
}

// scraped is what the program prints for one address.
type scraped struct {
	Source string  `json:"source"`
	Health string  `json:"health"`
	Reason *string `json:"reason"`
	Jobs   []struct {
		ID         string  `json:"id"`
		Title      string  `json:"title"`
		Location   *string `json:"location"`
		Department *string `json:"department"`
		URL        *string `json:"url"`
	} `json:"jobs"`
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

	for _, r := range manifest {
		if !systemOf(r) || r.Kind != "list" && r.Kind != "error" {
			continue
		}
		t.Run(r.File, func(t *testing.T) {
			t.Parallel()
			address, _, _ := strings.Cut(r.URL, " ") // some carry a remark
			if u, err := url.Parse(address); err != nil || !named(u) {
				t.Skipf("%s names no board", r.URL)
			}
			body, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(r.File)))
			require.NoError(t, err)
			proxy := ca.playing(t, r, body)
			got, code := scrape(t, program, ca, proxy, address)
			if r.Kind == "error" {
				require.Equal(t, 1, code)
				require.Equal(t, "failed", got.Health)
				require.NotNil(t, got.Reason)
				require.Empty(t, got.Jobs)
				return
			}
			require.Equal(t, "ok", got.Health, "%v", got.Reason)
			require.Zero(t, code)
			require.True(t, strings.HasPrefix(got.Source, r.ATS+":"), got.Source)
			sameAsManifest(t, r, got)
		})
	}
}

func systemOf(r recording) bool {
	return slices.ContainsFunc(ats.All(), func(a ats.Adapter) bool {
		return a.Name() == r.ATS && slices.Contains([]string{"greenhouse", "lever", "ashby"}, r.ATS)
	})
}

func named(u *url.URL) bool {
	_, _, ok := ats.Match(u, ats.All())
	return ok
}

func sameAsManifest(t *testing.T, r recording, got scraped) {
	t.Helper()
	unlisted := 0
	for _, fact := range r.Facts {
		id := fmt.Sprint(fact["id"])
		if n, ok := fact["id"].(float64); ok {
			id = fmt.Sprintf("%.0f", n)
		}
		at := slices.IndexFunc(got.Jobs, func(j struct {
			ID         string  `json:"id"`
			Title      string  `json:"title"`
			Location   *string `json:"location"`
			Department *string `json:"department"`
			URL        *string `json:"url"`
		},
		) bool {
			return j.ID == id
		})
		if fact["isListed"] == false {
			require.Equal(t, -1, at, "an unlisted row is shown")
			unlisted++
			continue
		}
		require.NotEqual(t, -1, at, "role %s is missing", id)
		j := got.Jobs[at]
		require.Equal(t, folded(fact["title"]), folded(j.Title))
		main, _, _ := strings.Cut(folded(text(j.Location)), "; ") // the manifest has the first place only
		require.Equal(t, folded(fact["location"]), main)
		require.Equal(t, folded(fact["url"]), text(j.URL))
		if department := folded(fact["department"]); department != "" {
			require.Equal(t, department, text(j.Department))
		}
	}
	if r.Jobs != nil {
		require.LessOrEqual(t, len(got.Jobs), *r.Jobs)
		require.GreaterOrEqual(t, len(got.Jobs), *r.Jobs-max(unlisted, 1)) // an unlisted row may be none of the facts
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

// playing starts a proxy on loopback that answers the recording's own address with it and knows nothing else.
func (a *authority) playing(t *testing.T, r recording, body []byte) string {
	t.Helper()
	at, _, _ := strings.Cut(r.URL, " ")
	recorded, err := url.Parse(at)
	require.NoError(t, err)
	answer := func(req *http.Request) *http.Response {
		status, header, content := http.StatusNotFound, http.Header{"Content-Type": {"text/plain"}}, []byte("Not Found")
		samePath := strings.TrimSuffix(req.URL.Path, "/") == strings.TrimSuffix(recorded.Path, "/")
		if req.Method == r.Method && req.Host == recorded.Host && samePath {
			status, content = r.Status, body
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
	return "http://" + listener.Addr().String()
}

// tunnel serves one CONNECT: it takes the place of the host and answers what is asked inside.
func (a *authority) tunnel(conn net.Conn, answer func(*http.Request) *http.Response) {
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
		_, _ = io.Copy(io.Discard, req.Body)
		if answer(req).Write(inside) != nil {
			return
		}
	}
}
