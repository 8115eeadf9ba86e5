package ats

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Keka knows its boards by an id, which the page of a board tells. A company may have several boards.
func init() {
	register(&declared{
		name: "keka",
		about: About{
			Name: "Keka", Site: "keka.com",
			Addresses: []string{"{company}.keka.com/careers", "{company}.keka.com/careers/{portal}", "{company}.keka.com/careers/jobdetails/{role}"},
			Endpoint:  "GET https://{company}.keka.com/careers, then https://{company}.keka.com/careers/api/embedjobs/default/active/{id}",
			Reads:     "id, title, every place, department, address",
			Evidence:  Several,
		},
		board: func(a address) string {
			company, path := a.tenant("keka.com"), a.path()
			portal := nth(path, 1)
			switch {
			case company == "" || !strings.EqualFold(nth(path, 0), "careers"):
				return ""
			case portal == "api" && nth(path, 2) == "embedjobs":
				portal = nth(path, 3)
			}
			switch portal = strings.ToLower(portal); portal {
			case "", "default", "jobdetails", "api", "content":
				return company
			}
			return company + "/" + portal
		},
		valid: func(board string) bool {
			company, portal, several := strings.Cut(board, "/")
			return isTenant(company) && (!several || isLabel(portal) && portal != "default" && portal != "jobdetails" && portal != "api" && portal != "content")
		},
		page: kekaPage,
		open: inOne(kekaRoles),
	})
}

func kekaPage(board string) string {
	company, portal, several := strings.Cut(board, "/")
	if several {
		portal = "/" + portal
	}
	return "https://" + company + ".keka.com/careers" + portal
}

var kekaID = lazyregexp.New(`(?i)/ats/documents/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/careerportal/`)

type kekaJob struct {
	ID             id     `json:"id"`
	Title          string `json:"title"`
	DepartmentName string `json:"departmentName"`
	JobLocations   []struct {
		Name        string `json:"name"`
		City        string `json:"city"`
		State       string `json:"state"`
		CountryName string `json:"countryName"`
	} `json:"jobLocations"`
}

func kekaRoles(ctx context.Context, client Doer, board string) (page, error) {
	content, err := getPage(ctx, client, kekaPage(board))
	if err != nil {
		return page{}, err
	}
	m := kekaID.FindSubmatch(content)
	if m == nil {
		return page{}, didf("shows a page without the id of its board")
	}
	company, portal, several := strings.Cut(board, "/")
	if !several {
		portal = "default"
	}
	var rows []json.RawMessage
	if err := getJSON(ctx, client, "https://"+company+".keka.com/careers/api/embedjobs/"+portal+"/active/"+strings.ToLower(string(m[1])), &rows); err != nil {
		return page{}, whoseBoardIs(err)
	}
	return pageOf(rows, 0, func(j kekaJob) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{Key: string(j.ID), Title: j.Title, Department: j.DepartmentName}
		var places []string
		for _, l := range j.JobLocations {
			places = append(places, firstText(place(l.City, l.State, l.CountryName), l.Name))
		}
		p.Location = joinPlaces(places...)
		if isDigits(p.Key) {
			p.URL = kekaPage(board) + "/jobdetails/" + p.Key
		}
		return p, true
	})
}
