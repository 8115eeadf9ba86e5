package web

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// importPage takes a list of boards. Refused entries stay in the field, so that they can be corrected.
type importPage struct {
	Text   string
	Wrong  []string
	Result *importResult
}

type importResult struct {
	Heading, Summary string
	Lines            []importLine
}

type importLine struct {
	Number  int
	Address string
	BoardID string // the board on the list; empty if there is none
	Chip    chip
	Text    string
}

// mostEntries is the most entries in one form: each is added separately while a person waits for the page.
const mostEntries = 1000

func (a *App) showImport(w http.ResponseWriter, r *http.Request, c *caller) error {
	return a.importView(w, r, c, http.StatusOK, importPage{})
}

func (a *App) importView(w http.ResponseWriter, r *http.Request, c *caller, status int, p importPage) error {
	return a.show(w, r, c, status, "import", view{Title: "Import boards", Section: "Boards", Page: p})
}

func (a *App) importBoards(w http.ResponseWriter, r *http.Request, c *caller) error {
	text, err := importedText(r)
	if err != nil {
		return a.importView(w, r, c, http.StatusBadRequest, importPage{Wrong: []string{err.Error()}})
	}
	entries, err := track.ReadList(strings.NewReader(text), "")
	if err != nil {
		return a.importView(w, r, c, http.StatusBadRequest, importPage{Text: text, Wrong: []string{sentence(err.Error())}})
	}
	if len(entries) == 0 {
		return a.importView(w, r, c, http.StatusBadRequest, importPage{Wrong: []string{"There is nothing to import: paste addresses or choose a file."}})
	}
	if len(entries) > mostEntries {
		return a.importView(w, r, c, http.StatusBadRequest, importPage{Text: text, Wrong: []string{
			fmt.Sprintf("The list has %s entries, and one form takes %s. Import it in parts.", number(len(entries)), number(mostEntries)),
		}})
	}
	dry := r.PostFormValue("do") == "try"
	done, err := a.s.Tracker.Import(r.Context(), c.Account, entries, track.ImportOptions{DryRun: dry})
	if err != nil {
		return err
	}
	p := importPage{Text: text, Result: newImportResult(done, dry)}
	if !dry {
		p.Text = refusedLines(entries, done)
	}
	return a.importView(w, r, c, http.StatusOK, p)
}

// importedText returns the file if there is one, or else the pasted text.
func importedText(r *http.Request) (string, error) {
	err := r.ParseForm()
	if err == nil {
		err = r.ParseMultipartForm(maxForm) //nolint:gosec // every body is bounded by MaxBytesReader
	}
	if errors.Is(err, http.ErrNotMultipart) {
		return r.PostForm.Get("text"), nil // sent by a program: the page's own form is multipart
	}
	if err != nil {
		return "", errors.New("The list is too long for one form, or was cut off. Import it in parts.") //nolint:staticcheck,revive // a page shows it as it is
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }()
	file, _, err := r.FormFile("file")
	if err != nil {
		return r.PostFormValue("text"), nil // no file: the pasted text
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxForm))
	if err != nil {
		return "", fmt.Errorf("the file could not be read: %w", err)
	}
	if len(content) == 0 {
		return r.PostFormValue("text"), nil
	}
	return string(content), nil
}

func newImportResult(done []track.Imported, dry bool) *importResult {
	result := &importResult{Heading: "Imported"}
	verb := "added"
	if dry {
		result.Heading, verb = "What would happen", "would be added"
	}
	var added, known, refused, locked int
	for _, d := range done {
		line := importLine{Number: d.Line, Address: d.URL, Text: sentence(d.Reason)}
		switch d.Result {
		case track.ImportAdded, track.ImportWouldAdd:
			added++
			if !dry {
				line.BoardID = d.BoardID
			}
			line.Chip = chip{"ok", verb}
			if d.Locked {
				locked++
				line.Chip, line.Text = chip{"", verb + ", locked"}, "Over your plan’s limit: listed, but not read."
			}
		case track.ImportTracked:
			known++
			line.BoardID = d.BoardID
			line.Chip = chip{"", "on your list"}
		default:
			refused++
			line.Chip = chip{"bad", "refused"}
		}
		result.Lines = append(result.Lines, line)
	}
	result.Summary = fmt.Sprintf("%s %s: %s %s, %s already on your list, %s refused.", number(len(done)), noun(len(done), "entry", "entries"),
		number(added), verb, number(known), number(refused))
	if locked > 0 {
		result.Summary += fmt.Sprintf(" %s past your plan’s limit.", number(locked))
	}
	return result
}

// refusedLines returns the refused entries, to be corrected and sent again.
func refusedLines(entries []track.Entry, done []track.Imported) string {
	var lines []string
	for i, d := range done {
		if d.Result != track.ImportRefused {
			continue
		}
		line := d.URL
		if name := entries[i].Board.CompanyName; name != "" {
			line += ", " + name
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// What a file of roles contains.
const (
	exportedRoles  = "roles"  // all
	exportedSearch = "search" // those selected by the parameters, as on the page of roles
)

// export sends a person's list, the roles on it, or those of a search, as a file.
func (a *App) export(w http.ResponseWriter, r *http.Request, c *caller) error {
	q := r.URL.Query()
	switch q.Get("what") {
	case exportedRoles:
		return a.exportRoles(w, r, c, track.JobFilter{})
	case exportedSearch:
		f := roleFilter(q)
		f.Limit, f.Skip = 0, 0
		return a.exportRoles(w, r, c, f)
	}
	boards, err := a.s.Tracker.Boards(r.Context(), c.Account, "")
	if err != nil {
		return err
	}
	if q.Get("format") == "opml" {
		return a.exportFeeds(w, r, c, boards)
	}
	tags, err := a.tagsOf(r, c)
	if err != nil {
		return err
	}
	rows := [][]string{{"url", "companyName", "domain", "status", "tracking", "openJobs", "addedAt", "addedOn", "tags"}}
	for _, b := range boards {
		rows = append(rows, []string{
			b.CareersURL, b.Company, b.Domain, string(b.Status), string(b.Tracking), strconv.Itoa(b.OpenJobs), fileTime(b.AddedAt),
			fileDate(b.AddedAt, c.Zone), tags[b.ID],
		})
	}
	return download(w, "boards", q.Get("format"), boards, rows)
}

// tagsOf returns the tags of the account's boards, separated by commas.
func (a *App) tagsOf(r *http.Request, c *caller) (map[string]string, error) {
	tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
	if err != nil {
		return nil, err
	}
	tags := make(map[string]string, len(tracked))
	for _, t := range tracked {
		tags[t.Board.ID] = strings.Join(t.Subscription.Tags, ", ")
	}
	return tags, nil
}

// exportRoles sends the roles that a filter finds, with the person's marks.
func (a *App) exportRoles(w http.ResponseWriter, r *http.Request, c *caller, f track.JobFilter) error {
	jobs, err := a.s.Tracker.AllJobs(r.Context(), c.Account, f)
	if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest { // the page of the search says what is wrong with it
		http.Redirect(w, r, "/roles?"+r.URL.RawQuery, http.StatusSeeOther) //nolint:gosec // a page of this site, whatever is asked of it
		return nil
	}
	if err != nil {
		return err
	}
	marks, err := a.s.Tracker.Marks(r.Context(), c.Account)
	if err != nil {
		return err
	}
	told, err := a.s.Tracker.WithTexts(r.Context(), jobs[:min(len(jobs), mostTexts)])
	if err != nil {
		return err
	}
	copy(jobs, told)
	rows := [][]string{{
		"title", "company", "location", "department", "url", "status", "firstSeenAt", "closedAt", "starred", "hidden", "appliedOn", "note",
		"firstSeenOn", "closedOn", "daysOpen", "tags",
		"mode", "type", "pay", "places", "postedAt", "validThrough", "requisition", "text", "stage",
	}}
	tags, err := a.tagsOf(r, c)
	if err != nil {
		return err
	}
	now := a.o.Now()
	objects := make([]markedJob, len(jobs))
	for i, j := range jobs {
		m := marks[j.ID]
		objects[i] = markedJob{j, m}
		rows = append(rows, []string{
			j.Title, j.Company, j.Location, j.Department, j.URL, string(j.Status), fileTime(j.FirstSeenAt), fileTime(j.ClosedAt),
			strconv.FormatBool(m.Starred), strconv.FormatBool(m.Hidden), m.AppliedOn, m.Note,
			fileDate(j.FirstSeenAt, c.Zone), fileDate(j.ClosedAt, c.Zone), strconv.Itoa(daysOpen(j, now)), tags[j.BoardID],
			string(j.Facts.Mode), j.Facts.TypeWords(), j.Facts.Pay.String(), j.Facts.PlacesText(), string(j.Facts.PostedAt),
			string(j.Facts.ValidThrough), j.Facts.Requisition, j.Text, string(stageOf(m)),
		})
	}
	return download(w, "roles", r.URL.Query().Get("format"), objects, rows)
}

// mostTexts is how many roles of a file have their texts: the newest ones. The command line writes all.
const mostTexts = 2000

// exportOf returns the address of the file with the results of a search.
func exportOf(search url.Values, format string) string {
	q := maps.Clone(search)
	q.Set("what", exportedSearch)
	return with(q, "/export", "format", format)
}

// markedJob is a role in a file: the published Job object with the person's mark, and what the source states.
type markedJob struct {
	job  boardwatch.Job
	mark track.Mark
}

// MarshalJSON writes every field; a missing day or note is null.
func (j markedJob) MarshalJSON() ([]byte, error) {
	orNull := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	return json.Marshal(struct {
		boardwatch.StatedJob

		Starred   bool    `json:"starred"`
		Hidden    bool    `json:"hidden"`
		AppliedOn *string `json:"appliedOn"`
		Note      *string `json:"note"`
		Stage     *string `json:"stage"`
	}{j.job.Stated(), j.mark.Starred, j.mark.Hidden, orNull(j.mark.AppliedOn), orNull(j.mark.Note), orNull(string(stageOf(j.mark)))})
}

// exportFeeds sends the feeds of boards, for a feed reader.
func (a *App) exportFeeds(w http.ResponseWriter, r *http.Request, c *caller, boards []boardwatch.BoardView) error {
	token, err := a.s.Preferences.FeedToken(r.Context(), c.Account)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/x-opml; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="boardwatch-boards.opml"`)
	return track.WriteOPML(w, boards, func(id string) string { return a.address("/feeds/" + token + "/" + id) })
}

// download sends a file: JSON of the objects, CSV of the rows, or the first cell of each row as a line.
func download(w http.ResponseWriter, name, format string, objects any, rows [][]string) error {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	switch format {
	case "json":
		body, err := json.MarshalIndent(objects, "", "  ")
		if err != nil {
			return fmt.Errorf("write file: %w", err)
		}
		h.Set("Content-Type", "application/json")
		h.Set("Content-Disposition", `attachment; filename="boardwatch-`+name+`.json"`)
		_, _ = w.Write(append(body, '\n')) // the client may have gone
	case "lines":
		h.Set("Content-Type", "text/plain; charset=utf-8")
		h.Set("Content-Disposition", `attachment; filename="boardwatch-`+name+`.txt"`)
		for _, row := range rows[1:] {
			_, _ = io.WriteString(w, row[0]+"\n") //nolint:gosec // plain text, to be saved; the client may have gone
		}
	default:
		h.Set("Content-Type", "text/csv; charset=utf-8")
		h.Set("Content-Disposition", `attachment; filename="boardwatch-`+name+`.csv"`)
		_, _ = io.WriteString(w, "\ufeff") // spreadsheets take a file without it for one of an older encoding
		out := csv.NewWriter(w)
		for _, row := range rows {
			for i, text := range row {
				row[i] = track.Guarded(text)
			}
			_ = out.Write(row) // the client may have gone
		}
		out.Flush()
	}
	return nil
}
