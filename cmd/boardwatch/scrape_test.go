package main_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
)

func TestScrapeEndsAtOnceWhenInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		interrupt()
		<-r.Context().Done()
	}))
	t.Cleanup(site.Close)
	got := main.Line{Args: []string{"scrape", "--dev", site.URL}}.Run(ctx)
	require.Equal(t, 1, got.Code)
	require.Equal(t, "boardwatch: interrupted\n", got.Err)
	require.Empty(t, got.Out)
}

func TestScrapeReadsNoMoreOnceInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	args := []string{"scrape"}
	for range 100 {
		args = append(args, "https://northwind.example/careers")
	}
	got := main.Line{Args: args}.Run(ctx)
	require.Equal(t, 1, got.Code)
	require.Equal(t, "boardwatch: interrupted\n", got.Err)
}

func TestScrapeKeepsTheOrderOfItsAddresses(t *testing.T) {
	t.Parallel()
	args := []string{"scrape", "-o", "csv"}
	for range 50 {
		args = append(args, "not a url", "https://a:b@northwind.example")
	}
	got := main.Line{Args: args}.Run(t.Context())
	require.Equal(t, 1, got.Code)
	lines := strings.Split(strings.TrimSpace(got.Out), "\n")
	require.Len(t, lines, 101)
	for i, line := range lines[1:] {
		require.True(t, strings.HasPrefix(line, []string{"not a url,", "https://a:xxxxx@northwind.example,"}[i%2]), line)
	}
	require.NotContains(t, got.Err, "a:b@")
}
