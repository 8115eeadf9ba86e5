package outbound

import (
	"context"
	"crypto/x509"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

// DefaultUserAgent names the product and where to learn about it.
const DefaultUserAgent = "Mozilla/5.0 (compatible; Boardwatch; +https://github.com/boardwatch/boardwatch)"

// Defaults of Options.
const (
	DefaultPause   = time.Second
	DefaultMaxBody = 10 << 20
	DefaultTimeout = 30 * time.Second
)

// Options are the options of a Client. The zero value reads public hosts politely.
type Options struct {
	// AllowPrivate lets addresses of private networks (RFC 1918, RFC 6598, fc00::/7) and of this machine be read. Link-local
	// addresses and those where clouds hand out credentials stay refused.
	AllowPrivate bool
	// AllowLoopback lets this machine be read: for development.
	AllowLoopback bool
	// Pause lies between two requests to one host and port, which run one at a time. There is none on loopback hosts.
	// Zero means DefaultPause, a negative value none at all.
	Pause time.Duration
	// Paces are those of hosted systems, by their names in sources (SessionOptions.System). Pause is for all others.
	Paces map[string]pace.Pace
	// Turns shares the pace of each host with the other processes that use the same store. Without an answer of the store
	// no request is sent. Nil means that this client is the only one. Hosts on this machine are never shared.
	Turns pace.Store
	// Paced is called after every request that had to wait for its turn. It may be nil.
	Paced func(Paced)
	// UserAgent replaces DefaultUserAgent when it is not empty.
	UserAgent string
	// MaxBody is the largest body in bytes, after decompression. Zero means DefaultMaxBody.
	MaxBody int64
	// Timeout is the limit of one request, from the connection to the last byte of the body. Zero means DefaultTimeout.
	// The wait for one's turn at a host does not count.
	Timeout time.Duration
	// Backoff is the wait before each further try of a request that met something transient; there are as many tries
	// as waits. Nil means 300 ms and 1 s, an empty slice no further try.
	Backoff []time.Duration
	// Proxy says which proxy a request takes; nil is HTTP_PROXY, HTTPS_PROXY and NO_PROXY as the process was started
	// with. Behind a proxy the proxy looks names up, so that only addresses spelt as numbers can be judged.
	Proxy func(*http.Request) (*url.URL, error)
	// RootCAs are the authorities that certificates are checked against. Nil means the system's, SSL_CERT_FILE honoured.
	RootCAs *x509.CertPool
	// Resolver looks names up. Nil means the system's.
	Resolver *net.Resolver
	// Inside answers some requests in this process, without the network, such as those to the companies of a demo. It
	// returns nil for all others. It may be nil.
	Inside func(*http.Request) http.Handler
	// Transport takes the place of the network. Addresses are then judged as written only. With an *Archive nothing is
	// ever waited for.
	Transport http.RoundTripper
	// Trace is told of every exchange, after it, from the goroutine that asked and with the context of its request. It may
	// be nil.
	Trace func(context.Context, Exchange)
}

// Paced is how a request came by its turn.
type Paced struct {
	System  string // SessionOptions.System
	Waited  time.Duration
	Refused bool // the host answered that it is asked too often, or that it is overloaded
}

// Exchange is one request and its result. Nothing in it may be changed, and bodies are only valid during the call of
// Trace. The query of the URL may contain secrets.
type Exchange struct {
	Start          time.Time
	Duration       time.Duration
	Attempt        int // 1 for the first try
	Method         string
	URL            *url.URL
	RequestHeader  http.Header
	RequestBody    []byte // what the request can have again of its body (http.Request.GetBody)
	Status         int    // 0 when there was no answer
	Proto          string
	ResponseHeader http.Header // after decoding: it tells of Body
	Body           []byte
	Err            error // an *Error, or nil
}

// Client reads public hosts. It is safe for concurrent use. New makes one for a whole program, and Session one for a
// reading.
type Client struct {
	core *core

	requests atomic.Int64
	session  bool
	parent   *Client // whose session this is; nil when it is none
	limit    int     // of requests; 0 means none
	route    *route  // nil: as the options say
	once     bool    // nothing is tried again
	system   string  // whose board is read; empty when that is not known
	allow    func(context.Context, *url.URL) error
	mu       sync.Mutex
	jar      *cookiejar.Jar // made with the first cookie of a session
}

// core is what all sessions share.
type core struct {
	policy   Policy
	pacer    *pacer
	pools    pools
	next     http.RoundTripper
	recorded bool // next plays recordings
	pause    time.Duration
	paces    map[string]pace.Pace
	paced    func(Paced)
	backoff  []time.Duration
	maxBody  int64
	timeout  time.Duration
	defaults http.Header
	kept     atomic.Int32
	headers  sync.Map // http.Header by what a request accepts, for those that say nothing else
	trace    func(context.Context, Exchange)
}

// New returns a client with these options.
func New(o Options) *Client {
	c := &core{
		policy:  o.Policy(),
		next:    o.Transport,
		pause:   o.Pause,
		paces:   o.Paces,
		paced:   o.Paced,
		backoff: o.Backoff,
		maxBody: o.MaxBody,
		timeout: o.Timeout,
		trace:   o.Trace,
		defaults: http.Header{
			"User-Agent":      {o.UserAgent},
			"Accept":          {"*/*"},
			"Accept-Encoding": {"gzip, deflate, br, zstd"},
			"Accept-Language": {"en,*;q=0.5"},
		},
	}
	if o.UserAgent == "" {
		c.defaults["User-Agent"] = []string{DefaultUserAgent}
	}
	if c.pause == 0 {
		c.pause = DefaultPause
	}
	if c.maxBody <= 0 {
		c.maxBody = DefaultMaxBody
	}
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	if c.backoff == nil {
		c.backoff = []time.Duration{300 * time.Millisecond, time.Second}
	}
	if c.next == nil {
		if o.Proxy == nil {
			o.Proxy = http.ProxyFromEnvironment
		}
		c.next = newNetwork(o, c.policy)
	}
	c.pacer = newPacer(o.Turns)
	_, c.recorded = c.next.(*Archive)
	return &Client{core: c}
}

// CloseIdleConnections closes connections that are kept for later requests, for all sessions.
func (c *Client) CloseIdleConnections() {
	if n, ok := c.core.next.(*network); ok {
		n.closeIdle()
	}
}

// Policy says which addresses the client may reach.
func (c *Client) Policy() Policy { return c.core.policy }

// Do sends one request and follows no redirect. What is transient is tried again (Options.Backoff) when the request can
// be repeated: GET, HEAD, and POST with GetBody. Retry-After is honoured up to 30 seconds; when a host asks for more, its
// answer is returned as it is, and further requests to it fail with KindBusy until the time is over.
//
// The response's Body is a *Body: decoded, within Options.MaxBody, in memory. Every status is an answer; every error is
// an *Error. The request is not changed.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	if e := c.core.policy.check(req.URL); e != nil {
		closeBody(req)
		return nil, e
	}
	ctx := req.Context()
	for attempt := 0; ; attempt++ {
		o := c.attempt(ctx, req, attempt)
		wait, again := c.core.again(ctx, req, o, attempt)
		if c.once || !again || !sleep(ctx, wait) {
			if o.fault != nil {
				return nil, o.fault
			}
			return o.resp, nil
		}
		if o.resp != nil {
			_ = o.resp.Body.Close() // a *Body: it cannot fail
		}
	}
}

// attempt sends the request once, when it is its turn.
func (c *Client) attempt(ctx context.Context, req *http.Request, attempt int) outcome {
	if c.core.recorded {
		return c.send(ctx, req, attempt)
	}
	asked := time.Now()
	turn, e := c.core.pacer.acquire(ctx, endpointOf(req.URL), c.pace())
	if e != nil {
		closeUnsent(req, attempt)
		return outcome{fault: e}
	}
	o := c.send(ctx, req, attempt)
	c.core.pacer.release(ctx, turn, o)
	if c.core.paced != nil {
		c.core.paced(Paced{System: c.system, Waited: turn.begun.Sub(asked), Refused: o.refused()})
	}
	return o
}

// pace is how often a host may be asked by this session.
func (c *Client) pace() pace.Pace {
	if pace, ok := c.core.paces[c.system]; ok && c.system != "" {
		return pace
	}
	return pace.Pace{Pause: max(0, c.core.pause)}
}

// prepare is a copy of the request with a context, a fresh body, and a header with the defaults and the session's cookies.
func (c *Client) prepare(ctx context.Context, req *http.Request, attempt int) (*http.Request, *Error) {
	sent := req.WithContext(ctx)
	if attempt > 0 && req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, &Error{Kind: KindInvalid, Message: "the body of the request cannot be had again", Err: err}
		}
		sent.Body = body
	}
	cookies := c.cookies(req.URL)
	if len(cookies) == 0 {
		sent.Header = c.core.header(req.Header)
		return sent, nil
	}
	sent.Header = c.core.merged(req.Header)
	for _, cookie := range cookies {
		sent.AddCookie(cookie)
	}
	return sent, nil
}

// mostHeaders is how many headers are kept.
const mostHeaders = 32

// header is a request's header with the defaults, which nobody may change: most requests only say what they accept, and share
// it.
func (c *core) header(own http.Header) http.Header {
	accept := own["Accept"]
	if len(own) != 1 || len(accept) != 1 {
		return c.merged(own)
	}
	if known, ok := c.headers.Load(accept[0]); ok {
		return known.(http.Header) //nolint:forcetypeassert // nothing else is stored
	}
	header := c.merged(own)
	if c.kept.Add(1) <= mostHeaders {
		c.headers.Store(accept[0], header)
	}
	return header
}

func (c *core) merged(own http.Header) http.Header {
	header := make(http.Header, len(own)+len(c.defaults)+1)
	maps.Copy(header, c.defaults)
	maps.Copy(header, own)
	return header
}

// send makes one exchange and tells the trace.
func (c *Client) send(ctx context.Context, req *http.Request, attempt int) outcome {
	if e := c.count(); e != nil {
		closeUnsent(req, attempt)
		return outcome{fault: e, unsent: true}
	}
	start := time.Now()
	inner, cancel := context.WithTimeoutCause(c.routed(ctx), c.core.timeout, errTimeout)
	defer cancel()
	sent, e := c.prepare(inner, req, attempt)
	if e != nil {
		return outcome{fault: e, unsent: true}
	}
	resp, body, e := c.core.exchange(ctx, sent) //nolint:bodyclose // it is closed there; body is in memory
	if c.core.trace != nil {
		c.core.trace(ctx, exchangeOf(sent, resp, body, e, start, attempt))
	}
	if e != nil {
		return outcome{fault: e}
	}
	resp.Body = body
	o := outcome{resp: resp}
	if retryable(resp.StatusCode) {
		o.wait, _ = boardwatch.RetryAfter(resp.Header.Get("Retry-After"), time.Now())
	}
	c.keepCookies(req.URL, resp)
	return o
}

// exchange is one round trip with the body read to its end. outer is the caller's context; that of the request also ends
// with the time for one request.
func (c *core) exchange(outer context.Context, req *http.Request) (*http.Response, *Body, *Error) {
	resp, err := c.next.RoundTrip(req)
	if err != nil {
		return nil, nil, overTLS(req.URL, explain(outer, req.Context(), shown(req.URL.Hostname()), err))
	}
	defer func() { _ = resp.Body.Close() }() // it was read as far as anybody wants it
	resp.Request = req
	body, err := c.pools.read(resp, c.maxBody)
	if err != nil {
		return nil, nil, explainBody(outer, req.Context(), shown(req.URL.Hostname()), err)
	}
	return resp, body, nil
}

func exchangeOf(req *http.Request, resp *http.Response, body *Body, e *Error, start time.Time, attempt int) Exchange {
	x := Exchange{
		Start: start, Duration: time.Since(start), Attempt: attempt + 1,
		Method: req.Method, URL: req.URL, RequestHeader: req.Header, RequestBody: sentBody(req),
	}
	if x.Method == "" {
		x.Method = http.MethodGet
	}
	if e != nil {
		x.Err = e // not assigned when nil: a nil *Error in an error is not a nil error
		return x
	}
	x.Status, x.Proto, x.ResponseHeader, x.Body = resp.StatusCode, resp.Proto, resp.Header, body.Bytes()
	return x
}

func sentBody(req *http.Request) []byte {
	if req.GetBody == nil {
		return nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil
	}
	defer func() { _ = body.Close() }() // read only
	b, err := io.ReadAll(body)
	if err != nil {
		return nil
	}
	return b
}

// closeUnsent closes the body of a request that was not sent. A later attempt has taken no body of its own yet.
func closeUnsent(req *http.Request, attempt int) {
	if attempt == 0 {
		closeBody(req)
	}
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // nothing was read of it, nothing can be lost
	}
}
