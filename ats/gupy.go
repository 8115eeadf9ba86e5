package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// gupy reads boards at gupy.io, whose page has the whole list in its state.
type gupy struct{ vendor }

func init() {
	register(gupy{vendor{
		name: "gupy",
		about: About{
			Name: "Gupy", Site: "gupy.io",
			Addresses: []string{"{company}.gupy.io", "{company}.gupy.io/jobs/{role}"},
			Endpoint:  "GET https://{company}.gupy.io/",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Several,
		},
		match: matchGupy,
		page:  func(board string) string { return "https://" + board + ".gupy.io/" },
	}})
}

// matchGupy knows everything at a company's host.
func matchGupy(a address) (board string, ok bool) {
	board = a.tenant("gupy.io")
	return board, isGupyBoard(board)
}

var isGupyBoard = isTenantBut("portal", "employability-portal", "suporte", "private-api", "public-api", "developers", "accounts", "admissao", "conteudo", "vagas")

type gupyJob struct {
	ID         id     `json:"id"`
	Title      string `json:"title"`
	Department string `json:"department"`
	Workplace  struct {
		Address struct {
			City    string `json:"city"`
			State   string `json:"state"`
			Country string `json:"country"`
		} `json:"address"`
		WorkplaceType string `json:"workplaceType"`
	} `json:"workplace"`
}

// Read takes the whole list from the state of the company's page. The vendor's own pages have a state too, but no list.
func (g gupy) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isGupyBoard(board) {
		return failed(g, noName())
	}
	document, err := getDocument(ctx, client, g.CareersURL(board))
	if err != nil {
		return failed(g, err)
	}
	var state struct {
		Props struct {
			PageProps *struct {
				Jobs       []json.RawMessage `json:"jobs"`
				CareerPage map[string]any    `json:"careerPage"`
			} `json:"pageProps"`
		} `json:"props"`
	}
	if err := nextData(document, &state); err != nil {
		return failed(g, err)
	}
	shown := state.Props.PageProps
	switch {
	case shown == nil:
		return failed(g, didf("answered with a page without the roles' data"))
	case shown.Jobs == nil && shown.CareerPage == nil:
		return failed(g, noBoard("its page is none of a company"))
	}
	reading, err := listing(shown.Jobs, func(job gupyJob) (boardwatch.Posting, bool) { return job.posting(g.CareersURL(board)), true })
	reading.Company = firstText(linkedText(shown.CareerPage["name"]), linkedText(shown.CareerPage["companyName"]), companyInTitle(document))
	return finish(g, reading, err)
}

func (j gupyJob) posting(page string) boardwatch.Posting {
	at := j.Workplace.Address
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: placeAsGiven(at.City, at.State, at.Country), Department: j.Department,
		URL: page + "jobs/" + url.PathEscape(string(j.ID)),
	}
	if p.Location == "" && strings.EqualFold(j.Workplace.WorkplaceType, "remote") {
		p.Location = "Remote"
	}
	return p
}
