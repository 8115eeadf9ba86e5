package account_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestPrivateChannelHost(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		entry, to string
		want      bool
	}{
		{"ntfy.lan", "http://ntfy.lan/topic", true},
		{"ntfy.lan", "https://NTFY.lan:443/topic", true},
		{"ntfy.lan", "https://ntfy.lan:80/topic", false},
		{"ntfy.lan", "http://ntfy.lan:6379/topic", false},
		{"ntfy.lan:8080", "http://ntfy.lan:8080/topic", true},
		{"ntfy.lan:8080", "http://ntfy.lan/topic", false},
		{"ntfy.lan:80", "http://ntfy.lan/topic", true},
		{"[::1]:8080", "http://[0:0::1]:8080/topic", true},
		{"[::1]:8080", "http://[::1]/topic", false},
		{"[::1]", "http://[::1]/topic", true},
		{"::1", "http://[::1]/topic", true},
		{"10.0.0.0/8", "http://10.0.0.5/topic", false},
		{"ntfy.lan", "http://other.lan/topic", false},
	} {
		u, err := url.Parse(tt.to)
		require.NoError(t, err)
		require.Equal(t, tt.want, account.PrivateChannelHost(u, []string{tt.entry}), "%s with %s", tt.to, tt.entry)
	}
	for _, good := range []string{"ntfy.lan", "10.0.0.5:8080", "::1", "[::1]", "[fd00::5]:8080"} {
		require.NoError(t, account.CheckPrivateHost(good))
	}
	for _, bad := range []string{"", "10.0.0.0/8", "http://ntfy.lan", "ntfy.lan/topic", "ntfy.lan:", "ntfy.lan:0", "ntfy.lan:99999", "ntfy.lan:http", "*.lan", "a b", "u@ntfy.lan", "::1:x", "[::1"} {
		require.Error(t, account.CheckPrivateHost(bad), bad)
	}
}
