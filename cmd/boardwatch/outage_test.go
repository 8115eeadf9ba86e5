//go:build long

package main_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// TestDatabaseThatGoesAway takes PostgreSQL away from two processes for a while: /readyz says so, requests are answered in
// the published shape, and when it is back every loop goes on by itself and nothing is lost.
func TestDatabaseThatGoesAway(t *testing.T) {
	t.Parallel()
	server := newOwnServer(t)
	binary := buildBinary(t)
	i := install(t, server.address, "BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=200ms",
		"BOARDWATCH_CHECKS_SUSPECT_HOLD=0s", "BOARDWATCH_LOG_LEVEL=error")
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	var key struct {
		Secret string `json:"secret"`
	}
	i.do(&key, "key", "create", "--account", e2eEmail, "--name", "test")
	in := newInbox(t)
	i.webhook(in.url, "job.found")
	site := newCareersSite(t, demo.Role{ID: 1, Title: "Engineer 1", Location: "Bergen", Department: "Engineering"})
	i.do(&struct{}{}, "board", "add", "--account", e2eEmail, site.URL+"/careers")
	var urls []string
	for _, role := range []string{"worker", "api"} {
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), binary, "serve", "--listen", "127.0.0.1:0", "--role", role)
		cmd.Env = i.env
		urls = append(urls, runServer(t, cmd))
	}
	found := func(n int) func() bool {
		return func() bool { return len(in.titles()) >= n }
	}
	i.eventually("the first role is announced", found(1))

	for round := range 2 {
		server.stop()
		site.show(demo.Role{ID: 1, Title: "Engineer 1", Location: "Bergen", Department: "Engineering"}, demo.Role{ID: 2 + round, Title: fmt.Sprint("Engineer ", 2+round), Location: "Bergen", Department: "Engineering"})
		for _, url := range urls {
			i.eventually("/readyz tells", func() bool { return statusOf(t, url+"/readyz", "") == http.StatusServiceUnavailable })
			require.Equal(t, http.StatusOK, statusOf(t, url+"/healthz", ""), "the process is well")
		}
		require.Equal(t, http.StatusInternalServerError, statusOf(t, urls[1]+"/v1/status", key.Secret))
		require.Equal(t, http.StatusServiceUnavailable, statusOf(t, urls[1]+"/boards", ""), "a page says what is away")
		server.restart()
		back := time.Now()
		for _, url := range urls {
			i.eventually("/readyz tells", func() bool { return statusOf(t, url+"/readyz", "") == http.StatusOK })
		}
		i.eventually("what appeared meanwhile is announced", found(2+round))
		require.Equal(t, http.StatusOK, statusOf(t, urls[1]+"/v1/status", key.Secret))
		t.Logf("announced %v after the database was back", time.Since(back).Round(10*time.Millisecond))
	}
}

func statusOf(t *testing.T, url, key string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	return resp.StatusCode
}

// titles are the roles that were announced.
func (in *inbox) titles() map[string]bool {
	titles := map[string]bool{}
	for _, a := range in.got(boardwatch.EventJobFound) {
		for _, j := range a.Body.Jobs {
			titles[j.Title] = true
		}
	}
	return titles
}
