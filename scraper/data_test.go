package scraper_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const dataAddress = "https://www.company.example/api/jobs"

// roleRows are roles as data for programs lists them, numbered from first.
func roleRows(first, n int) []any {
	titles := []string{"Pipe Fitter", "Welder", "Pump Engineer", "Software Engineer", "Accountant", "Night Nurse"}
	rows := make([]any, 0, n)
	for i := first; i < first+n; i++ {
		rows = append(rows, map[string]any{"id": 4000 + i, "title": titles[i%len(titles)], "location": "Hamburg", "department": "Assembly"})
	}
	return rows
}

// wrapped is a page of a list as an object, with other members beside it.
func wrapped(rows any, members ...any) map[string]any {
	o := map[string]any{"jobs": rows}
	for i := 0; i < len(members); i += 2 {
		o[members[i].(string)] = members[i+1]
	}
	return o
}

// parameters are what a request for data says: in its address, and at the top of a body in JSON.
type parameters struct{ url.Values }

func parametersOf(req *http.Request) parameters {
	p := parameters{req.URL.Query()}
	if req.Body == nil {
		return p
	}
	data, err := io.ReadAll(req.Body)
	var body map[string]any
	if err == nil && json.Unmarshal(data, &body) == nil {
		for name, value := range body {
			p.Set(name, fmt.Sprint(value))
		}
	}
	return p
}

func (p parameters) number(name string, fallback int) int {
	n, err := strconv.Atoi(p.Get(name))
	if err != nil {
		return fallback
	}
	return n
}

// slice are n rows from a position on, as far as there are any.
func slice(rows []any, from, n int) []any {
	from = min(max(from, 0), len(rows))
	return rows[from:min(from+n, len(rows))]
}

// answers is a site whose data is what a function says: the value, and a header of names and values.
func answers(reply func(p parameters) (value any, header []string)) roundTripper {
	return func(req *http.Request) (*http.Response, error) {
		if req.URL.Path != "/api/jobs" {
			return site{}.RoundTrip(req)
		}
		value, header := reply(parametersOf(req))
		a := answer{Header: map[string]any{"Content-Type": "application/json"}}
		if status, ok := value.(int); ok {
			a.Status, value = status, map[string]any{"detail": "Invalid page."}
		}
		for i := 0; i < len(header); i += 2 {
			a.Header[header[i]] = header[i+1]
		}
		var err error
		if a.Body, err = json.Marshal(value); err != nil {
			return nil, err
		}
		return site{strings.TrimSuffix(req.URL.String(), "/"): a}.RoundTrip(req)
	}
}

// dataBoard is a board whose roles are read from data: behind its page, or at its very address.
func dataBoard(behind bool, query, body string) boardwatch.Board {
	if !behind {
		return boardwatch.Board{Source: "page:" + dataAddress + query}
	}
	note := map[string]string{"url": dataAddress + query, "page": listAddress}
	if body != "" {
		note["method"], note["body"] = http.MethodPost, body
	}
	text, err := json.Marshal(note)
	if err != nil {
		panic(err) // a map of texts can be encoded
	}
	return boardwatch.Board{Source: "page:" + listAddress, State: boardwatch.BoardState{Shortcut: string(text)}}
}

// Thirty roles, of which an answer holds twenty: the reading has them all, or is partial.
func TestReadDataInPages(t *testing.T) {
	t.Parallel()
	const size = 20
	all := roleRows(0, 30)
	byPage := func(p parameters) []any { return slice(all, (p.number("page", 1)-1)*size, size) }
	byOffset := func(name string) func(p parameters) []any {
		return func(p parameters) []any { return slice(all, p.number(name, 0), size) }
	}
	plain := func(rows func(p parameters) []any) func(p parameters) (any, []string) {
		return func(p parameters) (any, []string) { return rows(p), nil }
	}
	always := func(value any, header ...string) func(p parameters) (any, []string) {
		return func(parameters) (any, []string) { return value, header }
	}
	first := all[:size]
	for name, tt := range map[string]struct {
		query string
		reply func(p parameters) (any, []string)
		roles int // 30 when the reading is whole
	}{
		"a page and a limit, and a bare list": {"?page=1&limit=20", plain(byPage), 30},
		"a page from zero":                    {"?page=0&size=20", func(p parameters) (any, []string) { return slice(all, p.number("page", 0)*size, size), nil }, 30},
		"a page without a limit":              {"?page=1", plain(byPage), 30},
		"a page in brackets":                  {"?page[number]=1&page[size]=20", func(p parameters) (any, []string) { return slice(all, (p.number("page[number]", 1)-1)*size, size), nil }, 30},
		"an offset and a limit":               {"?offset=0&limit=20", plain(byOffset("offset")), 30},
		"rows to skip":                        {"?$skip=0&$top=20", plain(byOffset("$skip")), 30},
		"a page and an offset, of which it counts by the offset": {"?limit=20&offset=0&page=1", plain(byOffset("offset")), 30},
		"a page and an offset, of which it counts by the page":   {"?limit=20&offset=0&page=1", plain(byPage), 30},
		"a start that counts pages":                              {"?start=0&limit=20", func(p parameters) (any, []string) { return slice(all, p.number("start", 0)*size, size), nil }, 30},
		"fewer than were asked for":                              {"?page=1&limit=500", plain(byPage), 30},
		"a limit alone":                                          {"?limit=20", always(first), 20},
		"a server that takes no notice of the page":              {"?page=1&limit=20", always(first), 20},
		"a count that nothing reaches":                           {"", always(wrapped(first, "count", 30)), 20},
		"a count of this page":                                   {"?page=1&limit=20", func(p parameters) (any, []string) { rows := byPage(p); return wrapped(rows, "count", len(rows)), nil }, 30},
		"a total of this page":                                   {"?page=1&limit=20", func(p parameters) (any, []string) { rows := byPage(p); return wrapped(rows, "total", len(rows)), nil }, 30},
		"a total beside the object that holds the list":          {"", always(map[string]any{"data": wrapped(first), "meta": map[string]any{"total": 30}}), 20},
		"a total as an object":                                   {"", always(map[string]any{"hits": map[string]any{"total": map[string]any{"value": 30}, "jobs": first}}), 20},
		"the page that follows, by its address": {"", func(p parameters) (any, []string) {
			return wrapped(byPage(p), "links", map[string]any{"next": map[bool]any{true: dataAddress + "?page=2", false: nil}[p.Get("page") == ""]}), nil
		}, 30},
		"the page that follows, by its address in HAL": {"", func(p parameters) (any, []string) {
			if p.Get("page") != "" {
				return wrapped(byPage(p), "_links", map[string]any{"self": map[string]any{"href": "/api/jobs?page=2"}}), nil
			}
			return wrapped(byPage(p), "_links", map[string]any{"next": map[string]any{"href": "/api/jobs?page=2"}}), nil
		}, 30},
		"the page that follows, on another host": {"", always(wrapped(first, "next", "https://other.example/api/jobs?page=2")), 20},
		"has_more_pages":                         {"", always(wrapped(first, "has_more_pages", true)), 20},
		"has_more_pages, and a page": {"?page=1", func(p parameters) (any, []string) {
			return wrapped(byPage(p), "has_more_pages", p.number("page", 1) < 2), nil
		}, 30},
		"last, as Spring writes it": {"", always(wrapped(first, "last", false, "number", 0, "numberOfElements", 20)), 20},
		"last, and a page": {"?page=0", func(p parameters) (any, []string) {
			return wrapped(slice(all, p.number("page", 0)*size, size), "last", p.number("page", 0) == 1), nil
		}, 30},
		"pages":                               {"", always(wrapped(first, "pages", 2)), 20},
		"pages, and a page":                   {"?page=1", func(p parameters) (any, []string) { return wrapped(byPage(p), "pages", 2), nil }, 30},
		"the number of the page that follows": {"", always(wrapped(first, "next_page", 2)), 20},
		"the number of the page that follows, and a page": {"?page=1", func(p parameters) (any, []string) {
			return wrapped(byPage(p), "next_page", map[bool]any{true: 2, false: nil}[p.number("page", 1) == 1]), nil
		}, 30},
		"a token and a cursor": {"?cursor=", func(p parameters) (any, []string) {
			if p.Get("cursor") == "" {
				return wrapped(first, "nextCursor", "c2Vjb25k"), nil
			}
			return wrapped(all[size:], "nextCursor", nil), nil
		}, 30},
		"a token that nobody knows how to use": {"", always(wrapped(first, "nextPageToken", "c2Vjb25k")), 20},
		"the header of WordPress":              {"?per_page=20", always(first, "X-WP-Total", "30", "X-WP-TotalPages", "2"), 20},
		"the header of WordPress, and a page": {"?per_page=20&page=1", func(p parameters) (any, []string) {
			return byPage(p), []string{"X-WP-Total", "30", "X-WP-TotalPages", "2"}
		}, 30},
		"the number of pages in the header": {"", always(first, "X-WP-TotalPages", "2"), 20},
		"a link in the header": {"", func(p parameters) (any, []string) {
			if p.Get("page") != "" {
				return byPage(p), []string{"Link", `<https://www.company.example/api/jobs?page=1>; rel="prev"`}
			}
			return byPage(p), []string{"Link", `<https://www.company.example/style.css>; rel=preload, <https://www.company.example/api/jobs?page=2>; rel="next"`}
		}, 30},
		"a link in the header to another host": {"", always(first, "Link", `<https://other.example/api/jobs?page=2>; rel="next"`), 20},
		"a range in the header":                {"", always(first, "Content-Range", "items 0-19/30"), 20},
		"as many as a page is said to have":    {"", always(wrapped(first, "per_page", 20)), 20},
		"a later page":                         {"?page=2&limit=20", plain(byPage), 10},
		"a second page that fails": {"?page=1&limit=20", func(p parameters) (any, []string) {
			if p.number("page", 1) > 1 {
				return http.StatusBadGateway, nil
			}
			return first, nil
		}, 20},
		"a second page that says something else": {"?page=1", func(p parameters) (any, []string) {
			if p.number("page", 1) > 1 {
				return map[string]any{"error": "slow down"}, nil
			}
			return wrapped(first), nil
		}, 20},
	} {
		for _, behind := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", behind a page: ", behind), func(t *testing.T) {
				t.Parallel()
				r, err := reader(t, answers(tt.reply)).Read(t.Context(), dataBoard(behind, tt.query, ""))
				require.NoError(t, err)
				require.Len(t, r.Postings, tt.roles)
				want := boardwatch.HealthOK
				if tt.roles < 30 {
					want = boardwatch.HealthPartial
				}
				require.Equal(t, want, r.Health, r.Reason)
			})
		}
	}
}

// Twenty roles that are all there are, as the data shows, each time in its own way.
func TestReadDataToItsEnd(t *testing.T) {
	t.Parallel()
	const size = 20
	all := roleRows(0, size)
	refuses := func(status int) func(p parameters) (any, []string) {
		return func(p parameters) (any, []string) {
			if p.number("page", 1) > 1 {
				return status, nil
			}
			return all, nil
		}
	}
	past := func(empty any) func(p parameters) (any, []string) {
		return func(p parameters) (any, []string) {
			if p.number("page", 1) > 1 || p.number("offset", 0) >= size {
				return empty, nil
			}
			return map[bool]any{true: wrapped(slice(all, p.number("offset", 0), size)), false: all}[p.Has("object")], nil
		}
	}
	always := func(value any, header ...string) func(p parameters) (any, []string) {
		return func(parameters) (any, []string) { return value, header }
	}
	for name, tt := range map[string]struct {
		query    string
		reply    func(p parameters) (any, []string)
		requests int
	}{
		"nothing says that it is cut":    {"", always(all), 1},
		"a page shorter than the limit":  {"?page=1&limit=23", always(all[:size-1]), 1},
		"an empty page":                  {"?page=1&limit=20", past([]any{}), 2},
		"an empty page in an object":     {"?page=1&limit=20&object=1", past(wrapped([]any{})), 2},
		"a page of nothing in an object": {"?page=1&limit=20&object=1", past(wrapped(nil)), 2},
		"nothing from an offset on":      {"?offset=0&limit=20&object=1", past(wrapped([]any{})), 3},
		"a total":                        {"?limit=20", always(wrapped(all, "total", size)), 1},
		"a total, and a page that is looked at": {"?limit=20&page=1&object=1", func(p parameters) (any, []string) {
			return wrapped(slice(all, (p.number("page", 1)-1)*size, size), "total", size), nil
		}, 2},
		"has_more":                      {"?limit=20", always(wrapped(all, "has_more", false)), 1},
		"last":                          {"?size=20&page=0", always(wrapped(all, "last", true, "totalPages", 1)), 1},
		"no next":                       {"?limit=20", always(wrapped(all, "links", map[string]any{"next": nil})), 1},
		"no token":                      {"?limit=20", always(wrapped(all, "nextPageToken", "")), 1},
		"one page":                      {"?limit=20", always(wrapped(all, "pages", 1)), 1},
		"the header of WordPress":       {"?per_page=20", always(all, "X-WP-Total", "20", "X-WP-TotalPages", "1"), 1},
		"a server that takes no notice": {"?page=1", always(all), 2},
		"there is no such page":         {"?page=1", refuses(http.StatusNotFound), 2},
		"there is no page after one that may have been capped": {"?page=1&limit=100", refuses(http.StatusBadRequest), 2},
	} {
		for _, behind := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", behind a page: ", behind), func(t *testing.T) {
				t.Parallel()
				r, err := reader(t, answers(tt.reply)).Read(t.Context(), dataBoard(behind, tt.query, ""))
				require.NoError(t, err)
				require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
				require.GreaterOrEqual(t, len(r.Postings), size-1)
				if !behind {
					r.Requests-- // robots.txt
				}
				require.Equal(t, tt.requests, r.Requests)
			})
		}
	}
}
