package scrape

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/internal/redact"
	"github.com/boardwatch/boardwatch/scraper"
)

type detectOptions struct {
	file    string
	offline bool
}

// Detect is "boardwatch detect".
func Detect(c *command.CLI) *cobra.Command {
	var o detectOptions
	cmd := &cobra.Command{
		Use:   "detect URL... | --file FILE",
		Short: "Find out which system hosts a careers page, and how that is known",
		Long: `Find out where the roles of each address are really read: {url, source, evidence, cause}, in the order given. The
source is system:token for a hosted board, page:URL for a page that is read directly, or empty. With --offline nothing
is requested, and only hosted boards can be recognised, by their addresses.

FILE is standard input if it is -. It contains one address per line, or CSV with a header that names a column url.
Empty lines and lines that begin with # are ignored.

The exit code is 0 if every address could be examined, even if none belongs to a known system. It is 1 if an address
could not be reached. With --offline it is always 0.

  boardwatch detect https://northwind.example/careers
  boardwatch detect --offline --file addresses.csv -o ndjson`,
		RunE: func(cmd *cobra.Command, args []string) error { return runDetect(c, cmd, o, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.file, "file", "", "`FILE` with addresses; - is standard input")
	flags.BoolVar(&o.offline, "offline", false, "go by the address alone, send no request")
	return cmd
}

// detected is one address as "detect" prints it.
type detected struct {
	URL      string `json:"url"` // as it was given
	Source   string `json:"source"`
	Evidence string `json:"evidence"`
	// Cause says why no board was found; null when there is one, or when the address alone does not tell.
	Cause *string `json:"cause"`

	failed bool // it could not be looked at
}

func runDetect(c *command.CLI, cmd *cobra.Command, o detectOptions, urls []string) error {
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	if urls, err = addressed(c, cmd, o.file, urls); err != nil {
		return err
	}
	results, err := detectAll(cmd.Context(), c, cfg, o, urls)
	if err == nil && c.Format() != command.OutputNDJSON { // which was printed meanwhile
		err = command.PrintList(c, results,
			command.Col("URL", func(d detected) string { return d.URL }),
			command.Col("SOURCE", func(d detected) string { return d.Source }),
			command.Col("CAUSE", func(d detected) string { return command.Text(d.Cause) }),
			command.Col("EVIDENCE", func(d detected) string { return d.Evidence }),
		)
	}
	if err != nil {
		return err
	}
	return recognition(cfg, results)
}

func detectAll(ctx context.Context, c *command.CLI, cfg config.Config, o detectOptions, urls []string) ([]detected, error) {
	client := app.NewClient(cfg)
	defer client.CloseIdleConnections()
	if o.offline {
		s := scraper.New(client, scraper.Options{})
		return inOrder(ctx, c, urls, func(ctx context.Context, url string) detected { return detectOffline(ctx, s, url) })
	}
	chromium := app.NewBrowser(cfg, c.Logger(cfg), nil)
	defer func() {
		if err := app.CloseBrowser(chromium); err != nil {
			c.Logger(cfg).WarnContext(ctx, "the browser did not end well", "error", err)
		}
	}()
	s := scraper.New(client, app.ScraperOptions(cfg, chromium))
	return inOrder(ctx, c, urls, func(ctx context.Context, url string) detected {
		return detectOne(ctx, s.With(client.Session()), cfg, url)
	})
}

// detectOffline judges the address alone. An address that is none is judged too: it names no board.
func detectOffline(ctx context.Context, s *scraper.Scraper, url string) detected {
	found, err := s.Recognize(url)
	switch {
	case err != nil:
		return detected{URL: redact.WithoutPassword(url), Evidence: sentence(ctx, err), Cause: command.Optional(string(causeOf(ctx, err)))}
	default:
		return detected{URL: redact.WithoutPassword(url), Source: found.Source, Evidence: found.Evidence}
	}
}

// detectOne looks at the page where the address alone does not tell.
func detectOne(ctx context.Context, s *scraper.Scraper, cfg config.Config, url string) detected {
	ctx, cancel := withinCheck(ctx, cfg)
	defer cancel()
	if d := detectOffline(ctx, s, url); d.Source != "" {
		return d
	}
	found, err := s.Detect(ctx, url)
	if err != nil {
		none, ok := errors.AsType[*scraper.NoBoardError](err)
		source := ""
		if ok {
			source = none.Source()
		}
		return detected{
			URL: redact.WithoutPassword(url), Source: source, Evidence: sentence(ctx, err),
			Cause: command.Optional(string(causeOf(ctx, err))), failed: !ok || !none.Looked(),
		}
	}
	return detected{URL: redact.WithoutPassword(url), Source: found.Source, Evidence: found.Evidence}
}

// recognition is nil when every address was judged, else a sentence for each that was not.
func recognition(cfg config.Config, results []detected) error {
	var faults []error
	var refused []string
	for _, d := range results {
		if d.failed {
			faults = append(faults, fmt.Errorf("%s: %s", redact.WithoutPassword(d.URL), d.Evidence))
			refused = append(refused, d.URL)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return exit.Fail(errors.Join(faults...), app.WayIn(cfg, refused))
}

// addressed are the addresses that a command was given: as arguments, or in a file.
func addressed(c *command.CLI, cmd *cobra.Command, file string, args []string) ([]string, error) {
	switch {
	case file == "" && len(args) == 0:
		return nil, exit.Usage(cmd, errors.New("give at least one address, or a file of them with --file"))
	case file == "":
		return args, nil
	case len(args) > 0:
		return nil, exit.Usage(cmd, errors.New("give addresses or --file, not both"))
	}
	data, err := c.ReadInput([]string{file})
	if err != nil {
		return nil, err
	}
	urls, err := addresses(data)
	if err != nil {
		return nil, exit.Fail(fmt.Errorf("read %s: %w", file, err), "")
	}
	if len(urls) == 0 {
		c.Note("%s holds no address", file)
	}
	return urls, nil
}

// addresses are those in a file: one per line, or the first column of CSV when a header calls it url. Empty lines and
// lines that begin with # do not count.
func addresses(data []byte) ([]string, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	first, _, _ := bytes.Cut(data, []byte("\n"))
	for i, head := range strings.Split(string(first), ",") {
		if strings.EqualFold(strings.Trim(strings.TrimSpace(head), `"`), "url") {
			return csvAddresses(data, i)
		}
	}
	var urls []string
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
			urls = append(urls, line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, errors.New("a line is too long to be an address")
	}
	return urls, nil
}

func csvAddresses(data []byte, column int) ([]string, error) {
	rows := csv.NewReader(bytes.NewReader(data))
	rows.FieldsPerRecord = -1
	rows.LazyQuotes = true
	var urls []string
	for header := true; ; header = false {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return urls, nil
		}
		if err != nil {
			return nil, err
		}
		if header || column >= len(row) {
			continue
		}
		if url := strings.TrimSpace(row[column]); url != "" {
			urls = append(urls, url)
		}
	}
}
