package boardwatch_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestWebhookSecret(t *testing.T) {
	t.Parallel()

	require.Regexp(t, `^whsec_[A-Za-z0-9_-]{43}$`, account.NewWebhookSecret())
	one, other := account.NewWebhookSecret(), account.NewWebhookSecret()
	require.NotEqual(t, one, other)
}

func TestNewID(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}
	for range 10_000 {
		id := boardwatch.NewID()
		require.True(t, boardwatch.ValidID(id))
		require.False(t, seen[id])
		seen[id] = true
	}
	for _, bad := range []string{"", "65f0c0ffee0000000000000", "65F0C0FFEE00000000000001", "65f0c0ffee0000000000000g", "65f0c0ffee000000000000011"} {
		require.False(t, boardwatch.ValidID(bad), bad)
	}
}

func TestSignature(t *testing.T) {
	t.Parallel()

	secret, body := []byte("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"), []byte(`{"id":"x"}`)
	header := boardwatch.Sign(secret, body, noon)
	// Computed by: printf '1795176000.{"id":"x"}' | openssl dgst -sha256 -hmac whsec_MDEy…
	require.Equal(t, "t=1795176000,v1=890c7408184c9d8eec20f83be0c97d21e0cf8ff07038cf1f4dc844a56b847f75", header)

	verify := func(header string, now time.Time) error {
		return boardwatch.Verify(secret, body, header, boardwatch.SignatureTolerance, now)
	}
	require.NoError(t, verify(header, noon))
	require.NoError(t, verify(header, noon.Add(300*time.Second)))
	require.ErrorIs(t, verify(header, noon.Add(301*time.Second)), boardwatch.ErrSignatureStale)
	require.NoError(t, verify(header, noon.Add(-24*time.Hour)), "clocks differ")
	require.ErrorIs(t, boardwatch.Verify([]byte("other"), body, header, time.Minute, noon), boardwatch.ErrSignatureWrong)
	require.ErrorIs(t, boardwatch.Verify(secret, append(body, ' '), header, time.Minute, noon), boardwatch.ErrSignatureWrong)

	good := strings.TrimPrefix(header, "t=1795176000,")
	wrong := "v1=" + strings.Repeat("00", 32)
	require.NoError(t, verify("t=1795176000,"+wrong+","+good, noon), "one of several is enough")
	require.NoError(t, verify("t=1795176000,"+good+","+wrong, noon), "whichever of them it is")
	require.NoError(t, verify("t=1795176000, "+good+",v0=abc", noon), "blanks and unknown parts")
	require.ErrorIs(t, verify("t=1795176001,"+good, noon), boardwatch.ErrSignatureWrong, "the stamp is signed too")
	for _, bad := range []string{
		"", "t=1795176000", good, "t=," + good, "t=x," + good, "t=-1," + good, "t=+1795176000," + good, "t=1795176000,t=1795176000," + good, "t=1795176000,v1=abc",
		"t=1795176000,v1=", "nonsense", "t=1795176000," + strings.Repeat(wrong+",", 20) + good,
	} {
		require.ErrorIs(t, verify(bad, noon), boardwatch.ErrSignatureMalformed, bad)
	}
}

func FuzzVerify(f *testing.F) {
	secret, body := []byte("whsec_x"), []byte("body")
	f.Add(boardwatch.Sign(secret, body, noon))
	f.Add("t=1,v1=")
	f.Add(",,=,t=9223372036854775808,v1=00")
	f.Fuzz(func(t *testing.T, header string) {
		if boardwatch.Verify(secret, body, header, time.Minute, noon) == nil {
			// Only somebody who has the secret can make a valid one.
			require.Contains(t, header, "v1=")
		}
		require.NoError(t, boardwatch.Verify(secret, []byte(header), boardwatch.Sign(secret, []byte(header), noon), time.Minute, noon))
	})
}

func TestPublicAddr(t *testing.T) {
	t.Parallel()

	for _, public := range []string{
		"1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.1", "198.17.255.255", "198.20.0.0", "223.255.255.255",
		"168.63.129.15", "168.63.129.17", "2001:200::1", "2001:db7::1", "2001:db9::1", "2003::1", "2620:4f:8001::1", "2a00:1450:4001::1",
		"2606:4700:4700::1111", "2001:4860:4860::8888", "::ffff:8.8.8.8",
	} {
		require.True(t, boardwatch.PublicAddr(netip.MustParseAddr(public)), public)
	}
	for _, special := range []string{
		"0.0.0.0", "0.1.2.3", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1",
		"192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.0", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "5f00::1",
		"fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
		// Translated IPv4, and the first and last address of every registered range.
		"::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8", "168.63.129.16", "192.0.0.255", "192.31.196.1", "192.52.193.1", "192.175.48.1",
		"100::", "100::ffff:ffff:ffff:ffff", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", "2001::", "2001:1::1", "2001:1::2", "2001:1::3",
		"2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1", "2001:1ff:ffff::1", "2620:4f:8000::1",
		"3fff:fff:ffff::1", "4000::1", "1fff::1", "8000::1", "e000::1",
	} {
		require.False(t, boardwatch.PublicAddr(netip.MustParseAddr(special)), special)
	}
	require.False(t, boardwatch.PublicAddr(netip.Addr{}))
}

func TestErrors(t *testing.T) {
	t.Parallel()

	wrapped := fmt.Errorf("add board: %w", boardwatch.NotFound("board"))
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(wrapped))
	require.Equal(t, boardwatch.CodeInternal, boardwatch.CodeOf(errors.New("disk full")))
	cause := errors.New("cause")
	e := &boardwatch.Error{Code: boardwatch.CodeInternal, Message: "sentence", Err: cause}
	require.ErrorIs(t, e, cause)
	require.Equal(t, "sentence: cause", e.Error())
}
