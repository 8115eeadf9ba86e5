package main_test

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
)

func TestServeNamesTheSettingWhoseAddressIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	address := taken.Addr().String()
	for _, tc := range []struct{ listen, metrics, sentence, next string }{
		{"127.0.0.1:0", address, "boardwatch: metrics.listen: another program listens on " + address, "with the setting metrics.listen."},
		{address, "", "boardwatch: listen: another program listens on " + address, "with --listen."},
	} {
		got := main.Line{
			Args: []string{"serve", "--listen", tc.listen, "--data-dir", t.TempDir(), "--role", "api"},
			Env:  []string{"BOARDWATCH_METRICS_LISTEN=" + tc.metrics},
		}.Run(t.Context())
		require.Equal(t, 1, got.Code)
		require.Contains(t, got.Err, tc.sentence)
		require.Contains(t, got.Err, tc.next)
	}
}
