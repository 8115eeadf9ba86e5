package diagnosis

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestExamineBoards(t *testing.T) {
	t.Parallel()
	stats := func(total, failed, partial int) account.BoardStats {
		return account.BoardStats{Total: total, PartialLong: partial, ByStatus: map[boardwatch.BoardStatus]int{
			boardwatch.BoardReady: total - failed, boardwatch.BoardFailed: failed,
		}}
	}
	cases := []struct {
		name    string
		stats   account.BoardStats
		failing []string
		want    Finding
	}{
		{"all are well", stats(2, 0, 0), nil, Finding{"boards", OK, "2 boards, 2 ready, 0 failed"}},
		{"some fail", stats(2, 1, 0), []string{"Northwind Labs"}, Finding{"boards", Warning, "2 boards, 1 ready, 1 failed: Northwind Labs"}},
		{"many fail", stats(9, 5, 0), []string{"A", "B", "C"}, Finding{"boards", Warning, "9 boards, 4 ready, 5 failed: A, B, C and 2 more"}},
		{"one fails that nobody tracks", stats(1, 1, 0), nil, Finding{"boards", Warning, "1 board, 0 ready, 1 failed"}},
		{
			"some are partial for long", stats(3, 0, 1), nil,
			Finding{"boards", Warning, "3 boards, 3 ready, 0 failed; 1 were read only in part ten times or more in a row: no role on them is closed"},
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, examineBoards(tc.stats, tc.failing))
		})
	}
}

func TestFailingBoardsAreNamedOnce(t *testing.T) {
	t.Parallel()
	store := storagetest.Open(t, storage.Options{})
	for n := range 2 {
		a := account.Account{ID: boardwatch.NewID(), Email: fmt.Sprintf("robin%d@northwind.example", n), Plan: account.PlanUltra}
		require.NoError(t, store.CreateAccount(t.Context(), a))
		for i := range 4 {
			_, _, err := store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID, Plan: string(a.Plan), CompanyName: fmt.Sprintf("Company %d", i)},
				boardwatch.Board{Source: fmt.Sprintf("greenhouse:company%d", i), URL: "https://boards.example/"}, "")
			require.NoError(t, err)
		}
	}
	claims, err := store.ClaimDue(t.Context(), 4, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 4)
	for _, c := range claims {
		require.NoError(t, store.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			return boardwatch.Decide(in, boardwatch.Failed(cause.SiteError, "the site is in trouble"), false, boardwatch.DefaultRules(), boardwatch.NewID)
		}))
	}
	names, err := failingBoards(t.Context(), store)
	require.NoError(t, err)
	require.Equal(t, []string{"Company 0", "Company 1", "Company 2"}, names)
}

func TestExamineAccounts(t *testing.T) {
	t.Parallel()
	require.Equal(t, Finding{"accounts", OK, "0 accounts"}, examineAccounts(nil), "the first start leads to the first one")
	plain := account.Account{Email: "ann@northwind.example"}
	f := examineAccounts([]account.Account{plain})
	require.Equal(t, Warning, f.State)
	require.Contains(t, f.Detail, "account create --admin")
	require.Equal(t, Finding{"accounts", OK, "2 accounts"}, examineAccounts([]account.Account{plain, {Admin: true}}))
}

func TestTheDoctorWarnsOfAKeyThatTheServiceCannotRead(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("NOT TESTED: commands that run as root, because this user is another")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "secret.key")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Chown(dir, 65534, 65534))
	require.NoError(t, os.Chown(file, 65534, 0))
	_, ok := examineKeyFile(config.Config{DataDir: dir})
	require.False(t, ok)
	require.NoError(t, os.Chown(file, 0, 0))
	warned, ok := examineKeyFile(config.Config{DataDir: dir})
	require.True(t, ok)
	require.Contains(t, warned.Detail, "cannot read")
}
