package watch_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// serveSite makes the test binary a careers site: benchmarks measure the reader, and the site must not be in its
// process. The site ends with its standard input.
var serveSite = flag.Bool("serve-site", false, "be the careers site of the benchmarks")

func TestServeSite(t *testing.T) {
	t.Parallel()
	if !*serveSite {
		t.Skip("the benchmarks run this in a process of its own")
	}
	handler := new(site)
	for range siteAddresses {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
		go func() { _ = server.Serve(listener) }()
		fmt.Println(listener.Addr())
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// siteAddresses is how many ports the site listens on: each gets only one request at a time.
const siteAddresses = 128

// startSite starts the site in another process and returns its addresses.
func startSite(b *testing.B) (addresses []string) {
	b.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestServeSite$", "-serve-site")
	stdin, err := cmd.StdinPipe()
	require.NoError(b, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(b, err)
	cmd.Stderr = os.Stderr
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(stdout)
	for len(addresses) < siteAddresses && lines.Scan() {
		addresses = append(addresses, lines.Text())
	}
	require.Len(b, addresses, siteAddresses)
	return addresses
}

// site is many boards in the format of Greenhouse's API, each with 100 roles in about 28 kB. It changes the boards it
// is told to: with every change two roles of the board go and two come.
type site struct {
	every  atomic.Int64 // a board changes before every so many-th answer; 0 is never
	mu     sync.Mutex
	boards map[string]*siteBoard
	lists  sync.Map // answers by their first role, with anyBoard in place of the board
}

// anyBoard is the placeholder for the board in a cached answer.
const anyBoard = "northwind-any-board"

type siteBoard struct{ answers, changes int64 }

type siteJob struct {
	AbsoluteURL    string       `json:"absolute_url"`    //nolint:tagliatelle // Greenhouse's names
	InternalJobID  int64        `json:"internal_job_id"` //nolint:tagliatelle // Greenhouse's names
	Location       siteLocation `json:"location"`
	Metadata       []string     `json:"metadata"`
	ID             int64        `json:"id"`
	UpdatedAt      string       `json:"updated_at"`     //nolint:tagliatelle // Greenhouse's names
	RequisitionID  string       `json:"requisition_id"` //nolint:tagliatelle // Greenhouse's names
	Title          string       `json:"title"`
	CompanyName    string       `json:"company_name"`    //nolint:tagliatelle // Greenhouse's names
	FirstPublished string       `json:"first_published"` //nolint:tagliatelle // Greenhouse's names
}

type siteLocation struct {
	Name string `json:"name"`
}

const siteRoles = 100

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/"); {
	case parts[0] == "change":
		var every int64
		_, _ = fmt.Sscan(r.URL.Query().Get("every"), &every)
		s.every.Store(every)
	case len(parts) == 4 && parts[3] == "jobs": // v1/boards/<board>/jobs
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(s.list(parts[2], !r.URL.Query().Has("still")))
	case len(parts) == 3:
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"name":"Northwind Labs %s","content":""}`, parts[2])
	default:
		http.NotFound(w, r)
	}
}

// list returns a board's answer. It counts towards the next change if a reader asked for it.
func (s *site) list(board string, counts bool) []byte {
	s.mu.Lock()
	if s.boards == nil {
		s.boards = make(map[string]*siteBoard)
	}
	b := s.boards[board]
	if b == nil {
		// Boards do not change at the same time.
		b = &siteBoard{answers: int64(len(s.boards))}
		s.boards[board] = b
	}
	if every := s.every.Load(); counts && every > 0 {
		if b.answers++; b.answers%every == 0 {
			b.changes++
		}
	}
	first := 2 * b.changes
	s.mu.Unlock()
	body, ok := s.lists.Load(first)
	if !ok {
		body, _ = s.lists.LoadOrStore(first, listOf(anyBoard, first))
	}
	return bytes.ReplaceAll(body.([]byte), []byte(anyBoard), []byte(board))
}

func listOf(board string, first int64) []byte {
	jobs := make([]siteJob, siteRoles)
	for i := range jobs {
		jobs[i] = roleOf(board, first+int64(i))
	}
	body, err := json.Marshal(map[string]any{"jobs": jobs, "meta": map[string]int{"total": siteRoles}})
	if err != nil {
		panic(err)
	}
	return body
}

func roleOf(board string, n int64) siteJob {
	crafts := []string{"Platform Engineer", "Product Designer", "Account Executive", "Data Analyst", "Site Lead"}
	places := []string{"Lisbon, Portugal", "Rotterdam, Netherlands", "Remote, Europe", "Toronto, Canada"}
	id := 4000000000 + n
	return siteJob{
		AbsoluteURL:   fmt.Sprintf("https://boards.greenhouse.io/%s/jobs/%d", board, id),
		InternalJobID: id + 1000, Location: siteLocation{places[n%4]}, ID: id,
		UpdatedAt: "2026-11-20T04:00:00-05:00", RequisitionID: fmt.Sprintf("R-%d", n),
		Title: fmt.Sprintf("%s %d", crafts[n%5], n), CompanyName: "Northwind Labs",
		FirstPublished: "2026-11-02T04:00:00-05:00",
	}
}

// nearby is an adapter for the site. Each board has one of its addresses.
type nearby struct {
	ats.Adapter

	addresses []string
}

// Read reads the board from the site.
func (n nearby) Read(ctx context.Context, client ats.Doer, board string) (boardwatch.Reading, error) {
	return n.Adapter.Read(ctx, detour{client, addressOf(n.addresses, board)}, board)
}

func addressOf(addresses []string, board string) string {
	var n uint
	for _, c := range []byte(board) {
		n = 31*n + uint(c)
	}
	return addresses[n%uint(len(addresses))]
}

// detour sends requests to the site instead of their host.
type detour struct {
	ats.Doer

	address string
}

// Do sends one request.
func (d detour) Do(r *http.Request) (*http.Response, error) {
	r.URL.Scheme, r.URL.Host, r.Host = "http", d.address, ""
	return d.Doer.Do(r)
}

// change tells the site how often its boards change.
func change(ctx context.Context, b *testing.B, address string, every int) {
	b.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/change?every=%d", address, every), nil)
	require.NoError(b, err)
	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(b, err)
	require.NoError(b, answer.Body.Close())
	require.Equal(b, http.StatusOK, answer.StatusCode)
}
