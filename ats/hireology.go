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

// hireology reads careers.hireology.com. The list is mostly given to everybody; where it is not, the board's page lends its
// visitors a token.
type hireology struct{ vendor }

func init() {
	register(hireology{vendor{
		name: "hireology",
		about: About{
			Name: "Hireology", Site: "hireology.com",
			Addresses: []string{"careers.hireology.com/{company}", "careers.hireology.com/{company}/{role}/description", "{company}.hireology.careers"},
			Endpoint:  "GET https://api.hireology.com/v2/public/careers/{company}?page_size=500&page=1",
			Reads:     "id, title, every place, department, address, total, company",
			Evidence:  Several,
		},
		match: matchHireology,
		page:  func(board string) string { return "https://careers.hireology.com/" + board },
	}})
}

// matchHireology knows boards at both of the vendor's names, their roles, and the API.
func matchHireology(a address) (board string, ok bool) {
	switch a.host {
	case "careers.hireology.com":
		board = a.segment(0)
	case "api.hireology.com":
		board = firstText(a.below("v2", "public", "careers"), a.below("v1", "careers"))
	default:
		board = a.tenant("hireology.careers")
	}
	return board, isHireologyBoard(board)
}

var isHireologyBoard = isTokenBut("jobs", "assets", "static", "packs", "api", "users")

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
	JobFamily    hireologyNamed `json:"job_family"`
	Organization hireologyNamed `json:"organization"`
}

type hireologyNamed struct {
	Name string `json:"name"`
}

// Read asks for page after page; once more with the page's token if the list is refused without.
func (h hireology) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isHireologyBoard(board) {
		return failed(h, noName())
	}
	company := ""
	return paged{}.read(ctx, h, func(at turn) (page, error) {
		address := fmt.Sprintf("https://api.hireology.com/v2/public/careers/%s?page_size=500&page=%d", board, at.page+1)
		answered, err := send(ctx, client, http.MethodGet, address, "application/json", nil)
		if err != nil {
			return page{}, err
		}
		if answered.status == http.StatusUnauthorized || answered.status == http.StatusForbidden {
			refused := answered.refusal()
			token, err := h.token(ctx, client, board)
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
		if list.Count == nil {
			return page{}, didf("answered without a total")
		}
		shown, err := pageOf(list.Data, *list.Count, func(job hireologyJob) (boardwatch.Posting, bool) {
			company = firstText(company, job.Organization.Name)
			return job.posting(h.CareersURL(board)), strings.EqualFold(job.Status, "open") || job.Status == ""
		})
		shown.Company = company
		return shown, err
	})
}

var hireologyToken = lazyregexp.New(`"apiToken"\s*:\s*"([A-Za-z0-9._~+/=-]+)"`)

// token is what the board's page lends its visitors, or empty.
func (h hireology) token(ctx context.Context, client Doer, board string) (string, error) {
	content, err := getPage(ctx, client, h.CareersURL(board))
	if err != nil {
		return "", err
	}
	if m := hireologyToken.FindSubmatch(content); m != nil {
		return string(m[1]), nil
	}
	return "", nil
}

func (j hireologyJob) posting(page string) boardwatch.Posting {
	var places []string
	for _, l := range j.Locations {
		places = append(places, placeAsGiven(l.City, l.State))
	}
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Name, Location: joinPlaces(places...), Department: j.JobFamily.Name,
		URL: firstText(webAddress(j.Page), page+"/"+url.PathEscape(string(j.ID))+"/description"),
	}
	if p.Location == "" && j.Remote {
		p.Location = "Remote"
	}
	return p
}
