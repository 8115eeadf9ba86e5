package boardwatch_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestAnAnswerAsksToBeLeftAloneForADayAtMost(t *testing.T) {
	t.Parallel()
	tests := []struct {
		value string
		wait  time.Duration
		ok    bool
	}{
		{"", 0, false},
		{"   ", 0, false},
		{"0", 0, true},
		{" 120 ", 2 * time.Minute, true},
		{"120.0", 2 * time.Minute, true},
		{"1.5", 1500 * time.Millisecond, true},
		{"1.", time.Second, true},
		{"0.0000000001", 0, true},
		{"86399.999", 24*time.Hour - time.Millisecond, true},
		{"86400", 24 * time.Hour, true},
		{"86401", 24 * time.Hour, true},
		{"4294967296", 24 * time.Hour, true}, // more than 32 bits hold
		{"9223372037", 24 * time.Hour, true}, // more nanoseconds than 64 bits hold
		{"99999999999999999999", 24 * time.Hour, true},
		{strings.Repeat("9", 400), 24 * time.Hour, true}, // more than a float holds
		{"-1", 0, false},
		{"+1", 0, false},
		{".5", 0, false},
		{".", 0, false},
		{"1.5.0", 0, false},
		{"1,5", 0, false},
		{"1e3", 0, false},
		{"0x10", 0, false},
		{"1_000", 0, false},
		{"NaN", 0, false},
		{"Inf", 0, false},
		{"120 seconds", 0, false},
		{"tomorrow", 0, false},
		{"Mon, 04 May 2026 10:01:00 GMT", time.Minute, true},
		{"Monday, 04-May-26 10:01:00 GMT", time.Minute, true},
		{"Mon May  4 10:01:00 2026", time.Minute, true},
		{"Mon, 04 May 2026 09:00:00 GMT", 0, true},
		{"Tue, 05 May 2026 10:00:01 GMT", 24 * time.Hour, true},
		{"Fri, 31 Dec 9999 23:59:59 GMT", 24 * time.Hour, true},
		{"2026-05-04T10:01:00Z", 0, false},
	}
	for _, test := range tests {
		t.Run(test.value, func(t *testing.T) {
			t.Parallel()
			wait, ok := boardwatch.RetryAfter(test.value, time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC))
			require.Equal(t, test.ok, ok)
			require.Equal(t, test.wait, wait)
		})
	}
}

func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	for _, seed := range []string{
		"", "120", "1.5", "-1", "1e400", "0x10", "NaN", "Mon, 04 May 2026 10:01:00 GMT", "Mon May  4 10:01:00 2026", "99999999999999999999",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		wait, ok := boardwatch.RetryAfter(value, now)
		require.GreaterOrEqual(t, wait, time.Duration(0))
		require.LessOrEqual(t, wait, 24*time.Hour)
		require.True(t, ok || wait == 0)
		if digits := strings.TrimSpace(value); digits != "" && strings.Trim(digits, "0123456789") == "" {
			require.True(t, ok, "a number of seconds is always understood")
			more, ok := boardwatch.RetryAfter(digits+"9", now)
			require.True(t, ok)
			require.GreaterOrEqual(t, more, wait, "a longer number is no shorter wait")
		}
	})
}
