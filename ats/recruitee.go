package ats

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

// recruitee reads the career sites of Recruitee, which live below recruitee.com or on a host of the company's own. The
// board is the label below recruitee.com, or the whole other host.
type recruitee struct{ *declared }

func init() {
	register(recruitee{&declared{
		name: "recruitee",
		about: About{
			Name: "Recruitee", Site: "recruitee.com",
			Addresses: []string{"{company}.recruitee.com", "{company}.recruitee.com/api/offers/"},
			Endpoint:  "GET https://{company}.recruitee.com/api/offers/",
			Reads:     "id, title, places, department, address, company",
			Evidence:  Recording,
		},
		board: tenantUnder("recruitee.com"),
		valid: func(board string) bool { return recruiteeHost(board) != "" },
		page:  func(board string) string { return "https://" + recruiteeHost(board) + "/" },
		open:  inOne(recruiteeOffers),
	}})
}

var isRecruiteeCompany = isTenantBut("careers-analytics", "auth", "hire", "assets", "learn")

// recruiteeHost is the host of a board; empty when the board can be none.
func recruiteeHost(board string) string {
	switch {
	case isRecruiteeCompany(board):
		return board + ".recruitee.com"
	case isHost(board) && !(address{host: board}).under("recruitee.com") && board != "recruitee.com":
		return board
	}
	return ""
}

type recruiteeOffer struct {
	ID          id     `json:"id"`
	Title       string `json:"title"`
	Status      string `json:"status"`
	Slug        string `json:"slug"`
	CareersURL  string `json:"careers_url"`
	CompanyName string `json:"company_name"`
	Department  string `json:"department"`
	Location    string `json:"location"`
	City        string `json:"city"`
	Country     string `json:"country"`
	Locations   []struct {
		City        string `json:"city"`
		State       string `json:"state"`
		Country     string `json:"country"`
		CountryCode said   `json:"country_code"`
	} `json:"locations"`

	CountryCode    said `json:"country_code"`
	EmploymentType said `json:"employment_type_code"`
	Remote         said `json:"remote"`
	Hybrid         said `json:"hybrid"`
	OnSite         said `json:"on_site"`
	PublishedAt    said `json:"published_at"`
	UpdatedAt      said `json:"updated_at"`
	CloseAt        said `json:"close_at"`
	Salary         loose[struct {
		Min      said `json:"min"`
		Max      said `json:"max"`
		Currency said `json:"currency"`
		Period   said `json:"period"`
	}] `json:"salary"`
	Description  said `json:"description"`
	Requirements said `json:"requirements"`
}

func (o recruiteeOffer) employer() string { return o.CompanyName }

// mode is the one that its flags name. Remote and on site, without more, leave open which of the two.
func (o recruiteeOffer) mode() boardwatch.WorkMode {
	switch remote, onSite := isYes(string(o.Remote)), isYes(string(o.OnSite)); {
	case isYes(string(o.Hybrid)):
		return boardwatch.ModeHybrid
	case remote && !onSite:
		return boardwatch.ModeRemote
	case onSite && !remote:
		return boardwatch.ModeOnsite
	}
	return ""
}

func recruiteeOffers(ctx context.Context, client Doer, board string) (page, error) {
	host := recruiteeHost(board)
	var list struct {
		Offers []json.RawMessage `json:"offers"`
	}
	if err := getJSON(ctx, client, "https://"+host+"/api/offers/", &list); err != nil {
		return page{}, err
	}
	return pageOf(list.Offers, 0, func(offer recruiteeOffer) (boardwatch.Posting, bool) {
		return offer.posting(host), offer.Status == "" || offer.Status == "published"
	})
}

func (o recruiteeOffer) posting(host string) boardwatch.Posting {
	p := boardwatch.Posting{Key: string(o.ID), Title: o.Title, Department: o.Department, URL: o.CareersURL}
	if p.URL == "" && o.Slug != "" {
		p.URL = "https://" + host + "/o/" + url.PathEscape(o.Slug)
	}
	// The text names one place, or says that the role is remote; then the list beside it holds no more than where the
	// company is.
	places := []string{firstText(o.Location, placeAsGiven(o.City, o.Country))}
	if len(o.Locations) > 1 || strings.TrimSpace(places[0]) == "" {
		for _, l := range o.Locations {
			places = append(places, placeAsGiven(l.City, l.State, l.Country))
		}
	}
	p.Location = joinPlaces(places...)
	pay := o.Salary.is
	p.Facts = boardwatch.Facts{
		PostedAt: date(o.PublishedAt), UpdatedAt: date(o.UpdatedAt), ValidThrough: date(o.CloseAt), Mode: o.mode(),
		Pay: statedPay(pay.Min, pay.Max, pay.Currency, pay.Period, ""),
	}
	employment(&p.Facts, o.EmploymentType)
	var stated []boardwatch.Place
	for _, l := range o.Locations {
		stated = append(stated, statedPlace(placeAsGiven(l.City, l.State, l.Country), said(l.City), firstSaid(l.CountryCode, said(l.Country))))
	}
	if len(stated) == 0 {
		stated = append(stated, statedPlace(placeAsGiven(o.City, o.Country), said(o.City), firstSaid(o.CountryCode, said(o.Country))))
	}
	fact.Places(&p.Facts, stated...)
	describe(&p, o.Description, o.Requirements)
	return p
}

// Embedded knows the career sites that companies have on hosts of their own.
func (recruitee) Embedded(page *goquery.Document) (board string, ok bool) {
	scripts := scriptsOf(page)
	const assets = "recruiteecdn.com"
	if !strings.Contains(scripts, "window.recruitee") ||
		!strings.Contains(scripts, assets) && page.Find(`[src*="`+assets+`"], [href*="`+assets+`"], [content*="`+assets+`"]`).Length() == 0 {
		return "", false
	}
	host := ownHost(page)
	if label, below := strings.CutSuffix(host, ".recruitee.com"); below {
		return label, isRecruiteeCompany(label)
	}
	return host, recruiteeHost(host) != ""
}
