package main_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// hook receives deliveries until the script ends and puts its address into $HOOK. What comes is written to hook.log, a line
// each: the event, the id, whether the secret in the file hook.secret has signed it, and the body. The file hook.status holds
// what to answer; without it that is 204.
func hook(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: hook")
	}
	var mu sync.Mutex
	path := ts.MkAbs
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, err := io.ReadAll(r.Body)
		ts.Check(err)
		secret, _ := os.ReadFile(path("hook.secret")) // not there yet: nothing is valid
		err = boardwatch.Verify([]byte(strings.TrimSpace(string(secret))), body, r.Header.Get("X-Boardwatch-Signature"), time.Minute, time.Now())
		log, openErr := os.OpenFile(path("hook.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		ts.Check(openErr)
		ts.Check(json.NewEncoder(log).Encode(map[string]any{
			"event": r.Header.Get("X-Boardwatch-Event"), "delivery": r.Header.Get("X-Boardwatch-Delivery"), "valid": err == nil, "body": string(body),
		}))
		ts.Check(log.Close())
		status := http.StatusNoContent
		if text, err := os.ReadFile(path("hook.status")); err == nil {
			status, err = strconv.Atoi(strings.TrimSpace(string(text)))
			ts.Check(err)
		}
		w.WriteHeader(status)
	}))
	ts.Setenv("HOOK", strings.Replace(server.URL, "127.0.0.1", "localhost", 1)+"/hook")
	ts.Defer(server.Close)
}

// owed lets a check of a board on the list of a script's account owe a delivery, and puts its id into $DELIVERY. With
// "dead" the delivery was tried and given up.
func owed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: owed EMAIL [dead]")
	}
	ctx := context.Background()
	key, err := main.DecodeKey(ts.ReadFile("data/secret.key"))
	ts.Check(err)
	store, err := sqlite.Open(ctx, ts.MkAbs("data/boardwatch.db"), storage.Options{SealKey: key})
	ts.Check(err)
	defer func() { ts.Check(store.Close()) }()
	account, err := store.AccountByEmail(ctx, args[0])
	ts.Check(err)
	token := boardwatch.NewID()
	board, _, err := store.Subscribe(ctx, boardwatch.Subscription{AccountID: account.ID},
		boardwatch.Board{Source: "greenhouse:" + token, URL: "https://boards.greenhouse.example/" + token}, "https://"+token+".example/")
	ts.Check(err)
	claims, err := store.ClaimDue(ctx, 1000, time.Minute, boardwatch.ClaimFilter{})
	ts.Check(err)
	for _, c := range claims {
		if c.Board.ID != board.ID {
			ts.Check(store.Release(ctx, c))
			continue
		}
		ts.Check(store.SaveCheck(ctx, c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			return boardwatch.Decide(in, boardwatch.Reading{
				Health: boardwatch.HealthOK, Claimed: -1, Requests: 1,
				Postings: []boardwatch.Posting{{Key: "1", Title: "Kiln Engineer", URL: "https://northwind.example/1"}},
			}.Normalize(), false, boardwatch.Rules{}, boardwatch.NewID)
		}))
	}
	hooks, err := store.Webhooks(ctx, account.ID)
	ts.Check(err)
	last, err := store.DeliveriesOf(ctx, hooks[0].ID, 1)
	ts.Check(err)
	ts.Setenv("DELIVERY", last[0].ID)
	if len(args) == 2 {
		giveUp(ts, store)
	}
}

// giveUp lets everything that is due die.
func giveUp(ts *testscript.TestScript, store *storage.Store) {
	ctx := context.Background()
	claims, err := store.ClaimWebhooks(ctx, 100, time.Minute)
	ts.Check(err)
	for _, c := range claims {
		due, _, err := store.DueDeliveries(ctx, c.Webhook.ID, c.At, nil, 100, 1<<20)
		ts.Check(err)
		for i, d := range due {
			due[i] = d.After(boardwatch.Receipt{Code: 503, Error: "answered 503", Duration: 7 * time.Millisecond},
				boardwatch.Rules{RetrySchedule: []time.Duration{}}, c.At)
		}
		_, err = store.SaveAttempts(ctx, []boardwatch.Attempts{{Claim: c, Deliveries: due, Webhook: c.Webhook}})
		ts.Check(err)
	}
	ts.Check(store.ReleaseWebhooks(ctx, claims))
}
