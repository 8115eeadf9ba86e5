package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recordedPage is a page of the corpus with what a person says about it.
type recordedPage struct {
	file, kind string
	address    string
	verdict    string
	status     int
	header     map[string]string
	body       []byte
}

// Recorded pages in trouble, of walls, of one role, of frameworks: each is read by the built program from an archive, and
// the verdict is that of the person who looked at it.
func TestCorpusPages(t *testing.T) {
	t.Parallel()
	corpus := os.Getenv("BOARDWATCH_CORPUS")
	if corpus == "" {
		t.Skip("BOARDWATCH_CORPUS names no folder of recordings")
	}
	program := buildProgram(t)
	for _, p := range recordedPages(t, filepath.Join(corpus, "pages")) {
		t.Run(p.file, func(t *testing.T) {
			t.Parallel()
			got := p.read(t, program)
			p.judge(t, got)
		})
	}
}

func (p recordedPage) judge(t *testing.T, got archived) {
	t.Helper()
	said := text(got.Reason)
	switch p.kind {
	case "blocked":
		require.Equal(t, "blocked", got.Health, said)
		if _, vendor, ok := strings.Cut(p.verdict, "blocked by "); ok {
			vendor, _, _ = strings.Cut(vendor, " (")
			vendor, _, _ = strings.Cut(vendor, ",")
			require.NotEmpty(t, text(got.BlockedBy), vendor)
			require.Contains(t, strings.ToLower(vendor), strings.ToLower(strings.Fields(text(got.BlockedBy))[0]))
		}
	case "unhealthy":
		require.Contains(t, []string{"failed", "partial"}, got.Health, said)
	case "shell":
		require.Equal(t, "failed", got.Health)
		require.Contains(t, said, "needs a browser")
	case "embed", "sitemap":
		require.Equal(t, "failed", got.Health, said)
		require.Empty(t, got.Jobs)
	case "notajobpage":
		require.Empty(t, got.Jobs)
		if strings.Contains(p.file, "no-openings") {
			require.Equal(t, "ok", got.Health, said)
		} else {
			require.Equal(t, "failed", got.Health, said)
		}
	default:
		p.judgeRoles(t, got)
	}
}

var statedRoles = regexp.MustCompile(`^(?:a single posting page, not a list: )?(?:RSS 2\.0, )?(?:NOT blocked: )?(?:same as \S+ \()?(\d+) (?:visible |open )?(?:of (\d+) on this page|roles?|items)?`)

func (p recordedPage) judgeRoles(t *testing.T, got archived) {
	t.Helper()
	m := statedRoles.FindStringSubmatch(p.verdict)
	switch {
	case strings.HasPrefix(p.verdict, "healthy and empty"):
		m = []string{"", "0"}
	case strings.Contains(p.verdict, "title may be recovered"):
		m = []string{"", "1"}
	}
	require.NotNil(t, m, p.verdict)
	want, err := strconv.Atoi(m[1])
	require.NoError(t, err)
	require.Len(t, got.Jobs, want, "%s: %s", got.Health, text(got.Reason))
	health := "ok"
	if strings.Contains(p.verdict, "incomplete") || p.kind == "rss" {
		health = "partial"
	}
	require.Equal(t, health, got.Health, text(got.Reason))
	if p.kind == "listing" || p.kind == "rss" {
		return
	}
	for _, j := range got.Jobs {
		require.Contains(t, p.verdict, `"`+j.Title+`"`)
	}
}

// archived is what the program prints for a page out of an archive.
type archived struct {
	scraped
	BlockedBy *string `json:"blockedBy"`
}

func (p recordedPage) read(t *testing.T, program string) archived {
	t.Helper()
	var headers []map[string]string
	for name, value := range p.header {
		headers = append(headers, map[string]string{"name": name, "value": value})
	}
	response := map[string]any{
		"status": p.status, "statusText": "", "httpVersion": "HTTP/1.1", "headers": headers,
		"content": map[string]any{"size": len(p.body), "mimeType": p.header["Content-Type"], "text": string(p.body)},
	}
	entry := map[string]any{
		"request":  map[string]any{"method": "GET", "url": p.address, "httpVersion": "HTTP/1.1", "headers": []any{}},
		"response": response,
	}
	har, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": []any{entry}}})
	require.NoError(t, err)
	dir := t.TempDir()
	file := filepath.Join(dir, "page.har")
	require.NoError(t, os.WriteFile(file, har, 0o600))
	cmd := exec.CommandContext(t.Context(), program, "scrape", "-o", "json", "--browser", "never", "--har", file, p.address)
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		_, exited := errors.AsType[*exec.ExitError](err)
		require.True(t, exited, err)
	}
	var got archived
	require.NoError(t, json.Unmarshal(out.Bytes(), &got), "%s%s", out.String(), errs.String())
	return got
}

// recordedPages reads the table that says where each page is from and what a person reads on it.
func recordedPages(t *testing.T, dir string) []recordedPage {
	t.Helper()
	table, err := os.ReadFile(filepath.Join(dir, "PROVENANCE.md"))
	require.NoError(t, err)
	var pages []recordedPage
	for line := range strings.SplitSeq(string(table), "\n") {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), " | ")
		if len(cells) < 7 || !strings.Contains(cells[0], "/") {
			continue
		}
		p := recordedPage{
			file: strings.TrimPrefix(cells[0], "| "), verdict: strings.TrimSuffix(strings.Join(cells[6:], " | "), " |"), status: 200,
			header: map[string]string{"Content-Type": "text/html; charset=utf-8"},
		}
		p.address, _, _ = strings.Cut(cells[1], " ")
		if p.address == "https://site" {
			p.address = "https://www.site.example/careers"
		}
		p.kind, _, _ = strings.Cut(p.file, "/")
		if strings.HasSuffix(p.file, ".xml") {
			p.header["Content-Type"] = "application/xml"
		}
		p.body, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.file)))
		require.NoError(t, err)
		p.meta(t, filepath.Join(dir, filepath.FromSlash(p.file))+".meta.json")
		pages = append(pages, p)
	}
	require.NotEmpty(t, pages)
	return pages
}

// meta reads the status and headers of the answer, where they are recorded.
func (p *recordedPage) meta(t *testing.T, file string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	require.NoError(t, err)
	var meta struct {
		Status  int
		Headers map[string]any
	}
	require.NoError(t, json.Unmarshal(raw, &meta))
	p.status = meta.Status
	for name, value := range meta.Headers {
		switch name = strings.ToLower(name); name {
		case "content-length", "content-encoding", "transfer-encoding":
		case "content-type":
			p.header["Content-Type"], _ = value.(string)
		default:
			p.header[name], _ = value.(string)
		}
	}
}

// Recorded lists of roles, each read by the built program from an archive that holds the page and nothing else. Lists of
// hosted systems are left out: their adapters ask for more than the page.
func TestCorpusListings(t *testing.T) {
	t.Parallel()
	corpus := os.Getenv("BOARDWATCH_CORPUS")
	if corpus == "" {
		t.Skip("BOARDWATCH_CORPUS names no folder of recordings")
	}
	dir := filepath.Join(corpus, "listings")
	raw, err := os.ReadFile(filepath.Join(dir, "listings.json"))
	require.NoError(t, err)
	var listings []struct {
		File, URL, Authenticity string
		Complete                bool
		Roles                   []struct{ Title, Location, Department, URL string }
	}
	require.NoError(t, json.Unmarshal(raw, &listings))
	program := buildProgram(t)
	for _, want := range listings {
		t.Run(want.File, func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile(filepath.Join(dir, want.File))
			require.NoError(t, err)
			p := recordedPage{address: want.URL, body: body, status: 200, header: map[string]string{"Content-Type": "text/html; charset=utf-8"}}
			got := p.read(t, program)
			if !strings.HasPrefix(got.Source, "page:") {
				t.Skipf("%s is read by its adapter: %s, %d roles; %s", want.URL, got.Health, len(got.Jobs), text(got.Reason))
			}
			if !want.Complete && !strings.HasPrefix(want.Authenticity, "trimmed") { // what was cut out leaves no trace
				require.NotEqual(t, "ok", got.Health)
			} else if want.Complete && bytes.Contains(body, []byte("</html>")) {
				require.Equal(t, "ok", got.Health, text(got.Reason))
			}
			at := make(map[string]scrapedRole)
			for _, j := range got.Jobs {
				at[j.Title+"\x00"+text(j.URL)] = j
			}
			for _, r := range want.Roles {
				j, ok := at[folded(r.Title)+"\x00"+r.URL]
				require.True(t, ok || r.URL == "", "%s at %s is missing", r.Title, r.URL)
				if ok {
					t.Logf("%s: place %t, department %t", r.Title, text(j.Location) == r.Location, text(j.Department) == r.Department)
				}
			}
			require.Len(t, got.Jobs, len(want.Roles))
		})
	}
}
