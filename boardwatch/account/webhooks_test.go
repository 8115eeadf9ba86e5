package account_test

import (
	"context"
	"errors"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

const hookURL = "https://hooks.northwind.example/roles?team=1"

// webhooks returns the Webhooks of a new world, and an account on the plan.
func webhooks(t *testing.T, plan account.PlanName, o account.WebhookOptions) (*account.Webhooks, world, account.Account) {
	t.Helper()
	w := setup(t)
	o.Now = func() time.Time { return noon }
	return account.NewWebhooks(w.Store, o), w, w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: plan})
}

func TestAWebhookGetsANewSecretAndIsSwitchedOnByItsOwnerOnly(t *testing.T) {
	t.Parallel()
	hooks, w, ann := webhooks(t, account.PlanUltra, account.WebhookOptions{})
	bob := w.create(t, account.NewAccount{Email: "bob@northwind.example", Plan: account.PlanUltra})
	made, err := hooks.Create(t.Context(), ann, account.WebhookForm{URL: hookURL, Events: []string{"job.found"}})
	require.NoError(t, err)
	changed, err := hooks.NewSecret(t.Context(), ann, made.ID)
	require.NoError(t, err)
	require.Regexp(t, `^whsec_[A-Za-z0-9_-]{43}$`, changed.Secret)
	require.NotEqual(t, made.Secret, changed.Secret)
	found, err := hooks.Find(t.Context(), ann, made.ID)
	require.NoError(t, err)
	require.Equal(t, changed, found)
	_, err = hooks.NewSecret(t.Context(), bob, made.ID)
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
	require.NoError(t, hooks.SwitchOn(t.Context(), ann, made.ID))
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(hooks.SwitchOn(t.Context(), bob, made.ID)))
}

func TestWebhooksCreate(t *testing.T) {
	t.Parallel()

	t.Run("shows the secret once", func(t *testing.T) {
		t.Parallel()
		hooks, _, ann := webhooks(t, account.PlanUltra, account.WebhookOptions{})
		made, err := hooks.Create(t.Context(), ann, account.WebhookForm{URL: hookURL, Events: []string{"board.failed", "job.found", "board.failed"}})
		require.NoError(t, err)
		require.Regexp(t, `^whsec_[A-Za-z0-9_-]{43}$`, made.Secret)
		require.Equal(t, hookURL, made.URL)
		require.Equal(t, []boardwatch.EventType{"board.failed", "job.found"}, made.Events, "as chosen, each once")
		require.Equal(t, noon.Truncate(time.Millisecond), made.CreatedAt)

		listed, err := hooks.List(t.Context(), ann)
		require.NoError(t, err)
		require.Len(t, listed, 1)
		require.Empty(t, listed[0].Secret)
		found, err := hooks.Find(t.Context(), ann, made.ID)
		require.NoError(t, err)
		require.Equal(t, made, found)
	})
	t.Run("is for plans with webhooks", func(t *testing.T) {
		t.Parallel()
		for _, plan := range []account.PlanName{account.PlanFree, account.PlanPro} {
			hooks, _, ann := webhooks(t, plan, account.WebhookOptions{})
			_, err := hooks.Create(t.Context(), ann, account.WebhookForm{URL: hookURL, Events: []string{"job.found"}})
			require.Equal(t, boardwatch.CodePlanRequired, boardwatch.CodeOf(err))
		}
	})
	t.Run("a plan is what the settings make of it", func(t *testing.T) {
		t.Parallel()
		hooks, _, ann := webhooks(t, account.PlanFree, account.WebhookOptions{
			Options: account.Options{Plans: account.Plans{account.PlanFree: {Webhooks: true}}},
		})
		_, err := hooks.Create(t.Context(), ann, account.WebhookForm{URL: hookURL, Events: []string{"job.found"}})
		require.NoError(t, err)
	})
	t.Run("names every wrong field", func(t *testing.T) {
		t.Parallel()
		hooks, _, ann := webhooks(t, account.PlanUltra, account.WebhookOptions{})
		cases := []struct {
			url    string
			events []string
			fields []string
		}{
			{"http://hooks.northwind.example/", []string{"job.found"}, []string{"url"}},
			{hookURL, nil, []string{"events"}},
			{hookURL, []string{""}, []string{"events"}},
			{hookURL, []string{"job.found", "ping"}, []string{"events"}},
			{"https://[::1]/", []string{"job.closed"}, []string{"url", "events"}},
		}
		for _, tc := range cases {
			_, err := hooks.Create(t.Context(), ann, account.WebhookForm{URL: tc.url, Events: tc.events})
			e, ok := errors.AsType[*boardwatch.Error](err)
			require.True(t, ok, tc.url)
			require.Equal(t, boardwatch.CodeInvalidRequest, e.Code)
			fields, ok := e.Details.([]boardwatch.FieldError)
			require.True(t, ok)
			var names []string
			for _, f := range fields {
				names = append(names, f.Field)
			}
			require.Equal(t, tc.fields, names, tc.url)
		}
		listed, err := hooks.List(t.Context(), ann)
		require.NoError(t, err)
		require.Empty(t, listed)
	})
	t.Run("takes localhost in development only", func(t *testing.T) {
		t.Parallel()
		never := func(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("must not be asked") }
		for _, dev := range []bool{true, false} {
			hooks, _, ann := webhooks(t, account.PlanUltra, account.WebhookOptions{Dev: dev, Lookup: never})
			_, err := hooks.Create(t.Context(), ann, account.WebhookForm{URL: "http://localhost:4000/hook", Events: []string{"job.found"}})
			require.Equal(t, dev, err == nil, err)
		}
	})
	t.Run("five at most, also at once", func(t *testing.T) {
		t.Parallel()
		hooks, _, ann := webhooks(t, account.PlanUltra, account.WebhookOptions{})
		var made atomic.Int32
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				_, err := hooks.Create(t.Context(), ann, account.WebhookForm{URL: hookURL + strconv.Itoa(i), Events: []string{"job.found"}})
				if err == nil {
					made.Add(1)
				} else if boardwatch.CodeOf(err) != boardwatch.CodeInvalidRequest {
					made.Add(100)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, boardwatch.MaxWebhooks, made.Load())
	})
}

func TestWebhooksJudgeNames(t *testing.T) {
	t.Parallel()
	answer := func(addrs ...string) func(context.Context, string) ([]netip.Addr, error) {
		return func(_ context.Context, host string) ([]netip.Addr, error) {
			if host != "hooks.northwind.example" {
				return nil, errors.New("another host was asked for: " + host)
			}
			var out []netip.Addr
			for _, a := range addrs {
				out = append(out, netip.MustParseAddr(a))
			}
			return out, nil
		}
	}
	cases := []struct {
		name   string
		dev    bool
		lookup func(context.Context, string) ([]netip.Addr, error)
		ok     bool
	}{
		{"a public one is good", false, answer("93.184.216.34", "2606:2800:220:1::1"), true},
		{"a private one is refused", false, answer("10.0.0.7"), false},
		{"one private address among public ones is enough", false, answer("93.184.216.34", "::1"), false},
		{"IPv4 inside IPv6 is judged as IPv4", false, answer("::ffff:192.168.1.1"), false},
		{"loopback is refused", false, answer("127.0.0.1"), false},
		{"loopback is fine in development", true, answer("127.0.0.1"), true},
		{"a private network is not, in development", true, answer("192.168.1.1"), false},
		{"one that is not known yet is judged at every attempt", false, func(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("no such host") }, true},
		{"nobody to ask, as behind a proxy", false, nil, true},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			hooks, _, ann := webhooks(t, account.PlanUltra, account.WebhookOptions{Dev: tc.dev, Lookup: tc.lookup})
			_, err := hooks.Create(t.Context(), ann, account.WebhookForm{URL: hookURL, Events: []string{"job.found"}})
			if tc.ok {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "url: must name a public host")
		})
	}
}

func TestWebhooksBelongToTheirAccount(t *testing.T) {
	t.Parallel()
	hooks, w, ann := webhooks(t, account.PlanUltra, account.WebhookOptions{})
	bob := w.create(t, account.NewAccount{Email: "bob@northwind.example", Plan: account.PlanUltra})
	made, err := hooks.Create(t.Context(), ann, account.WebhookForm{URL: hookURL, Events: []string{"job.found"}})
	require.NoError(t, err)

	for _, id := range []string{made.ID, boardwatch.NewID(), "", "x"} {
		_, err = hooks.Find(t.Context(), bob, id)
		require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		_, err = hooks.Deliveries(t.Context(), bob, id)
		require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(hooks.Delete(t.Context(), bob, id)))
	}
	listed, err := hooks.List(t.Context(), bob)
	require.NoError(t, err)
	require.Empty(t, listed)

	deliveries, err := hooks.Deliveries(t.Context(), ann, made.ID)
	require.NoError(t, err)
	require.Empty(t, deliveries)

	_, err = w.Manager.SetPlan(t.Context(), ann.Email, account.PlanFree)
	require.NoError(t, err)
	ann.Plan = account.PlanFree
	listed, err = hooks.List(t.Context(), ann)
	require.NoError(t, err)
	require.Len(t, listed, 1, "a plan that loses webhooks keeps the registrations")
	require.NoError(t, hooks.Delete(t.Context(), ann, made.ID))
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(hooks.Delete(t.Context(), ann, made.ID)))
}
