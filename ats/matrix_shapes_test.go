package ats_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// The tests of this file write every adapter's normal board in other ways: as vendors do from one day to the next, or from
// one company to the other.

// rewritings say the same in another way: what is read must be the same too.
var rewritings = []struct {
	name string
	form *regexp.Regexp
	with string
}{
	{"numbers written as texts", regexp.MustCompile(`(":\s*)(-?[0-9]+(?:\.[0-9]+)?)(\s*[,}\]\n])`), `${1}"${2}"${3}`},
	{"numbers with a fraction of nothing", regexp.MustCompile(`("(?i:[a-z_]*(?:total|count|hits|found)[a-z_]*)":\s*[0-9]+)(\s*[,}\]\n])`), `${1}.0${2}`},
	{"texts of digits written as numbers", regexp.MustCompile(`("(?i:[a-z_]*id)":\s*)"([1-9][0-9]{0,14})"`), `${1}${2}`},
	{"fields that nobody knows", regexp.MustCompile(`([^\\]\{)(\s*"[A-Za-z_]+":)`), `${1}"zz_new": {"a": [1, null, "x"]},${2}`},
}

func TestMatrixOfRewritings(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := normalBoard(t, a)
			plain := normal.world(t).read(a.Name())
			for _, r := range rewritings {
				w := normal.world(t)
				for i := range w.answers {
					w.answers[i].body = r.form.ReplaceAll(w.answers[i].body, []byte(r.with))
				}
				require.Equal(t, plain, w.read(a.Name()+": "+r.name), r.name)
			}
		})
	}
}

// TestMatrixOfFields spoils one field of one row after the other: the first of each name in each answer. No row is lost in
// silence: it is shown, perhaps under another id, or counted as present, or the reading is not ok.
func TestMatrixOfFields(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := normalBoard(t, a)
			for i := range normal.answers {
				for _, name := range fieldsOf(normal.answers[i].body) {
					for _, value := range []string{"", "null", `"northwind"`, "987654", "{}", `["a", {"b": 1}]`} {
						w := normal.world(t)
						body, ok := withField(normal.answers[i].body, name, value)
						if !ok || slices.Contains(saysListed, name) {
							continue
						}
						w.answers[i].body = body
						what := fmt.Sprintf("%s: %s is %s in answer %d", a.Name(), name, value, i+1)
						if reading := w.readAnything(what); reading.Health == boardwatch.HealthOK {
							require.GreaterOrEqual(t, len(reading.Postings)+len(reading.Present), len(normal.keys), "%s: ok, with fewer roles than there are", what)
						}
					}
				}
			}
		})
	}
}

// saysListed are the fields that say whether a row is shown to people, or whether a page is the last.
var saysListed = []string{"status", "Status", "visibility", "awarded", "is_sample", "is_last", "TotalJobsCount"}

// fieldsOf are the names of a JSON document's fields.
func fieldsOf(document []byte) []string {
	var value any
	if json.Unmarshal(document, &value) != nil {
		return nil
	}
	names := make(map[string]bool)
	walk(value, func(object map[string]any) bool {
		for name := range object {
			names[name] = true
		}
		return true
	})
	return slices.Sorted(maps.Keys(names))
}

// withField is the document with another value in the first field of that name; without the field where there is no value.
func withField(document []byte, name, value string) (changed []byte, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var content any
	if decoder.Decode(&content) != nil {
		return nil, false
	}
	walk(content, func(object map[string]any) bool {
		if _, found := object[name]; !found {
			return true
		}
		if ok = true; value == "" {
			delete(object, name)
		} else {
			object[name] = json.RawMessage(value)
		}
		return false
	})
	changed, err := json.Marshal(content)
	return changed, ok && err == nil
}

// walk visits the objects of a JSON value until visit has seen enough.
func walk(value any, visit func(map[string]any) (more bool)) bool {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			if !walk(v, visit) {
				return false
			}
		}
	case map[string]any:
		if !visit(value) {
			return false
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if !walk(value[name], visit) {
				return false
			}
		}
	}
	return true
}

// redesigns are what companies and vendors do to their pages. None of them may make a board look smaller than it is; what an
// experimental adapter does not see closes nothing.
var redesigns = []struct {
	name string
	form *regexp.Regexp
	with string
}{
	{"classes of other names", regexp.MustCompile(`(\bclass\s*=\s*["'])[^"']*`), `${1}css-1x`},
	{"ids of other names", regexp.MustCompile(`(\sid\s*=\s*["'])[^"']*`), `${1}el`},
	{"data of other names", regexp.MustCompile(`(\s)data-([a-z-]+\s*=)`), `${1}data-zz-${2}`},
	{"links of another form", regexp.MustCompile(`(<a\b[^>]*\bhref\s*=\s*["'])[^"']*[0-9][^"']*`), `${1}/go/elsewhere`},
	{"links that scripts follow", regexp.MustCompile(`(<a\b[^>]*\b)href(\s*=)`), `${1}data-go${2}`},
	{"no headings", regexp.MustCompile(`(</?)h[1-6]\b`), `${1}p`},
	{"no tables", regexp.MustCompile(`(</?)(?:table|tbody|thead|tr|td|th)\b`), `${1}div`},
	{"no lists", regexp.MustCompile(`(</?)(?:ul|ol|li)\b`), `${1}div`},
}

func TestMatrixOfRedesigns(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := normalBoard(t, a)
			for _, r := range redesigns {
				w := normal.world(t)
				for i, answer := range w.answers {
					if !bytes.HasPrefix(answer.body, []byte("<?xml")) {
						w.answers[i].body = r.form.ReplaceAll(answer.body, []byte(r.with))
					}
				}
				what := a.Name() + ": " + r.name
				if reading := w.readAnything(what); reading.Health == boardwatch.HealthOK && !ats.Experimental(a) {
					require.Subset(t, keysOf(reading), normal.keys, "%s: ok, with fewer roles than there are", what)
				}
			}
		})
	}
}

// TestMatrixOfEmptiedLists takes the rows out of the answers of systems that say how many there are.
func TestMatrixOfEmptiedLists(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := claimingBoard(t, a)
			for i := range normal.answers {
				for _, name := range fieldsOf(normal.answers[i].body) {
					w := normal.world(t)
					body, ok := withField(normal.answers[i].body, name, "[]")
					if !ok {
						continue
					}
					w.answers[i].body = body
					reading := w.readAnything(a.Name() + ": " + name + " is emptied")
					require.True(t, reading.Health != boardwatch.HealthOK || len(reading.Postings) > 0, "%s is emptied", name)
				}
			}
		})
	}
}
