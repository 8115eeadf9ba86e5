package web_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/web"
)

func TestLoggedPathHidesTheTokenOfAFeed(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/boards":                    "/boards",
		"/feeds":                     "/feeds",
		"/feeds/":                    "/feeds/…",
		"/feeds/secret":              "/feeds/…",
		"/feeds/secret/66f0c0ffee":   "/feeds/…",
		"/feeds//secret":             "/feeds/…",
		"//feeds/secret":             "//feeds/…",
		"/v1/feeds/mistyped-address": "/v1/feeds/…",
	} {
		require.Equal(t, want, web.LoggedPath(path), path)
	}
}
