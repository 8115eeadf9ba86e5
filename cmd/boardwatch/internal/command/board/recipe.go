package board

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/scraper/recipe"
)

func newRecipeCmd(c *command.CLI) *cobra.Command {
	var file string
	var remove bool
	cmd := &cobra.Command{
		Use:   "recipe ID [--set FILE | --clear]",
		Short: "Show, set or remove the recipe that a board is read by",
		Long: `Print the recipe that is used to read a board's page, or null if there is none. --set reads another recipe from a
file, for example from what "boardwatch teach" printed. --clear removes the recipe, so that roles are found without
one again. Both apply to everyone who tracks the board, from the next check on. That check is made at once, unless the
site asked for a pause.

  boardwatch board recipe 6f1e0c9a2b7d4e5f8a90b1c2
  boardwatch board recipe 6f1e0c9a2b7d4e5f8a90b1c2 --set northwind.json`,
		Args: command.Takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if file != "" && remove {
				return exit.Usage(cmd, errors.New("give --set or --clear, not both"))
			}
			text, err := RecipeFile(c, file)
			if err != nil {
				return err
			}
			return c.WithApp(cmd, func(ctx context.Context, a *app.App) error {
				return boardRecipe(ctx, c, a, args[0], text, file != "" || remove)
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&file, "set", "", "`FILE` with the recipe; - is standard input")
	flags.BoolVar(&remove, "clear", false, "remove the recipe")
	return cmd
}

// boardRecipe prints the recipe of a board, after it was changed to text where that is wanted.
func boardRecipe(ctx context.Context, c *command.CLI, a *app.App, id, text string, change bool) error {
	b, err := a.Store.Board(ctx, id)
	if err != nil {
		return Fault(err, id)
	}
	if change {
		if text != "" && b.Source != "" && b.System() != boardwatch.PageSystem {
			return exit.Fail(fmt.Errorf("the board is read from %s, which needs no recipe", b.Source), "Recipes are for pages of a company's own.")
		}
		if err := a.Store.SetRecipe(ctx, b.ID, text); err != nil {
			return Fault(err, id)
		}
		b.Recipe = text
	}
	if b.Recipe == "" {
		return command.WriteJSON(c.Out, nil)
	}
	return command.WriteJSON(c.Out, json.RawMessage(b.Recipe))
}

// RecipeFile is the recipe in a file, checked and on one line; empty without a file. A file that holds what "teach" prints is
// one as well.
func RecipeFile(c *command.CLI, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	data, err := c.ReadInput([]string{name})
	if err != nil {
		return "", err
	}
	var lesson struct {
		Recipe json.RawMessage `json:"recipe"`
	}
	if err := json.Unmarshal(data, &lesson); err == nil && len(lesson.Recipe) > 0 {
		data = lesson.Recipe
	}
	r, err := recipe.Parse(data)
	if err != nil {
		return "", exit.Fail(fmt.Errorf("read recipe %s: %w", name, err), "docs/recipes.md explains the form.")
	}
	return r.String(), nil
}
