// Command read-a-board prints the roles of a careers page, one a line:
//
//	go run ./examples/read-a-board https://boards.greenhouse.io/northwindlabs
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: read-a-board ADDRESS")
		os.Exit(2)
	}
	reader := scraper.New(outbound.New(outbound.Options{}), scraper.Options{})
	if err := read(context.Background(), reader, os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// read prints the roles of the board that the address leads to.
func read(ctx context.Context, reader boardwatch.Source, address string, out io.Writer) error {
	board, err := reader.Discover(ctx, address)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	reading, err := reader.Read(ctx, board)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	for _, p := range reading.Postings {
		fmt.Fprintf(out, "%s\t%s\t%s\n", p.Title, p.Location, p.URL)
	}
	if reading.Health != boardwatch.HealthOK {
		return fmt.Errorf("%s: %s is %s: %s", address, board.Source, reading.Health, reading.Reason)
	}
	return nil
}
