package ats

import (
	"context"
	"encoding/json"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "getro",
		about: About{
			Name: "Getro", Site: "getro.com",
			Addresses: []string{"{board}.getro.com/jobs", "{board}.getro.com/companies/{company}/jobs/{role}"},
			Endpoint:  "POST https://api.getro.com/api/v2/collections/{id}/search/jobs",
			Reads:     "id, title, every place, the employer in place of the department, address, total",
			Evidence:  Single,
		},
		board: tenantUnder("getro.com"),
		valid: isTenant,
		page:  getroPage,
		pages: paged{size: 100},
		open:  getroJobs,
	})
}

func getroPage(board string) string { return "https://" + board + ".getro.com/jobs" }

type getroNetwork struct {
	ID   id     `json:"id"`
	Name string `json:"name"`
}

type getroJob struct {
	ID           id       `json:"id"`
	Title        string   `json:"title"`
	URL          string   `json:"url"`
	WorkMode     string   `json:"work_mode"`
	Locations    []string `json:"locations"`
	Organization someone  `json:"organization"`
}

// getroJobs takes the number of the network from its page and asks the search for its roles, which are those of many
// employers.
func getroJobs(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	var network getroNetwork
	client = with(client, "Referer", "https://"+board+".getro.com/")
	return func(at turn) (page, error) {
		if at.page == 0 {
			var err error
			if network, err = getroNetworkOf(ctx, client, board); err != nil {
				return page{}, err
			}
		}
		var found struct {
			Results struct {
				Jobs  []json.RawMessage `json:"jobs"`
				Count count             `json:"count"`
			} `json:"results"`
		}
		address := "https://api.getro.com/api/v2/collections/" + string(network.ID) + "/search/jobs"
		if err := postJSON(ctx, client, address, map[string]any{"hits_per_page": 100, "page": at.page}, &found); err != nil {
			return page{}, err
		}
		p, err := pageOf(found.Results.Jobs, found.Results.Count, getroJob.posting)
		p.Company = network.Name
		return p, err
	}
}

func getroNetworkOf(ctx context.Context, client Doer, board string) (getroNetwork, error) {
	document, err := getDocument(ctx, client, getroPage(board))
	if err != nil {
		return getroNetwork{}, err
	}
	var state struct {
		Props struct {
			PageProps struct {
				Network      getroNetwork `json:"network"`
				InitialState struct {
					Network getroNetwork `json:"network"`
				} `json:"initialState"`
			} `json:"pageProps"`
		} `json:"props"`
	}
	if err := nextData(document, &state); err != nil {
		return getroNetwork{}, err
	}
	for _, network := range []getroNetwork{state.Props.PageProps.Network, state.Props.PageProps.InitialState.Network} {
		if isDigits(string(network.ID)) {
			return network, nil
		}
	}
	return getroNetwork{}, didf("answered with a page that names no network")
}

func (j getroJob) posting() (boardwatch.Posting, bool) {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: joinPlaces(j.Locations...), Department: j.Organization.Name, URL: j.URL,
	}
	orRemote(&p, j.WorkMode == "remote")
	return p, true
}
