package judges_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85/webhook"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// header is a delivery's signature with all that is needed to judge it.
type header struct {
	name   string
	good   bool
	Secret string `json:"secret"`
	Header string `json:"header"`
	Body   []byte `json:"body"`
}

// headers are signatures as we make them, and forgeries of every kind. None is exactly 300 seconds old: there the judges
// differ among themselves.
func headers(t *testing.T) []header {
	t.Helper()
	now := time.Now()
	secret := account.NewWebhookSecret()
	sign := func(secret, body string, at time.Time) string {
		return boardwatch.Sign([]byte(secret), []byte(body), at)
	}
	const body = `{"id":"65f0c0ffee000000000000ff","type":"job.found","jobs":[{"title":"Glasbläser \u003cTurku\u003e 🏺"}]}`
	good := sign(secret, body, now)
	stamp, sum, _ := strings.Cut(good, ",")
	digits := strings.TrimPrefix(sum, "v1=")
	wrong := "v1=" + strings.Repeat("00", 32)
	other := map[bool]string{true: "1", false: "0"}[digits[0] == '0']

	list := []header{
		{"fresh", true, secret, good, []byte(body)},
		{"nearly five minutes old", true, secret, sign(secret, body, now.Add(-290*time.Second)), []byte(body)},
		{"from a clock that is ahead", true, secret, sign(secret, body, now.Add(24*time.Hour)), []byte(body)},
		{"one of several", true, secret, stamp + "," + wrong + "," + sum, []byte(body)},
		{"beside a scheme to come", true, secret, good + ",v2=x", []byte(body)},

		{"another secret", false, account.NewWebhookSecret(), good, []byte(body)},
		{"the secret without its prefix", false, strings.TrimPrefix(secret, "whsec_"), good, []byte(body)},
		{"one more byte", false, secret, good, []byte(body + " ")},
		{"one bit of the body", false, secret, good, []byte(strings.Replace(body, "found", "fould", 1))},
		{"the same JSON in other bytes", false, secret, good, []byte(strings.Replace(body, `\u003c`, "<", 1))},
		{"one digit of the sum", false, secret, stamp + ",v1=" + other + digits[1:], []byte(body)},
		{"half of the sum", false, secret, stamp + ",v1=" + digits[:32], []byte(body)},
		{"an older scheme", false, secret, stamp + ",v0=" + digits, []byte(body)},
		{"too old", false, secret, sign(secret, body, now.Add(-310*time.Second)), []byte(body)},
		{"made younger", false, secret, "t=" + strconv.FormatInt(now.Unix(), 10) + "," + sumOf(sign(secret, body, now.Add(-time.Hour))), []byte(body)},
		{"no time", false, secret, sum, []byte(body)},
		{"no sum", false, secret, stamp, []byte(body)},
		{"nothing", false, secret, "", []byte(body)},
		{"nonsense", false, secret, "nonsense", []byte(body)},
	}
	for _, e := range []boardwatch.EventType{boardwatch.EventJobFound, boardwatch.EventJobArchived, boardwatch.EventBoardFailed, boardwatch.EventPing} {
		event := event(e, now)
		list = append(list, header{"a real " + string(e), true, secret, sign(secret, string(event), now), event})
	}
	return list
}

func sumOf(header string) string {
	_, sum, _ := strings.Cut(header, ",")
	return sum
}

// event is a body as the service makes it.
func event(e boardwatch.EventType, at time.Time) []byte {
	b := boardwatch.Board{ID: boardwatch.NewID(), URL: "https://northwind.example/careers"}
	jobs := []boardwatch.Job{{ID: boardwatch.NewID(), BoardID: b.ID, Title: "Kiln Engineer", FirstSeenAt: at}}
	p := boardwatch.JobsPayload("", e, b, "Northwind Labs", jobs, at)
	switch e {
	case boardwatch.EventBoardFailed:
		p = boardwatch.FailedPayload("", b, "", "the page answered 503", at)
	case boardwatch.EventPing:
		p = boardwatch.PingPayload("", boardwatch.Webhook{ID: boardwatch.NewID(), Events: boardwatch.EventTypes()}, at)
	}
	return p.Body(boardwatch.NewID())
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	list := headers(t)

	t.Run("ours", func(t *testing.T) {
		t.Parallel()
		for _, h := range list {
			err := boardwatch.Verify([]byte(h.Secret), h.Body, h.Header, boardwatch.SignatureTolerance, time.Now())
			require.Equal(t, h.good, err == nil, h.name)
		}
	})
	t.Run("stripe-go", func(t *testing.T) {
		t.Parallel()
		for _, h := range list {
			err := webhook.ValidatePayloadWithTolerance(h.Body, h.Header, h.Secret, boardwatch.SignatureTolerance)
			require.Equal(t, h.good, err == nil, h.name)
		}
	})
	t.Run("stripe for Node", func(t *testing.T) {
		t.Parallel()
		script := os.Getenv("STRIPE_JUDGE")
		if script == "" {
			t.Skip("scripts/judges/run.sh sets STRIPE_JUDGE to the script that asks Stripe's library")
		}
		in, err := json.Marshal(list)
		require.NoError(t, err)
		cmd := exec.CommandContext(t.Context(), "node", script)
		cmd.Stdin = strings.NewReader(string(in))
		out, err := cmd.Output()
		require.NoError(t, err)
		var verdicts []bool
		require.NoError(t, json.Unmarshal(out, &verdicts))
		require.Len(t, verdicts, len(list))
		for i, h := range list {
			require.Equal(t, h.good, verdicts[i], h.name)
		}
	})
}
