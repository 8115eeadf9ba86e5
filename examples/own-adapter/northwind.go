package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// northwind reads the boards of the system Northwind, at addresses such as https://jobs.northwind.example/lighthouse.
type northwind struct {
	api string // where the system answers programs
}

var (
	_ ats.Adapter = northwind{}
	_ ats.Locator = northwind{} // optional
)

// Name stands before the colon of a source.
func (northwind) Name() string { return "northwind" }

// Match takes the board's name from the first segment of the path.
func (northwind) Match(u *url.URL) (string, bool) {
	board, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	return board, strings.EqualFold(u.Hostname(), "jobs.northwind.example") && board != ""
}

// CareersURL is where a person reads the board.
func (northwind) CareersURL(board string) string {
	return "https://jobs.northwind.example/" + url.PathEscape(board)
}

// Read asks for the public list. An error is a fault on the way, ats.ErrUnchanged among them; what the system did wrong
// is a reading.
func (n northwind) Read(ctx context.Context, client ats.Doer, board string) (boardwatch.Reading, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, n.api+"/boards/"+url.PathEscape(board), http.NoBody)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	answer, err := client.Do(req)
	if err != nil {
		return boardwatch.Reading{}, fmt.Errorf("read northwind: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		r := boardwatch.Failed(cause.UnknownBoard, "there is no such board")
		r.Unknown = true
		return r, nil
	default:
		return boardwatch.Failed(cause.SiteError, "Northwind answered with status "+answer.Status), nil
	}
	var list struct {
		Company string `json:"company"`
		Total   *int   `json:"total"`
		Jobs    []struct {
			ID    string `json:"id"`
			Title string `json:"title"`
			City  string `json:"city"`
		} `json:"jobs"`
	}
	if json.NewDecoder(answer.Body).Decode(&list) != nil || list.Total == nil {
		return boardwatch.Failed(cause.SiteError, "Northwind answered with something that is no list of roles"), nil
	}
	r := boardwatch.Reading{
		Health: boardwatch.HealthOK, Company: list.Company,
		Claimed: *list.Total, // fewer roles than claimed are a partial reading
	}
	for _, j := range list.Jobs {
		r.Postings = append(r.Postings, boardwatch.Posting{
			Key: j.ID, Title: j.Title, Location: j.City, URL: n.CareersURL(board) + "/" + url.PathEscape(j.ID),
		})
	}
	return r, nil
}
