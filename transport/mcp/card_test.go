package mcp_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/mcp"
)

func TestServerCard(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	ask := func(method, path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, base+path, nil)
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		return d.do(r)
	}

	t.Run("is the same at both places, and for everybody", func(t *testing.T) {
		t.Parallel()
		w := ask(http.MethodGet, "/.well-known/mcp/server-card.json", "Origin", "https://evil.example")
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, "application/json", w.Header().Get("Content-Type"))
		require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
		require.Equal(t, "public, max-age=3600", w.Header().Get("Cache-Control"))
		require.Equal(t, w.Body.String(), ask(http.MethodGet, "/mcp/server-card").Body.String())
		var card struct {
			Schema                             string `json:"$schema"`
			Name, Version, Title, Description  string
			WebsiteURL                         string `json:"websiteUrl"`
			Remotes                            []struct{ Type, URL string }
			Tools, Authentication, Credentials json.RawMessage
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &card))
		require.Equal(t, "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json", card.Schema)
		require.Equal(t, mcp.Name, card.Name)
		require.Regexp(t, `^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`, card.Name)
		require.Equal(t, "1.2.3", card.Version)
		require.LessOrEqual(t, len(card.Description), 100)
		require.Equal(t, base+"/mcp", card.Remotes[0].URL)
		require.Equal(t, "streamable-http", card.Remotes[0].Type)
		require.Nil(t, card.Tools)
	})

	t.Run("has its own type for those who ask for it", func(t *testing.T) {
		t.Parallel()
		w := ask(http.MethodGet, "/mcp/server-card", "Accept", "application/mcp-server-card+json")
		require.Equal(t, "application/mcp-server-card+json", w.Header().Get("Content-Type"))
	})

	t.Run("is not sent twice", func(t *testing.T) {
		t.Parallel()
		tag := ask(http.MethodGet, "/mcp/server-card").Header().Get("ETag")
		require.True(t, strings.HasPrefix(tag, `W/"`), "compressed, the same card has other bytes: %s", tag)
		for _, known := range []string{tag, `"other", ` + strings.TrimPrefix(tag, "W/"), "*"} {
			w := ask(http.MethodGet, "/mcp/server-card", "If-None-Match", known)
			require.Equal(t, http.StatusNotModified, w.Code, known)
			require.Empty(t, w.Body.String())
		}
		require.Equal(t, http.StatusOK, ask(http.MethodGet, "/mcp/server-card", "If-None-Match", `W/"other"`).Code)
	})

	t.Run("answers GET, HEAD and OPTIONS", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, http.StatusNoContent, ask(http.MethodOptions, "/mcp/server-card").Code)
		require.Empty(t, ask(http.MethodHead, "/mcp/server-card").Body.String())
		require.Equal(t, http.StatusMethodNotAllowed, ask(http.MethodPost, "/mcp/server-card").Code)
	})

	t.Run("is named in the catalog", func(t *testing.T) {
		t.Parallel()
		var catalog struct {
			Entries []struct{ Identifier, Type, URL string }
		}
		require.NoError(t, json.Unmarshal(ask(http.MethodGet, "/.well-known/ai-catalog.json").Body.Bytes(), &catalog))
		require.Len(t, catalog.Entries, 1)
		require.Equal(t, "urn:air:boards.example:mcp:boardwatch", catalog.Entries[0].Identifier)
		require.Equal(t, base+"/mcp/server-card", catalog.Entries[0].URL)
	})
}
