package scraper

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
)

// paging is the number in a question for data that says which part of it is wanted.
type paging struct {
	value  int
	offset bool // it counts roles, not pages
	set    func(n int) (address, body string)
}

var (
	pageParameter   = regexp.MustCompile(`(?i)^(p|pg|page|pageno|page_?number|page_?index|current_?page)$`)
	offsetParameter = regexp.MustCompile(`(?i)^(offset|from|skip|start|start_?row|start_?index|first)$`)
)

// goesOn reports whether the question can be put for further parts.
func (c *shortcut) goesOn() bool { return c.paging() != nil }

// paging finds the number in the address, or at the top of a body in JSON.
func (c *shortcut) paging() *paging {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil
	}
	query := u.Query()
	for name, values := range query {
		n, err := strconv.Atoi(values[0])
		page, offset := pageParameter.MatchString(name), offsetParameter.MatchString(name)
		if err != nil || n < 0 || !page && !offset {
			continue
		}
		return &paging{n, offset, func(n int) (string, string) {
			query.Set(name, strconv.Itoa(n))
			next := *u
			next.RawQuery = query.Encode()
			return next.String(), c.Body
		}}
	}
	var body map[string]any
	if c.Body == "" || json.Unmarshal([]byte(c.Body), &body) != nil {
		return nil
	}
	for name, value := range body {
		n, ok := value.(float64)
		page, offset := pageParameter.MatchString(name), offsetParameter.MatchString(name)
		if !ok || n < 0 || n != float64(int(n)) || !page && !offset {
			continue
		}
		return &paging{int(n), offset, func(n int) (string, string) {
			body[name] = n
			text, err := json.Marshal(body)
			if err != nil {
				return c.URL, c.Body // cannot be: it was decoded from JSON
			}
			return c.URL, string(text)
		}}
	}
	return nil
}

// further is the question for the page after so many, when so many roles are known.
func (c *shortcut) further(pages, roles int) (address, body string) {
	p := c.paging()
	if p == nil {
		return c.URL, c.Body
	}
	if p.offset {
		return p.set(p.value + roles)
	}
	return p.set(p.value + pages)
}
