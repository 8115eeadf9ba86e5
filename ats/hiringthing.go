package ats

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "hiringthing",
		about: About{
			Name: "HiringThing", Site: "hiringthing.com",
			Addresses: []string{"{company}.hiringthing.com", "{company}.prismhr-hire.com/job/{role}", "{company}.oasisrecruit.com", "{company}.verahr-hiring.com", "{company}.gnahiring.com"},
			Endpoint:  "GET https://{board}/",
			Reads:     "id, title, every place, department, address, company",
			Evidence:  Several,
		},
		board: hostUnder(hiringthingDomains...),
		valid: isHostUnder(hiringthingDomains...),
		page:  func(board string) string { return "https://" + board + "/" },
		open:  inOne(hiringthingJobs),
	})
}

// hiringthingDomains are the vendor's and those of companies that sell its product under their own name.
var hiringthingDomains = []string{"hiringthing.com", "prismhr-hire.com", "oasisrecruit.com", "verahr-hiring.com", "gnahiring.com"}

type hiringthingJob struct {
	ID    id     `json:"id"`
	Title string `json:"title"`
}

// hiringthingFilters is what the page's filters know: every role, and which of them are where and in what.
type hiringthingFilters struct {
	Titles     []json.RawMessage          `json:"titles"`
	Locations  map[string]map[string][]id `json:"locations"` // by region and city
	Categories map[string][]id            `json:"categories"`
	Remote     []id                       `json:"remotePositions"`
}

func hiringthingJobs(ctx context.Context, client Doer, board string) (page, error) {
	document, err := getDocument(ctx, client, "https://"+board+"/")
	if err != nil {
		return page{}, err
	}
	var filters hiringthingFilters
	if err := stateOf(document.Find(`[data-react-class="HiringThing.Components.JobFiltersContainer"]`).First(), "data-react-props", &filters); err != nil {
		return page{}, err
	}
	places, categories := filters.byRole()
	p, err := pageOf(filters.Titles, 0, func(j hiringthingJob) (boardwatch.Posting, bool) {
		return boardwatch.Posting{
			Key: string(j.ID), Title: j.Title, Location: joinPlaces(places[j.ID]...), Department: categories[j.ID],
			URL: "https://" + board + "/job/" + url.PathEscape(string(j.ID)),
		}, true
	})
	p.Company = companyInTitle(document)
	return p, err
}

// byRole are the places and the category of each role.
func (f hiringthingFilters) byRole() (places map[id][]string, categories map[id]string) {
	places, categories = make(map[id][]string), make(map[id]string)
	for _, region := range slices.Sorted(maps.Keys(f.Locations)) {
		for _, city := range slices.Sorted(maps.Keys(f.Locations[region])) {
			for _, role := range f.Locations[region][city] {
				places[role] = append(places[role], placeAsGiven(city, region))
			}
		}
	}
	for _, role := range f.Remote {
		if places[role] == nil {
			places[role] = []string{"Remote"}
		}
	}
	for _, category := range slices.Sorted(maps.Keys(f.Categories)) {
		for _, role := range f.Categories[category] {
			if _, known := categories[role]; !known {
				categories[role] = category
			}
		}
	}
	return places, categories
}
