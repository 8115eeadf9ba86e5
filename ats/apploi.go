package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Apploi has a profile for each company, which says whose roles it shows: those of one team or of several.
func init() {
	register(&declared{
		name: "apploi",
		about: About{
			Name: "Apploi", Site: "apploi.com",
			Addresses: []string{"jobs.apploi.com/profile/{company}", "api.apploi.com/v1/company_profiles/{company}"},
			Endpoint:  "GET https://ats-integrations.apploi.com/search/jobs/?teams={teams of the profile}&page=1&source=company_profile_page",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Several,
		},
		board: func(a address) string { // addresses of single roles name no board
			switch a.host {
			case "jobs.apploi.com":
				return a.below("profile")
			case "api.apploi.com":
				return a.below("v1", "company_profiles")
			}
			return ""
		},
		valid: isToken,
		page:  func(board string) string { return "https://jobs.apploi.com/profile/" + board },
		open:  apploiRoles,
	})
}

type apploiJob struct {
	ID        id     `json:"id"`
	Name      string `json:"name"`
	City      string `json:"city"`
	State     string `json:"state"`
	Industry  string `json:"industry"`
	Apply     string `json:"redirect_apply_url"`
	Published any    `json:"published"`
}

// apploiRoles requests the profile, and then page after page of its teams' roles.
func apploiRoles(ctx context.Context, client Doer, board string) func(at turn) (page, error) {
	var company, teams string
	return func(at turn) (page, error) {
		if teams == "" {
			var err error
			if company, teams, err = apploiProfile(ctx, client, board); err != nil {
				return page{}, err
			}
		}
		var list struct {
			Data   []json.RawMessage `json:"data"`
			Errors any               `json:"errors"`
			Search any               `json:"elasticsearch_errors"`
		}
		address := fmt.Sprintf("https://ats-integrations.apploi.com/search/jobs/?teams=%s&page=%d&source=company_profile_page", teams, at.page+1)
		if err := getJSON(ctx, client, address, &list); err != nil {
			return page{}, asListFault(err)
		}
		if said := firstText(linkedText(list.Errors, "message"), linkedText(list.Search, "message")); said != "" {
			return page{}, didf("answered with an error: %s", collapse(said))
		}
		shown, err := pageOf(list.Data, 0, apploiJob.posting)
		shown.Company = company
		return shown, err
	}
}

var apploiTeams = lazyregexp.New(`^[0-9]+(?:,[0-9]+)*$`)

// apploiProfile is a company's name, and the teams whose roles it shows.
func apploiProfile(ctx context.Context, client Doer, board string) (company, teams string, err error) {
	var profile struct {
		Data *struct {
			Name        string `json:"name"`
			TeamID      id     `json:"team_id"`
			TeamsToShow any    `json:"teams_to_show"`
		} `json:"data"`
	}
	if err := getJSON(ctx, client, "https://api.apploi.com/v1/company_profiles/"+board, &profile); err != nil {
		return "", "", err
	}
	if profile.Data == nil {
		return "", "", didf("answered without a profile")
	}
	var shown []string
	list, isList := profile.Data.TeamsToShow.([]any)
	if !isList {
		list = []any{profile.Data.TeamsToShow}
	}
	for _, team := range list {
		for t := range strings.SplitSeq(linkedText(team), ",") {
			if t = strings.TrimSpace(t); t != "" {
				shown = append(shown, t)
			}
		}
	}
	teams = firstText(strings.Join(shown, ","), string(profile.Data.TeamID))
	if !apploiTeams.MatchString(teams) {
		return "", "", didf("answered with a profile without teams")
	}
	return profile.Data.Name, teams, nil
}

func (j apploiJob) posting() (boardwatch.Posting, bool) {
	return boardwatch.Posting{
		Key: string(j.ID), Title: j.Name, Location: placeAsGiven(j.City, j.State), Department: j.Industry,
		URL: firstText(webAddress(j.Apply), "https://jobs.apploi.com/view/"+url.PathEscape(string(j.ID))),
	}, !isNo(j.Published)
}
