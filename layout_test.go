package boardwatch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/boardwatch/boardwatch/"

// The linter sees what a package imports itself; this sees what it brings along.
func TestLayout(t *testing.T) {
	t.Parallel()
	deps := dependencies(t)
	within := func(folder string) func(string) bool {
		return func(p string) bool { return p == module+folder || strings.HasPrefix(p, module+folder+"/") }
	}
	core := func(p string) bool { return p == module+"boardwatch" || p == module+"boardwatch/cause" }
	service := func(p string) bool {
		return strings.HasPrefix(p, module+"boardwatch/") && !core(p) && p != module+"boardwatch/pace"
	}
	door := func(p string) bool { return within("transport")(p) && !within("transport/outbound")(p) }

	for name, rule := range map[string]struct {
		of     func(pkg string) bool
		unless func(dep string) bool // what it may bring along
	}{
		"the core stands on the standard library and its words for causes": {
			of:     core,
			unless: either(standard, func(p string) bool { return p == module+"boardwatch/cause" }),
		},
		"a receiver of webhooks and a client bring the core along, and nothing from elsewhere": {
			of:     either(within("boardwatch/receiver"), within("boardwatch/client")),
			unless: either(standard, core),
		},
		"the pace of hosts is values and a clock": {
			of:     within("boardwatch/pace"),
			unless: standard,
		},
		"watching, delivering and answering lessons know the core alone": {
			of:     either(within("boardwatch/watch"), within("boardwatch/deliver"), within("boardwatch/lesson")),
			unless: func(p string) bool { return !strings.HasPrefix(p, module) || core(p) },
		},
		"services know neither storage nor readers nor doors": {
			of:     service,
			unless: not(within("storage"), within("ats"), within("scraper"), within("transport"), within("cmd")),
		},
		"readers know neither storage nor services nor doors": {
			of:     either(within("ats"), within("scraper")),
			unless: not(within("storage"), service, door, within("cmd")),
		},
		"what reading is built with knows nothing else of ours": {
			of: func(p string) bool {
				return p != module+"internal/fact" && either(within("internal"), within("scraper/robots"), within("scraper/page/judge"))(p)
			},
			unless: func(p string) bool { return !strings.HasPrefix(p, module) },
		},
		"facts are read from fields alone": {
			of: within("internal/fact"),
			unless: func(p string) bool {
				return !strings.HasPrefix(p, module) || core(p) || p == module+"internal/fact"
			},
		},
		"a page is read from bytes alone": {
			of: within("scraper/page"),
			unless: func(p string) bool {
				switch strings.TrimPrefix(p, module) {
				case "boardwatch", "boardwatch/cause", "internal/fact", "internal/foreign", "internal/lazyregexp", "internal/markdown", "internal/match", "internal/script", "internal/turn", "scraper/page", "scraper/page/judge":
					return true
				}
				return !strings.HasPrefix(p, module)
			},
		},
		"a recipe is read and made from a page alone": {
			of: within("scraper/recipe"),
			unless: func(p string) bool {
				switch strings.TrimPrefix(p, module) {
				case "boardwatch", "boardwatch/cause", "internal/fact", "internal/foreign", "internal/lazyregexp", "internal/markdown", "internal/match", "internal/script", "internal/turn", "scraper/page", "scraper/page/judge", "scraper/recipe":
					return true
				}
				return !strings.HasPrefix(p, module)
			},
		},
		"a wall is recognised from bytes alone": {
			of:     within("scraper/wall"),
			unless: func(p string) bool { return !strings.HasPrefix(p, module) || p == module+"internal/match" },
		},
		"only who shows pages in a browser compiles one": {
			of:     not(within("scraper/browser"), within("cmd")),
			unless: func(p string) bool { return !strings.HasPrefix(p, "github.com/chromedp/") },
		},
		"only the command compiles what sends traces": {
			of:     not(within("internal/trace"), within("cmd")),
			unless: func(p string) bool { return !strings.HasPrefix(p, "go.opentelemetry.io/") },
		},
		"storage knows the nouns of accounts and lists, and neither readers nor doors": {
			of: func(p string) bool { return within("storage")(p) && !within("storage/storagetest")(p) },
			unless: not(within("ats"), within("scraper"), within("transport"), within("cmd"), func(p string) bool {
				return service(p) && p != module+"boardwatch/account" && p != module+"boardwatch/track"
			}),
		},
		"a door fetches no careers page and speaks no SQL": {
			of:     door,
			unless: not(within("ats"), within("scraper"), within("storage"), within("cmd"), isSQL),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checked := 0
			for pkg, brought := range deps {
				if !rule.of(pkg) {
					continue
				}
				checked++
				for _, d := range brought {
					require.Truef(t, rule.unless(d), "%s brings %s along", pkg, d)
				}
			}
			require.NotZero(t, checked, "the rule applies to no package")
		})
	}
}

// Below the command, each package knows only those before it, and what commands share knows none of them.
func TestThePartsOfTheProgramKnowOneAnotherInOneDirection(t *testing.T) {
	t.Parallel()
	order := []string{"config", "build", "exit", "demo", "observe", "app", "diagnosis", "service", "command"}
	place := func(pkg string) int {
		below, ok := strings.CutPrefix(pkg, module+"cmd/boardwatch/internal/")
		if !ok {
			return -1
		}
		part, _, _ := strings.Cut(below, "/")
		require.Contains(t, order, part, "docs/architecture.md says where a new part stands")
		return slices.Index(order, part)
	}
	commands := module + "cmd/boardwatch/internal/command"
	for pkg, brought := range dependencies(t) {
		if place(pkg) < 0 {
			continue
		}
		for _, d := range brought {
			require.LessOrEqual(t, place(d), place(pkg), "%s brings %s along", pkg, d)
			require.False(t, pkg == commands && strings.HasPrefix(d, commands+"/"), "%s brings %s along", pkg, d)
		}
	}
}

// dependencies are all packages of the module, each with everything it needs, directly or not.
func dependencies(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}}{{range .Deps}} {{.}}{{end}}`, "./...").Output()
	require.NoError(t, err)
	deps := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		deps[fields[0]] = fields[1:]
	}
	return deps
}

func standard(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return !strings.Contains(first, ".")
}

func isSQL(pkg string) bool {
	return pkg == "database/sql" || strings.HasPrefix(pkg, "github.com/uptrace/bun")
}

func either(rules ...func(string) bool) func(string) bool {
	return func(p string) bool {
		for _, r := range rules {
			if r(p) {
				return true
			}
		}
		return false
	}
}

func not(rules ...func(string) bool) func(string) bool {
	some := either(rules...)
	return func(p string) bool { return !some(p) }
}

// The list of packages in the document is complete.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("docs", "architecture.md"))
	require.NoError(t, err)
	for pkg := range dependencies(t) {
		path := strings.TrimPrefix(pkg+"/", module)
		if path == "" || strings.HasPrefix(path, "examples/") {
			continue
		}
		if strings.Count(path, "/") > 1 && path != "cmd/boardwatch/" {
			path = path[strings.LastIndexByte(path[:len(path)-1], '/')+1:] // listed below the folder that it is in
		}
		require.Containsf(t, string(doc), path, "the list of packages lacks %s", pkg)
	}
}

// The walks through the code name functions that are declared in the files named beside them.
func TestWalksLeadThroughWhatIsThere(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("docs", "architecture.md"))
	require.NoError(t, err)
	step := regexp.MustCompile(`(?m)^[ │├└]*([\w.]+).*?\s([\w/]+/\w+\.go)((?:, [\w/]+\.go)*)$`)
	steps := step.FindAllStringSubmatch(string(doc), -1)
	require.Greater(t, len(steps), 40, "the document has eight walks")
	for _, m := range steps {
		var code strings.Builder
		for name := range strings.SplitSeq(m[2]+m[3], ", ") {
			if !strings.Contains(name, "/") {
				name = filepath.Join(filepath.Dir(m[2]), name)
			}
			text, err := os.ReadFile(name)
			require.NoErrorf(t, err, "%q", m[0])
			code.Write(text)
		}
		name := m[1][strings.LastIndexByte(m[1], '.')+1:]
		declared := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?` + name + `\(|type ` + name + ` )`).MatchString(code.String())
		require.Truef(t, declared, "%s is declared elsewhere: %q", name, m[0])
	}
}

func TestDocumentsPointAtWhatIsThere(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)
	for _, doc := range documents(t) {
		t.Run(doc, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(doc)
			require.NoError(t, err)
			for _, m := range link.FindAllStringSubmatch(string(text), -1) {
				if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
					continue
				}
				_, err := os.Stat(filepath.Join(filepath.Dir(doc), m[1]))
				require.NoErrorf(t, err, "a link of %s leads nowhere", doc)
			}
		})
	}
}

// The program in the documents is the one that is compiled.
func TestDocumentsShowTheExample(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile(filepath.Join("examples", "read-a-board", "main.go"))
	require.NoError(t, err)
	library, err := os.ReadFile(filepath.Join("docs", "library.md"))
	require.NoError(t, err)
	require.Contains(t, string(library), "```go\n"+string(example)+"```")
}

func documents(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	top, err := filepath.Glob("*.md")
	require.NoError(t, err)
	return append(docs, top...)
}
