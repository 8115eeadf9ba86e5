package ats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// join reads join.com. Its list answers for companies that do not exist as it does for those without roles, so that a
// company's page has to name it first.
type join struct{ *declared }

func init() {
	register(join{&declared{
		name: "join",
		about: About{
			Name: "JOIN", Site: "join.com",
			Addresses: []string{"join.com/companies/{company}", "join.com/de/companies/{company}", "join.com/companies/{company}/{role}"},
			Endpoint:  "GET https://join.com/companies/{company}, then https://join.com/api/public/companies/{id}/jobs?page=1&pageSize=100",
			Reads:     "id, title, city and country, category, address, company, total",
			Evidence:  Several,
		},
		board: joinBoard,
		valid: isTokenBut("embed", "jobs"),
		page:  func(board string) string { return joinCompanies + board },
	}})
}

const (
	joinCompanies = "https://join.com/companies/"
	joinAPI       = "https://join.com/api/public/companies/"
)

// joinBoard finds boards in the addresses of companies and roles, with and without a language.
func joinBoard(a address) string {
	if a.host != "join.com" && a.host != "www.join.com" {
		return ""
	}
	path := a.path()
	if nth(path, 0) != "companies" {
		path = a.pathWithoutLocale()
	}
	if nth(path, 0) != "companies" {
		return ""
	}
	return nth(path, 1)
}

type joinList struct {
	Items      []json.RawMessage `json:"items"`
	Pagination *struct {
		PageCount  count `json:"pageCount"`
		TotalPages count `json:"totalPages"`
		RowCount   count `json:"rowCount,omitempty"`
		Total      count `json:"total,omitempty"`
	} `json:"pagination"`
}

type joinJob struct {
	ID      id     `json:"id"`
	IDParam string `json:"idParam"`
	Title   string `json:"title"`
	City    struct {
		CityName    string `json:"cityName"`
		CountryName string `json:"countryName"`
	} `json:"city"`
	Country       someone `json:"country"`
	WorkplaceType string  `json:"workplaceType"`
	Category      someone `json:"category"`
}

type joinCompany struct {
	ID     id     `json:"id"`
	Name   string `json:"name"`
	Domain string `json:"domain"`
}

// joinPage is what a company's page carries.
type joinPage struct {
	Props struct {
		PageProps struct {
			StatusCode   count `json:"statusCode"`
			InitialState struct {
				Company joinCompany `json:"company"`
				Jobs    joinList    `json:"jobs"`
			} `json:"initialState"`
		} `json:"pageProps"`
	} `json:"props"`
}

// Read opens the company's page, which shows its first roles, and asks for the list when there are more.
func (j join) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !j.valid(board) {
		return failed(j, noName())
	}
	company, first, err := j.look(ctx, client, board)
	if err != nil {
		return failed(j, err)
	}
	r := joinReader{join: j, client: client, board: board, company: company, size: joinSizes[0]}
	reading, err := r.read(ctx, first)
	if err == nil {
		reading.Company = company.Name
	}
	return reading, err
}

// look is the company of a page, and the roles that the page shows.
func (j join) look(ctx context.Context, client Doer, board string) (joinCompany, joinList, error) {
	document, err := getDocument(ctx, client, j.CareersURL(board))
	if err != nil {
		return joinCompany{}, joinList{}, err
	}
	var state joinPage
	if err := nextData(document, &state); err != nil {
		return joinCompany{}, joinList{}, err
	}
	props := state.Props.PageProps
	company := props.InitialState.Company
	switch {
	case props.StatusCode == http.StatusNotFound || props.StatusCode == http.StatusGone:
		return company, joinList{}, noBoard(fmt.Sprintf("its page says %d", props.StatusCode))
	case !strings.EqualFold(company.Domain, board) && string(company.ID) != board:
		return company, joinList{}, didf("shows the page of another company")
	case !isDigits(string(company.ID)):
		return company, joinList{}, didf("shows a company without an id")
	}
	company.Name = collapse(company.Name)
	return company, props.InitialState.Jobs, nil
}

// joinSizes are the sizes of pages that are asked for: the second when the first is refused.
var joinSizes = [...]int{100, 5}

// joinReader reads one board once.
type joinReader struct {
	join

	client  Doer
	board   string
	company joinCompany
	size    int
}

// read takes the page's roles when they are all, and else the list's.
func (r joinReader) read(ctx context.Context, first joinList) (boardwatch.Reading, error) {
	if first.isWhole() {
		p, err := r.page(first)
		if err != nil {
			return failed(r.join, err)
		}
		p.Claimed = first.total()
		return finish(r.join, p.Reading, nil)
	}
	return paged{most: 500}.read(ctx, r.join, func(at turn) (page, error) {
		list, err := r.list(ctx, at.page+1)
		if err != nil {
			return page{}, err
		}
		p, err := r.page(list)
		if pages := list.pages(); pages > 0 {
			p.last = at.page+1 >= pages
		}
		return p, err
	})
}

// list asks for one page.
func (r *joinReader) list(ctx context.Context, number int) (list joinList, err error) {
	ask := func() (answer, error) {
		address := fmt.Sprintf("%s%s/jobs?page=%d&pageSize=%d", joinAPI, r.company.ID, number, r.size)
		return send(ctx, r.client, http.MethodGet, address, "application/json", nil)
	}
	answered, err := ask()
	smaller := slices.Index(joinSizes[:], r.size) + 1
	if err == nil && number == 1 && smaller < len(joinSizes) && (answered.status == http.StatusBadRequest || answered.status == http.StatusUnprocessableEntity) {
		r.size = joinSizes[smaller]
		answered, err = ask()
	}
	if err != nil {
		return list, err
	}
	err = answered.decode(&list)
	if e, ok := errors.AsType[*systemError](err); ok {
		e.unknown = false // the company's page was there
	}
	return list, err
}

// isWhole reports whether the roles of a company's page are all that there are, by what the page counts.
func (l joinList) isWhole() bool {
	if l.Items == nil || l.Pagination == nil || l.pages() > 1 || len(l.Items) < l.total() {
		return false
	}
	return len(l.Items) == 0 || l.pages() == 1 || l.total() > 0
}

func (l joinList) pages() int {
	if l.Pagination == nil {
		return 0
	}
	return int(max(l.Pagination.PageCount, l.Pagination.TotalPages))
}

func (l joinList) total() int {
	if l.Pagination == nil {
		return 0
	}
	return int(max(l.Pagination.RowCount, l.Pagination.Total))
}

func (r joinReader) page(list joinList) (page, error) {
	return pageOf(list.Items, count(list.total()), func(job joinJob) (boardwatch.Posting, bool) {
		return job.posting(r.CareersURL(r.board)), true
	})
}

func (j joinJob) posting(company string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Department: j.Category.Name,
		Location: place(j.City.CityName, firstText(j.City.CountryName, j.Country.Name)),
	}
	orRemote(&p, j.WorkplaceType == "REMOTE")
	if j.IDParam != "" {
		p.URL = company + "/" + url.PathEscape(j.IDParam)
	}
	return p
}
