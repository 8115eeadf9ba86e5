package observe

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

// TestWithoutTracesThereAreNoHooks shows that the parts do nothing for traces that nobody wants: they have no hook to call.
func TestWithoutTracesThereAreNoHooks(t *testing.T) {
	t.Parallel()
	environ := []string{"OTEL_SERVICE_NAME=watching", "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318", "OTEL_SDK_DISABLED=true"}
	none, err := StartTraces(t.Context(), environ, config.Config{}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Nil(t, none)
	require.Nil(t, none.Began())
	require.Nil(t, none.Ended(nil))
	require.Nil(t, none.Check())
	require.Nil(t, none.Exchange())
	require.Nil(t, none.Storage(config.Config{}))
	require.Nil(t, none.Renderer(nil))
	sender := webhook.New(webhook.Options{})
	require.Same(t, sender, none.Sender(sender))
	require.Nil(t, none.Deliveries(nil))
	none.Stop(t.Context())
}
