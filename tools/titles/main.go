// Titles trains the tables of package judge. It reads labelled data and writes the tables that the program embeds; the
// same data gives the same bytes, whenever it runs.
//
//	xz -dc train.tsv.xz | go run ./tools/titles texts
//	go run ./tools/titles lists FOLDER...
//
// Each line of the first is label (1 for a title, 0 for any other text), language, source, group and text. A FOLDER of the
// second holds pages and a pages.json with their labels; tools/titles/README.md says what is in them.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "titles:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := &cobra.Command{Use: "titles", Short: "Train the tables that judge titles and lists", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(textsCommand(), listsCommand(), accuracyCommand())
	return root.ExecuteContext(ctx)
}
