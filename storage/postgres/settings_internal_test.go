package postgres

import (
	"net/url"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSessionsHaveLimits(t *testing.T) {
	t.Parallel()
	address := os.Getenv("TEST_POSTGRES_URL")
	if address == "" {
		t.Skip("no PostgreSQL server for tests")
	}
	tests := []struct{ name, extra, setting, want string }{
		{"for statements", "", "statement_timeout", "1min"},
		{"for locks", "", "lock_timeout", "30s"},
		{"for abandoned transactions", "", "idle_in_transaction_session_timeout", "1min"},
		{"that the address may change", "statement_timeout=5s", "statement_timeout", "5s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u, err := url.Parse(address)
			require.NoError(t, err)
			u.RawQuery += "&" + tt.extra
			d, err := open(u.String(), nil)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, d.Close()) })
			var value string
			require.NoError(t, d.db.QueryRowContext(t.Context(), "SHOW "+tt.setting).Scan(&value))
			require.Equal(t, tt.want, value)
			unhurried := d.unhurried("test", 1)
			t.Cleanup(func() { require.NoError(t, unhurried.Close()) })
			require.NoError(t, unhurried.QueryRowContext(t.Context(), "SHOW "+tt.setting).Scan(&value))
			require.Equal(t, "0", value, "an unhurried pool has no time limit")
		})
	}
}
