package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "occupop",
		about: About{
			Name: "Occupop", Site: "occupop.com",
			Addresses: []string{"{board}.occupop-careers.com", "{board}.occupop-careers.com/jobs/{role}/apply"},
			Endpoint:  "POST https://gateway.server.occupop.com/graphql, query LiveJobs",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Single,
		},
		board: tenantUnder("occupop-careers.com"),
		valid: isTenant,
		page:  occupopPage,
		open:  inOne(occupopJobs),
	})
}

func occupopPage(board string) string { return "https://" + board + ".occupop-careers.com/" }

const occupopQuery = `query LiveJobs($companyKey: String!, $tags: [String!], $includeAllBrandsJobs: Boolean) {
  careersPage {
    liveJobs(companyKey: $companyKey, tags: $tags, includeAllBrandsJobs: $includeAllBrandsJobs) {
      uuid title companyName location { city country } subsectors { name sector { name } }
    }
  }
}`

type occupopJob struct {
	UUID        id     `json:"uuid"`
	Title       string `json:"title"`
	CompanyName string `json:"companyName"`
	Location    struct {
		City    string `json:"city"`
		Country string `json:"country"`
	} `json:"location"`
	Subsectors []struct {
		someone

		Sector someone `json:"sector"`
	} `json:"subsectors"`
}

func (j occupopJob) employer() string { return j.CompanyName }

func occupopJobs(ctx context.Context, client Doer, board string) (page, error) {
	var data struct {
		CareersPage struct {
			LiveJobs []json.RawMessage `json:"liveJobs"`
		} `json:"careersPage"`
	}
	err := askGraph(ctx, client, "https://gateway.server.occupop.com/graphql", graphQuery{
		OperationName: "LiveJobs", Query: occupopQuery,
		Variables: map[string]any{"companyKey": board, "tags": []string{}, "includeAllBrandsJobs": false},
	}, &data)
	if err != nil && strings.Contains(err.Error(), "Invalid company key") {
		return page{}, noBoard("it does not know the company's key")
	}
	if err != nil {
		return page{}, err
	}
	return pageOf(data.CareersPage.LiveJobs, 0, func(j occupopJob) (boardwatch.Posting, bool) { return j.posting(occupopPage(board)), true })
}

func (j occupopJob) posting(page string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.UUID), Title: j.Title, Location: placeAsGiven(j.Location.City, j.Location.Country),
		URL: page + "jobs/" + url.PathEscape(string(j.UUID)) + "/apply",
	}
	if len(j.Subsectors) > 0 {
		p.Department = firstText(j.Subsectors[0].Sector.Name, j.Subsectors[0].Name)
	}
	return p
}
