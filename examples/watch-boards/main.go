// Command watch-boards reads careers pages once an hour and prints the roles that open and close. It needs neither an
// account nor a database:
//
//	go run ./examples/watch-boards https://boards.greenhouse.io/northwindlabs https://jobs.lever.co/contoso
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	reader := scraper.New(outbound.New(outbound.Options{}), scraper.Options{})
	_ = watcher(reader, os.Stdout, time.Hour, os.Args[1:]...).Run(ctx)
}

// watcher reads the boards at these addresses that often, and prints what has changed on them.
func watcher(reader boardwatch.Source, out io.Writer, every time.Duration, addresses ...string) *watch.Watcher {
	return watch.New(watch.NewMemory(every, addresses...), reader, watch.Options{
		Concurrency: 4, Observe: func(r watch.CheckReport) { fmt.Fprint(out, lines(r)) },
	})
}

// lines is what people are told about a check.
func lines(r watch.CheckReport) string {
	var text strings.Builder
	for _, j := range append(r.Change.Found, r.Change.Reopened...) {
		fmt.Fprintf(&text, "+ %s\t%s\t%s\n", j.Title, j.Location, j.URL)
	}
	for _, j := range r.Change.Closed {
		fmt.Fprintf(&text, "- %s\t%s\n", j.Title, j.Location)
	}
	return text.String()
}
