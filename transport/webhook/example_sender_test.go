package webhook_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

func ExampleSender_Deliver() {
	const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		header := r.Header.Get("X-Boardwatch-Signature")
		fmt.Println(r.Header.Get("X-Boardwatch-Event"), boardwatch.Verify([]byte(secret), body, header, boardwatch.SignatureTolerance, time.Now()))
		w.WriteHeader(http.StatusTeapot)
	}))
	defer receiver.Close()

	hook := boardwatch.Webhook{ID: boardwatch.NewID(), URL: receiver.URL + "/hook", Secret: secret}
	ping := boardwatch.PingPayload(boardwatch.NewID(), hook, time.Now())
	id := boardwatch.NewID()
	sender := webhook.New(webhook.Options{Local: true}) // without Local: https and public hosts only
	receipt := sender.Deliver(context.Background(), hook, boardwatch.Delivery{ID: id, Type: ping.Type, Body: ping.Body(id)})
	fmt.Println(receipt.OK(), receipt.Code, receipt.Error)
	// Output:
	// ping <nil>
	// false 418 answered 418 I'm a teapot
}
