package rest

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What failed because its time was up is in the log like any other fault of ours; what failed because the client went away
// is not.
func TestFaultsAreLogged(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		begin func(context.Context) (context.Context, context.CancelFunc)
		left  bool
		want  string
	}{
		"a fault of ours": {context.WithCancel, false, "the disk is full"},
		"the time was up": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadline(ctx, time.Unix(0, 0))
		}, false, "the disk is full"},
		"the client went away": {context.WithCancel, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, leave := tt.begin(t.Context())
			defer leave()
			if tt.left {
				leave()
			}
			var said strings.Builder
			h, w := &Handler{log: slog.New(slog.NewTextHandler(&said, nil))}, httptest.NewRecorder()
			h.fail(ctx, w, errors.New("the disk is full"))
			require.Equal(t, http.StatusInternalServerError, w.Code)
			require.NotContains(t, w.Body.String(), "disk")
			if tt.want == "" {
				require.Empty(t, said.String())
			} else {
				require.Contains(t, said.String(), tt.want)
			}
		})
	}
}
