// Command poll-jobs prints roles as a boardwatch service finds them, one a line:
//
//	BOARDWATCH_KEY=bw_… go run ./examples/poll-jobs http://127.0.0.1:8080 place.json
//
// It asks every thirty seconds, and prints nothing that was there before it began, nor the known roles of a board that is
// added meanwhile: these are listed by that board's id. The file keeps the place, so that it goes on there the next time.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/client"
)

// patience is how long an outage of the service may last before the program gives up.
const patience = 24 * time.Hour

func main() {
	key := os.Getenv("BOARDWATCH_KEY")
	if len(os.Args) != 3 || key == "" {
		fmt.Fprintln(os.Stderr, "usage: BOARDWATCH_KEY=bw_… poll-jobs ADDRESS FILE")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1], key, os.Args[2], os.Stdout); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // there is nothing left to stop
	}
}

// run prints new roles until the context ends or the service says that asking again is of no use, and says which.
func run(ctx context.Context, address, key, file string, out io.Writer) error {
	c, err := client.New(address, key, client.Options{Patience: patience})
	if err != nil {
		return err
	}
	from, err := load(file)
	if err != nil {
		return err
	}
	poll := c.Poll(client.PollOptions{From: from, Save: func(_ context.Context, place client.Cursor) error { return save(file, place) }})
	for job, err := range poll.Jobs(ctx) {
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", job.Company, job.Title, job.Location, job.URL)
	}
	return nil
}

// load is the place that the file keeps. Without a file it is now.
func load(file string) (place client.Cursor, err error) {
	raw, err := os.ReadFile(file) //nolint:gosec // the person who runs this names the file
	if errors.Is(err, fs.ErrNotExist) {
		return place, nil
	}
	if err != nil {
		return place, err
	}
	if err := json.Unmarshal(raw, &place); err != nil {
		return place, fmt.Errorf("%s is not a place that poll-jobs has kept; remove it to begin now: %w", file, err)
	}
	return place, nil
}

// save replaces the file, so that half a place is never in it.
func save(file string, place client.Cursor) error {
	raw, err := json.Marshal(place)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", raw, 0o600); err != nil { //nolint:gosec // see load
		return err
	}
	return os.Rename(file+".new", file) //nolint:gosec // see load
}
