package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestEveryDoorKnowsOneFormOfAnAddress(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	root := w.operator()
	manager := account.NewManager(w.Store, account.NewQuickHasher(), account.Options{Now: w.clock})
	made, err := manager.Create(t.Context(), account.NewAccount{Email: "Ada@Bücher.example", Plan: account.PlanPro, Verified: true, Password: password})
	require.NoError(t, err)
	require.Equal(t, "ada@xn--bcher-kva.example", made.Email)
	for _, written := range []string{"ada@bücher.example", " ADA@BÜCHER.example", "ada@xn--bcher-kva.example", "ada@XN--BCHER-KVA.example"} {
		in, err := w.SignIn(t.Context(), written, password, visitor("192.0.2.1"))
		require.NoError(t, err, written)
		require.Equal(t, made.ID, in.Account.ID)
		_, err = manager.Create(t.Context(), account.NewAccount{Email: written, Plan: account.PlanPro})
		require.Equal(t, []string{"email"}, fields(t, err))
		changed, err := manager.SetPlan(t.Context(), written, account.PlanUltra)
		require.NoError(t, err)
		require.Equal(t, made.ID, changed.ID)
	}
	for _, lookalike := range []string{"a\u212aa@bank.test", "v\u0130ctim@bank.test", "victim@ban\u212a.test", "victim@\uff42ank.test"} {
		hasCode(t, boardwatch.CodeInvalidRequest, w.SignUp(t.Context(), lookalike, password, visitor("192.0.2.2")))
		hasCode(t, boardwatch.CodeInvalidRequest, w.SendReset(t.Context(), lookalike, visitor("192.0.2.2")))
		hasCode(t, boardwatch.CodeInvalidRequest, w.ChangeEmail(t.Context(), made, account.Proof{Password: password}, lookalike, visitor("192.0.2.2")))
		_, err := w.Invite(t.Context(), root, lookalike, "")
		hasCode(t, boardwatch.CodeInvalidRequest, err)
		_, err = manager.Create(t.Context(), account.NewAccount{Email: lookalike, Plan: account.PlanPro})
		hasCode(t, boardwatch.CodeInvalidRequest, err)
		_, err = manager.Show(t.Context(), lookalike)
		hasCode(t, boardwatch.CodeInvalidRequest, err)
	}
	w.noLetter()
}

// An account that an earlier version stored stays its owner's, whatever is refused today.
func TestAnAddressThatIsRefusedTodayStillSignsIn(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	manager := account.NewManager(w.Store, account.NewQuickHasher(), account.Options{Now: w.clock})
	hash, err := account.NewQuickHasher().Hash(t.Context(), password)
	require.NoError(t, err)
	for i, email := range []string{"vic\ufb01@bank.test", "eve@bücher.example", "eve@xn--bcher-kva.example"} {
		a := account.Account{ID: boardwatch.NewID(), Email: email, Plan: account.PlanPro, Verified: true, PasswordHash: hash}
		require.NoError(t, w.CreateAccount(t.Context(), a))
		v := visitor("192.0.2." + string(rune('1'+i)))
		in, err := w.SignIn(t.Context(), email, password, v)
		require.NoError(t, err)
		require.Equal(t, a.ID, in.Account.ID)
		require.NoError(t, w.Confirm(t.Context(), in.Account, account.Proof{Password: password}, v))
		shown, err := manager.Show(t.Context(), email)
		require.NoError(t, err)
		require.Equal(t, a.ID, shown.ID)
	}
	_, err = w.SignIn(t.Context(), "victim@bank.test", password, visitor("192.0.2.9"))
	hasCode(t, boardwatch.CodeUnauthorized, err)
}
