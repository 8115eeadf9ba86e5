package receiver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Defaults of the options.
const (
	DefaultPrefix      = "X-Boardwatch"
	DefaultMaxBody     = 4 << 20 // the largest delivery, of 100 roles with every text at its longest, is below 1 MiB
	DefaultReadTimeout = 10 * time.Second
	DefaultMemory      = 10_000
)

// Options are the settings of a Receiver. The zero value works.
type Options struct {
	// Prefix is the prefix of the headers' names. Empty means DefaultPrefix.
	Prefix string
	// Tolerance is the oldest signature that is accepted. 0 means boardwatch.SignatureTolerance.
	Tolerance time.Duration
	// MaxBody is the largest body in bytes. 0 means DefaultMaxBody.
	MaxBody int64
	// ReadTimeout is how long reading a body may take. 0 means DefaultReadTimeout.
	ReadTimeout time.Duration
	// Seen remembers which deliveries were accepted. Nil means NewMemory(DefaultMemory).
	Seen Seen
	// Refused is called for every request that is not passed on now and was not before, with the reason. It may be nil.
	// The request's body has been read. The reason is an error of this package or of boardwatch.Verify.
	Refused func(r *http.Request, reason error)
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
	// Log receives failures of Seen and of the handler. Nil means no log.
	Log *slog.Logger
}

// Reasons for refusing a request, besides those of boardwatch.Verify.
var (
	ErrMethod   = errors.New("a delivery is a POST")
	ErrTooLarge = errors.New("the body is longer than the limit")
	ErrUnread   = errors.New("the body could not be read to its end")
	ErrEvent    = errors.New("the body is not an event")
	ErrOther    = errors.New("the headers name another event than the body")
	ErrBusy     = errors.New("the delivery was received before and is still being processed")
)

// Receiver receives deliveries. It may be used concurrently.
type Receiver struct {
	secrets [][]byte
	o       Options
}

// New returns a Receiver for one or several webhooks. A delivery is accepted if it is signed with any of the secrets,
// which are passed as they were shown, including "whsec_". Passing no secret, or an empty one, is an error. The secrets
// cannot be changed. For other secrets make another Receiver, which may use the same Options.Seen.
func New(secrets []string, o Options) (*Receiver, error) {
	if len(secrets) == 0 || slices.Contains(secrets, "") {
		return nil, errors.New("make receiver: a signing secret is missing")
	}
	r := &Receiver{o: o}
	for _, s := range secrets {
		r.secrets = append(r.secrets, []byte(s))
	}
	r.o.Prefix = cmp.Or(o.Prefix, DefaultPrefix)
	r.o.Tolerance = cmp.Or(o.Tolerance, boardwatch.SignatureTolerance)
	r.o.MaxBody = cmp.Or(o.MaxBody, DefaultMaxBody)
	r.o.ReadTimeout = cmp.Or(o.ReadTimeout, DefaultReadTimeout)
	r.o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if r.o.Seen == nil {
		r.o.Seen = NewMemory(DefaultMemory)
	}
	if r.o.Refused == nil {
		r.o.Refused = func(*http.Request, error) {}
	}
	if r.o.Now == nil {
		r.o.Now = time.Now
	}
	return r, nil
}

// Handler passes every event to take, once. If take returns nil, the sender is told that the delivery was accepted.
// After an error, whose text the sender does not see, it tries again. The sender waits ten seconds, so work that may
// take longer should go into a queue.
func (r *Receiver) Handler(take func(ctx context.Context, e Event) error) http.Handler {
	return r.Middleware(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		e, _ := FromContext(req.Context())
		if err := take(req.Context(), e); err != nil {
			head := e.Head()
			r.o.Log.ErrorContext(req.Context(), "delivery was not taken", slog.String("delivery_id", head.ID),
				slog.String("type", string(head.Type)), slog.Any("error", err))
			http.Error(w, "the delivery was not taken", http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
}

// Middleware passes deliveries to next if they are verified and were not accepted before. FromContext returns their
// event, and the body can be read again. A 2xx answer means that the delivery was accepted. All other requests are
// answered here: 204 to a delivery that was accepted before, 409 to one that is still being processed, 4xx to a request
// that is not a delivery or has no valid signature.
func (r *Receiver) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		e, err := r.read(w, req)
		if err != nil {
			r.refuse(w, req, err)
			return
		}
		ctx := req.Context()
		state, err := r.o.Seen.Begin(ctx, e.Head().ID)
		switch {
		case err != nil:
			r.o.Log.ErrorContext(ctx, "what is known of a delivery could not be looked up",
				slog.String("delivery_id", e.Head().ID), slog.Any("error", err))
			http.Error(w, "the delivery was not taken", http.StatusServiceUnavailable)
		case state == Taken:
			w.WriteHeader(http.StatusNoContent)
		case state == Busy:
			r.refuse(w, req, ErrBusy)
		default:
			r.handOn(w, req, e, next)
		}
	})
}

// eventKey carries an event to the handler.
type eventKey struct{}

// FromContext returns the event that Middleware put into the context.
func FromContext(ctx context.Context) (Event, bool) {
	e, ok := ctx.Value(eventKey{}).(Event)
	return e, ok
}

// handOn lets next work on a reserved event, and settles its outcome, even if next panics or the sender has gone.
func (r *Receiver) handOn(w http.ResponseWriter, req *http.Request, e Event, next http.Handler) {
	answer := &answer{ResponseWriter: w, reserved: true}
	ctx := context.WithoutCancel(req.Context())
	end := func(taken bool) error {
		answer.reserved = false
		err := r.o.Seen.End(ctx, e.Head().ID, taken)
		if err != nil {
			r.o.Log.ErrorContext(ctx, "what became of a delivery could not be kept",
				slog.String("delivery_id", e.Head().ID), slog.Any("error", err))
		}
		return err
	}
	defer func() {
		if answer.reserved {
			_ = end(false) // logged; a panic is on its way
		}
	}()
	req = req.WithContext(context.WithValue(req.Context(), eventKey{}, e))
	req.Body = io.NopCloser(bytes.NewReader(e.Head().Body))
	answer.end = end
	next.ServeHTTP(answer, req)
	answer.WriteHeader(http.StatusOK) // unless next has answered
}

// read returns the event of a request if it is a correctly signed delivery.
func (r *Receiver) read(w http.ResponseWriter, req *http.Request) (Event, error) {
	if req.Method != http.MethodPost {
		return nil, ErrMethod
	}
	body, err := r.body(w, req)
	if err != nil {
		return nil, err
	}
	if err := r.verify(body, req.Header.Values(r.o.Prefix+"-Signature")); err != nil {
		return nil, err
	}
	e, err := Parse(body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEvent, err)
	}
	// The headers are not signed; they only count if the body agrees.
	head := e.Head()
	if !agrees(req.Header.Get(r.o.Prefix+"-Delivery"), head.ID) || !agrees(req.Header.Get(r.o.Prefix+"-Event"), string(head.Type)) {
		return nil, ErrOther
	}
	return e, nil
}

func agrees(header, body string) bool { return header == "" || header == body }

// body reads all of the body, within the limits of size and time.
func (r *Receiver) body(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	if req.ContentLength > r.o.MaxBody {
		return nil, ErrTooLarge
	}
	// Not every ResponseWriter can set a deadline. The server takes it back after the request.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(r.o.ReadTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, r.o.MaxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, ErrTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	return body, nil
}

// verify reports whether the signature was made with one of the secrets. All are tried, so that the time reveals
// nothing.
func (r *Receiver) verify(body []byte, headers []string) error {
	if len(headers) != 1 {
		return boardwatch.ErrSignatureMalformed
	}
	result := boardwatch.ErrSignatureWrong
	for _, secret := range r.secrets {
		err := boardwatch.Verify(secret, body, headers[0], r.o.Tolerance, r.o.Now())
		if !errors.Is(err, boardwatch.ErrSignatureWrong) {
			result = err
		}
	}
	return result
}

// refuse answers a request that is not passed on.
func (r *Receiver) refuse(w http.ResponseWriter, req *http.Request, reason error) {
	r.o.Refused(req, reason)
	status := StatusOf(reason)
	switch {
	case errors.Is(reason, ErrMethod):
		w.Header().Set("Allow", http.MethodPost)
	case errors.Is(reason, ErrUnread):
		reason = ErrUnread // the details are for Refused
	case errors.Is(reason, ErrEvent):
		reason = ErrEvent
	case errors.Is(reason, ErrBusy):
		w.Header().Set("Retry-After", "10")
	}
	http.Error(w, reason.Error(), status)
}

// StatusOf returns the status of the answer to a request that is refused for that reason.
func StatusOf(reason error) int {
	switch {
	case errors.Is(reason, ErrMethod):
		return http.StatusMethodNotAllowed
	case errors.Is(reason, ErrTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(reason, ErrUnread):
		return http.StatusRequestTimeout
	case errors.Is(reason, ErrEvent), errors.Is(reason, ErrOther):
		return http.StatusBadRequest
	case errors.Is(reason, ErrBusy):
		return http.StatusConflict
	default:
		return http.StatusUnauthorized // the signature is missing, wrong or stale
	}
}
