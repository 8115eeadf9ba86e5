package browser

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// patterns are the requests that are paused until paused has decided about them. Pausing costs time, so only requests that need
// it are paused.
func (t *tab) patterns() []*fetch.RequestPattern {
	if t.client != nil || !t.engine.proxied {
		return []*fetch.RequestPattern{{URLPattern: "*"}}
	}
	patterns := make([]*fetch.RequestPattern, 0, 3)
	for _, kind := range [...]network.ResourceType{network.ResourceTypeImage, network.ResourceTypeMedia, network.ResourceTypeFont} {
		patterns = append(patterns, &fetch.RequestPattern{URLPattern: "*", ResourceType: kind})
	}
	return patterns
}

// paused decides about a paused request. An error when answering means that the page is gone.
func (t *tab) paused(ctx context.Context, e *fetch.EventRequestPaused) {
	switch e.ResourceType {
	case network.ResourceTypeImage, network.ResourceTypeMedia, network.ResourceTypeFont:
		t.fail(ctx, e, network.ErrorReasonBlockedByClient)
		return
	default:
	}
	u, err := url.Parse(e.Request.URL)
	switch {
	case err != nil:
		t.fail(ctx, e, network.ErrorReasonBlockedByClient)
	case u.Scheme != "http" && u.Scheme != "https": // data: and blob: stay in the page
		_, _ = chromedp.Call(ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
	case t.client != nil:
		t.answer(ctx, e, u)
	case t.browser.refuses(u):
		t.fail(ctx, e, network.ErrorReasonAccessDenied)
	default:
		_, _ = chromedp.Call(ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
	}
}

func (t *tab) fail(ctx context.Context, e *fetch.EventRequestPaused, reason network.ErrorReason) {
	_, _ = chromedp.Call(ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: reason})
}

// refuses judges an address as it is written. It is for remote browsers, which cannot use our proxy.
func (b *Browser) refuses(u *url.URL) bool { return b.o.Outbound.Policy().Check(u) != nil }

// answer answers a request in place of the network.
func (t *tab) answer(ctx context.Context, e *fetch.EventRequestPaused, u *url.URL) {
	req := (&http.Request{Method: e.Request.Method, URL: u, Host: u.Host, Header: headerOf(e.Request.Headers)}).WithContext(ctx)
	var body []byte
	for _, entry := range e.Request.PostDataEntries {
		body = append(body, entry.Bytes...)
	}
	if len(body) > 0 {
		req.ContentLength = int64(len(body))
		req.Body = io.NopCloser(bytes.NewReader(body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	req.Header.Del("Accept-Encoding")
	resp, err := t.client.Do(req)
	if err != nil {
		reason := network.ErrorReasonFailed
		if kind := outbound.KindOf(err); kind == outbound.KindRefused || kind == outbound.KindInvalid {
			reason = network.ErrorReasonAccessDenied
		}
		t.fail(ctx, e, reason)
		return
	}
	defer func() { _ = resp.Body.Close() }() // in memory
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.fail(ctx, e, network.ErrorReasonFailed)
		return
	}
	_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: e.RequestID, ResponseCode: int64(resp.StatusCode), ResponseHeaders: entriesOf(resp.Header), Body: data,
	})
}

func entriesOf(h http.Header) []*fetch.HeaderEntry {
	var entries []*fetch.HeaderEntry
	for name, values := range h {
		switch strings.ToLower(name) {
		case "content-encoding", "content-length", "transfer-encoding":
			continue // the body is already decoded and complete
		}
		for _, v := range values {
			entries = append(entries, &fetch.HeaderEntry{Name: name, Value: v})
		}
	}
	return entries
}
