package oauth

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

const (
	longestDocument = 5 << 10
	mostDocuments   = 1000 // in memory, and as many that cannot be used
	mostFetches     = 8    // at the same time
	mostOfOne       = 2    // for one person

	shortestKept, longestKept = 5 * time.Minute, 24 * time.Hour
	faultKept                 = 30 * time.Second
)

// A person may have so many documents fetched at once, and then one at this interval. It is the person who is counted, not
// the host: else one person could keep an assistant's host from all others.
const (
	fetchBurst = 10
	oneFetchIn = 6 * time.Second
)

// DocumentOptions adjust Documents. The zero value works.
type DocumentOptions struct {
	Loopback bool             // documents on this machine count too: the service itself is reached there alone
	Version  string           // of the program, for the User-Agent
	Timeout  time.Duration    // for a whole fetch; 0 means 5 s
	RootCAs  *x509.CertPool   // whose certificates are believed; nil: the system's
	Resolver *net.Resolver    // nil: the system's
	Now      func() time.Time // the clock; nil means time.Now
}

// Documents reads what clients publish about themselves at the address that is their id
// (draft-ietf-oauth-client-id-metadata-document). It may be used concurrently.
type Documents struct {
	o         DocumentOptions
	transport *http.Transport
	slots     chan struct{}
	people    *account.Turns
	flights   singleflight.Group

	mu      sync.Mutex
	waiting map[string]int // fetches that people wait for, by account
	kept    map[string]keptClient
	faults  map[string]keptClient // apart, so that nobody pushes documents out with addresses that have none
}

// keptClient is what a document came to: a client, or why it cannot be used.
type keptClient struct {
	client account.Client
	fault  *DocumentError
	until  time.Time
}

// DocumentError says why a client's document cannot be used.
type DocumentError struct {
	Reason string // for the person who wants to connect the client
}

// Error is the sentence for the log.
func (e *DocumentError) Error() string { return "read client document: " + e.Reason }

// NewDocuments returns Documents with connections of their own. They go out directly: a proxy would look names up, and
// the address that is dialled could not be judged.
func NewDocuments(o DocumentOptions) *Documents {
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	dialer := &net.Dialer{Timeout: o.Timeout, Resolver: o.Resolver, ControlContext: outbound.Judged(o.Loopback)}
	return &Documents{
		o: o, slots: make(chan struct{}, mostFetches), people: account.NewTurns(fetchBurst, oneFetchIn, o.Now),
		waiting: map[string]int{}, kept: map[string]keptClient{}, faults: map[string]keptClient{},
		transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: o.Timeout, DisableKeepAlives: true, DisableCompression: true,
			TLSClientConfig: &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12}, MaxResponseHeaderBytes: 16 << 10,
			ForceAttemptHTTP2: true,
		},
	}
}

// checkDocumentID says whether an id is the address of a document. Addresses are compared as they are written.
func checkDocumentID(id string) error {
	u, err := url.Parse(id)
	switch {
	case err != nil, !strings.HasPrefix(id, "https://"), len(id) > longestRedirect, u.Hostname() == "", u.User != nil,
		strings.ContainsAny(id, "#\\ "), u.EscapedPath() == "" || u.EscapedPath() == "/":
		return errors.New("the id is not the address of a document")
	}
	for segment := range strings.SplitSeq(u.Path, "/") {
		if segment == "." || segment == ".." {
			return errors.New("the id is not the address of a document")
		}
	}
	return nil
}

// Client reads the document at an id for a person, or remembers what came of it the last time. The error is a
// *DocumentError.
func (d *Documents) Client(ctx context.Context, accountID, id string, schemes []string) (account.Client, error) {
	if k, ok := d.known(id); ok {
		return k.result()
	}
	done, err := d.begin(accountID)
	if err != nil {
		return account.Client{}, err
	}
	defer done()
	found := d.flights.DoChan(id, func() (any, error) {
		if k, ok := d.known(id); ok {
			return k.result()
		}
		// Others may wait for the same document, so it does not end with the request of the first.
		ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), d.o.Timeout, errors.New("the document took too long"))
		defer cancel()
		return d.read(ctx, id, schemes)
	})
	select {
	case <-ctx.Done():
		return account.Client{}, &DocumentError{"it took too long"}
	case r := <-found:
		if r.Err != nil {
			return account.Client{}, r.Err
		}
		return r.Val.(account.Client), nil
	}
}

// begin lets a person wait for a document, unless they wait for enough of them, or have had too many fetched.
func (d *Documents) begin(accountID string) (done func(), err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting[accountID] >= mostOfOne {
		return nil, &DocumentError{"you are connecting several apps at this moment; wait until one is done"}
	}
	if err := d.people.Take(accountID); err != nil {
		return nil, &DocumentError{"you have connected too many apps in a short time; wait a moment"}
	}
	d.waiting[accountID]++
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.waiting[accountID]--; d.waiting[accountID] == 0 {
			delete(d.waiting, accountID)
		}
	}, nil
}

func (k keptClient) result() (account.Client, error) {
	if k.fault != nil {
		return account.Client{}, k.fault
	}
	return k.client, nil
}

func (d *Documents) known(id string) (keptClient, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, shelf := range []map[string]keptClient{d.kept, d.faults} {
		if k, ok := shelf[id]; ok && d.o.Now().Before(k.until) {
			return k, true
		}
	}
	return keptClient{}, false
}

// keep remembers what a document came to. The shelf has room for so many.
func (d *Documents) keep(shelf map[string]keptClient, id string, k keptClient) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(shelf) >= mostDocuments {
		now := d.o.Now()
		maps.DeleteFunc(shelf, func(_ string, k keptClient) bool { return !now.Before(k.until) })
	}
	for old := range shelf {
		if len(shelf) < mostDocuments {
			break
		}
		delete(shelf, old)
	}
	shelf[id] = k
}

func (d *Documents) read(ctx context.Context, id string, schemes []string) (account.Client, error) {
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	case <-ctx.Done():
		return account.Client{}, &DocumentError{"too many apps are connecting; wait a moment"}
	}
	body, life, err := d.fetch(ctx, id)
	var c account.Client
	if err == nil {
		c, err = described(id, body, schemes)
	}
	if fault, ok := errors.AsType[*DocumentError](err); ok {
		d.keep(d.faults, id, keptClient{fault: fault, until: d.o.Now().Add(faultKept)})
	}
	if err != nil {
		return account.Client{}, err
	}
	d.keep(d.kept, id, keptClient{client: c, until: d.o.Now().Add(life)})
	return c, nil
}

// fetch gets a document, once and from that very address.
func (d *Documents) fetch(ctx context.Context, id string) ([]byte, time.Duration, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, id, nil)
	if err != nil {
		return nil, 0, &DocumentError{"the address cannot be used"}
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "Boardwatch-OAuth/"+d.o.Version)
	res, err := d.transport.RoundTrip(req) // not a client, which would follow redirects
	if err == nil && ctx.Err() != nil {
		// The server saw first that the request was cancelled, and ended its answer.
		_ = res.Body.Close()
		err = ctx.Err()
	}
	if err != nil {
		return nil, 0, &DocumentError{"the host does not answer, or may not be asked"}
	}
	defer func() { _ = res.Body.Close() }()
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case res.StatusCode != http.StatusOK:
		return nil, 0, &DocumentError{fmt.Sprintf("the host answers %d", res.StatusCode)}
	case err != nil || kind != "application/json" && (!strings.HasPrefix(kind, "application/") || !strings.HasSuffix(kind, "+json")):
		return nil, 0, &DocumentError{"it is not JSON"}
	case res.Header.Get("Content-Encoding") != "" && res.Header.Get("Content-Encoding") != "identity":
		return nil, 0, &DocumentError{"it is compressed, which was not asked for"}
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, longestDocument+1))
	switch {
	case err != nil, ctx.Err() != nil: // a connection that is cut off may look as if it ended well
		return nil, 0, &DocumentError{"the host does not finish its answer"}
	case len(body) > longestDocument:
		return nil, 0, &DocumentError{"it is larger than 5 KiB"}
	}
	return body, lifeOf(res.Header), nil
}

// lifeOf is how long a document may be remembered.
func lifeOf(h http.Header) time.Duration {
	life := shortestKept
	for directive := range strings.SplitSeq(h.Get("Cache-Control"), ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return shortestKept
		case "max-age":
			if n, err := strconv.ParseUint(strings.Trim(value, `"`), 10, 31); err == nil {
				life = time.Duration(n) * time.Second
			}
		}
	}
	return min(max(life, shortestKept), longestKept)
}

// described is the client that a document describes.
func described(id string, body []byte, schemes []string) (account.Client, error) {
	m, err := readMetadata(body)
	if err != nil {
		return account.Client{}, &DocumentError{err.Error()}
	}
	if own, err := m.text("client_id"); err != nil || own != id {
		return account.Client{}, &DocumentError{"it is about another app"}
	}
	if _, ok := m["client_secret"]; ok {
		return account.Client{}, &DocumentError{"it holds a secret"}
	}
	types, err := m.list("grant_types")
	if err == nil && len(types) > 0 { // values that are not known here are the app's affair
		delete(m, "grant_types")
	}
	var c account.Client
	if err = m.checkMethods(); err == nil {
		c, err = m.client(schemes)
	}
	if f, ok := errors.AsType[*fault](err); ok {
		return account.Client{}, &DocumentError{f.Text}
	}
	if c.Name == "" {
		return account.Client{}, &DocumentError{"it does not say what the app is called"}
	}
	for _, t := range types {
		if t == account.GrantTypeRefresh {
			c.GrantTypes = append(c.GrantTypes, t)
		}
	}
	c.ID = id
	return c, nil
}
