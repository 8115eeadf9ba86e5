package rest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is described and what runs are the same operations, under the same names.
func TestDocumentNamesWhatRuns(t *testing.T) {
	t.Parallel()
	var doc openAPI
	require.NoError(t, json.Unmarshal(document, &doc))
	described := map[string]string{}
	for _, path := range doc.Paths.Names {
		for _, method := range doc.Paths.Values[path].Names {
			described[strings.ToUpper(method)+" "+path] = doc.Paths.Values[path].Values[method].OperationID
		}
	}
	running := map[string]string{"POST /mcp": "mcp"} // the door for agents answers it
	for _, op := range (&Handler{}).operations() {
		running[op.method+" "+op.path] = op.id
	}
	require.Equal(t, running, described)
}

func TestDocumentDescribesEveryStatus(t *testing.T) {
	t.Parallel()
	var doc openAPI
	require.NoError(t, json.Unmarshal(document, &doc))
	for _, path := range doc.Paths.Names {
		for _, method := range doc.Paths.Values[path].Names {
			responses := doc.Paths.Values[path].Values[method].Responses
			statuses := []string{"400", "401", "403", "500"}
			if path != "/mcp" { // tools tell of a budget that is spent in their results
				statuses = append(statuses, "429")
			}
			for _, status := range statuses {
				require.Contains(t, responses, status, "%s %s", method, path)
			}
		}
	}
}

func TestWantsPage(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "text/*": false, "text/html": true, "TEXT/HTML": true,
		"application/json, text/html;q=0.1": true, "text/html;q=0": false, "text/html; charset=utf-8; q=0.0": false,
		"text/html;q=nonsense": true, "text/htmlx": false, "text/html;level=1": true,
	} {
		t.Run(accept, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, WantsPage(&http.Request{Header: http.Header{"Accept": {accept}}}))
		})
	}
}

func TestReferenceShowsAlternatives(t *testing.T) {
	t.Parallel()
	types := map[string]string{}
	for _, s := range newReference(document, "").Schemas {
		for _, f := range s.Fields {
			types[s.Name+" "+f.Name] = strings.TrimSpace(f.Type + " " + f.Schema)
		}
	}
	require.Equal(t, "string or integer or null", types["JSONRPCMessage id"])
	require.Equal(t, "string or integer or null", types["JSONRPCResponse id"])
	require.Equal(t, "null or Key", types["Status key"])
	require.Equal(t, "string or null", types["Job location"])
}

// Generators of client code stop at a type of more than one kind of value.
func TestDocumentIsForGenerators(t *testing.T) {
	t.Parallel()
	var walk func(at any)
	walk = func(at any) {
		switch at := at.(type) {
		case map[string]any:
			if types, ok := at["type"].([]any); ok {
				require.Len(t, types, 2, types)
				require.Equal(t, "null", types[1])
			}
			for _, member := range at {
				walk(member)
			}
		case []any:
			for _, member := range at {
				walk(member)
			}
		}
	}
	var doc any
	require.NoError(t, json.Unmarshal(document, &doc))
	walk(doc)
}
