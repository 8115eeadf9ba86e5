package doctor

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/service"
)

func TestAskReady(t *testing.T) {
	t.Parallel()
	answer := func(status int, body any) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			require.Equal(t, "/readyz", r.URL.Path)
			w.WriteHeader(status)
			require.NoError(t, json.NewEncoder(w).Encode(body))
		}))
		t.Cleanup(s.Close)
		return s
	}

	t.Run("reads what a service says of itself", func(t *testing.T) {
		t.Parallel()
		want := service.Readiness{Status: "unavailable", Parts: map[string]service.PartStatus{"database": {Reason: "does not answer"}}}
		got, err := askReady(t.Context(), answer(http.StatusServiceUnavailable, want).URL)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})

	t.Run("tells another program from a service", func(t *testing.T) {
		t.Parallel()
		_, err := askReady(t.Context(), answer(http.StatusOK, "hello").URL)
		require.ErrorContains(t, err, "is not boardwatch")
	})

	t.Run("says that nobody answers", func(t *testing.T) {
		t.Parallel()
		s := answer(http.StatusOK, nil)
		s.Close()
		_, err := askReady(t.Context(), s.URL)
		require.Error(t, err)
	})
}
