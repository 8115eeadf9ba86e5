package boardwatch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestADeliveryIsTriedSixTimesOnThePublishedSchedule(t *testing.T) {
	t.Parallel()

	d := boardwatch.Delivery{State: boardwatch.DeliveryPending}
	refused := boardwatch.Receipt{Code: 503, Error: "answered 503", Duration: time.Second}
	now := noon
	for i, wait := range []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 12 * time.Hour} {
		d = d.After(refused, boardwatch.DefaultRules(), now)
		require.Equal(t, i+1, d.Attempts)
		require.Equal(t, boardwatch.DeliveryPending, d.State)
		require.Equal(t, now.Add(wait), d.NextAttemptAt)
		require.Equal(t, 503, d.ResponseCode)
		now = d.NextAttemptAt
	}
	d = d.After(refused, boardwatch.DefaultRules(), now)
	require.Equal(t, boardwatch.DeliveryDead, d.State)
	require.Equal(t, 6, d.Attempts)
	require.True(t, d.NextAttemptAt.IsZero())
	require.Len(t, d.Log, 6)
	require.Equal(t, boardwatch.Receipt{Code: 503, Error: "answered 503", Duration: time.Second}.Attempt(noon, false), d.Log[0])
	require.Equal(t, now, d.Log[5].At)

	require.False(t, d.Rescued())
	d.Log = append(d.Log, refused.Attempt(now, true))
	require.False(t, d.Rescued(), "it failed again")
	d.Log = append(d.Log, boardwatch.Receipt{Code: 200}.Attempt(now, true))
	require.True(t, d.Rescued())
	d.State = boardwatch.DeliveryDelivered
	require.False(t, d.Rescued(), "it never had to be")
}

func TestOnlyA2xxDelivers(t *testing.T) {
	t.Parallel()

	for code, want := range map[int]boardwatch.DeliveryState{
		200: boardwatch.DeliveryDelivered, 204: boardwatch.DeliveryDelivered, 299: boardwatch.DeliveryDelivered,
		0: boardwatch.DeliveryPending, 199: boardwatch.DeliveryPending, 302: boardwatch.DeliveryPending, 410: boardwatch.DeliveryPending,
	} {
		d := boardwatch.Delivery{}.After(boardwatch.Receipt{Code: code}, boardwatch.DefaultRules(), noon)
		require.Equal(t, want, d.State, code)
	}
	late := boardwatch.Delivery{}.After(boardwatch.Receipt{Code: 200, Error: "took longer than ten seconds"}, boardwatch.DefaultRules(), noon)
	require.Equal(t, boardwatch.DeliveryPending, late.State)
}

func TestAWebhookIsSwitchedOffAfterThreeDaysOfFailures(t *testing.T) {
	t.Parallel()

	rules := boardwatch.DefaultRules()
	pending, dead := boardwatch.Delivery{State: boardwatch.DeliveryPending}, boardwatch.Delivery{State: boardwatch.DeliveryDead}
	w := boardwatch.Webhook{Events: boardwatch.EventTypes()}

	w = w.After(pending, rules, noon)
	require.Equal(t, noon, w.FailingSince)
	w = w.After(dead, rules, noon.Add(71*time.Hour))
	require.True(t, w.DisabledAt.IsZero(), "not three days yet")
	w = w.After(pending, rules, noon.Add(80*time.Hour))
	require.True(t, w.DisabledAt.IsZero(), "only a death switches it off")

	saved := w.After(boardwatch.Delivery{State: boardwatch.DeliveryDelivered}, rules, noon.Add(81*time.Hour))
	require.True(t, saved.FailingSince.IsZero(), "one success forgets")
	require.True(t, saved.After(dead, rules, noon.Add(82*time.Hour)).DisabledAt.IsZero())

	off := w.After(dead, rules, noon.Add(72*time.Hour))
	require.Equal(t, noon.Add(72*time.Hour), off.DisabledAt)
	require.Contains(t, off.DisabledReason, "2026-11-20T12:00:00Z")
	require.False(t, off.Wants(boardwatch.EventJobFound))
	require.Equal(t, off.DisabledAt, off.After(dead, rules, noon.Add(99*time.Hour)).DisabledAt, "the first time is kept")
}

func TestCheckWebhookURL(t *testing.T) {
	t.Parallel()

	for _, good := range []string{
		"https://example.com/hook", "https://example.com:8443/x?token=1", "https://93.184.216.34/", "https://[2606:4700::1111]/x", "HTTPS://Example.COM/",
	} {
		require.NoError(t, boardwatch.CheckWebhookURL(good, false), good)
	}
	for _, bad := range []string{
		"", "example.com/hook", "http://example.com/", "ftp://example.com/", "https://", "https:///x", "https://user@example.com/", "https://u:p@example.com/",
		"https://example.com/#x", "https://example.com/#", "https://localhost/", "https://x.localhost/", "https://router.local/", "https://a.internal/", "https://intranet/",
		"https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://017700000001/", "https://10.0.0.8/", "https://[::1]/", "https://[::]/",
		"https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://[fe80::1%25eth0]/", "https://[fd00:ec2::254]/",
		"https://169.254.169.254/", "https://example.com:0/", "https://example.com:65536/", "https://exa mple.com/", "https://example.com/\n", "https://1.2.3.4.home.arpa/", "https:example.com",
		"https://100.64.0.1/", "https://198.18.0.1/", "https://[fec0::1]/", "https://255.255.255.255/", "https://0.0.0.0/",
	} {
		err := boardwatch.CheckWebhookURL(bad, false)
		require.Error(t, err, bad)
		require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
	}
	require.NoError(t, boardwatch.CheckWebhookURL("http://localhost:9999/hook", true))
	require.Error(t, boardwatch.CheckWebhookURL("http://localhost:9999/hook", false))
	require.Error(t, boardwatch.CheckWebhookURL("http://example.com/hook", true))
}
