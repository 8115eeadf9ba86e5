package ats

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "gr8people",
		about: About{
			Name: "gr8 People", Site: "gr8people.com",
			Addresses: []string{"{company}.gr8people.com/jobs", "{company}.workgr8.com/jobs/{role}"},
			Endpoint:  "POST https://{board}/graphql, query searchJobs",
			Reads:     "id, title, every place, address, total",
			Evidence:  Single,
		},
		board: hostUnder(gr8peopleDomains...),
		valid: isHostUnder(gr8peopleDomains...),
		page:  gr8peoplePage,
		open:  gr8peopleJobs,
	})
}

var gr8peopleDomains = []string{"gr8people.com", "workgr8.com"}

func gr8peoplePage(board string) string { return "https://" + board + "/jobs" }

const gr8peopleQuery = `query searchJobs($query: String, $start: Int, $first: Int, $after: String, $filters: JobPostingSearchFiltersInput) {
  searchJobs: searchJobPostings(query: $query, start: $start, first: $first, after: $after, filters: $filters) {
    results {
      nodes { key title primaryPlace { name } places { nodes { name } } }
      pageInfo { hasNextPage endCursor }
      totalCount
    }
  }
}`

var gr8peopleToken = lazyregexp.New(`"token"\s*:\s*"(eyJ[A-Za-z0-9._-]+)"`)

type gr8peopleJob struct {
	Key          id      `json:"key"`
	Title        string  `json:"title"`
	PrimaryPlace someone `json:"primaryPlace"`
	Places       struct {
		Nodes []someone `json:"nodes"`
	} `json:"places"`
}

// gr8peopleJobs asks for the roles with the token that the page lends its visitors.
func gr8peopleJobs(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	visitor := client
	return func(at turn) (page, error) {
		if at.page == 0 {
			content, err := getPage(ctx, client, gr8peoplePage(board))
			if err != nil {
				return page{}, err
			}
			token := gr8peopleToken.FindSubmatch(content)
			if token == nil {
				return page{}, didf("answered with a page without a token")
			}
			visitor = with(client, "Authorization", "Bearer "+string(token[1]))
		}
		variables := map[string]any{"query": "", "start": 0, "first": 50, "filters": map[string]any{}}
		if at.cursor != "" {
			variables["after"] = at.cursor
		}
		var data struct {
			SearchJobs struct {
				Results struct {
					Nodes    []json.RawMessage `json:"nodes"`
					PageInfo struct {
						HasNextPage bool   `json:"hasNextPage"`
						EndCursor   string `json:"endCursor"`
					} `json:"pageInfo"`
					TotalCount count `json:"totalCount"`
				} `json:"results"`
			} `json:"searchJobs"`
		}
		query := graphQuery{OperationName: "searchJobs", Query: gr8peopleQuery, Variables: variables}
		if err := askGraph(ctx, visitor, "https://"+board+"/graphql", query, &data); err != nil {
			return page{}, err
		}
		found := data.SearchJobs.Results
		p, err := pageOf(found.Nodes, found.TotalCount, func(j gr8peopleJob) (boardwatch.Posting, bool) { return j.posting(board), true })
		p.cursor, p.last = found.PageInfo.EndCursor, !found.PageInfo.HasNextPage
		return p, err
	}
}

func (j gr8peopleJob) posting(board string) boardwatch.Posting {
	var places []string
	for _, p := range j.Places.Nodes {
		places = append(places, p.Name)
	}
	return boardwatch.Posting{
		Key: string(j.Key), Title: j.Title, Location: firstText(joinPlaces(places...), j.PrimaryPlace.Name),
		URL: gr8peoplePage(board) + "/" + url.PathEscape(string(j.Key)),
	}
}
