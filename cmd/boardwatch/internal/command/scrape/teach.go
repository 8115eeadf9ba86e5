package scrape

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/board"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/internal/redact"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

type teachOptions struct {
	like    []string
	not     []string
	save    bool
	explain bool
}

// Teach is "boardwatch teach".
func Teach(c *command.CLI) *cobra.Command {
	var o teachOptions
	cmd := &cobra.Command{
		Use:   "teach URL --like TITLE [--like TITLE]... [--not TITLE]... [--save]",
		Short: "Make a recipe for a page from titles that it shows",
		Long: `Make a recipe for a careers page that is not read correctly. Give one or more titles of roles that the page shows now.
The command prints what would be read with the recipe: {url, health, reason, cause, recipe, jobs: [{id, title,
location, department, url}]}. A second title makes the recipe more reliable. --not names a text that looks the same on
the page but is not a role. The exit code is 1 if a title is not on the page, or if no list contains all of them.

Without --save nothing is stored. With --save, the board with this address is read using the recipe from then on, for
everyone who tracks it. Somebody must track it already. "boardwatch board recipe" shows, changes and removes the
recipe.

  boardwatch teach https://northwind.example/careers --like "Balloon Pilot" --like "Weather Archivist"
  boardwatch teach https://northwind.example/careers --like "Balloon Pilot" --not "Our Values" --save`,
		Args: command.Takes("URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := (recipe.Examples{Like: o.like, Not: o.not}).Check(); err != nil {
				return exit.Usage(cmd, fmt.Errorf("--like and --not: %w", err))
			}
			return runTeach(c, cmd, o, args[0])
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&o.like, "like", nil, "`TITLE` of a role that the page shows now; may be repeated")
	flags.StringArrayVar(&o.not, "not", nil, "`TITLE` that is not a role; may be repeated")
	flags.BoolVar(&o.save, "save", false, "read the board with this address using this recipe from now on")
	config.AddFlags(flags, "browser.mode")
	flags.BoolVar(&o.explain, "explain", false, "print every step to standard error")
	return cmd
}

// taught is a lesson as "teach" prints it. What is not known is null.
type taught struct {
	URL    string         `json:"url"` // as it was given, without a password
	Health string         `json:"health"`
	Reason *string        `json:"reason"`
	Cause  *string        `json:"cause"`
	Recipe *recipe.Recipe `json:"recipe"`
	Jobs   []scrapedJob   `json:"jobs"`
}

func runTeach(c *command.CLI, cmd *cobra.Command, o teachOptions, address string) error {
	if o.save {
		return c.WithSealedApp(cmd, func(ctx context.Context, a *app.App) error { return teachBoard(ctx, c, a, o, address) })
	}
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	lesson, err := teach(cmd.Context(), c, cfg, o, boardwatch.Board{URL: address})
	return errors.Join(printTaught(cmd.Context(), c, address, lesson, err), untaught(cmd.Context(), cfg, address, err))
}

// teachBoard teaches a board that somebody tracks, and saves the recipe.
func teachBoard(ctx context.Context, c *command.CLI, a *app.App, o teachOptions, address string) error {
	tracked, err := trackedAt(ctx, a, address)
	if err != nil {
		return err
	}
	lesson, err := teach(ctx, c, a.Config, o, tracked)
	if err == nil && lesson.Reading.Health.Read() {
		if err := a.Store.SetRecipe(ctx, tracked.ID, lesson.Board.Recipe); err != nil {
			return board.Fault(err, tracked.ID)
		}
		if err := tellUnseen(ctx, c, a, tracked, lesson); err != nil {
			return err
		}
	}
	return errors.Join(printTaught(ctx, c, address, lesson, err), untaught(ctx, a.Config, address, err))
}

// trackedAt is the board that somebody tracks under an address, as it is accessed.
func trackedAt(ctx context.Context, a *app.App, address string) (boardwatch.Board, error) {
	client := app.NewClient(a.Config)
	defer client.CloseIdleConnections()
	r, err := scraper.New(client, scraper.Options{}).Recognize(address)
	if err != nil {
		return boardwatch.Board{}, exit.Fail(fmt.Errorf("%s: %s", redact.WithoutPassword(address), sentence(ctx, err)), app.WayIn(a.Config, []string{address}))
	}
	source := r.Source
	if source == "" {
		source = boardwatch.PageSystem + ":" + r.Address
	}
	b, err := a.Store.FindBoard(ctx, source, r.Address)
	if err == nil {
		b.State.Access, err = a.Store.Access(ctx, b.ID)
	}
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return b, exit.Fail(fmt.Errorf("nobody tracks %s, so there is no board to save the recipe for", r.Address),
			`Add it first: run "boardwatch board add", or leave out --save.`)
	}
	return b, err
}

// teach makes the recipe, within the time of one check.
func teach(ctx context.Context, c *command.CLI, cfg config.Config, o teachOptions, b boardwatch.Board) (scraper.Lesson, error) {
	say := newNarrator(c, o.explain)
	options := app.ClientOptions(cfg)
	options.Trace = func(_ context.Context, x outbound.Exchange) { say.exchange(x) }
	client := outbound.New(options)
	defer client.CloseIdleConnections()
	chromium := app.NewBrowser(cfg, c.Logger(cfg), nil)
	reading := app.ScraperOptions(cfg, chromium)
	reading.Trace = say.step
	ctx, cancel := withinCheck(ctx, cfg)
	defer cancel()
	lesson, err := scraper.New(client, reading).TeachBoard(ctx, b, recipe.Examples{Like: o.like, Not: o.not})
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if failed := app.CloseBrowser(chromium); failed != nil {
		return lesson, failed
	}
	return lesson, err
}

// tellUnseen tells which known roles the recipe does not find: while their titles stand on the page, they stay open.
func tellUnseen(ctx context.Context, c *command.CLI, a *app.App, b boardwatch.Board, lesson scraper.Lesson) error {
	known, err := a.Store.OpenJobs(ctx, b.ID)
	if err != nil {
		return err
	}
	titles := make([]string, len(known))
	for i, j := range known {
		titles[i] = j.Title
	}
	unseen := lesson.Recipe.Unseen(titles, lesson.Reading)
	if len(unseen) > 0 {
		c.Note("Known until now and not found by the recipe: %s. If they are no roles, name them with --not; while they stand on the page, they stay open.",
			strings.Join(unseen, "; "))
	}
	return nil
}

// untaught is the end of the command when nothing was learned; nil otherwise.
func untaught(ctx context.Context, cfg config.Config, address string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		err = fmt.Errorf("%s: %s", redact.WithoutPassword(address), sentence(ctx, e))
	}
	next := app.WayIn(cfg, []string{address})
	if _, ok := errors.AsType[*recipe.ExampleError](err); ok && next == "" {
		next = "Copy the title from the page, as it is shown there."
	}
	return exit.Fail(err, next)
}

func printTaught(ctx context.Context, c *command.CLI, address string, lesson scraper.Lesson, fault error) error {
	reading := lesson.Reading
	t := taught{URL: redact.WithoutPassword(address), Jobs: make([]scrapedJob, 0, len(reading.Postings))}
	if e, ok := errors.AsType[*scraper.UntaughtError](fault); ok {
		reading = e.Reading()
	} else if fault != nil {
		reading = boardwatch.Failed(boardwatch.CauseOf(fault), sentence(ctx, fault))
	} else {
		t.Recipe = &lesson.Recipe
	}
	t.Health, t.Cause, t.Reason = string(reading.Health), command.Optional(string(reading.Cause)), command.Optional(reading.Reason)
	for _, p := range lesson.Reading.Postings {
		t.Jobs = append(t.Jobs, newScrapedJob(p))
	}
	return printLesson(c, t)
}

func printLesson(c *command.CLI, t taught) error {
	if c.Format() != command.OutputTable {
		return command.PrintItem(c, t)
	}
	if t.Recipe == nil {
		return nil
	}
	if _, err := fmt.Fprintf(c.Out, "%s\n%s · %s\n", command.Plain(t.Recipe.String()), t.Health, strconv.Itoa(len(t.Jobs))+" roles"); err != nil {
		return err
	}
	return command.PrintList(c, t.Jobs, scrapedColumns()...)
}
