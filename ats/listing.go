package ats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// listing turns the rows of a complete list into a reading. Each row is decoded on its own: one that cannot be used is
// skipped and named. posting returns listed false for a row that the system does not show to people.
//
// A list that is absent or null is not an empty list, and a list of which no row can be used is not understood: both
// are errors.
func listing[Row any](rows []json.RawMessage, posting func(Row) (p boardwatch.Posting, listed bool)) (boardwatch.Reading, error) {
	if rows == nil {
		return boardwatch.Reading{}, didf("answered without a list of roles")
	}
	reading := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: make([]boardwatch.Posting, 0, len(rows))}
	for i, raw := range rows {
		p, listed, err := readRow(raw, posting)
		switch {
		case err != nil:
			reading.Skipped = append(reading.Skipped, fmt.Sprintf("row %d: %v", i+1, err))
		case listed:
			reading.Postings = append(reading.Postings, p)
		}
	}
	if len(reading.Postings) == 0 && len(reading.Skipped) > 0 {
		return boardwatch.Reading{}, didf("gave %d rows, none of which can be read (%s)", len(rows), reading.Skipped[0])
	}
	return reading, nil
}

func readRow[Row any](raw json.RawMessage, posting func(Row) (boardwatch.Posting, bool)) (boardwatch.Posting, bool, error) {
	var row Row
	if bytes.Equal(raw, []byte("null")) {
		return boardwatch.Posting{}, false, errors.New("it is null")
	}
	if err := json.Unmarshal(raw, &row); err != nil {
		if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			err = errors.New(inWords(mismatch))
		}
		return boardwatch.Posting{}, false, err
	}
	p, listed := posting(row)
	switch {
	case !listed:
		return p, false, nil
	case strings.TrimSpace(p.Key) == "":
		return p, false, errors.New("it has no id")
	case strings.TrimSpace(p.Title) == "":
		return p, false, fmt.Errorf("it has no title (id %s)", p.Key)
	}
	p.URL = webAddress(p.URL)
	return p, true, nil
}

// webAddress is s when it is an http or https address, else empty: it will be a link in somebody's browser.
func webAddress(s string) string {
	scheme, _, ok := strings.Cut(s, "://")
	if ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")) {
		return s
	}
	return ""
}

// joinPlaces joins the places of one role with "; ", each of them once, in the order given.
func joinPlaces(places ...string) string {
	distinct := make([]string, 0, len(places))
	for _, place := range places {
		if place = strings.TrimSpace(place); place != "" && !slices.Contains(distinct, place) {
			distinct = append(distinct, place)
		}
	}
	return strings.Join(distinct, "; ")
}

// pageTitle is the text of a page's title element, or empty.
func pageTitle(page []byte) (string, error) {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(page))
	if err != nil {
		return "", fmt.Errorf("parse page: %w", err)
	}
	return strings.Join(strings.Fields(doc.Find("title").First().Text()), " "), nil
}
