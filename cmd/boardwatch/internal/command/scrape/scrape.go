// Package scrape has the commands that read pages without storing anything: scrape, detect and teach.
package scrape

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/board"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/internal/redact"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

type scrapeOptions struct {
	file    string
	har     string
	record  string
	recipe  string
	explain bool
}

// Command is "boardwatch scrape".
func Command(c *command.CLI) *cobra.Command {
	var o scrapeOptions
	cmd := &cobra.Command{
		Use:     "scrape URL... | --file FILE",
		Aliases: []string{"scrape-once"},
		Short:   "Read boards once and print their roles; nothing is stored",
		Long: `Read each board once and print its roles. Nothing is stored. One address gives a JSON object, several give an array:
{url, source, company, domain, health, cause, reason, blockedBy, jobs: [{id, title, location, department, url}],
requests, durationMs}.

The health is ok, partial (roles are missing), blocked (by a bot wall that is known by name) or failed, and the reason
says why. A reading that is not ok may lack roles or contain one that was cut off. The exit code is 1 unless every
health is ok, but results are always printed. NDJSON is printed as soon as an address and all addresses before it are
done.

FILE is standard input if it is -. It contains one address per line, or CSV with a header that names a column url.
Empty lines and lines that begin with # are ignored. With --file, the result is always an array. Reading from an
archive needs the same flags as reading from the network: --dev for addresses on this machine, and a browser for pages
rendered by JavaScript.

With --recipe, each address is read as a page with that recipe. "boardwatch teach" makes recipes.

  boardwatch scrape https://northwind.example/careers
  boardwatch scrape northwind.example contoso.example -o csv > roles.csv
  boardwatch scrape https://northwind.example/careers --record northwind.har --explain
  boardwatch scrape https://northwind.example/careers --har northwind.har
  boardwatch scrape https://northwind.example/careers --recipe northwind.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.har != "" && o.record != "" {
				return exit.Usage(cmd, errors.New("give --har or --record, not both"))
			}
			return runScrape(c, cmd, o, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	config.AddFlags(flags, "browser.mode")
	flags.StringVar(&o.file, "file", "", "`FILE` with addresses; - is standard input")
	flags.StringVar(&o.har, "har", "", "read from this HAR archive `FILE`, not from the network")
	flags.StringVar(&o.record, "record", "", "record all requests and answers in this HAR archive `FILE`")
	flags.StringVar(&o.recipe, "recipe", "", "read the page with the recipe in this `FILE`; - is standard input")
	flags.BoolVar(&o.explain, "explain", false, "print every step to standard error")
	return cmd
}

// scraped is one reading as "scrape" prints it. What is not known is null.
type scraped struct {
	URL        string       `json:"url"` // as it was given, without a password
	Source     string       `json:"source"`
	Company    *string      `json:"company"`
	Domain     *string      `json:"domain"`
	Health     string       `json:"health"`
	Cause      *string      `json:"cause"`
	Reason     *string      `json:"reason"`
	BlockedBy  *string      `json:"blockedBy"`
	Jobs       []scrapedJob `json:"jobs"`
	Requests   int          `json:"requests"`
	DurationMS int64        `json:"durationMs"`
}

type scrapedJob struct {
	ID         string  `json:"id"` // the source's own
	Title      string  `json:"title"`
	Location   *string `json:"location"`
	Department *string `json:"department"`
	URL        *string `json:"url"`

	Facts boardwatch.Facts `json:"facts"` // only what is stated
	Text  *string          `json:"text"`
}

func newScrapedJob(p boardwatch.Posting) scrapedJob {
	return scrapedJob{p.Key, p.Title, command.Optional(p.Location), command.Optional(p.Department), command.Optional(p.URL), p.Facts, command.Optional(p.Text)}
}

func runScrape(c *command.CLI, cmd *cobra.Command, o scrapeOptions, urls []string) error {
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	if urls, err = addressed(c, cmd, o.file, urls); err != nil {
		return err
	}
	by, err := board.RecipeFile(c, o.recipe)
	if err != nil {
		return err
	}
	options := app.ClientOptions(cfg)
	if o.har != "" {
		if options.Transport, err = openArchive(o.har); err != nil {
			return err
		}
	}
	say := newNarrator(c, o.explain)
	record, err := newRecording(o.record)
	if err != nil {
		return err
	}
	options.Trace = func(ctx context.Context, x outbound.Exchange) {
		say.exchange(x)
		record.add(ctx, x)
	}
	client := outbound.New(options)
	defer client.CloseIdleConnections()
	chromium := app.NewBrowser(cfg, c.Logger(cfg), throughClient(o, options))

	reading := app.ScraperOptions(cfg, chromium)
	reading.Trace = say.step
	progress := c.NewBoardBar(c.Now())
	if len(urls) == 1 && !o.explain { // several boards, and steps, are told otherwise
		reading.Progress = progress.Show
	}
	reader := scraper.New(client, reading)
	results, err := inOrder(cmd.Context(), c, urls, func(ctx context.Context, address string) scraped {
		return scrapeOne(ctx, client, reader, cfg, pageToRead{address, by}, c.Now, say)
	})
	progress.End()
	if failed := errors.Join(app.CloseBrowser(chromium), record.close()); failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	if err := printScraped(c, results, o.file != ""); err != nil {
		return err
	}
	return verdictOf(cfg, results, o.explain)
}

// atOnce is how many addresses are worked on at the same time.
const atOnce = 16

// inOrder does the work for every address, several at a time, and returns the results in the order of the addresses. As
// NDJSON they are printed in that order as they come. It returns early when the context ends, or nobody reads any more.
func inOrder[T any](
	ctx context.Context, c *command.CLI, addresses []string, work func(context.Context, string) T,
) (results []T, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	results = make([]T, len(addresses))
	slots := make(chan struct{}, atOnce)
	var group sync.WaitGroup
	var mu sync.Mutex
	ready, count, printed := make([]bool, len(addresses)), 0, 0
	done := func(i int, result T) {
		mu.Lock()
		defer mu.Unlock()
		results[i], ready[i] = result, true
		if count++; len(addresses) > 1 {
			c.Progress("%d of %d addresses", count, len(addresses))
		}
		for ; c.Format() == command.OutputNDJSON && printed < len(ready) && ready[printed] && ctx.Err() == nil; printed++ {
			if err = command.WriteNDJSON(c.Out, results[printed:printed+1]); err != nil {
				stop()
			}
		}
	}
	for i, address := range addresses {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		group.Go(func() {
			done(i, work(ctx, address))
			<-slots
		})
	}
	group.Wait()
	c.Progress("")
	if err == nil {
		err = ctx.Err()
	}
	return results, err
}

// pageToRead is an address, with the recipe that it is read by, if there is one.
type pageToRead struct{ address, recipe string }

// withinCheck is a context that ends with the time of one check.
func withinCheck(ctx context.Context, cfg config.Config) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, cfg.Checks.Timeout, fmt.Errorf("reading took longer than %s", config.ShortDuration(cfg.Checks.Timeout)))
}

// scrapeOne finds out where an address leads and reads it, within the time of one check.
func scrapeOne(ctx context.Context, client *outbound.Client, reader *scraper.Scraper, cfg config.Config, page pageToRead, now func() time.Time, say narrator) scraped {
	start := now()
	ctx, cancel := withinCheck(ctx, cfg)
	defer cancel()
	session := client.Session()
	reader = reader.With(session)
	address := page.address
	tracked, reading := readOnce(ctx, reader, page, say)
	walled := tracked.Source == "" && reading.Health == boardwatch.HealthBlocked // one attempt is fair
	if session.Recorded() && reading.Health != boardwatch.HealthOK && tracked.System() != boardwatch.PageSystem && !walled {
		tracked, reading = readArchived(ctx, reader, address, tracked, reading)
	}
	result := scraped{
		URL: redact.WithoutPassword(address), Source: tracked.Source,
		Company: command.Optional(cmp.Or(reading.Company, tracked.Company)), Domain: command.Optional(cmp.Or(reading.Domain, tracked.Domain)),
		Health: string(reading.Health), Cause: command.Optional(string(reading.Cause)), Reason: command.Optional(reading.Reason), BlockedBy: command.Optional(reading.BlockedBy),
		Jobs: make([]scrapedJob, 0, len(reading.Postings)), Requests: session.Requests(), DurationMS: now().Sub(start).Milliseconds(),
	}
	for _, p := range reading.Postings {
		result.Jobs = append(result.Jobs, newScrapedJob(p))
	}
	return result
}

// readOnce never fails: what goes wrong is a failed reading with a plain reason.
func readOnce(ctx context.Context, s *scraper.Scraper, page pageToRead, say narrator) (boardwatch.Board, boardwatch.Reading) {
	tracked, err := boardOf(ctx, s, page)
	if err != nil {
		if none, ok := errors.AsType[*scraper.NoBoardError](err); ok && ctx.Err() == nil {
			return boardwatch.Board{Source: none.Source()}, none.Reading()
		}
		return tracked, boardwatch.Failed(causeOf(ctx, err), sentence(ctx, err))
	}
	reading, err := s.Read(ctx, tracked)
	if err != nil {
		reading = boardwatch.Failed(causeOf(ctx, err), sentence(ctx, err))
	}
	for _, row := range reading.Skipped {
		say.step(tracked.Source + ": left out " + row)
	}
	return tracked, reading
}

// boardOf is the board that is read at an address: with a recipe, the page itself.
func boardOf(ctx context.Context, s *scraper.Scraper, page pageToRead) (boardwatch.Board, error) {
	if page.recipe == "" {
		return s.Discover(ctx, page.address)
	}
	r, err := s.Recognize(page.address)
	if err != nil {
		return boardwatch.Board{}, err
	}
	return boardwatch.Board{Source: boardwatch.PageSystem + ":" + r.Address, URL: r.Address, Recipe: page.recipe}, nil
}

// readArchived reads the page itself out of an archive that holds it, and not what the hosted system behind it answers to
// programs: a browser saved it, say. What was read before stays when the page shows no more.
func readArchived(
	ctx context.Context, s *scraper.Scraper, address string, tracked boardwatch.Board, reading boardwatch.Reading,
) (boardwatch.Board, boardwatch.Reading) {
	r, err := s.Recognize(address)
	if err != nil {
		return tracked, reading
	}
	page := boardwatch.Board{Source: boardwatch.PageSystem + ":" + r.Address, URL: r.URL}
	shown, err := s.Read(ctx, page)
	if err != nil || !shown.Health.Read() || len(shown.Postings) < len(reading.Postings) {
		return tracked, reading
	}
	return page, shown
}

// sentence is an error as the reason of a failed reading.
func sentence(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return context.Cause(ctx).Error()
	}
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		if fields, ok := e.Details.([]boardwatch.FieldError); ok && len(fields) > 0 && fields[0].Field == "url" {
			return "the address " + fields[0].Message
		}
		return e.Message
	}
	return err.Error()
}

// causeOf is the cause that belongs to the sentence of an error.
func causeOf(ctx context.Context, err error) cause.Cause {
	if ctx.Err() != nil {
		return cause.Timeout
	}
	return boardwatch.CauseOf(err)
}

// verdictOf is nil when every board was read well, else a sentence for each that was not.
func verdictOf(cfg config.Config, results []scraped, explained bool) error {
	var faults []error
	var refused []string
	for _, r := range results {
		if r.Health == string(boardwatch.HealthOK) {
			continue
		}
		reason := r.Health
		if r.Reason != nil {
			reason = *r.Reason
		}
		faults = append(faults, fmt.Errorf("%s: %s", redact.WithoutPassword(r.URL), reason))
		refused = append(refused, r.URL)
	}
	if len(faults) == 0 {
		return nil
	}
	next := cmp.Or(app.WayIn(cfg, refused), adviceOn(results))
	if next == "" && !explained {
		next = "Run it again with --explain to see every step."
	}
	return exit.Fail(errors.Join(faults...), next)
}

// adviceOn is what the operator can do about the first cause that something can be done about.
func adviceOn(results []scraped) string {
	for _, r := range results {
		if r.Cause == nil {
			continue
		}
		if advice := cause.Cause(*r.Cause).Advice(); advice != "" {
			return advice
		}
	}
	return ""
}

// scrapedRow is a role with its board, as one row of CSV; a board without roles is a row without one.
type scrapedRow struct {
	URL        string  `json:"url"`
	Source     string  `json:"source"`
	Company    *string `json:"company"`
	Domain     *string `json:"domain"`
	Health     string  `json:"health"`
	Cause      *string `json:"cause"`
	Reason     *string `json:"reason"`
	BlockedBy  *string `json:"blockedBy"`
	ID         string  `json:"id"`
	Title      string  `json:"title"`
	Location   *string `json:"location"`
	Department *string `json:"department"`
	JobURL     *string `json:"jobUrl"`

	Facts boardwatch.Facts `json:"facts"`
	Text  *string          `json:"text"`
}

// rows are the reading as rows of CSV.
func (r scraped) rows() []scrapedRow {
	row := scrapedRow{
		URL: r.URL, Source: r.Source, Company: r.Company, Domain: r.Domain,
		Health: r.Health, Cause: r.Cause, Reason: r.Reason, BlockedBy: r.BlockedBy,
	}
	if len(r.Jobs) == 0 {
		return []scrapedRow{row}
	}
	rows := make([]scrapedRow, len(r.Jobs))
	for i, j := range r.Jobs {
		rows[i] = row
		rows[i].ID, rows[i].Title, rows[i].Location, rows[i].Department, rows[i].JobURL = j.ID, j.Title, j.Location, j.Department, j.URL
		rows[i].Facts, rows[i].Text = j.Facts, j.Text
	}
	return rows
}

// printScraped prints what inOrder has not printed. Only a single reading that was asked for by name is no list.
func printScraped(c *command.CLI, results []scraped, list bool) error {
	switch c.Format() {
	case command.OutputJSON:
		if len(results) == 1 && !list {
			return command.WriteJSON(c.Out, results[0])
		}
		return command.WriteJSON(c.Out, results)
	case command.OutputNDJSON:
		return nil
	case command.OutputCSV:
		var rows []scrapedRow
		for _, r := range results {
			rows = append(rows, r.rows()...)
		}
		return command.WriteCSV(c.Out, rows)
	default:
		return printScrapedTables(c, results)
	}
}

func printScrapedTables(c *command.CLI, results []scraped) error {
	for i, r := range results {
		if i > 0 {
			if _, err := fmt.Fprintln(c.Out); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(c.Out, r.summary()); err != nil {
			return err
		}
		if len(r.Jobs) == 0 {
			continue
		}
		if err := command.PrintList(c, r.Jobs, scrapedColumns()...); err != nil {
			return err
		}
	}
	return nil
}

func scrapedColumns() []command.Column[scrapedJob] {
	return []command.Column[scrapedJob]{
		command.Col("TITLE", func(j scrapedJob) string { return j.Title }),
		command.Col("LOCATION", func(j scrapedJob) string { return command.Text(j.Location) }),
		command.Col("DEPARTMENT", func(j scrapedJob) string { return command.Text(j.Department) }),
		command.Col("URL", func(j scrapedJob) string { return command.Text(j.URL) }),
	}
}

// summary is a reading in one line: "✓ greenhouse:northwind · 86 roles · 1 request · 412 ms".
func (r scraped) summary() string {
	mark := "✗"
	switch boardwatch.Health(r.Health) {
	case boardwatch.HealthOK:
		mark = "✓"
	case boardwatch.HealthPartial, boardwatch.HealthSuspect:
		mark = "!"
	case boardwatch.HealthBlocked, boardwatch.HealthFailed:
	}
	parts := []string{cmp.Or(r.Source, r.URL)}
	if r.Company != nil {
		parts = append(parts, *r.Company)
	}
	if r.Health != string(boardwatch.HealthOK) {
		parts = append(parts, r.Health)
	}
	parts = append(parts, command.Count(len(r.Jobs), "role"), command.Count(r.Requests, "request"), strconv.FormatInt(r.DurationMS, 10)+" ms")
	return command.Plain(mark + " " + strings.Join(parts, " · "))
}

// narrator tells the steps of a reading. The zero value is silent.
type narrator struct {
	out io.Writer
	mu  *sync.Mutex
}

// newNarrator tells the steps on standard error, if somebody wants to know them.
func newNarrator(c *command.CLI, wanted bool) (n narrator) {
	if wanted {
		n = narrator{out: c.Err, mu: &sync.Mutex{}}
	}
	return n
}

func (n narrator) step(line string) {
	if n.out == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	fmt.Fprintln(n.out, command.Plain(line))
}

// exchange tells of one request in the way of a server's log.
func (n narrator) exchange(x outbound.Exchange) {
	outcome := fmt.Sprintf("%d, %s, %d bytes", x.Status, cmp.Or(x.ResponseHeader.Get("Content-Type"), "no type"), len(x.Body))
	if x.Err != nil {
		outcome = x.Err.Error()
	}
	if x.Attempt > 1 {
		outcome += ", attempt " + strconv.Itoa(x.Attempt)
	}
	n.step(fmt.Sprintf("%s %s: %s, %d ms", x.Method, x.URL.Redacted(), outcome, x.Duration.Milliseconds()))
}

func openArchive(name string) (*outbound.Archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, exit.Fail(fmt.Errorf("read archive %s: %w", name, config.PlainReadError(err)), "")
	}
	defer func() { _ = f.Close() }() // only read
	archive, err := outbound.ReadArchive(f)
	if err != nil {
		return nil, exit.Fail(fmt.Errorf("read archive %s: %s", name, notHAR(err)), "It has to be a HAR 1.2 file, such as a browser saves or --record writes.")
	}
	return archive, nil
}

// notHAR says what is wrong with the content of an archive.
func notHAR(err error) string {
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return "it is not JSON"
	}
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return "it is JSON, but not a HAR file"
	}
	switch {
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends in the middle"
	}
	return strings.TrimPrefix(config.PlainReadError(err).Error(), "read archive: ")
}

// recording is the archive that --record asks for; without a file it does nothing.
type recording struct {
	file     *os.File
	recorder *outbound.Recorder
}

// newRecording makes the file before anything is read, so that a wrong name is noticed at once. Only its owner can read
// it: pages may show what others should not see.
func newRecording(name string) (recording, error) {
	if name == "" {
		return recording{}, nil
	}
	if holdsOther(name) {
		return recording{}, exit.Fail(fmt.Errorf("write archive %s: the file exists and is not an archive", name), "Name another, or remove it first.")
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return recording{}, exit.Fail(fmt.Errorf("write archive %s: %w", name, config.PlainReadError(err)), "")
	}
	return recording{f, outbound.NewRecorder(build.Version())}, nil
}

// holdsOther reports whether a file holds something that cannot be an earlier archive: a list of addresses, say.
func holdsOther(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // only read
	head, err := io.ReadAll(io.LimitReader(f, 512))
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	return err == nil && len(text) > 0 && text[0] != '{'
}

func (r recording) add(ctx context.Context, x outbound.Exchange) {
	if r.recorder != nil {
		r.recorder.Record(ctx, x)
	}
}

func (r recording) close() error {
	if r.file == nil {
		return nil
	}
	_, err := r.recorder.WriteTo(r.file)
	if err := errors.Join(err, r.file.Close()); err != nil {
		return exit.Fail(fmt.Errorf("write archive %s: %w", r.file.Name(), err), "")
	}
	return nil
}

// throughClient is the client that answers a browser's requests when they are read from an archive or written to one; nil
// when they go over the network.
func throughClient(o scrapeOptions, options outbound.Options) *outbound.Client {
	if o.har == "" && o.record == "" {
		return nil
	}
	options.Pause = -1 // what a page asks for comes all at once
	return outbound.New(options)
}
