// Command webhook-receiver takes boardwatch's webhooks and prints what changed:
//
//	WEBHOOK_SECRET=whsec_… go run ./examples/webhook-receiver 127.0.0.1:4000
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/receiver"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: WEBHOOK_SECRET=whsec_… webhook-receiver ADDRESS")
		os.Exit(2)
	}
	handler, err := newHandler(os.Getenv("WEBHOOK_SECRET"), os.Stdout)
	if err == nil {
		err = serve(os.Args[1], handler)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// newHandler takes deliveries at /hook. A Receiver bounds and verifies them, and leaves out those that came before.
func newHandler(secret string, out io.Writer) (http.Handler, error) {
	r, err := receiver.New([]string{secret}, receiver.Options{Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/hook", r.Handler(func(_ context.Context, e receiver.Event) error { return take(e, out) }))
	return mux, nil
}

// take acts on one event. After an error the sender will try again.
func take(e receiver.Event, out io.Writer) (err error) {
	switch e := e.(type) {
	case receiver.JobsFound:
		for _, job := range e.Jobs {
			if _, err = fmt.Fprintf(out, "found\t%s\t%s\n", e.Board.Company, job.Title); err != nil {
				return err
			}
		}
	case receiver.JobsArchived:
		for _, job := range e.Jobs {
			if _, err = fmt.Fprintf(out, "closed\t%s\t%s\n", e.Board.Company, job.Title); err != nil {
				return err
			}
		}
	case receiver.BoardFailed:
		_, err = fmt.Fprintf(out, "failed\t%s\t%s\n", e.Board.Company, e.Reason)
	case receiver.Ping:
		_, err = fmt.Fprintf(out, "ping\t%s\n", e.WebhookID)
	}
	return err // nil for a type that this version does not know
}

func serve(address string, handler http.Handler) error {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "listening on http://"+listener.Addr().String()+"/hook")
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 20 * time.Second}
	return server.Serve(listener)
}
