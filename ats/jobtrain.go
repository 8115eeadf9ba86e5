package ats

import (
	"bytes"
	"context"
	"net/url"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const jobtrainHost = "https://www.jobtrain.co.uk/"

func init() {
	register(detailed{look: lookInLinked, declared: &declared{
		name: "jobtrain",
		about: About{
			Name: "Jobtrain", Site: "jobtrain.co.uk",
			Addresses: []string{"www.jobtrain.co.uk/{company}", "www.jobtrain.co.uk/{company}/Job/JobDetail?JobId={role}"},
			Endpoint:  "GET " + jobtrainHost + "{company}/Home/_JobCard",
			Reads:     "id, title, address; place from the role's page",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "www.jobtrain.co.uk" && a.host != "jobtrain.co.uk" {
				return ""
			}
			return a.segment(0)
		},
		valid: isTokenBut("Home", "Job", "Content", "Scripts", "bundles", "api", "contact", "about", "login"),
		page:  func(board string) string { return jobtrainHost + board + "/" },
		open:  inOne(jobtrainRoles),
	}})
}

// jobtrainRoles reads cards. A part of a page has no end that tells: what tells is that every card is closed.
func jobtrainRoles(ctx context.Context, client Doer, board string) (page, error) {
	address := jobtrainHost + board + "/Home/_JobCard"
	content, err := getPage(ctx, client, address)
	if err != nil {
		return page{}, err
	}
	document, err := parseWholePage(content)
	if err != nil {
		return page{}, err
	}
	seen := make(map[string]bool)
	links := document.Find(`a[href*="JobDetail"]`).FilterFunction(func(_ int, link *goquery.Selection) bool {
		key := jobtrainKey(linkOf(link, "href", address))
		fresh := key != "" && !seen[key] && textOf(jobtrainTitle(link)) != ""
		if fresh {
			seen[key] = true
		}
		return fresh
	})
	if links.Length() == 0 && document.Find(`[class*="job" i]`).Length() == 0 {
		return page{}, didf("answered with something other than cards of roles")
	}
	if bytes.Count(content, []byte("<div")) != bytes.Count(content, []byte("</div>")) || bytes.Count(content, []byte("<a ")) != bytes.Count(content, []byte("</a>")) {
		return page{}, didf("returned cards that are cut off (%d bytes)", len(content))
	}
	return pageOfCards(links, 0, func(link *goquery.Selection) (boardwatch.Posting, bool) {
		key := jobtrainKey(linkOf(link, "href", address))
		return boardwatch.Posting{Key: key, Title: textOf(jobtrainTitle(link)), URL: jobtrainHost + board + "/Job/JobDetail?JobId=" + key}, true
	})
}

func jobtrainKey(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	if key := (address{u: u}).value("JobId"); isDigits(key) {
		return key
	}
	return ""
}

// jobtrainTitle is the heading in a card's link, or the link.
func jobtrainTitle(link *goquery.Selection) *goquery.Selection {
	if heading := link.Find("h1, h2, h3, h4, h5").First(); heading.Length() > 0 {
		return heading
	}
	return link
}
