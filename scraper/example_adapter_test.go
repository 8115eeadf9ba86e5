package scraper_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// northwind reads the boards of the system Northwind, at addresses such as https://jobs.northwind.example/lighthouse.
type northwind struct{}

var _ ats.Adapter = northwind{}

// Name stands before the colon of a source.
func (northwind) Name() string { return "northwind" }

// Match takes the board's name from the first segment of the path.
func (northwind) Match(u *url.URL) (string, bool) {
	board, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	return board, strings.EqualFold(u.Hostname(), "jobs.northwind.example") && board != ""
}

// Read asks for the public list. An error is a fault on the way, ats.ErrUnchanged among them; what the system did wrong
// is a reading.
func (northwind) Read(ctx context.Context, client ats.Doer, board string) (boardwatch.Reading, error) {
	address := "https://api.northwind.example/boards/" + url.PathEscape(board)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return boardwatch.Reading{}, fmt.Errorf("read northwind: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		r := boardwatch.Failed("there is no such board")
		r.Unknown = true
		return r, nil
	default:
		return boardwatch.Failed("Northwind answered with status " + resp.Status), nil
	}
	var list struct {
		Total *int `json:"total"`
		Jobs  []struct {
			ID    string `json:"id"`
			Title string `json:"title"`
			City  string `json:"city"`
		} `json:"jobs"`
	}
	if json.NewDecoder(resp.Body).Decode(&list) != nil || list.Total == nil {
		return boardwatch.Failed("Northwind answered with something that is no list of roles"), nil
	}
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: *list.Total} // fewer roles than claimed are a partial reading
	for _, j := range list.Jobs {
		r.Postings = append(r.Postings, boardwatch.Posting{
			Key: j.ID, Title: j.Title, Location: j.City, URL: "https://jobs.northwind.example/" + board + "/" + j.ID,
		})
	}
	return r, nil
}

func Example_ownAdapter() {
	client := outbound.New(outbound.Options{Transport: site{ // leave Transport out to ask the network
		"https://api.northwind.example/boards/lighthouse": text(`{"total": 1, "jobs": [{"id": "7", "title": "Keeper", "city": "Bergen"}]}`),
	}})
	reader := scraper.New(client, scraper.Options{Adapters: append(ats.All(), northwind{})})

	ctx := context.Background()
	board, err := reader.Discover(ctx, "jobs.northwind.example/lighthouse")
	if err != nil {
		fmt.Println(err)
		return
	}
	reading, err := reader.Read(ctx, board)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(board.Source, reading.Health)
	for _, p := range reading.Postings {
		fmt.Println(p.Key, p.Title, p.Location, p.URL)
	}
	// Output:
	// northwind:lighthouse ok
	// 7 Keeper Bergen https://jobs.northwind.example/lighthouse/7
}
