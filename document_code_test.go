package boardwatch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// surroundings are what a piece of code in a document stands in, by its first line. A whole program needs none.
var surroundings = map[string]string{
	`c, err := client.New("https://boards.company.example", os.Getenv("BOARDWATCH_KEY"), client.Options{})`: `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/boardwatch/boardwatch/boardwatch/client"
)

func poll(ctx context.Context) error {
%s
	return nil
}

func main() { _ = poll(context.Background()) }`,
	"reader := scraper.New(outbound.New(outbound.Options{}), scraper.Options{})": `package main

import (
	"context"
	"fmt"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func main() {
	ctx := context.Background()
	%s}
`,
	"chromium := browser.New(browser.Options{}) // starts with the first page that needs it": `package main

import (
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func main() {
	client := outbound.New(outbound.Options{})
	%s
	_ = reader
}
`,
	"in := boardwatch.CheckInput{Now: time.Now(), Board: board, Known: jobs}": `package main

import (
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func main() {
	var board boardwatch.Board
	var jobs []boardwatch.Job
	var reading boardwatch.Reading
	%s
	_, _ = board, jobs
}
`,
	"func northwindJobs(ctx context.Context, client Doer, board string, at turn) (page, error) {": `package ats

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
)

type northwindJob struct{}

func (northwindJob) posting() (p boardwatch.Posting, listed bool) { return p, true }

var _ = declared{open: inTurns(northwindJobs)}

%s
`,
	"// newReader knows Northwind first and then every system of package ats: the first that an address belongs to reads it.": `package main

import (
	"context"
	"net/url"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

type northwind struct{ api string }

func (northwind) Name() string { return "" }

func (northwind) Match(*url.URL) (board string, ok bool) { return "", false }

func (northwind) Read(context.Context, ats.Doer, string) (r boardwatch.Reading, err error) { return r, err }

%s

func main() { newReader(nil, "") }
`,
	"// Adapter reads the boards of one system. Its methods may be called concurrently.": `package main

import (
	"context"
	"net/url"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

type Doer = ats.Doer

%s

func main() { var _ Adapter = ats.Adapter(nil) }
`,
}

// Code in documents is code: every piece of it compiles.
func TestCodeInDocumentsCompiles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("vets the packages that the documents are about")
	}
	root, err := filepath.Abs(".")
	require.NoError(t, err)
	block := regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	temp := t.TempDir()
	packages := map[string]bool{}
	for _, doc := range documents(t) {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		for i, m := range block.FindAllStringSubmatch(string(text), -1) {
			code := m[1]
			if first, _, _ := strings.Cut(code, "\n"); !regexp.MustCompile(`(?m)^package `).MatchString(code) {
				around, ok := surroundings[first]
				require.Truef(t, ok, "%s: what stands around the code that begins with %q?", doc, first)
				code = fmt.Sprintf(around, code)
			}
			name := fmt.Sprintf("document_%s_%d", strings.TrimSuffix(filepath.Base(doc), ".md"), i)
			folder := filepath.Join("document_code", name) // it is there for the compiler only
			if strings.HasPrefix(code, "package ats\n") {
				folder = "ats"
			}
			file := filepath.Join(temp, name+".go")
			require.NoError(t, os.WriteFile(file, []byte(code), 0o600))
			overlay.Replace[filepath.Join(root, folder, name+".go")] = file
			packages["./"+filepath.ToSlash(folder)] = true
		}
	}
	require.Greater(t, len(packages), 4)
	list, err := json.Marshal(overlay)
	require.NoError(t, err)
	file := filepath.Join(temp, "overlay.json")
	require.NoError(t, os.WriteFile(file, list, 0o600))
	args := []string{"list", "-export", "-overlay=" + file} // compiles, and links nothing
	for folder := range packages {
		args = append(args, folder)
	}
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	require.NoError(t, err, string(out))
}
