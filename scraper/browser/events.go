package browser

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/boardwatch/boardwatch/scraper"
)

// hear handles the browser's events about the page, in order. It runs on the goroutine that reads from the browser, so it must
// not wait.
func (t *tab) hear(ctx context.Context) func(event any) {
	return func(event any) {
		t.mu.Lock()
		defer t.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			t.request(e)
		case *network.EventResponseReceived:
			t.response(e)
		case *network.EventLoadingFinished:
			t.done(e.RequestID, true, int64(e.EncodedDataLength))
		case *network.EventLoadingFailed:
			t.done(e.RequestID, false, 0)
		case *page.EventLoadEventFired:
			t.loaded = true
			t.stirred()
		case *fetch.EventRequestPaused:
			t.work.Go(func() { t.paused(ctx, e) })
		case *page.EventJavascriptDialogOpening:
			t.work.Go(func() {
				_, _ = chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}) // an error means that the page is gone
			})
		case *inspector.EventTargetCrashed:
			t.abort(errPageCrashed)
		}
	}
}

// stirred notes that something happened on the page.
func (t *tab) stirred() {
	t.since = time.Now()
	select {
	case t.woke <- struct{}{}:
	default:
	}
}

func (t *tab) request(e *network.EventRequestWillBeSent) {
	t.requests++
	if u, err := url.Parse(e.Request.URL); err == nil && u.Host != "" && len(t.all) < 500 {
		t.all = append(t.all, u)
	}
	switch e.Type {
	case network.ResourceTypeDocument:
		if e.FrameID == t.main && e.RedirectResponse == nil && string(e.RequestID) == string(e.LoaderID) {
			t.reset()
		}
	case network.ResourceTypeXHR, network.ResourceTypeFetch:
		t.asked[e.RequestID] = e
	case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypePing,
		network.ResourceTypeImage, network.ResourceTypeMedia, network.ResourceTypeFont:
		return // they say nothing about whether the page has rendered
	default:
	}
	t.pending[e.RequestID] = time.Now()
	t.stirred()
}

func (t *tab) response(e *network.EventResponseReceived) {
	if e.Type == network.ResourceTypeDocument && e.FrameID == t.main {
		t.document = e.Response
	}
	if ask := t.asked[e.RequestID]; ask != nil && !mayBeData(e.Response) {
		delete(t.asked, e.RequestID)
	}
}

// mayBeData reports whether an answer may hold JSON.
func mayBeData(r *network.Response) bool {
	if r.Status < 200 || r.Status > 299 {
		return false
	}
	kind := strings.ToLower(r.MimeType)
	return strings.Contains(kind, "json") || strings.Contains(kind, "javascript") || kind == "" || kind == "text/plain" || kind == "text/html" || kind == "application/octet-stream"
}

func (t *tab) done(id network.RequestID, well bool, size int64) {
	if _, ok := t.pending[id]; ok {
		delete(t.pending, id)
		t.stirred()
	}
	if well && t.asked[id] != nil && size <= maxAnswer && len(t.ready) < maxAnswers {
		t.ready = append(t.ready, id)
		t.stirred()
	}
}

// answerTo is an answer without its data yet: the request, as far as it can be sent again.
func answerTo(e *network.EventRequestWillBeSent) (scraper.Answer, bool) {
	u, err := url.Parse(e.Request.URL)
	if err != nil || u.Host == "" {
		return scraper.Answer{}, false
	}
	a := scraper.Answer{Method: e.Request.Method, URL: u, Header: headerOf(e.Request.Headers)}
	a.Header.Del("Cookie")
	for _, entry := range e.Request.PostDataEntries {
		a.Body = append(a.Body, entry.Bytes...)
	}
	return a, true
}
