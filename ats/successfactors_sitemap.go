package ats

import (
	"context"
	"encoding/xml"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// sitemap reads the addresses of roles, and what their pages say of them. Until a role's page was read, the words in its
// address are its title.
func (r sfReader) sitemap(ctx context.Context) (boardwatch.Reading, error) {
	for _, path := range []string{"/job_sitemap.xml", "/sitemap.xml"} {
		addresses, err := r.addresses(ctx, path)
		if err != nil {
			return failed(r.successFactors, err)
		}
		if len(addresses) == 0 {
			continue
		}
		reading, err := listed(addresses, func(address string) (boardwatch.Posting, bool) {
			return boardwatch.Posting{Key: sfRoleID(address), Title: sfWords(address), URL: address}, true
		})
		if err != nil {
			return failed(r.successFactors, err)
		}
		r.lookUp(ctx, reading.Postings, func(boardwatch.Posting) bool { return true })
		return finish(r.successFactors, reading, nil)
	}
	return failed(r.successFactors, didf("shows a page that is not a list of roles, and no feed or sitemap with any"))
}

// addresses are those of the roles in a sitemap.
func (r sfReader) addresses(ctx context.Context, path string) ([]string, error) {
	answered, err := send(ctx, r.client, http.MethodGet, r.host+path, "application/xml, text/xml;q=0.9, */*;q=0.1", nil)
	if err != nil {
		return nil, err
	}
	if answered.status != http.StatusOK {
		return nil, answered.unlessAbsent()
	}
	if isHTML(answered.body) {
		return nil, nil
	}
	var sitemap struct {
		XMLName xml.Name `xml:"urlset"`
		URLs    []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	if err := decodeXML(answered.body, &sitemap); err != nil {
		return nil, err
	}
	var addresses []string
	for _, u := range sitemap.URLs {
		if loc := strings.TrimSpace(u.Loc); sfRoleID(loc) != "" && strings.HasPrefix(loc, r.host+"/") {
			addresses = append(addresses, loc)
		}
	}
	return addresses, nil
}

// sfWords are the words in the address of a role: /job/Oslo-Rigger/123/ says "Oslo Rigger".
func sfWords(address string) string {
	parts := strings.Split(strings.TrimRight(address, "/"), "/")
	if len(parts) < 2 {
		return ""
	}
	words, err := url.PathUnescape(parts[len(parts)-2])
	if err != nil {
		return ""
	}
	return collapse(strings.ReplaceAll(words, "-", " "))
}
