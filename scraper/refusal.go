package scraper

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/wall"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// refusal is the reading of an answer that is no page: refused, gone, in trouble, empty, or something else than a page.
// It is nil when there is a page to read.
func refusal(p *outbound.Page) *boardwatch.Reading {
	status := strconv.Itoa(p.Status)
	r := boardwatch.Failed(cause.SiteError, "")
	r.RetryAfter = retryAfter(p.Header)
	w := (*wall.Wall)(nil)
	if p.Status != http.StatusOK {
		w = wallOfPage(p)
	}
	switch {
	case w != nil:
		block(&r, w)
	case p.Status == http.StatusNotFound || p.Status == http.StatusGone:
		r.Cause, r.Reason, r.Unknown = cause.Gone, "the page does not exist (status "+status+")", true
	case p.Status == http.StatusTooManyRequests:
		r.Cause, r.Reason = cause.Throttled, "refused with status 429: too many requests"
	case p.Status == http.StatusServiceUnavailable:
		r.Reason = "the site is not available just now (status 503)"
	case p.Status >= 400 && p.Status < 500 || p.Status >= 600:
		r.Cause, r.Reason = cause.Refused, "refused with status "+status
	case p.Status >= 500:
		r.Reason = "the site has a server error (status " + status + ")"
	case p.Status != http.StatusOK && p.Status != http.StatusNonAuthoritativeInfo:
		r.Reason = "the site answered with status " + status + ", without the page"
	case len(bytes.TrimSpace(p.Body)) == 0:
		r.Reason = "the answer is empty"
	case !isPage(p):
		r.Reason = "the address answers with " + p.ContentType + ", not with a page"
	default:
		return nil
	}
	return &r
}

// isPage reports whether an answer is HTML or data that may hold roles, by its content type or, without one, by its looks.
func isPage(p *outbound.Page) bool {
	switch p.ContentType {
	case "text/html", "application/xhtml+xml", "application/xml", "text/xml", "application/rss+xml", "application/atom+xml",
		"application/rdf+xml", "application/json", "application/feed+json", "text/json", "application/ld+json":
		return true
	case "", "text/plain", "application/octet-stream":
		if kind := page.DataKind(p.Body); kind == page.FeedData || kind == page.JSONData {
			return true
		}
		start := bytes.ToLower(bytes.TrimSpace(p.Body[:min(len(p.Body), 1024)]))
		if p.ContentType == "" {
			p.ContentType = "something that is no HTML"
		}
		return bytes.HasPrefix(start, []byte("<")) && !bytes.HasPrefix(start, []byte("<?xml")) ||
			bytes.Contains(start, []byte("<html"))
	}
	return false
}
