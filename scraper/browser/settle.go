package browser

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/boardwatch/boardwatch/scraper"
)

// When a page counts as rendered.
const (
	loadPatience     = 10 * time.Second       // for a page to load; then it is looked at anyway
	restlessPatience = 4 * time.Second        // for a page to come to rest; then it is looked at anyway
	requestPatience  = 5 * time.Second        // for one answer, because some never end
	beginPatience    = 20 * time.Second       // for a challenge that opens by itself
	idlePatience     = 8 * time.Second        // for a challenge without requests: it may be computing
	beginPause       = 500 * time.Millisecond // between two looks at a challenge
	maxPresses       = 20                     // of a "load more" button
)

// quietTimes are how long a page has to be quiet before each look at it. The last look is final.
func quietTimes() []time.Duration {
	return []time.Duration{60 * time.Millisecond, 500 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second}
}

// settle waits until the page has come to rest, or shows enough.
func (t *tab) settle(ctx context.Context, v scraper.View) (*scraper.Shown, error) {
	hard := time.Now().Add(t.browser.o.PageTimeout * 3 / 4) // the rest is for the last look
	times := quietTimes()
	for look, pressed := 0, 0; ; {
		began, quiet, err := t.wait(ctx, times[look], hard)
		if err != nil {
			return nil, err
		}
		t.take(ctx)
		shown, err := t.look(ctx, quiet)
		if err != nil && ctx.Err() == nil && t.moved(began) {
			look = 0
			continue // the page moved on to another document
		}
		if err != nil {
			return nil, err
		}
		patience := scraper.Enough
		if v.Enough != nil {
			patience = v.Enough(shown)
		}
		switch {
		case patience == scraper.Enough && quiet && v.More != nil && pressed < maxPresses && t.lengthen(ctx, shown, v.More):
			pressed++
			look = 1
		case patience == scraper.Enough, !quiet:
			return shown, nil
		case t.moved(began):
			look = 0
		case patience == scraper.WaitBegin && t.leads(began):
			if err := pause(ctx, beginPause); err != nil {
				return nil, err
			}
		case look == len(times)-1:
			return shown, nil
		default:
			look++
		}
	}
}

// wait returns when the page has been quiet for a while, or has had long enough. calm is false when the page's time is over.
// began is when the document was requested.
func (t *tab) wait(ctx context.Context, quiet time.Duration, hard time.Time) (began time.Time, calm bool, err error) {
	restless := time.Now().Add(restlessPatience)
	for {
		rest, began := t.rest(quiet)
		now := time.Now()
		switch {
		case rest <= 0:
			return began, true, nil
		case !now.Before(hard):
			return began, false, nil
		case now.After(restless) && t.isLoaded():
			return began, true, nil
		}
		timer := time.NewTimer(min(rest, hard.Sub(now), restlessPatience))
		select {
		case <-t.woke:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return began, false, context.Cause(ctx)
		}
		timer.Stop()
	}
}

// rest is how much longer the page has to stay quiet.
func (t *tab) rest(quiet time.Duration) (time.Duration, time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if !t.loaded {
		if rest := loadPatience - now.Sub(t.began); rest > 0 {
			return rest, t.began
		}
	}
	since := t.since
	for id, at := range t.pending {
		if now.Sub(at) > requestPatience {
			delete(t.pending, id)
			continue
		}
		return requestPatience - now.Sub(at) + time.Millisecond, t.began
	}
	return quiet - now.Sub(since), t.began
}

func (t *tab) isLoaded() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.loaded || time.Since(t.began) > loadPatience
}

// moved reports whether the page has moved on from the document that began then.
func (t *tab) moved(began time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.began.Equal(began)
}

// leads reports whether a challenge is still worth waiting for: not for ever, and not when it has stopped doing anything.
func (t *tab) leads(began time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(began) < beginPatience && time.Since(t.since) < idlePatience
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Limits of the data kept of a page.
const (
	maxAnswers    = 60
	maxAnswer     = 10 << 20
	maxAllAnswers = 30 << 20
)

// take fetches the data of answers that have arrived.
func (t *tab) take(ctx context.Context) {
	t.mu.Lock()
	ready := make(map[network.RequestID]*network.EventRequestWillBeSent, len(t.ready))
	for _, id := range t.ready {
		ready[id] = t.asked[id]
	}
	order := t.ready
	t.ready = nil
	t.mu.Unlock()
	for _, id := range order {
		ask := ready[id]
		res, err := chromedp.Call(ctx, network.GetResponseBody, network.GetResponseBodyParams{RequestID: id})
		if err != nil || !json.Valid(res.Body) {
			continue // the page has moved on, or this is not data
		}
		a, ok := answerTo(ask)
		if !ok {
			continue
		}
		if ask.Request.HasPostData && len(a.Body) == 0 {
			post, err := chromedp.Call(ctx, network.GetRequestPostData, network.GetRequestPostDataParams{RequestID: id})
			if err != nil {
				continue
			}
			a.Body = post.PostData
		}
		a.Data = res.Body
		t.mu.Lock()
		if len(t.answers) < maxAnswers && t.kept+len(a.Data) <= maxAllAnswers {
			t.answers = append(t.answers, a)
			t.kept += len(a.Data)
		}
		t.mu.Unlock()
	}
}
