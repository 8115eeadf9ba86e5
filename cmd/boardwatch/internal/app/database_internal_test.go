package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

func TestRefusalOfADatabase(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		err  error
		want string
	}{
		{"a wrong password", &pgconn.PgError{Code: "28P01", Message: `password authentication failed for user "boards"`}, "it does not accept this user or password"},
		{"a database that is not there", &pgconn.PgError{Code: "3D000", Message: `database "boards" does not exist`}, "it has no database of this name"},
		{"too many connections", &pgconn.PgError{Code: "53300", Message: "sorry, too many clients already"}, "sorry, too many clients already"},
		{"a host that is not there", &net.DNSError{IsNotFound: true}, "the host does not exist"},
		{"a name server that does not answer", &net.DNSError{IsTimeout: true}, "the name of the host could not be looked up"},
		{"nobody there", fmt.Errorf("dial: %w", errors.Join(syscall.ECONNREFUSED, syscall.ECONNREFUSED)), "nothing listens there"},
		{"a network that is down", syscall.ENETUNREACH, "there is no way to that host"},
		{"a socket that is not there", syscall.ENOENT, "there is no such socket"},
		{"silence", context.DeadlineExceeded, "no answer came in time"},
		{"anything else", errors.New("tls: strange"), "it did not answer as it should"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, Refusal(tc.err))
		})
	}
}
