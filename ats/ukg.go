package ats

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// ukg reads two products of one vendor: UKG Pro Recruiting, once UltiPro, here, and UKG Ready, once Kronos Workforce Ready,
// in ukg_ready.go. Their hosts tell which of the two a board belongs to.
type ukg struct{ namer }

func init() {
	register(ukg{namer{employer: inTitle(ukgPage), declared: &declared{
		name: "ukg",
		about: About{
			Name: "UKG Pro and UKG Ready", Site: "ukg.com",
			Addresses: []string{
				"recruiting.ultipro.com/{code}/JobBoard/{id}", "recruiting2.ultipro.com/{code}/JobBoard/{id}", "recruiting.ultipro.ca/{code}/JobBoard/{id}",
				"{name}.rec.pro.ukg.net/{code}/JobBoard/{id}", "{host}.saashr.com/ta/{tenant}.careers", "{host}.workforceready.eu/ta/{tenant}.careers",
			},
			Endpoint: "POST https://{host}/{code}/JobBoard/{id}/JobBoardView/LoadSearchResults",
			Reads:    "id, title, places, category as department, address, total; of UKG Ready experimentally",
			Evidence: Several,
		},
		board: ukgToken,
		valid: func(board string) bool {
			_, pro := parseUKGBoard(board)
			_, ready := parseUKGReadyBoard(board)
			return pro || ready
		},
		page: ukgPage,
	}}})
}

// ukgToken finds boards in the addresses of boards, roles and searches of both products. Case does not matter in them, so
// boards are written in lower case.
func ukgToken(a address) string {
	switch path := a.path(); {
	case ukgProHost.MatchString(a.host) && strings.EqualFold(nth(path, 1), "JobBoard"):
		return a.host + "/" + strings.ToLower(nth(path, 0)+"/"+nth(path, 2))
	case ukgReadyHost.MatchString(a.host):
		return a.host + "/" + strings.ToLower(ukgReadyTenant(path))
	}
	return ""
}

var ukgProHost = lazyregexp.New(`^(?:recruiting[0-9]*\.ultipro\.(?:com|ca)|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.rec\.pro\.ukg\.net)$`)

// ukgBoard is a board of UKG Pro.
type ukgBoard struct{ host, code, id string }

func parseUKGBoard(board string) (ukgBoard, bool) {
	parts := strings.Split(board, "/")
	if len(parts) != 3 {
		return ukgBoard{}, false
	}
	b := ukgBoard{parts[0], parts[1], parts[2]}
	return b, ukgProHost.MatchString(b.host) && isToken(b.code) && isUUID(b.id)
}

func (b ukgBoard) page() string { return "https://" + b.host + "/" + b.code + "/JobBoard/" + b.id }

func ukgPage(board string) string {
	if b, ok := parseUKGReadyBoard(board); ok {
		return b.page()
	}
	b, _ := parseUKGBoard(board)
	return b.page()
}

type ukgQuestion struct {
	OpportunitySearch ukgSearch `json:"opportunitySearch"`
}

type ukgSearch struct {
	Top         int        `json:"Top"`
	Skip        int        `json:"Skip"`
	QueryString string     `json:"QueryString"`
	OrderBy     []ukgOrder `json:"OrderBy"`
	Filters     []string   `json:"Filters"`
}

type ukgOrder struct {
	Value        string `json:"Value"`
	PropertyName string `json:"PropertyName"`
	Ascending    bool   `json:"Ascending"`
}

type ukgOpportunity struct {
	ID              id     `json:"Id"`
	Title           string `json:"Title"`
	JobCategoryName string `json:"JobCategoryName"`
	JobLocationType *count `json:"JobLocationType"`
	FullTime        said   `json:"FullTime"`
	PostedDate      said   `json:"PostedDate"`
	Requisition     said   `json:"RequisitionNumber"`
	Locations       []struct {
		LocalizedName string `json:"LocalizedName"`
		Address       struct {
			City    string   `json:"City"`
			State   ukgNamed `json:"State"`
			Country ukgNamed `json:"Country"`
		} `json:"Address"`
	} `json:"Locations"`
}

type ukgNamed struct {
	Name string `json:"Name"`
	Code string `json:"Code"`
}

func (n ukgNamed) text() string { return firstText(n.Name, n.Code) }

const ukgRemote = 2 // JobLocationType: 0 is hybrid, 1 on site

// Read requests page after page. The list may know a board by another id, which is on the board's page. It is tried if there
// is no list under the board's own id, or an empty one.
func (u ukg) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if b, ok := parseUKGReadyBoard(board); ok {
		return ukgReady{u}.read(ctx, client, b)
	}
	b, ok := parseUKGBoard(board)
	if !ok {
		return failed(u, noName())
	}
	reading, err := u.list(ctx, client, b, b.id)
	if err != nil || !reading.Unknown && (reading.Health != boardwatch.HealthOK || len(reading.Postings) > 0) {
		return reading, err
	}
	other, err := u.otherID(ctx, client, b)
	switch {
	case err != nil && ctx.Err() != nil, errors.Is(err, ErrUnchanged):
		return failed(u, err)
	case err == nil && other != "":
		return u.list(ctx, client, b, other)
	}
	return reading, nil
}

// list reads the list of a board, which may have another id there.
func (u ukg) list(ctx context.Context, client Doer, b ukgBoard, listID string) (boardwatch.Reading, error) {
	address := ukgBoard{b.host, b.code, listID}.page() + "/JobBoardView/LoadSearchResults"
	return paged{}.read(ctx, u, func(at turn) (page, error) {
		var list struct {
			TotalCount    count             `json:"totalCount"`
			Opportunities []json.RawMessage `json:"opportunities"`
		}
		question := ukgQuestion{ukgSearch{
			Top: 50, Skip: at.rows, OrderBy: []ukgOrder{{Value: "postedDateDesc", PropertyName: "PostedDate"}}, Filters: []string{},
		}}
		if err := postJSON(ctx, client, address, question, &list); err != nil {
			return page{}, err
		}
		return pageOf(list.Opportunities, list.TotalCount, func(o ukgOpportunity) (boardwatch.Posting, bool) {
			return o.posting(b), true
		})
	})
}

func (o ukgOpportunity) posting(b ukgBoard) boardwatch.Posting {
	places := make([]string, len(o.Locations))
	stated := make([]boardwatch.Place, len(o.Locations))
	for i, l := range o.Locations {
		places[i] = firstText(placeAsGiven(l.Address.City, l.Address.State.text(), l.Address.Country.text()), collapse(l.LocalizedName))
		stated[i] = statedPlace(places[i], said(l.Address.City), said(firstText(l.Address.Country.Code, l.Address.Country.Name)))
	}
	p := boardwatch.Posting{
		Key: string(o.ID), Title: o.Title, Location: joinPlaces(places...), Department: o.JobCategoryName,
		URL: b.page() + "/OpportunityDetail?opportunityId=" + url.QueryEscape(string(o.ID)),
	}
	orRemote(&p, o.JobLocationType != nil && *o.JobLocationType == ukgRemote)
	p.Facts.PostedAt, p.Facts.Requisition = date(o.PostedDate), collapse(string(o.Requisition))
	if o.JobLocationType != nil && *o.JobLocationType >= 0 && int(*o.JobLocationType) < len(ukgModes) {
		p.Facts.Mode = ukgModes[*o.JobLocationType]
	}
	switch {
	case isYes(string(o.FullTime)):
		employment(&p.Facts, "Full-time")
	case isNo(string(o.FullTime)):
		employment(&p.Facts, "Part-time")
	}
	fact.Places(&p.Facts, stated...)
	return p
}

// ukgModes are what JobLocationType means.
var ukgModes = [...]boardwatch.WorkMode{boardwatch.ModeHybrid, boardwatch.ModeOnsite, boardwatch.ModeRemote}

var ukgLoadURL = lazyregexp.New(`(?i)/JobBoard/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/JobBoardView/LoadSearchResults`)

// otherID is the id by which the board's page itself asks for its list, when it is another than the page's own.
func (u ukg) otherID(ctx context.Context, client Doer, b ukgBoard) (string, error) {
	content, err := getPage(ctx, client, b.page())
	if err != nil {
		return "", err
	}
	if other := captured(ukgLoadURL, string(content)); !strings.EqualFold(other, b.id) {
		return strings.ToLower(other), nil
	}
	return "", nil
}
