package ats

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// greenhouse reads boards.greenhouse.io and its sisters. Boards of the EU pages are served by the same API.
type greenhouse struct{ namer }

func init() {
	register(greenhouse{namer{employer: greenhouseEmployer, declared: &declared{
		name: "greenhouse",
		about: About{
			Name: "Greenhouse", Site: "greenhouse.com",
			Addresses: []string{
				"boards.greenhouse.io/{board}", "job-boards.greenhouse.io/{board}", "boards.eu.greenhouse.io/{board}", "job-boards.eu.greenhouse.io/{board}",
				"boards.greenhouse.io/embed/job_board?for={board}", "boards-api.greenhouse.io/v1/boards/{board}",
			},
			Endpoint: "GET https://boards-api.greenhouse.io/v1/boards/{board}/jobs?content=true&pay_transparency=true",
			Reads:    "id, title, place, department, address, company, total",
			Evidence: Recording,
			Pace: Pace{
				Every: 250 * time.Millisecond, AtOnce: 2,
				Source: "The vendor publishes no limit for reading boards, and no reader that we know has met one. Four a second is our choice.",
			},
		},
		board: greenhouseBoard,
		valid: isGreenhouseBoard,
		page:  func(board string) string { return "https://boards.greenhouse.io/" + board },
	}}})
}

const greenhouseAPI = "https://boards-api.greenhouse.io/v1/boards/"

// greenhouseBoard finds boards in the addresses of pages, roles and the API, and of embeds, which have the board as "for".
func greenhouseBoard(a address) string {
	switch a.host {
	case "boards.greenhouse.io", "job-boards.greenhouse.io", "boards.eu.greenhouse.io", "job-boards.eu.greenhouse.io":
		if a.segment(0) == "embed" {
			return a.value("for")
		}
		return a.segment(0)
	case "boards-api.greenhouse.io", "api.greenhouse.io":
		return a.below("v1", "boards")
	}
	return ""
}

var isGreenhouseBoard = isTokenBut("embed", "job_app", "job_board", "js", "ai_opt_out_request", "users", "assets", "build", "packs", "static", "v1", "api")

type greenhouseList[Row any] struct {
	Jobs []Row `json:"jobs"`
	Meta struct {
		Total *count `json:"total"`
	} `json:"meta"`
}

type greenhouseJob struct {
	ID          id                     `json:"id"`
	Title       string                 `json:"title"`
	Location    someone                `json:"location"`
	Offices     []someone              `json:"offices"`
	Departments []greenhouseDepartment `json:"departments"`
	AbsoluteURL string                 `json:"absolute_url"`
	CompanyName string                 `json:"company_name"`

	FirstPublished said `json:"first_published"`
	UpdatedAt      said `json:"updated_at"`
	RequisitionID  said `json:"requisition_id"`
	Language       said `json:"language"`
	Content        said `json:"content"`
	PayInputRanges any  `json:"pay_input_ranges"`
}

type greenhouseDepartment struct {
	Name string `json:"name"`
}

// Read takes the whole list in one answer. With the departments it carries every description too; where that is more
// than the client takes, the two are asked for apart.
func (g greenhouse) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isGreenhouseBoard(board) {
		return failed(g, noName())
	}
	companies := make(map[string]bool)
	posting := func(job greenhouseJob) (boardwatch.Posting, bool) {
		if job.CompanyName != "" {
			companies[job.CompanyName] = true
		}
		return job.posting(), true
	}
	reading, err := g.list(ctx, client, board+"/jobs?content=true&pay_transparency=true", posting)
	if isTooLarge(err) {
		if reading, err = g.list(ctx, client, board+"/jobs", posting); err == nil {
			err = g.departments(ctx, client, board, reading.Postings)
		}
	}
	if err != nil {
		return failed(g, err)
	}
	if len(companies) == 1 {
		reading.Company = slices.Collect(maps.Keys(companies))[0]
	}
	return reading, nil
}

// Outline takes the list without descriptions, which lacks the departments too.
func (g greenhouse) Outline(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isGreenhouseBoard(board) {
		return failed(g, noName())
	}
	reading, err := g.list(ctx, client, board+"/jobs", func(job greenhouseJob) (boardwatch.Posting, bool) { return job.posting(), true })
	if err != nil {
		return failed(g, err)
	}
	return reading, nil
}

func (greenhouse) list(
	ctx context.Context, client Doer, path string, posting func(greenhouseJob) (boardwatch.Posting, bool),
) (boardwatch.Reading, error) {
	var exact greenhouseList[greenhouseJob]
	var rough greenhouseList[json.RawMessage]
	isRough, err := getList(ctx, client, greenhouseAPI+path, &exact, &rough)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	var reading boardwatch.Reading
	total := exact.Meta.Total
	if isRough || exact.Jobs == nil {
		reading, err = listing(rough.Jobs, posting)
		total = rough.Meta.Total
	} else {
		reading, err = listed(exact.Jobs, posting)
	}
	if total != nil {
		reading.Claimed = int(*total)
	}
	return reading, err
}

func (j greenhouseJob) posting() boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: strings.TrimSpace(j.Location.Name), Department: firstDepartment(j.Departments), URL: j.AbsoluteURL,
	}
	if p.Location == "" {
		offices := make([]string, len(j.Offices))
		for i, o := range j.Offices {
			offices[i] = o.Name
		}
		p.Location = joinPlaces(offices...)
	}
	p.Facts = boardwatch.Facts{
		PostedAt: date(j.FirstPublished), UpdatedAt: date(j.UpdatedAt), Requisition: fact.Line(string(j.RequisitionID)), Language: fact.Language(string(j.Language)),
		Pay: fact.PayRanges(j.PayInputRanges),
	}
	describe(&p, j.Content)
	return p
}

// firstDepartment is the first department that is one: roles without any stand under "No Department".
func firstDepartment(departments []greenhouseDepartment) string {
	for _, d := range departments {
		if d.Name != "" && d.Name != "No Department" {
			return d.Name
		}
	}
	return ""
}

// departments asks for the board's departments and gives each role the first of its own.
func (greenhouse) departments(ctx context.Context, client Doer, board string, roles []boardwatch.Posting) error {
	var tree struct {
		Departments []struct {
			greenhouseDepartment

			Jobs []struct {
				ID id `json:"id"`
			} `json:"jobs"`
		} `json:"departments"`
	}
	if err := getJSON(ctx, client, greenhouseAPI+board+"/departments", &tree); err != nil {
		return err
	}
	names := make(map[string]string)
	for _, d := range tree.Departments {
		for _, job := range d.Jobs {
			if key := string(job.ID); names[key] == "" {
				names[key] = firstDepartment([]greenhouseDepartment{d.greenhouseDepartment})
			}
		}
	}
	for i := range roles {
		roles[i].Department = names[roles[i].Key]
	}
	return nil
}

func greenhouseEmployer(ctx context.Context, client Doer, board string) (string, error) {
	var about someone
	err := getJSON(ctx, client, greenhouseAPI+board, &about)
	return strings.TrimSpace(about.Name), err
}

var (
	greenhouseScript = lazyregexp.New(`(?i)\b(?:boards|job-boards)(?:\.eu)?\.greenhouse\.io/embed/job_board/js\?(?:[^"'\s<>]*&)?for=([A-Za-z0-9._-]+)`)
	greenhouseCall   = lazyregexp.New(`(?i)\b(?:boards-api|api)\.greenhouse\.io/v1/boards/([A-Za-z0-9._-]+)`)
	greenhouseToken  = lazyregexp.New(`\bGrnhse\.Settings\.boardToken\s*=\s*["']([A-Za-z0-9._-]+)["']`)
)

// Embedded knows the vendor's script together with the element that it fills, and pages whose own script asks the API.
func (greenhouse) Embedded(page *goquery.Document) (board string, ok bool) {
	scripts := scriptsOf(page)
	if page.Find("#grnhse_app").Length() > 0 {
		return onlyMatch(scripts, isGreenhouseBoard, greenhouseScript, greenhouseToken, greenhouseCall)
	}
	return onlyMatch(scripts, isGreenhouseBoard, greenhouseCall)
}
