//go:build long

package main_test

import (
	"context"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestServiceThatStartsBeforeItsDatabase starts the service while PostgreSQL is away, and PostgreSQL after it.
func TestServiceThatStartsBeforeItsDatabase(t *testing.T) {
	t.Parallel()
	server := newOwnServer(t)
	i := install(t, server.address)
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), buildBinary(t), "serve", "--listen", "127.0.0.1:0")
	cmd.Env = i.env
	server.stop()
	back := make(chan struct{})
	time.AfterFunc(3*time.Second, func() {
		defer close(back)
		server.restart()
	})
	began := time.Now()
	url := runServer(t, cmd)
	<-back
	require.GreaterOrEqual(t, time.Since(began), 3*time.Second, "it has waited")
	require.Equal(t, http.StatusOK, statusOf(t, url+"/readyz", ""))
}
