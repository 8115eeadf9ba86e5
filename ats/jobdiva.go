package ats

import (
	"context"
	"encoding/xml"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "jobdiva",
		about: About{
			Name: "JobDiva", Site: "jobdiva.com",
			Addresses: []string{"www1.jobdiva.com/portal/?a={key}", "www1.jobdiva.com/candidates/myjobs/getportaljobs.jsp?a={key}"},
			Endpoint:  "GET https://www1.jobdiva.com/candidates/myjobs/getportaljobs.jsp?a={key}",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Single,
		},
		board: func(a address) string {
			switch a.host {
			case "www1.jobdiva.com", "www2.jobdiva.com", "www3.jobdiva.com":
				return a.value("a")
			}
			return ""
		},
		valid: func(board string) bool { return jobdivaKey.MatchString(board) },
		page:  jobdivaPage,
		open:  inOne(jobdivaJobs),
	})
}

var jobdivaKey = lazyregexp.New(`^[A-Za-z0-9]{20,120}$`)

func jobdivaPage(board string) string { return "https://www1.jobdiva.com/portal/?a=" + board }

type jobdivaFeed struct {
	XMLName xml.Name `xml:"outertag"`
	Jobs    *struct {
		Rows []jobdivaJob `xml:"job"`
	} `xml:"jobs"`
}

type jobdivaJob struct {
	ID        string `xml:"jobdivaid"`
	Number    string `xml:"jobdiva_no"`
	Title     string `xml:"title"`
	City      string `xml:"city"`
	State     string `xml:"state"`
	Location  string `xml:"location"`
	Division  string `xml:"division"`
	Company   string `xml:"company"`
	PortalURL string `xml:"portal_url"`
}

func (j jobdivaJob) employer() string { return collapse(j.Company) }

func jobdivaJobs(ctx context.Context, client Doer, board string) (page, error) {
	var feed jobdivaFeed
	if err := getXML(ctx, client, "https://www1.jobdiva.com/candidates/myjobs/getportaljobs.jsp?a="+board, &feed); err != nil {
		return page{}, err
	}
	if feed.Jobs == nil {
		return page{}, didf("answered without a list of roles")
	}
	return pageOfRows(feed.Jobs.Rows, 0, func(j jobdivaJob) (boardwatch.Posting, bool) {
		return boardwatch.Posting{
			Key: firstText(collapse(j.ID), collapse(j.Number)), Title: j.Title, Department: collapse(j.Division),
			Location: firstText(placeAsGiven(j.City, j.State), collapse(j.Location)),
			URL:      firstText(webAddress(collapse(j.PortalURL)), jobdivaPage(board)),
		}, true
	})
}
