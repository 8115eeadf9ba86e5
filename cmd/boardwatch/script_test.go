package main_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/transport/mail/mailtest"
)

// TestScripts runs every script of testdata/script against the program. "careers DIR" in a script serves a folder on
// loopback and puts its address into $SITE; "expand FILE..." replaces $SITE and other variables in files; "exitcode N
// COMMAND" runs a command that has to end with that code; "cmpjson GOT WANT" compares JSON, times and evidence aside;
// "sealed FILE" gives a SQLite database to the key of 32 sevens; "hook" receives deliveries at $HOOK; "owed EMAIL [dead]"
// makes the delivery $DELIVERY; "nothing COMMAND..." is a command that finds no database in ./data and makes none; "csv COMMAND..."
// is one whose CSV is sound; "postbox" sets up a mail server.
//
// The program is the one that is shipped: the tests' own would start hundreds of times under the race detector, which sees
// the same commands where other tests run them in their process.
func TestScripts(t *testing.T) {
	t.Parallel()
	program := filepath.Dir(buildBinary(t)) + string(filepath.ListSeparator)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("NO_PROXY", "*")
			env.Setenv("PATH", program+env.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"careers":  careers,
			"expand":   expand,
			"firstid":  firstID,
			"exitcode": exitcode,
			"cmpjson":  cmpjson,
			"sealed":   sealed,
			"hook":     hook,
			"owed":     owed,
			"nothing":  nothing,
			"csv":      soundCSV,
			"postbox": func(ts *testscript.TestScript, _ bool, _ []string) {
				ts.Setenv("BOARDWATCH_MAIL_SMTP_URL", mailtest.New(t, mailtest.Options{}).URL())
			},
		},
	})
}

// exitcode runs a command that has to end with a certain code.
func exitcode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code %d, not %d", code, want)
	}
}

// nothing runs a command that has to say that there is no database, and to leave it so.
func nothing(ts *testscript.TestScript, neg bool, args []string) {
	exitcode(ts, neg, append([]string{"1", "boardwatch"}, args...))
	said := ts.ReadFile("stderr")
	for _, want := range []string{
		"boardwatch: there is no database at " + ts.MkAbs("data/boardwatch.db") + "\n", "--database or --data-dir", "boardwatch account create",
	} {
		if !strings.Contains(said, want) {
			ts.Fatalf("%q is not said", want)
		}
	}
	if _, err := os.Stat(ts.MkAbs("data")); err == nil {
		ts.Fatalf("a data directory was made")
	}
}

// soundCSV runs a command whose answer, even a negative one, is a table: every row has as many cells as there are columns, and
// no two columns have the same name.
func soundCSV(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: csv COMMAND [ARGUMENT...]")
	}
	if err := ts.Exec("boardwatch", append(args, "-o", "csv")...); err != nil && err.Error() != "exit status 1" {
		ts.Fatalf("%v", err)
	}
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile("stdout"))).ReadAll() // refuses rows of another length than the first
	ts.Check(err)
	if len(rows) < 2 {
		ts.Fatalf("it has no row")
	}
	names := slices.Sorted(slices.Values(rows[0]))
	if unique := slices.Compact(slices.Clone(names)); len(unique) < len(names) || names[0] == "" {
		ts.Fatalf("two columns have the same name, or one has none: %v", names)
	}
	for i, name := range rows[0] {
		for _, row := range rows[1:] {
			if _, err := time.Parse(boardwatch.TimeFormat, row[i]); strings.HasSuffix(name, "At") && row[i] != "" && err != nil {
				ts.Fatalf("%s is %q: the cells are not under their names", name, row[i])
			}
		}
	}
}

// TestEveryResultIsCheckedAsCSV holds csv.txtar to the list of commands.
func TestEveryResultIsCheckedAsCSV(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(filepath.Join("testdata", "script", "csv.txtar"))
	require.NoError(t, err)
	printsNone := []string{ // of the results that -o formats; a recipe is a document in JSON
		"key delete", "board remove", "search remove", "webhook delete", "serve", "listen", "mcp", "config init", "completion", "man",
		"board recipe", "channel remove",
	}
	var groups []string // of commands, which print nothing themselves
	for _, doc := range main.CommandDocs() {
		groups = append(groups, doc.Path[:max(0, strings.LastIndexByte(doc.Path, ' '))])
	}
	for _, doc := range main.CommandDocs() {
		name := strings.TrimPrefix(doc.Path, "boardwatch ")
		if slices.Contains(groups, doc.Path) || slices.Contains(printsNone, name) {
			continue
		}
		require.Regexp(t, `(?m)^csv `+name+`( |$)`, string(script), name)
	}
}

// cmpjson compares two JSON files but for what differs from run to run, or is words for a person.
func cmpjson(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cmpjson GOT WANT")
	}
	var values [2]any
	for i, name := range args {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &values[i]))
		forget(values[i])
	}
	if !reflect.DeepEqual(values[0], values[1]) {
		ts.Fatalf("%s is not the JSON of %s:\n%s", args[0], args[1], ts.ReadFile(args[0]))
	}
}

func forget(value any) {
	switch v := value.(type) {
	case map[string]any:
		delete(v, "durationMs")
		delete(v, "evidence")
		for _, inner := range v {
			forget(inner)
		}
	case []any:
		for _, inner := range v {
			forget(inner)
		}
	}
}

// careers serves a folder until the script ends. Some addresses misbehave: /hang never answers, /loop sends in circles,
// /broken answers 500, /walled is behind a wall.
func careers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: careers DIR")
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(ts.MkAbs(args[0]))))
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/loop", http.StatusFound)
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "out of order", http.StatusInternalServerError)
	})
	mux.HandleFunc("/walled", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cf-Mitigated", "challenge")
		http.Error(w, "just a moment", http.StatusForbidden)
	})
	server := httptest.NewUnstartedServer(mux)
	server.Config.ReadHeaderTimeout = time.Minute
	server.Start()
	ts.Setenv("SITE", server.URL)
	ts.Defer(func() {
		server.CloseClientConnections()
		server.Close()
	})
}

// sealed lets a database belong to a key for webhook secrets.
func sealed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sealed FILE")
	}
	store, err := sqlite.Open(context.Background(), args[0], storage.Options{SealKey: bytes.Repeat([]byte{7}, 32)})
	ts.Check(err)
	ts.Check(store.Close())
}

// firstID puts the first id that the last command printed into the variable ID.
func firstID(ts *testscript.TestScript, neg bool, args []string) {
	id := regexp.MustCompile(`[0-9a-f]{24}`).FindString(ts.ReadFile("stdout"))
	if neg || len(args) != 0 || id == "" {
		ts.Fatalf("usage: firstid, after a command that prints an id")
	}
	ts.Setenv("ID", id)
}

// expand replaces ${NAME} in files by the script's variables.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILE...")
	}
	for _, name := range args {
		text := os.Expand(ts.ReadFile(name), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}
