package ats

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/markdown"
)

// Describe asks the system for what it says of one role besides what its list holds, if it has an address for that. What it
// does not say is empty. An error means that nobody was asked: the context ended.
func Describe(ctx context.Context, a Adapter, client Doer, board string, j boardwatch.Job) (f boardwatch.Facts, text string, err error) {
	address, sent, ok := question(a.Name(), board, j)
	if !ok || sent != "" { // what is sent asks for no more than whether the role is there
		return f, "", nil
	}
	answered, err := send(unheard(ctx), client, http.MethodGet, address, "application/json", nil)
	if ctx.Err() != nil {
		return f, "", cmp.Or(context.Cause(ctx), ctx.Err())
	}
	var value any
	if err != nil || answered.status != http.StatusOK || json.Unmarshal(answered.body, &value) != nil {
		return f, "", nil //nolint:nilerr // the system says nothing
	}
	role := roleIn(value, j.Title, 0)
	if role == nil {
		return f, "", nil
	}
	f, description := fact.Named(fact.Members(role), j.Location)
	return f, markdown.Of(strings.Join(description, "\n\n"), j.URL, boardwatch.MaxText), nil
}

// maxRoleDepth is how deep a role may stand in a document.
const maxRoleDepth = 5

// roleIn is the object of a document that has the title as one of its texts, outside of lists of several.
func roleIn(value any, title string, depth int) map[string]any {
	switch v := value.(type) {
	case []any:
		if len(v) == 1 {
			return roleIn(v[0], title, depth+1)
		}
	case map[string]any:
		for _, inside := range v {
			if text, ok := inside.(string); ok && collapse(unescape(text, 1)) == title {
				return v
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) { // of several it is always the same one
			if depth >= maxRoleDepth {
				break
			}
			if role := roleIn(v[name], title, depth+1); role != nil {
				return role
			}
		}
	}
	return nil
}
