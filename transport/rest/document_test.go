package rest_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/rest"
)

// document is what the test reads of the description.
type document struct {
	Paths      map[string]map[string]described
	Components struct{ Schemas map[string]valueSchema }
}

type described struct {
	Parameters []struct {
		Name, In string
		Schema   valueSchema
	}
	RequestBody *struct{}
}

// valueSchema is a schema of a parameter or of a field of a body.
type valueSchema struct {
	Type                 any
	Format, Pattern      string
	Enum                 []string
	Minimum, Maximum     *int64
	MinLength, MaxLength *int
	Required             []string
	Properties           map[string]valueSchema
	AdditionalProperties *bool
}

func readDocument(t *testing.T) document {
	t.Helper()
	var doc document
	require.NoError(t, json.Unmarshal(rest.Document(), &doc))
	return doc
}

// samples are values at the edges of a schema and just past them.
func (s valueSchema) samples(t *testing.T) (right, wrong []string) {
	t.Helper()
	letter := "é"
	switch {
	case len(s.Enum) > 0:
		return s.Enum, []string{"other", strings.ToUpper(s.Enum[0])}
	case s.Format == "date-time":
		return []string{"2026-11-20T09:00:00Z", "2026-11-20T09:00:00.123+01:00"}, []string{"2026-11-20", "now"}
	case s.Type == "integer":
		number := func(n int64) string { return strconv.FormatInt(n, 10) }
		return []string{number(*s.Minimum), number(*s.Maximum)}, []string{number(*s.Minimum - 1), number(*s.Maximum + 1), "1.5", "x"}
	case s.Pattern == "^[a-f0-9]{24}$":
		letter, wrong = "a", []string{strings.Repeat("A", 24)}
		if s.MinLength == nil { // the pattern alone says how long
			return []string{strings.Repeat("a", 24)}, wrong
		}
	}
	require.NotNil(t, s.MaxLength, "a text has a bound")
	least := 0
	if s.MinLength != nil {
		least = *s.MinLength
		wrong = append(wrong, strings.Repeat(letter, least-1))
	}
	return []string{strings.Repeat(letter, max(1, least)), strings.Repeat(letter, *s.MaxLength)},
		append(wrong, strings.Repeat(letter, *s.MaxLength+1))
}

// TestDocumentIsWhatRuns tries every parameter and field at its edges.
func TestDocumentIsWhatRuns(t *testing.T) {
	t.Parallel()
	d, doc := newDoor(t, nil), readDocument(t)
	for path, methods := range doc.Paths {
		if path == "/mcp" {
			continue // another door answers it
		}
		for method, op := range methods {
			method := strings.ToUpper(method)
			concrete := strings.ReplaceAll(path, "{id}", boardwatch.NewID())
			fine := http.StatusOK
			switch {
			case method == http.MethodPost:
				fine = http.StatusBadRequest // there is no body
			case concrete != path:
				fine = http.StatusNotFound
			}
			t.Run(method+" "+path, func(t *testing.T) {
				t.Parallel()
				callers := newCallers(d)
				blamed := func(target string) []string {
					w := d.ask(method, target, "", callers.next(t))
					if w.Code == fine && fine != http.StatusBadRequest {
						return nil
					}
					require.Equal(t, http.StatusBadRequest, w.Code, target)
					return fieldsOf(failureOf(t, w))
				}
				require.Equal(t, http.StatusUnauthorized, d.ask(method, concrete, "", "").Code, "it is there")
				require.Contains(t, blamed(concrete+"?undescribed=1"), "undescribed")
				for _, p := range op.Parameters {
					if p.In != "query" {
						continue
					}
					right, wrong := p.Schema.samples(t)
					for _, v := range right {
						require.NotContains(t, blamed(concrete+"?"+url.Values{p.Name: {v}}.Encode()), p.Name, v)
					}
					for _, v := range append(wrong, "") {
						require.Equal(t, []string{p.Name}, blamed(concrete+"?"+url.Values{p.Name: {v}}.Encode()), v)
					}
				}
			})
		}
	}
}

func TestDocumentDescribesTheBody(t *testing.T) {
	t.Parallel()
	d, shape := newDoor(t, nil), readDocument(t).Components.Schemas["NewBoard"]
	require.False(t, *shape.AdditionalProperties)
	callers := newCallers(d)
	blamed := func(fields map[string]any) []string {
		body, err := json.Marshal(fields)
		require.NoError(t, err)
		w := d.ask(http.MethodPost, "/v1/boards", string(body), callers.next(t))
		if w.Code == http.StatusAccepted {
			return nil
		}
		return fieldsOf(failureOf(t, w))
	}
	good := func() map[string]any {
		fields := map[string]any{"url": "https://" + boardwatch.NewID() + ".example"}
		return fields
	}
	require.Empty(t, blamed(good()))
	for _, name := range shape.Required {
		fields := good()
		delete(fields, name)
		require.Equal(t, []string{name}, blamed(fields))
	}
	for name, s := range shape.Properties {
		prefix := ""
		if name == "url" {
			prefix = "https://"
		}
		right, wrong := s.samples(t)
		for _, v := range right[len(right)-1:] {
			fields := good()
			fields[name] = prefix + v[:len(v)-len(prefix)*len("é")]
			require.Empty(t, blamed(fields), v)
		}
		for _, v := range wrong {
			fields := good()
			fields[name] = v
			require.Equal(t, []string{name}, blamed(fields))
		}
		for _, v := range []any{nil, 5, true, []string{"x"}} {
			fields := good()
			fields[name] = v
			require.Equal(t, []string{name}, blamed(fields))
		}
	}
	fields := good()
	fields["undescribed"] = "x"
	require.Equal(t, []string{"undescribed"}, blamed(fields))
}

func fieldsOf(f failure) []string {
	var names []string
	for _, detail := range f.Error.Details {
		names = append(names, detail.Field)
	}
	return names
}

// TestDocumentDescribesTheShapes compares the schemas with the golden files of the types, whose fields every door sends.
func TestDocumentDescribesTheShapes(t *testing.T) {
	t.Parallel()
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(rest.Document()))
	require.NoError(t, err)
	for file, name := range map[string]string{
		"board": "Board", "board-pending": "Board", "job-open": "Job", "job-closed": "Job", "account/api-key": "Key", "account/api-key-unused": "Key",
		"event-found": "WebhookJobEvent", "event-archived-truncated": "WebhookJobEvent", "event-board-failed": "WebhookBoardFailed", "event-ping": "WebhookPing",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			c := jsonschema.NewCompiler()
			c.AssertFormat()
			require.NoError(t, c.AddResource("https://boards.example/openapi.json", raw))
			shape, err := c.Compile("https://boards.example/openapi.json#/components/schemas/" + name)
			require.NoError(t, err)
			golden, err := os.ReadFile(filepath.Join("../../boardwatch", filepath.Dir(file), "testdata/json", filepath.Base(file)+".json"))
			require.NoError(t, err)
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(golden))
			require.NoError(t, err)
			require.NoError(t, shape.Validate(value))
			members, ok := value.(map[string]any)
			require.True(t, ok)
			for member := range maps.Keys(members) {
				require.Contains(t, readDocument(t).Components.Schemas[name].Properties, member)
				always := slices.Contains(readDocument(t).Components.Schemas[name].Required, member)
				require.Equal(t, member != "truncated", always, "every other field is always present")
			}
		})
	}
}

// TestDocumentExamples holds every example against the schema beside it.
func TestDocumentExamples(t *testing.T) {
	t.Parallel()
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(rest.Document()))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("https://boards.example/openapi.json", raw))
	tried := 0
	var walk func(at any, pointer string)
	walk = func(at any, pointer string) {
		members, ok := at.(map[string]any)
		if !ok {
			return
		}
		if examples, ok := members["examples"].(map[string]any); ok {
			shape, err := c.Compile("https://boards.example/openapi.json#" + pointer + "/schema")
			require.NoError(t, err)
			for name, example := range examples {
				value, ok := example.(map[string]any)
				require.True(t, ok)
				require.NoError(t, shape.Validate(value["value"]), "%s %s", pointer, name)
				tried++
			}
		}
		for name, member := range members {
			escaped := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
			walk(member, pointer+"/"+escaped)
		}
	}
	walk(raw, "")
	require.Greater(t, tried, 10)
}
