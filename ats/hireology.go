package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Hireology gives most lists to everybody. For the others, the board's page gives its visitors a token.
func init() {
	register(&declared{
		name: "hireology",
		about: About{
			Name: "Hireology", Site: "hireology.com",
			Addresses: []string{"careers.hireology.com/{company}", "careers.hireology.com/{company}/{role}/description", "{company}.hireology.careers"},
			Endpoint:  "GET https://api.hireology.com/v2/public/careers/{company}?page_size=500&page=1",
			Reads:     "id, title, every place, department, address, total, company",
			Evidence:  Several,
		},
		board: func(a address) string {
			switch a.host {
			case "careers.hireology.com":
				return a.segment(0)
			case "api.hireology.com":
				return firstText(a.below("v2", "public", "careers"), a.below("v1", "careers"))
			}
			return a.tenant("hireology.careers")
		},
		valid: isTokenBut("jobs", "assets", "static", "packs", "api", "users"),
		page:  hireologyPage,
		open:  hireologyJobs,
	})
}

func hireologyPage(board string) string { return "https://careers.hireology.com/" + board }

type hireologyJob struct {
	ID        id     `json:"id"`
	Name      string `json:"name"`
	Status    string `json:"status"`
	Page      string `json:"career_site_url"`
	Remote    bool   `json:"remote"`
	Locations []struct {
		City  string `json:"city"`
		State string `json:"state"`
	} `json:"locations"`
	JobFamily    someone `json:"job_family"`
	Organization someone `json:"organization"`
}

// hireologyJobs requests page after page, again with the token of the board's page if the list is refused without.
func hireologyJobs(ctx context.Context, client Doer, board string) func(at turn) (page, error) {
	return func(at turn) (page, error) {
		address := fmt.Sprintf("https://api.hireology.com/v2/public/careers/%s?page_size=500&page=%d", board, at.page+1)
		answered, err := send(ctx, client, http.MethodGet, address, "application/json", nil)
		if err != nil {
			return page{}, err
		}
		if answered.status == http.StatusUnauthorized || answered.status == http.StatusForbidden {
			refused := answered.refusal()
			token, err := hireologyTokenOf(ctx, client, board)
			if err != nil {
				return page{}, err
			}
			if token == "" {
				return page{}, refused
			}
			client = with(client, "Authorization", "Bearer "+token)
			if answered, err = send(ctx, client, http.MethodGet, address, "application/json", nil); err != nil {
				return page{}, err
			}
		}
		var list struct {
			Count *count            `json:"count"`
			Data  []json.RawMessage `json:"data"`
		}
		if err := answered.decode(&list); err != nil {
			return page{}, err
		}
		return pageOfTotal(list.Data, list.Count, func(job hireologyJob) (boardwatch.Posting, bool) {
			return job.posting(hireologyPage(board)), strings.EqualFold(job.Status, "open") || job.Status == ""
		})
	}
}

var hireologyToken = lazyregexp.New(`"apiToken"\s*:\s*"([A-Za-z0-9._~+/=-]+)"`)

// hireologyTokenOf is the token that the board's page gives its visitors, or empty.
func hireologyTokenOf(ctx context.Context, client Doer, board string) (string, error) {
	content, err := getPage(ctx, client, hireologyPage(board))
	if err != nil {
		return "", err
	}
	return captured(hireologyToken, string(content)), nil
}

func (j hireologyJob) employer() string { return j.Organization.Name }

func (j hireologyJob) posting(page string) boardwatch.Posting {
	var places []string
	for _, l := range j.Locations {
		places = append(places, placeAsGiven(l.City, l.State))
	}
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Name, Location: joinPlaces(places...), Department: j.JobFamily.Name,
		URL: firstText(webAddress(j.Page), page+"/"+url.PathEscape(string(j.ID))+"/description"),
	}
	orRemote(&p, j.Remote)
	return p
}
