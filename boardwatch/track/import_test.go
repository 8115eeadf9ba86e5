package track_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

const someBoards = `https://boards.hosted.example/northwind
https://boards.hosted.example/contoso
https://user:hunter2@fabrikam.example/
not an address
https://boards.hosted.example/northwind
https://fabrikam.example/careers
https://fabrikam.example/careers
https://adatum.example/
https://woodgrove.example/
https://tailspin.example/
`

func list(t *testing.T, text string) []track.Entry {
	t.Helper()
	entries, err := track.ReadList(strings.NewReader(text), track.ListAuto)
	require.NoError(t, err)
	return entries
}

// outcome returns the results of the entries, abbreviated.
func outcome(done []track.Imported) []string {
	out := make([]string, len(done))
	for i, d := range done {
		out[i] = string(d.Result)
		if d.Locked {
			out[i] += ", locked"
		}
	}
	return out
}

func TestImport(t *testing.T) {
	t.Parallel()

	t.Run("says of each line what became of it, and a dry run says the same before", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanFree) // five boards
		contoso := w.add(t, a, "https://boards.hosted.example/contoso").Board.ID
		known := w.add(t, w.account(t, account.PlanPro), "https://adatum.example/").Board.ID

		dry, err := w.Import(t.Context(), a, list(t, someBoards), track.ImportOptions{DryRun: true})
		require.NoError(t, err)
		tracked, _, err := w.Places(t.Context(), a.ID)
		require.NoError(t, err)
		require.Equal(t, 1, tracked, "nothing has changed")

		var told []track.Imported
		done, err := w.Import(t.Context(), a, list(t, someBoards), track.ImportOptions{Report: func(i track.Imported) { told = append(told, i) }})
		require.NoError(t, err)
		require.Equal(t, done, told)
		want := []string{
			"added", "already_tracked", "refused", "refused", "already_tracked", "added", "already_tracked", "added", "added", "added, locked",
		}
		require.Equal(t, want, outcome(done))
		for i := range want {
			want[i] = strings.Replace(want[i], "added", "would_add", 1)
			require.Equal(t, done[i].Reason, dry[i].Reason)
		}
		require.Equal(t, want, outcome(dry))

		require.Equal(t, contoso, done[1].BoardID)
		require.Equal(t, contoso, dry[1].BoardID)
		require.Equal(t, known, dry[7].BoardID)
		require.Empty(t, dry[0].BoardID)
		require.Equal(t, done[0].BoardID, done[4].BoardID)
		require.Equal(t, "https://user:xxxxx@fabrikam.example/", done[2].URL)
		require.NotEmpty(t, done[2].Reason)
		require.Equal(t, 4, done[3].Line)
		require.Equal(t, "the address "+track.MustBeAddress, done[3].Reason)
	})

	t.Run("takes the names of companies along, and what was exported", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a, other := w.account(t, account.PlanPro), w.account(t, account.PlanPro)
		_, err := w.Import(t.Context(), a, list(t, "url,companyName\nhttps://northwind.example/,Northwind\nhttps://contoso.example/,\n"), track.ImportOptions{})
		require.NoError(t, err)
		boards, err := w.Boards(t.Context(), a, "")
		require.NoError(t, err)
		exported, err := json.Marshal(boards)
		require.NoError(t, err)
		done, err := w.Import(t.Context(), other, list(t, string(exported)), track.ImportOptions{})
		require.NoError(t, err)
		require.Equal(t, []string{"added", "added"}, outcome(done))
		again, err := w.Boards(t.Context(), other, "")
		require.NoError(t, err)
		require.Equal(t, "Northwind", again[0].Company)
		require.Equal(t, boards[1].ID, again[1].ID)
	})

	t.Run("names what is out of bounds", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		long, err := json.Marshal([]map[string]string{{"url": strings.Repeat("x", 501), "companyName": strings.Repeat("y", 121)}, {}, {"url": "\x00"}})
		require.NoError(t, err)
		for _, dry := range []bool{true, false} {
			done, err := w.Import(t.Context(), w.account(t, account.PlanPro), list(t, string(long)), track.ImportOptions{DryRun: dry})
			require.NoError(t, err)
			require.Equal(t, "the address must be at most 500 characters; the company's name must be at most 120 characters", done[0].Reason)
			require.Equal(t, "the address must not be empty", done[1].Reason)
			require.Equal(t, "the address must not contain a NUL character", done[2].Reason)
		}
	})

	t.Run("stops when the store does, and tells what is done", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		ctx, cancel := context.WithCancel(t.Context())
		done, err := w.Import(ctx, w.account(t, account.PlanPro), list(t, someBoards), track.ImportOptions{
			Report: func(track.Imported) { cancel() },
		})
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "import line 2")
		require.Len(t, done, 1)
	})

	t.Run("an entry is one object with every field", func(t *testing.T) {
		t.Parallel()
		text, err := json.Marshal([]track.Imported{
			{Line: 1, URL: "northwind.example", Result: track.ImportAdded, BoardID: "66f2c1b0a998877665544332"},
			{Line: 2, URL: "x", Result: track.ImportRefused, Reason: "the address is not a web address"},
		})
		require.NoError(t, err)
		require.JSONEq(t, `[
			{"line": 1, "url": "northwind.example", "result": "added", "boardId": "66f2c1b0a998877665544332", "locked": false, "reason": null},
			{"line": 2, "url": "x", "result": "refused", "boardId": null, "locked": false, "reason": "the address is not a web address"}
		]`, string(text))
	})
}
