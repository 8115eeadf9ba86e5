package ats

import (
	"context"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

const paycorPages = "https://recruitingbypaycor.com/career/"

// Paycor groups its roles by department or by place, as the company chooses; the other of the two stands beside the title.
func init() {
	register(&declared{
		name: "paycor",
		about: About{
			Name: "Paycor Recruiting", Site: "paycor.com",
			Addresses: []string{"recruitingbypaycor.com/career/CareerHome.action?clientId={client}", "recruitingbypaycor.com/career/JobIntroduction.action?clientId={client}&id={role}"},
			Endpoint:  "GET " + paycorPages + "CareerHome.action?clientId={client}",
			Reads:     "id, title, place, department, address",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "recruitingbypaycor.com" && a.host != "www.recruitingbypaycor.com" || !strings.EqualFold(a.segment(0), "career") {
				return ""
			}
			return a.value("clientId")
		},
		valid: isHex32,
		page:  func(board string) string { return paycorPages + "CareerHome.action?clientId=" + board },
		open:  inOne(paycorRoles),
	})
}

func paycorRoles(ctx context.Context, client Doer, board string) (page, error) {
	home := paycorPages + "CareerHome.action?clientId=" + board
	document, err := getDocument(ctx, client, home)
	if err != nil {
		return page{}, err
	}
	if document.Find(`#gnewtonCareerHome, form[name="candidateHome"], [class^="gnewtonCareer"]`).Length() == 0 {
		return page{}, didf("shows a page that is not a list of roles")
	}
	return pageOfCards(document.Find(".gnewtonCareerGroupRowClass"), 0, func(row *goquery.Selection) (boardwatch.Posting, bool) {
		link := row.Find(`a[href*="JobIntroduction.action"]`).First()
		p := boardwatch.Posting{Title: textOf(link)}
		if u, err := url.Parse(linkOf(link, "href", home)); err == nil {
			p.Key = u.Query().Get("id")
		}
		if isToken(p.Key) {
			p.URL = paycorPages + "JobIntroduction.action?clientId=" + board + "&id=" + p.Key
		}
		group := textOf(row.PrevAllFiltered(".gnewtonCareerGroupHeaderClass").First())
		p.Department, p.Location = group, textOf(row.Find(".gnewtonCareerGroupJobDescriptionClass").First())
		if paycorPlace.MatchString(p.Department) && !paycorPlace.MatchString(p.Location) {
			p.Department, p.Location = p.Location, p.Department
		}
		return p, true
	})
}

// paycorPlace is what tells a place from a department: a state's two letters behind a comma.
var paycorPlace = lazyregexp.New(`,\s*[A-Z]{2}$|(?i)^remote$`)
