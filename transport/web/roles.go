package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

const rolesPerPage = 100

// rolesPage is the list of roles on all boards. Its address contains its whole state.
type rolesPage struct {
	Summary  string
	Filter   track.JobFilter
	Filtered bool
	Narrowed bool // by more than the first filters
	Boards   []choice
	Statuses []choice
	Tags     []choice
	Marks    []choice
	Modes    []choice
	Types    []choice
	PayFrom  string
	Form     *searchForm // saves the search; nil if there is nothing to save, or it is saved already
	Saved    []tab       // searches
	Hint     bool        // how one is saved
	Name     string      // of the search to be saved
	Wrong    []string
	Columns  []column
	Roles    []roleRow
	Sort     string
	Pager    pager
	CSV      string // the address of a file with all results of the search
	JSON     string

	EmptyTitle, EmptyText string
}

// roleRow is a role on a list.
type roleRow struct {
	Title, Location, Department, URL string
	Page                             string // the page with its history
	Company, BoardID                 string // empty on the board's own page
	Chip                             chip
	FirstSeenAt, ClosedAt            time.Time
	Facts                            string    // on one line
	MissedSince, ClosesAt            time.Time // of an open role that its board does not show

	ID     string
	Others []string   // further roles that the row stands for
	Mark   track.Mark // what the viewer has noted
	Stage  string     // of their application, in words
	New    bool       // since their last visit
	Back   string     // the page to return to after a form about it
	Beside string     // the row to return to when this one is gone
}

func (a *App) listRoles(w http.ResponseWriter, r *http.Request, c *caller) error {
	return a.showRoles(w, r, c, rolesPage{})
}

// title names the page by what it is filtered by, for a tab of a browser.
func (p rolesPage) title() string {
	var parts []string
	for _, part := range []string{p.Filter.Search, p.Filter.Only.Department, p.Filter.Location} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	for _, b := range p.Boards {
		if b.Chosen {
			parts = append(parts, b.Name)
		}
	}
	if parts = append(parts, p.Filter.Only.Tags...); len(parts) == 0 {
		return "Roles"
	}
	return strings.Join(parts, ", ") + " · Roles"
}

// roleFilter returns the filter given by the page's parameters.
func roleFilter(q url.Values) track.JobFilter {
	f := track.JobFilter{
		BoardID: q.Get("board"), Status: statusOf(q.Get("status")), Search: q.Get("search"), Location: q.Get("location"),
		Limit: rolesPerPage, Skip: int64(pageNumber(q)-1) * rolesPerPage,
	}
	f.Only.Words, f.Only.Mode, f.Only.Type = q.Get("words"), boardwatch.WorkMode(q.Get("mode")), boardwatch.JobType(q.Get("type"))
	f.Only.PayFrom, f.Only.Currency = payOf(q.Get("pay_from")), strings.ToUpper(strings.TrimSpace(q.Get("currency")))
	f.Only.Department, f.Marked, f.Order = q.Get("department"), markedOf(q.Get("marked")), roleOrder(q)
	if tag := q.Get("tag"); tag != "" {
		f.Only.Tags = []string{tag}
	}
	return f
}

// bySeen is the usual order of roles, newest first.
const bySeen = "seen"

// roleOrder returns the order that the page's parameters ask for.
func roleOrder(q url.Values) string {
	return strings.Replace(q.Get("sort"), bySeen, "", 1)
}

// roleColumns are the heads of a list of roles at a path.
func roleColumns(q url.Values, path string) []column {
	head := func(name, order string, rises bool) column { return sortable(q, path, bySeen, name, order, rises) }
	return []column{
		head("Role", track.OrderTitle, true), head("Location", track.OrderPlace, true),
		{Name: "Department"},
		head("First seen", bySeen, false),
		{Name: "Status"},
		{Name: "Yours", Hidden: true},
	}
}

// showRoles shows the list that the address asks for. If there are faults, the form was not carried out.
func (a *App) showRoles(w http.ResponseWriter, r *http.Request, c *caller, p rolesPage) error {
	q := r.URL.Query()
	if r.Method == http.MethodPost {
		q = r.PostForm
	}
	f := roleFilter(q)
	tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
	if err != nil {
		return err
	}
	searches, err := a.s.Tracker.Searches(r.Context(), c.Account)
	if err != nil {
		return err
	}
	p.Filter, p.Boards, p.Statuses = f, trackedChoices(tracked, f.BoardID), statusChoices(f.Status)
	p.Tags = tagChoices(tracked, q.Get("tag"))
	p.Marks = markedChoices(f.Marked)
	p.Modes, p.Types = factChoices(f.Only)
	p.PayFrom = payText(f.Only.PayFrom)
	p.Narrowed = f.Marked != track.MarkedVisible || !f.Only.Empty()
	p.Filtered = p.Narrowed || f.BoardID != "" || f.Search != "" || f.Location != "" || q.Get("status") != ""
	if err := a.offerSearch(r, c, &p, tracked, searches); err != nil {
		return err
	}
	found, err := a.s.Tracker.Jobs(r.Context(), c.Account, f)
	status := http.StatusOK
	if len(p.Wrong) > 0 {
		status = http.StatusBadRequest
	}
	switch {
	case boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest:
		status, p.Wrong = http.StatusBadRequest, append(p.Wrong, searchFaults(err)...)
	case err != nil:
		return err
	}
	if err := a.look(r, c); err != nil {
		return err
	}
	if p.Roles, err = a.markedRows(r, c, found.Jobs, true); err != nil {
		return err
	}
	if found.Total > 0 {
		p.CSV, p.JSON = exportOf(q, "csv"), exportOf(q, "json")
	}
	p.Columns, p.Sort = roleColumns(q, "/roles"), q.Get("sort")
	p.Pager = newPager(q, "/roles", pageNumber(q), rolesPerPage, int(found.Total))
	p.Pager.Undated = f.Order != ""
	p.Summary = strings.TrimSpace(number(int(found.Total))+" "+string(f.Status)) + " " + noun(int(found.Total), "role", "roles")
	p.EmptyTitle, p.EmptyText = "No role matches", "Nothing on your boards fits this search."
	if !p.Filtered {
		p.EmptyTitle, p.EmptyText = "No open roles yet", "Roles appear here as soon as one of your boards has been read."
	}
	return a.show(w, r, c, status, "roles", view{Title: p.title(), Section: "Roles", Page: p})
}

// offerSearch offers to save what the page is filtered by, unless it is saved already.
func (a *App) offerSearch(r *http.Request, c *caller, p *rolesPage, tracked []track.TrackedBoard, searches []boardwatch.Search) error {
	q := boardwatch.Search{Name: p.Name, Criteria: p.Filter.Only}
	q.Text, q.Location = p.Filter.Search, p.Filter.Location
	if p.Filter.BoardID != "" {
		q.Boards = []string{p.Filter.BoardID}
	}
	for _, kind := range r.PostForm["kind"] {
		q.Kinds = append(q.Kinds, boardwatch.ChangeKind(kind))
	}
	if len(q.Kinds) == 0 {
		q.Kinds = []boardwatch.ChangeKind{boardwatch.ChangeFound, boardwatch.ChangeReopened}
	}
	here := ""
	if i := slices.IndexFunc(searches, func(o boardwatch.Search) bool { return o.Equal(q.Criteria) }); i >= 0 && !q.Empty() {
		here = searches[i].ID
	}
	p.Saved = searchTabs(searches, here)
	p.Hint = len(searches) == 0 && q.Empty()
	if q.Empty() || here != "" && len(p.Wrong) == 0 {
		return nil
	}
	form, err := a.newSearchForm(r, c, q, tracked)
	p.Form = &form
	return err
}

// factChoices are the modes of work and the kinds of employment, with those that the criteria ask for.
func factChoices(c boardwatch.Criteria) (modes, types []choice) {
	for _, mode := range boardwatch.WorkModes() {
		modes = append(modes, choice{string(mode), string(mode), mode == c.Mode})
	}
	for _, kind := range boardwatch.JobTypes() {
		types = append(types, choice{string(kind), boardwatch.Facts{Type: kind}.TypeWords(), kind == c.Type})
	}
	return modes, types
}

// payText writes an amount into a form.
func payText(pay int) string {
	if pay <= 0 {
		return ""
	}
	return strconv.Itoa(pay)
}

// payOf reads an amount as people write it: 60,000 or 60 000. What is no amount is refused later.
func payOf(text string) int {
	text = strings.NewReplacer(",", "", ".", "", "'", "", " ", "", "\u00a0", "").Replace(text)
	if text == "" {
		return 0
	}
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return -1
}

func statusOf(s string) boardwatch.JobStatus {
	switch s {
	case "closed":
		return boardwatch.JobClosed
	case "all":
		return ""
	default:
		return boardwatch.JobOpen
	}
}

func statusChoices(chosen boardwatch.JobStatus) []choice {
	return []choice{
		{"open", "Open", chosen == boardwatch.JobOpen},
		{"closed", "Closed", chosen == boardwatch.JobClosed},
		{"all", "Open and closed", chosen == ""},
	}
}

func boardChoices(boards []boardwatch.BoardView, chosen string) []choice {
	out := make([]choice, len(boards))
	for i, b := range boards {
		out[i] = choice{b.ID, nameOfView(b), b.ID == chosen}
	}
	return byNames(out)
}

// trackedChoices lists the account's boards to choose from, by the account's names for them.
func trackedChoices(boards []track.TrackedBoard, chosen string) []choice {
	out := make([]choice, len(boards))
	for i, b := range boards {
		out[i] = choice{b.Board.ID, nameOf(b), b.Board.ID == chosen}
	}
	return byNames(out)
}

// byNames puts choices into the order of their names.
func byNames(choices []choice) []choice {
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return choices
}

func nameOfView(b boardwatch.BoardView) string {
	return nameOf(track.TrackedBoard{Board: boardwatch.Board{Company: b.Company, Domain: b.Domain, URL: b.CareersURL}})
}

func roleRows(jobs []boardwatch.Job, withBoard bool) []roleRow {
	out := make([]roleRow, len(jobs))
	for i, j := range jobs {
		out[i] = roleRow{
			Title: j.Title, Location: j.Location, Department: j.Department, URL: webAddress(j.URL), Page: rolePath(j.ID),
			Chip: jobChip(j), Facts: j.FactsLine(),
			FirstSeenAt: j.FirstSeenAt, ClosedAt: j.ClosedAt,
		}
		if withBoard {
			out[i].BoardID, out[i].Company = j.BoardID, j.Company
			if j.Company == "" {
				out[i].Company = "board"
			}
		}
	}
	return out
}

// webAddress returns an address if a link may lead to it, because employers' pages may contain anything. Old records
// may have addresses with a user name and password, which nobody should follow.
func webAddress(s string) string {
	if u, err := url.Parse(s); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil {
		return s
	}
	return ""
}
