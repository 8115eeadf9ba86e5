package ats

import (
	"context"
	"net/http"
	"net/url"
)

// sendOnHost asks for a page and follows redirects as long as they stay on its host, which move visitors to the pages of
// their language: at most three. Any other redirect is the answer. The address is the one that answered.
func sendOnHost(ctx context.Context, client Doer, address string) (answer, error) {
	for hops := 0; ; hops++ {
		answered, err := send(ctx, client, http.MethodGet, address, "text/html", nil)
		if err != nil || answered.status < 300 || answered.status >= 400 || hops == 3 {
			return answered, err
		}
		next, ok := answered.next()
		if !ok {
			return answered, nil
		}
		address = next
	}
}

// next is where a redirect leads, when that is another page of the same host.
func (a answer) next() (address string, ok bool) {
	from, err := url.Parse(a.address)
	location := a.header.Get("Location")
	if err != nil || location == "" {
		return "", false
	}
	to, err := from.Parse(location)
	if err != nil || to.Hostname() != from.Hostname() || to.Port() != "" || to.User != nil || to.Scheme != "https" && to.Scheme != "http" {
		return "", false
	}
	to.Scheme, to.Fragment = "https", ""
	return to.String(), to.String() != a.address
}

// page is the page of an answer of status 200, as getPage takes it; any other is a refusal.
func (a answer) page() ([]byte, error) {
	switch a.status {
	case http.StatusOK:
		return a.body, nil
	case http.StatusNotFound, http.StatusGone:
		return nil, noBoard("its page is not found")
	default:
		return nil, a.refusal()
	}
}
