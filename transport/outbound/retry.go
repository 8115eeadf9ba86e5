package outbound

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"
)

// retryable reports whether a status is the kind that passes.
func retryable(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// repeatable reports whether sending a request twice does no harm and is possible. A POST with a body that can be had
// again is how boards are asked questions, not how they are changed.
func repeatable(req *http.Request) bool {
	switch req.Method {
	case "", http.MethodGet, http.MethodHead:
		return req.Body == nil || req.Body == http.NoBody || req.GetBody != nil
	case http.MethodPost:
		return req.GetBody != nil
	}
	return false
}

// outcome is what one attempt met: an answer or a fault.
type outcome struct {
	resp  *http.Response
	fault *Error
	wait  time.Duration // what the answer asked for in Retry-After

	unsent bool // no request was sent
}

// refused reports whether the host answered that it is asked too often, or that it is overloaded.
func (o outcome) refused() bool {
	return o.resp != nil && (o.resp.StatusCode == http.StatusTooManyRequests || o.resp.StatusCode == http.StatusServiceUnavailable)
}

// again reports whether the attempt may be followed by another, and after what wait. attempt counts from zero.
func (c *core) again(ctx context.Context, req *http.Request, o outcome, attempt int) (time.Duration, bool) {
	if attempt >= len(c.backoff) || !repeatable(req) || ctx.Err() != nil {
		return 0, false
	}
	switch {
	case o.fault != nil && !o.fault.Transient(), o.fault == nil && !retryable(o.resp.StatusCode):
		return 0, false
	case o.fault != nil && o.fault.Kind == KindTimeout && attempt > 0:
		return 0, false // twice the whole time is enough
	case c.recorded:
		return 0, true
	}
	wait := max(jittered(c.backoff[attempt]), o.wait)
	return wait, !tooLong(ctx, wait)
}

// jittered is a wait with up to a quarter more, so that many who failed together do not come back together.
func jittered(wait time.Duration) time.Duration {
	if wait <= 0 {
		return 0
	}
	return wait + rand.N(wait/4+1) //nolint:gosec // spreads load, guards nothing
}
