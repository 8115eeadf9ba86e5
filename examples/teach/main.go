// Command teach makes a recipe for a careers page from titles of roles that stand on it, and prints the recipe and what it
// reads:
//
//	go run ./examples/teach https://northwind.example/careers "Balloon Pilot" "Weather Archivist"
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: teach ADDRESS TITLE...")
		os.Exit(2)
	}
	reader := scraper.New(outbound.New(outbound.Options{}), scraper.Options{})
	if err := teach(context.Background(), reader, os.Args[1], os.Args[2:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// teach prints the recipe that the titles make, and the roles that it finds on the page.
func teach(ctx context.Context, reader *scraper.Scraper, address string, titles []string, out io.Writer) error {
	lesson, err := reader.Teach(ctx, address, recipe.Examples{Like: titles})
	if missing, ok := errors.AsType[*recipe.ExampleError](err); ok && len(missing.Missing) > 0 {
		return fmt.Errorf("%s: copy the title as the page shows it: %w", address, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	fmt.Fprintln(out, lesson.Recipe)
	for _, p := range lesson.Reading.Postings {
		fmt.Fprintf(out, "%s\t%s\t%s\n", p.Title, p.Location, p.URL)
	}
	// From now on the board is read by the recipe: keep lesson.Board.Recipe with it.
	again, err := reader.Read(ctx, lesson.Board)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	if again.Health != boardwatch.HealthOK {
		return fmt.Errorf("%s is %s: %s", address, again.Health, again.Reason)
	}
	return nil
}
