package boardwatch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestWebhookURLInDevelopment(t *testing.T) {
	t.Parallel()

	for _, good := range []string{"http://localhost/hook", "http://LOCALHOST:9999/", "http://127.0.0.1:9999/", "http://[::1]:9999/x?y=z", "https://localhost:8443/", "https://127.0.0.1/", "https://example.com/"} {
		require.NoError(t, boardwatch.CheckWebhookURL(good, true), good)
	}
	for _, bad := range []string{
		"http://example.com/", "http://10.0.0.1/", "http://u@localhost/", "http://localhost/#x", "ftp://localhost/", "https://10.0.0.1/",
		"http://localhost.example/", "http://169.254.169.254/", "http://[::]/", "http://0.0.0.0/", "http://localhost:0/",
	} {
		require.Error(t, boardwatch.CheckWebhookURL(bad, true), bad)
	}
}

func FuzzCheckWebhookURL(f *testing.F) {
	for _, s := range []string{"https://example.com/hook", "https://[::ffff:127.0.0.1]/", "https://127.0.0.1.nip.io/", "http://localhost:1/", "https://a@b/", "https://0x7f.1/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if boardwatch.CheckWebhookURL(raw, false) == nil {
			require.True(t, strings.EqualFold(raw[:8], "https://"), raw)
			require.NoError(t, boardwatch.CheckWebhookURL(raw, true), "development allows more, never less")
		}
	})
}
