package scraper

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/scraper/wall"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// maxRefreshes is how many pages that only send on (a Refresh header, or <meta http-equiv=refresh>) are followed in a row.
const maxRefreshes = 3

// fetched is a page that was brought here, or the reading that says why it was not.
type fetched struct {
	asked *url.URL
	page  *outbound.Page
	doc   *page.Document
	text  []byte

	language string // of the page, and its owner's domain, once nothing else of it is kept
	domain   string

	by        *recipe.Recipe // how the page is read; nil when it is judged by itself
	linked    bool           // another page of its list led to it
	shown     *Shown         // what a browser showed; nil when the page is as it was sent
	once      *page.List     // what list says, once it was asked
	print     string         // hash of the page, where one was known to compare it with
	unchanged bool           // it is the page already known, because the server says so or byte for byte; it is not parsed then
}

// fetch brings a page, following redirects and pages that only send on. fault is not nil when there is no page to read;
// err is not nil only when the context ended.
func (s *Scraper) fetch(ctx context.Context, client *outbound.Client, address *url.URL) (f *fetched, fault *boardwatch.Reading, err error) {
	return s.fetchUnlessKnown(ctx, client, address, memento{})
}

// fetchGiven is fetchUnlessKnown for an address that somebody gave. Where nothing is there, it is asked for once more in other
// forms: with a slash at its end, or without, and without what only says where a visitor came from.
func (s *Scraper) fetchGiven(
	ctx context.Context, client *outbound.Client, address *url.URL, known memento,
) (f *fetched, fault *boardwatch.Reading, err error) {
	f, fault, err = s.fetchUnlessKnown(ctx, client, address, known)
	if err != nil || fault == nil || fault.Cause != cause.Gone {
		return f, fault, err
	}
	for _, other := range page.OtherForms(address) {
		g, none, err := s.fetchUnlessKnown(ctx, client, other, known)
		if err != nil {
			return nil, nil, err
		}
		if none == nil {
			return g, nil, nil
		}
	}
	return nil, fault, nil
}

// fetchUnlessKnown is fetch for a page that may be known already; it then comes only if it has changed.
func (s *Scraper) fetchUnlessKnown(
	ctx context.Context, client *outbound.Client, address *url.URL, known memento,
) (f *fetched, fault *boardwatch.Reading, err error) {
	at, question := address, known
	for range maxRefreshes {
		deskOf(ctx).clear()
		answer, unchanged, err := question.get(ctx, client, at)
		if err != nil {
			r, err := transportFault(ctx, err)
			s.step("get %s: %s", at, r.Reason)
			return nil, &r, err
		}
		s.step("get %s: status %d, %d bytes%s", at, answer.Status, len(answer.Body), sentOn(answer))
		if unchanged {
			return &fetched{asked: address, page: answer, unchanged: true}, nil, nil
		}
		if r := refusal(answer); r != nil {
			return nil, r, nil
		}
		f = &fetched{asked: address, page: answer}
		if known.seed != 0 {
			f.print = fingerprintOf(answer.Body, answer.Header, known.seed)
			f.unchanged = f.print == known.print
		}
		if f.unchanged {
			return f, nil, nil
		}
		f.text = answer.Text()
		if fault, err := s.open(ctx, f); fault != nil || err != nil {
			return nil, fault, err
		}
		next := f.doc.Refresh(answer.Header.Get("Refresh"))
		if next == nil {
			return f, nil, nil
		}
		s.step("the page sends on to %s", next)
		at, question = next, memento{}
	}
	r := boardwatch.Failed(cause.Moved, "the page keeps redirecting")
	return nil, &r, nil
}

func sentOn(answer *outbound.Page) string {
	if len(answer.Hops) == 0 {
		return ""
	}
	return ", in the end at " + answer.URL.String()
}

// transportFault turns a fault of the way there into a failed reading, or into an error when the context ended.
func transportFault(ctx context.Context, err error) (boardwatch.Reading, error) {
	if ctx.Err() != nil {
		return boardwatch.Reading{}, context.Cause(ctx)
	}
	r := boardwatch.Failed(boardwatch.CauseOf(err), err.Error())
	if e, ok := errors.AsType[*outbound.Error](err); ok {
		r.Reason, r.RetryAfter = e.Message, e.RetryAfter
	}
	return r, nil
}

// retryAfter is how long the server asks to be left alone.
func retryAfter(header http.Header) time.Duration {
	wait, _ := boardwatch.RetryAfter(header.Get("Retry-After"), time.Now())
	return wait
}

// readBoard reads a hosted board through its adapter. The client is a session for its system.
func (s *Scraper) readBoard(ctx context.Context, client *outbound.Client, a ats.Adapter, token string, b boardwatch.Board) (boardwatch.Reading, error) {
	short := s.outlineOf(a, token, b)
	if short.unchanged(ctx, client) {
		return boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK, Unchanged: true, Fingerprint: short.last.String()}, nil
	}
	doer := &fingerprinter{client: client, known: s.last(b, a.Name()+"\x00"+token), memory: &s.memory}
	r, err := ats.Read(ctx, a, doer, token)
	switch {
	case errors.Is(err, ats.ErrUnchanged):
		return boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK, Unchanged: true, Fingerprint: doer.known.String()}, nil
	case outbound.KindOf(err) == outbound.KindBusy && ctx.Err() == nil && !b.State.LastSuccessAt.IsZero():
		// Another board of the same system was asked to wait. That says nothing about this one.
		r, err := transportFault(ctx, err)
		r.Health = boardwatch.HealthPartial
		return r, err
	case err != nil:
		return transportFault(ctx, err)
	}
	if doer.wall != nil && !r.Health.Read() {
		block(&r, doer.wall)
	}
	if r.Health.Read() {
		r.Fingerprint = short.fingerprint(ctx, client, doer, r)
	}
	if b.Company == "" {
		s.name(ctx, a, client, token, &r)
	}
	return r, nil
}

// name asks for the employer's name where the list of roles does not say it and the system can be asked.
func (s *Scraper) name(ctx context.Context, a ats.Adapter, client ats.Doer, token string, r *boardwatch.Reading) {
	namer, ok := a.(ats.Namer)
	if !ok || !r.Health.Read() || r.Company != "" {
		return
	}
	name, err := namer.Company(ctx, client, token)
	if err != nil {
		s.step("the name of the employer stays unknown: %v", err)
		return
	}
	r.Company = name
}

// fingerprinter is a client that hashes the answers it passes on, and stops at the first when it is the one known. An
// answer that failed cannot be recognised: it may be another one next time, and so then may be what was made of it.
type fingerprinter struct {
	client   *outbound.Client
	known    memento
	first    memento      // of the first answer
	hash     *xxh3.Hasher // nil until an answer is not the one known
	requests int
	answers  int
	failed   bool
	wall     *wall.Wall // the last answer, when it was a wall's
	memory   *memory
}

// Do sends one request. The first asks whether the answer has changed, when one is known.
func (f *fingerprinter) Do(req *http.Request) (*http.Response, error) {
	f.requests++
	deskOf(req.Context()).clear()
	resp, err := f.send(req)
	if err != nil {
		f.failed = true
		return nil, err
	}
	f.wall = nil
	body, ok := resp.Body.(*outbound.Body)
	if ok {
		if err := admit(req, body.Bytes()); err != nil {
			f.failed = true
			return nil, err
		}
	}
	if ok && (resp.StatusCode != http.StatusOK || mightBePage(resp.Header)) {
		f.wall = wall.Of(resp.StatusCode, resp.Header, req.URL, body.Bytes())
	}
	if !ok || resp.StatusCode != http.StatusOK {
		f.failed = true
		return resp, nil
	}
	if f.answers++; f.answers == 1 {
		f.first = f.known.of(fingerprint(body.Bytes(), f.known.seed), resp.Header, f.opens(req))
		if f.first.print == f.known.print {
			_ = body.Close() // in memory: it cannot fail
			f.known = f.first
			return nil, ats.ErrUnchanged
		}
		f.hash = xxh3.NewSeed(f.known.seed)
	}
	_, _ = f.hash.Write(body.Bytes()) // a hash takes everything
	return resp, nil
}

// opens is the address of a request that a later reading can ask again, and else nil.
func (f *fingerprinter) opens(req *http.Request) *url.URL {
	if f.requests > 1 || req.Method != http.MethodGet {
		return nil
	}
	return req.URL
}

// send sends a request, with the question whether the answer has changed where that can be asked.
func (f *fingerprinter) send(req *http.Request) (*http.Response, error) {
	if f.opens(req) == nil || !f.known.asks(req.URL) {
		return f.client.Do(req)
	}
	question := req.Clone(req.Context())
	f.known.ask(question.Header)
	resp, err := f.client.Do(question)
	if err != nil || resp.StatusCode != http.StatusNotModified {
		return resp, err
	}
	_ = resp.Body.Close() // in memory: it cannot fail
	if f.known.confirmedBy(resp.Header) {
		return nil, ats.ErrUnchanged
	}
	return f.client.Do(req)
}

// sum is the fingerprint of all answers: of a single one its memento, of several their hash. It is empty when some answer
// failed.
func (f *fingerprinter) sum() string {
	switch {
	case f.answers == 0 || f.failed:
		return ""
	case f.answers == 1:
		return f.first.String()
	}
	sum := f.hash.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}

// seed makes fingerprints those of one reader in one version of the program: what another one made of the same bytes may
// have been something else.
func (s *Scraper) seed(reader string) uint64 { return xxh3.HashString(s.version + "\x00" + reader) }

func fingerprint(body []byte, seed uint64) string {
	sum := xxh3.Hash128Seed(body, seed).Bytes()
	return hex.EncodeToString(sum[:])
}
