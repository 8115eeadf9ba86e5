package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/storage"
)

// contractProxy names a variable with a command that puts a judge before the program: it is started with the program's
// address as its argument, prints its own, and the suite's requests go there.
const contractProxy = "CONTRACT_PROXY"

// TestContract walks the published interface, rule by rule, against the built program on each database.
func TestContract(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newContract(t, binary, database(t)).run(t)
		})
	}
}

// run tries every rule.
func (c *contract) run(t *testing.T) {
	t.Helper()
	for section, rules := range map[string]map[string]func(*testing.T, *contract){
		"authentication": authenticationRules(),
		"keys":           keyRules(),
		"errors":         errorRules(),
		"limits":         limitRules(),
		"getStatus":      statusRules(),
		"listBoards":     listBoardsRules(),
		"addBoard":       addBoardRules(),
		"deleteBoard":    deleteBoardRules(),
		"listJobs":       listJobsRules(),
		"description":    descriptionRules(),
	} {
		t.Run(section, func(t *testing.T) {
			t.Parallel()
			for rule, check := range rules {
				t.Run(rule, func(t *testing.T) {
					t.Parallel()
					check(t, c)
				})
			}
		})
	}
}

// built is the program that tests of this process share while any of them runs.
var built struct {
	mu    sync.Mutex
	users int
	dir   string
}

// buildBinary builds the program as it is shipped.
func buildBinary(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and starts the program")
	}
	built.mu.Lock()
	defer built.mu.Unlock()
	if built.users == 0 {
		var err error
		built.dir, err = os.MkdirTemp("", "boardwatch-built-") //nolint:usetesting // it belongs to several tests
		require.NoError(t, err)
		cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", built.dir, ".") // as make build, whose cache it shares
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	built.users++
	t.Cleanup(func() {
		built.mu.Lock()
		defer built.mu.Unlock()
		if built.users--; built.users == 0 {
			require.NoError(t, os.RemoveAll(built.dir))
		}
	})
	return filepath.Join(built.dir, "boardwatch")
}

// contract is a running program, and what the cases need beside it: accounts are made in its database by the services
// that its own commands stand on.
type contract struct {
	url     string
	binary  string
	install *installation
	store   *storage.Store
	people  *account.Manager
	keys    *account.Keys
	site    *careersSite // a page with contractRoles, on an account's list and read
	siteID  string       // its board
	through *clientDoor  // makes the requests that a client can make; nil: none

	mu       sync.Mutex // guards what follows
	document any        // the program's own description
	schemas  *jsonschema.Compiler
	shapes   map[string]*jsonschema.Schema
}

const contractDocument = "https://boardwatch.example/openapi.json"

// The plans of the suite have limits that are near.
const (
	contractProBoards   = 2
	contractUltraBoards = 40
)

func newContract(t *testing.T, binary, database string, settings ...string) *contract {
	t.Helper()
	c := &contract{binary: binary, shapes: map[string]*jsonschema.Schema{}}
	c.install = install(t, database, append([]string{
		"BOARDWATCH_DEV=true", "BOARDWATCH_LOG_LEVEL=error", "BOARDWATCH_CHECKS_CLOSE_AFTER=2", "BOARDWATCH_CHECKS_CLOSE_HOLD=0s", "BOARDWATCH_CHECKS_SUSPECT_HOLD=0s",
		"BOARDWATCH_PLANS_ULTRA_CADENCE=200ms", "BOARDWATCH_PLANS_PRO_CADENCE=200ms",
		fmt.Sprintf("BOARDWATCH_PLANS_PRO_BOARDS=%d", contractProBoards),
		fmt.Sprintf("BOARDWATCH_PLANS_ULTRA_BOARDS=%d", contractUltraBoards),
	}, settings...)...)
	var err error
	c.store, err = app.OpenStore(t.Context(), config.Config{Database: config.Secret(database)}, storage.Options{Plans: contractPlans()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.store.Close()) })
	options := account.Options{Plans: contractPlans()}
	c.people, c.keys = account.NewManager(c.store, account.NewHasherOf(64), options), account.NewKeys(c.store, options)
	c.url = c.start(t)
	if proxy := os.Getenv(contractProxy); proxy != "" {
		c.url = runServer(t, exec.Command(proxy, c.url))
	}
	c.schemas = jsonschema.NewCompiler()
	c.schemas.AssertFormat()
	c.document, err = jsonschema.UnmarshalJSON(strings.NewReader(get(t, c.url+"/openapi.json").body))
	require.NoError(t, err)
	require.NoError(t, c.schemas.AddResource(contractDocument, c.document))
	c.prepareSite(t)
	return c
}

// contractRoles are what the suite's careers page shows at first. The last one goes before the cases begin.
func contractRoles() []demo.Role {
	roles := []demo.Role{
		{ID: 1, Title: "Optical Engineer", Location: "Bergen", Department: "Engineering"},
		{ID: 2, Title: "ÉCOLE Teacher", Location: "Zürich", Department: "Training"},
		{ID: 3, Title: "100% Remote Writer", Location: "Remote_EU", Department: "Documentation"},
		{ID: 4, Title: "1000 Remote Writer", Location: "RemoteXEU", Department: "Documentation"},
		{ID: 5, Title: `Back\slash Fitter`, Location: "Straße 5, Bergen", Department: "Workshop"},
	}
	for i := range 115 {
		roles = append(roles, demo.Role{ID: 100 + i, Title: fmt.Sprintf("Sailor %03d", i), Location: "Halifax", Department: "Sea"})
	}
	return append(roles, demo.Role{ID: 999, Title: "Lamplighter", Location: "Bergen", Department: "Harbour"})
}

const contractOpen = 120 // of contractRoles, once the last one is closed

func (c *contract) prepareSite(t *testing.T) {
	t.Helper()
	c.site = newCareersSite(t, contractRoles()...)
	owner := c.caller(t, account.PlanUltra)
	c.siteID = owner.add(t, c.site.URL+"/careers", http.StatusAccepted).Board.ID
	require.Eventually(t, func() bool { return owner.stored(t, c.siteID).Board.OpenJobs == contractOpen+1 }, time.Minute, 20*time.Millisecond)
	c.site.show(contractRoles()[:contractOpen]...)
	require.Eventually(t, func() bool { return owner.stored(t, c.siteID).Board.ClosedJobs == 1 }, time.Minute, 20*time.Millisecond)
}

// reader makes a caller who has the suite's careers page on the list.
func (c *contract) reader(t *testing.T) caller {
	t.Helper()
	r := c.caller(t, account.PlanUltra)
	require.Equal(t, c.siteID, r.add(t, c.site.URL+"/careers", http.StatusCreated).Board.ID)
	return r
}

func contractPlans() account.Plans {
	plans := account.DefaultPlans()
	for name, limit := range map[account.PlanName]int{account.PlanPro: contractProBoards, account.PlanUltra: contractUltraBoards} {
		plan := plans[name]
		plan.Boards, plan.Cadence = limit, 200*time.Millisecond
		plans[name] = plan
	}
	return plans
}

// start runs the program until the test ends, and returns its address.
func (c *contract) start(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(c.binary, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Env = c.install.env
	return runServer(t, cmd)
}

// printedAddress is the first address on loopback that a program prints; empty if it ends without one.
func printedAddress(out io.Reader) (url string) {
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for lines := bufio.NewScanner(out); url == "" && lines.Scan(); {
		url = address.FindString(lines.Text())
	}
	return url
}

// runServer runs a server until the test ends, and returns the address that it prints.
func runServer(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	url := printedAddress(out)
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		_, err := io.Copy(io.Discard, out)
		require.NoError(t, err)
		require.NoError(t, cmd.Wait(), "the program ends in good order")
	})
	require.NotEmpty(t, url, "the program listens")
	return url
}

// caller is an account with a key.
type caller struct {
	*contract
	account.Account
	key string
}

// caller makes an account on the plan, with a key.
func (c *contract) caller(t *testing.T, plan account.PlanName) caller {
	t.Helper()
	a, err := c.people.Create(t.Context(), account.NewAccount{
		Email: boardwatch.NewID() + "@northwind.example", Plan: plan, Verified: true,
	})
	require.NoError(t, err)
	who := caller{contract: c, Account: a}
	who.key = who.newKey(t, "nightly import")
	return who
}

func (c caller) newKey(t *testing.T, name string) string {
	t.Helper()
	_, secret, err := c.keys.Create(t.Context(), c.Account, name)
	require.NoError(t, err)
	return secret
}

// reply is an answer.
type reply struct {
	status int
	header http.Header
	body   string
}

// try makes a request with the caller's key.
func (c caller) try(t *testing.T, method, path, body string) reply {
	t.Helper()
	return c.request(t, method, path, body, "Authorization", "Bearer "+c.key)
}

// get makes a request that has to succeed, and reads the answer, which has to be as the description says.
func (c caller) get(t *testing.T, path string, into any) reply {
	t.Helper()
	r := c.try(t, http.MethodGet, path, "")
	require.Equal(t, http.StatusOK, r.status, "%s: %s", path, r.body)
	plain, _, _ := strings.Cut(path, "?")
	c.described(t, http.MethodGet, plain, r)
	r.read(t, into)
	return r
}

// request makes any request. Headers are names and values in turn.
func (c *contract) request(t *testing.T, method, path, body string, headers ...string) reply {
	t.Helper()
	if r, ok := c.through.try(t, method, path, body, headers...); ok {
		return r
	}
	return send(t, method, c.url+path, body, headers...)
}

func get(t *testing.T, url string) reply {
	t.Helper()
	return send(t, http.MethodGet, url, "")
}

func send(t *testing.T, method, url, body string, headers ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return reply{res.StatusCode, res.Header, string(raw)}
}

// read decodes the answer, which must have no other fields.
func (r reply) read(t *testing.T, into any) {
	t.Helper()
	require.Equal(t, "application/json", r.header.Get("Content-Type"))
	d := json.NewDecoder(strings.NewReader(r.body))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(into), r.body)
}

// wireError is the published Error object.
type wireError struct {
	Error struct {
		Code       boardwatch.Code `json:"code"`
		Message    string          `json:"message"`
		Details    json.RawMessage `json:"details"`
		RetryAfter *int            `json:"retryAfter"`
	} `json:"error"`
}

// fails expects a failure in the published shape.
func (r reply) fails(t *testing.T, status int, code boardwatch.Code) wireError {
	t.Helper()
	require.Equal(t, status, r.status, r.body)
	var e wireError
	r.read(t, &e)
	require.Equal(t, code, e.Error.Code, r.body)
	require.NotEmpty(t, e.Error.Message)
	require.Equal(t, code == boardwatch.CodeInvalidRequest || code == boardwatch.CodeAlreadyTracked, e.Error.Details != nil, r.body)
	require.Equal(t, code == boardwatch.CodeRateLimited, e.Error.RetryAfter != nil, r.body)
	return e
}

// blames expects an invalid_request that names just these fields.
func (r reply) blames(t *testing.T, fields ...string) {
	t.Helper()
	e := r.fails(t, http.StatusBadRequest, boardwatch.CodeInvalidRequest)
	var details []boardwatch.FieldError
	d := json.NewDecoder(bytes.NewReader(e.Error.Details))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&details))
	var named []string
	for _, f := range details {
		require.NotEmpty(t, f.Message)
		named = append(named, f.Field)
	}
	require.ElementsMatch(t, fields, named, r.body)
}

// described compares an answer with the description that the program itself serves.
func (c *contract) described(t *testing.T, method, path string, r reply) {
	t.Helper()
	escaped := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(path)
	shape := c.shape(t, fmt.Sprintf("/paths/%s/%s/responses/%d", escaped, strings.ToLower(method), r.status))
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(r.body))
	require.NoError(t, err)
	require.NoError(t, shape.Validate(value), r.body)
}

// shape is the schema of a response, which the document gives in its place or by a reference.
func (c *contract) shape(t *testing.T, response string) *jsonschema.Schema {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shapes[response] == nil {
		shape, err := c.schemas.Compile(contractDocument + "#" + c.resolve(response) + "/content/application~1json/schema")
		require.NoError(t, err)
		c.shapes[response] = shape
	}
	return c.shapes[response]
}

// resolve follows the reference that may stand at a place of the document.
func (c *contract) resolve(pointer string) string {
	at := c.document
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		members, _ := at.(map[string]any)
		at = members[strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}").Replace(part)]
	}
	members, _ := at.(map[string]any)
	if ref, ok := members["$ref"].(string); ok {
		return strings.TrimPrefix(ref, "#")
	}
	return pointer
}

// boardsPage and jobsPage are what lists answer.
type boardsPage struct {
	Boards []boardwatch.BoardView `json:"boards"`
	Total  int                    `json:"total"`
}

type jobsPage struct {
	Jobs     []boardwatch.Job `json:"jobs"`
	Total    int64            `json:"total"`
	PolledAt time.Time        `json:"polledAt"`
}

type addResult struct {
	Board  boardwatch.BoardView `json:"board"`
	Locked bool                 `json:"locked"`
}

// add puts an address on the caller's list.
func (c caller) add(t *testing.T, url string, status int) addResult {
	t.Helper()
	body, err := json.Marshal(map[string]string{"url": url})
	require.NoError(t, err)
	r := c.try(t, http.MethodPost, "/v1/boards", string(body))
	require.Equal(t, status, r.status, r.body)
	c.described(t, http.MethodPost, "/v1/boards", r)
	var added addResult
	r.read(t, &added)
	return added
}

// address is one of a hosted system's boards that nobody else in the suite has.
func address() string {
	return "https://boards.greenhouse.io/" + strings.ReplaceAll(boardwatch.NewID(), "0", "g")
}

// stored is what a store holds of a caller's board, without asking the program.
func (c caller) stored(t *testing.T, id string) track.TrackedBoard {
	t.Helper()
	b, err := c.store.TrackedBoard(t.Context(), c.ID, id)
	require.NoError(t, err)
	return b
}
