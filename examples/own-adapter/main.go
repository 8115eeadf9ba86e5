// Command own-adapter reads boards of a system that boardwatch does not know, beside all those that it does:
//
//	go run ./examples/own-adapter https://jobs.northwind.example/lighthouse
//
// The system is invented; northwind.go is all that there is to it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: own-adapter ADDRESS")
		os.Exit(2)
	}
	reader := newReader(outbound.New(outbound.Options{}), "https://api.northwind.example")
	if err := read(context.Background(), reader, os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// newReader knows Northwind first and then every system of package ats: the first that an address belongs to reads it.
func newReader(client *outbound.Client, api string) *scraper.Scraper {
	return scraper.New(client, scraper.Options{Adapters: append([]ats.Adapter{northwind{api}}, ats.All()...)})
}

// read prints where the roles of an address are read, and then the roles.
func read(ctx context.Context, reader boardwatch.Source, address string, out io.Writer) error {
	board, err := reader.Discover(ctx, address)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	reading, err := reader.Read(ctx, board)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	fmt.Fprintf(out, "%s is %s %s\n", board.Source, reading.Health, reading.Reason)
	for _, p := range reading.Postings {
		fmt.Fprintf(out, "%s\t%s\t%s\n", p.Title, p.Location, p.URL)
	}
	return nil
}
