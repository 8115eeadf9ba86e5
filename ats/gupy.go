package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Gupy has the whole list in the state of a board's page.
func init() {
	register(&declared{
		name: "gupy",
		about: About{
			Name: "Gupy", Site: "gupy.io",
			Addresses: []string{"{company}.gupy.io", "{company}.gupy.io/jobs/{role}"},
			Endpoint:  "GET https://{company}.gupy.io/",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Several,
		},
		board: tenantUnder("gupy.io"),
		valid: isTenantBut("portal", "employability-portal", "suporte", "private-api", "public-api", "developers", "accounts", "admissao", "conteudo", "vagas"),
		page:  gupyPage,
		open:  inOne(gupyRoles),
	})
}

func gupyPage(board string) string { return "https://" + board + ".gupy.io/" }

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

// gupyRoles takes the list from the state of the company's page. The vendor's own pages have a state too, but no list.
func gupyRoles(ctx context.Context, client Doer, board string) (page, error) {
	document, err := getDocument(ctx, client, gupyPage(board))
	if err != nil {
		return page{}, err
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
		return page{}, err
	}
	shown := state.Props.PageProps
	switch {
	case shown == nil:
		return page{}, didf("answered with a page without the roles' data")
	case shown.Jobs == nil && shown.CareerPage == nil:
		return page{}, noBoard("its page is none of a company")
	}
	p, err := pageOf(shown.Jobs, 0, func(job gupyJob) (boardwatch.Posting, bool) { return job.posting(gupyPage(board)), true })
	p.Company = firstText(linkedText(shown.CareerPage["name"]), linkedText(shown.CareerPage["companyName"]), companyInTitle(document))
	return p, err
}

func (j gupyJob) posting(page string) boardwatch.Posting {
	at := j.Workplace.Address
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: placeAsGiven(at.City, at.State, at.Country), Department: j.Department,
		URL: page + "jobs/" + url.PathEscape(string(j.ID)),
	}
	orRemote(&p, strings.EqualFold(j.Workplace.WorkplaceType, "remote"))
	return p
}
