package ats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// listing turns the rows of a complete list into a reading. Each row is decoded on its own. A row that cannot be decoded, or
// has no id, is skipped and named. A row that lacks only its title stays, so that Normalize counts its key as present. A row
// with an id and a title also stays if other fields do not have the promised form, but it makes the reading partial, because
// these fields may say whether the role is shown, and where. An incomplete address is dropped. posting returns listed false
// for a row that the system does not show to people. If rows have a method employer, the first name that it returns is the
// employer's.
//
// It is an error if the list is absent or null, which does not mean that it is empty, or if no row can be used.
func listing[Row any](rows []json.RawMessage, posting func(Row) (p boardwatch.Posting, listed bool)) (boardwatch.Reading, error) {
	if rows == nil {
		return boardwatch.Reading{}, didf("answered without a list of roles")
	}
	var odd []string
	company := ""
	reading, err := readRows(len(rows), func(i int) (p boardwatch.Posting, listed bool, err error) {
		var row Row
		mismatch, err := decodeRow(rows[i], &row)
		if err != nil {
			return p, false, err
		}
		if p, listed = posting(row); listed {
			addNamed(&p, rows[i])
		}
		company = firstText(company, employerIn(row))
		switch {
		case mismatch == "":
		case usable(p) != nil:
			return p, false, errors.New(mismatch)
		case listed:
			odd = append(odd, fmt.Sprintf("row %d: %s", i+1, mismatch))
		}
		return p, listed, nil
	})
	reading.Company = company
	if err == nil && len(odd) > 0 && len(reading.Skipped) == 0 {
		reading.Health, reading.Cause = boardwatch.HealthPartial, cause.BadRows
		reading.Reason = fmt.Sprintf("%d of %d rows could not be read in full: %s", len(odd), len(rows), odd[0])
	}
	return reading, err
}

// decodeRow decodes a row. mismatch says which field does not have the promised form, if one does not; the others are still
// decoded.
func decodeRow(row json.RawMessage, into any) (mismatch string, err error) {
	if bytes.Equal(row, []byte("null")) {
		return "", errors.New("it is null")
	}
	err = json.Unmarshal(row, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return inWords(wrong), nil
	}
	return "", err
}

// listed is listing for rows that are already decoded, such as those of XML. No rows are an empty list.
func listed[Row any](rows []Row, posting func(Row) (p boardwatch.Posting, listed bool)) (boardwatch.Reading, error) {
	company := ""
	reading, err := readRows(len(rows), func(i int) (boardwatch.Posting, bool, error) {
		p, listed := posting(rows[i])
		company = firstText(company, employerIn(rows[i]))
		return p, listed, nil
	})
	reading.Company = company
	return reading, err
}

// employerIn is the employer's name in a row, or "".
func employerIn(row any) string {
	if r, ok := row.(interface{ employer() string }); ok {
		return r.employer()
	}
	return ""
}

// cards is listing for the elements of a page that show one role each. No elements are an empty list, whether the page has no
// roles or is not understood: the caller tells these apart.
func cards(elements *goquery.Selection, posting func(*goquery.Selection) (p boardwatch.Posting, listed bool)) (boardwatch.Reading, error) {
	return readRows(elements.Length(), func(i int) (boardwatch.Posting, bool, error) {
		p, listed := posting(elements.Eq(i))
		return p, listed, nil
	})
}

func readRows(n int, row func(i int) (p boardwatch.Posting, listed bool, err error)) (boardwatch.Reading, error) {
	reading := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, EndSeen: true, Postings: make([]boardwatch.Posting, 0, n)}
	titled := 0
	for i := range n {
		p, listed, err := row(i)
		if err == nil && listed && strings.TrimSpace(p.Key) == "" {
			err = errors.New("it has no id")
		}
		switch {
		case err != nil:
			reading.Skipped = append(reading.Skipped, fmt.Sprintf("row %d: %v", i+1, err))
		case listed:
			if strings.TrimSpace(p.Title) != "" { // otherwise it says that the role is there, and no more
				titled++
			}
			p.URL = webAddress(p.URL)
			reading.Postings = append(reading.Postings, p)
		}
	}
	switch {
	case titled > 0:
	case len(reading.Skipped) > 0:
		return boardwatch.Reading{}, didf("returned %d rows, none of which can be read (%s)", n, reading.Skipped[0])
	case len(reading.Postings) > 0:
		return boardwatch.Reading{}, didf("returned %d rows, none of which can be read (they have no titles)", n)
	}
	return reading, nil
}

// usable returns an error if a row lacks its id or its title.
func usable(p boardwatch.Posting) error {
	switch {
	case strings.TrimSpace(p.Key) == "":
		return errors.New("it has no id")
	case strings.TrimSpace(p.Title) == "":
		return fmt.Errorf("it has no title (id %s)", p.Key)
	}
	return nil
}

// webAddress is s if it is an http or https address, else empty. It becomes a link in a browser.
func webAddress(s string) string {
	scheme, _, ok := strings.Cut(s, "://")
	if ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")) {
		return s
	}
	return ""
}
