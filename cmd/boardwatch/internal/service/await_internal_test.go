package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

func TestPassingReasonsOfADatabase(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err  error
		want bool
	}{
		"it is starting up":           {&pgconn.PgError{Code: "57P03"}, true},
		"it has crashed":              {fmt.Errorf("connect: %w", &pgconn.PgError{Code: "57P02"}), true},
		"nothing listens there":       {fmt.Errorf("dial: %w", syscall.ECONNREFUSED), true},
		"a wrong password":            {&pgconn.PgError{Code: "28P01"}, false},
		"one refuses, one knows best": {errors.Join(syscall.ECONNREFUSED, &pgconn.PgError{Code: "28P01"}), false},
		"a host that is not there":    {&net.DNSError{IsNotFound: true}, false},
		"the end of the wait":         {context.DeadlineExceeded, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, passing(tt.err))
		})
	}
}

func TestDatabaseThatNeverComesIsAwaitedForAWhile(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close(), "nothing listens there any more")
	cfg := config.Config{Database: config.Secret("postgres://boards:hush@" + l.Addr().String() + "/boards")}
	var out bytes.Buffer
	began := time.Now()
	awaitDatabase(t.Context(), cfg, slog.New(slog.NewTextHandler(&out, nil)), time.Second)
	require.GreaterOrEqual(t, time.Since(began), 900*time.Millisecond)
	require.Equal(t, 1, strings.Count(out.String(), "\n"), "%s", &out)
	require.Contains(t, out.String(), "nothing listens there")
	require.NotContains(t, out.String(), "hush")
}

func TestDatabaseIsNotAwaitedInVain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		for _, url := range []string{"sqlite:boardwatch.db", "postgres://%"} {
			awaitDatabase(t.Context(), config.Config{Database: config.Secret(url)}, slog.New(slog.DiscardHandler), databaseWait)
		}
		require.Zero(t, time.Since(began))
	})
}
