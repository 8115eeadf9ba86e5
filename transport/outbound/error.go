package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// Kind says what went wrong, for code that distinguishes errors.
type Kind string

// The kinds of fault.
const (
	KindInvalid     Kind = "invalid_address" // no URL, another scheme than http and https, a password in it
	KindRefused     Kind = "refused_address" // not on the public Internet
	KindUnknownHost Kind = "unknown_host"    // the name does not exist
	KindLookup      Kind = "lookup"          // the name could not be looked up just now
	KindConnection  Kind = "connection"      // refused or no way there
	KindReset       Kind = "reset"           // the connection ended before there was an answer
	KindTimeout     Kind = "timeout"         // too slow, in whatever part
	KindTLS         Kind = "tls"             // no secure connection
	KindTooLarge    Kind = "too_large"       // header or decoded body past its limit
	KindTruncated   Kind = "truncated"       // the body ended early
	KindEncoding    Kind = "encoding"        // the body cannot be decoded
	KindRedirect    Kind = "redirect"        // a loop, too many hops, or a place that is no address
	KindProtocol    Kind = "protocol"        // the answer is not HTTP
	KindProxy       Kind = "proxy"           // the proxy failed or refused
	KindBusy        Kind = "asked_to_wait"   // the host asked to be left alone for longer than one waits
	KindNotRecorded Kind = "not_in_archive"  // the archive does not hold the request
	KindStopped     Kind = "stopped"         // the caller's context ended
	KindDisallowed  Kind = "disallowed"      // the host asks programs not to read this; said by SessionOptions.Allow
	KindSpent       Kind = "requests_spent"  // the session has sent as many requests as it may
)

// Error is the reason why there is no answer. Of an address it contains only the host, because the rest may be a
// secret.
type Error struct {
	Kind       Kind
	Message    string        // one plain sentence, without a full stop
	RetryAfter time.Duration // how long the host still wants to be left alone, when it said so
	Err        error         // the cause, for the log and for errors.Is; may be nil
}

// Error is the sentence.
func (e *Error) Error() string { return e.Message }

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// Cause is the corresponding cause of a reading.
func (e *Error) Cause() cause.Cause {
	switch e.Kind {
	case KindInvalid, KindRefused:
		return cause.Refused
	case KindUnknownHost, KindLookup, KindConnection, KindReset, KindTLS, KindProxy, KindNotRecorded:
		return cause.Unreachable
	case KindTimeout, KindStopped:
		return cause.Timeout
	case KindTooLarge:
		return cause.TooLarge
	case KindTruncated:
		return cause.Truncated
	case KindBusy:
		return cause.Throttled
	case KindDisallowed:
		return cause.Robots
	case KindSpent:
		return cause.PageLimit
	case KindEncoding, KindRedirect, KindProtocol:
		return cause.SiteError
	default:
		return cause.Internal
	}
}

// TooLarge reports whether the answer exceeded the limit. The host may be asked for less.
func (e *Error) TooLarge() bool { return e.Kind == KindTooLarge }

// Transient reports whether the same request may succeed a moment later.
func (e *Error) Transient() bool {
	switch e.Kind {
	case KindLookup, KindConnection, KindReset, KindTimeout, KindTruncated:
		return true
	case KindProxy:
		p, ok := errors.AsType[*proxyError](e.Err)
		return !ok || retryable(p.status)
	default:
		return false
	}
}

// KindOf is the kind of any error. It is empty for errors that are not an *Error.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// errTimeout is the cause of a context that ran into Options.Timeout, which tells it from the caller's own deadline.
var errTimeout = errors.New("the time for one request is over")

// refusedError is what the dialler says of an address that is not to be reached. The address is for the log only: what
// a private name server answers is nobody's business.
type refusedError struct{ addr string }

func (e *refusedError) Error() string { return e.addr + " is not a public address" }

// proxyError is a proxy that answered CONNECT with something else than 200.
type proxyError struct{ status int }

func (e *proxyError) Error() string { return "proxy answered " + http.StatusText(e.status) }

// streamError has the shape of the HTTP/2 stream errors that net/http keeps to itself; theirs fill it through
// errors.As.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamError) Error() string { return "HTTP/2 stream error" }

// explain turns what the transport said before there was an answer into an Error. The contexts tell who lost patience:
// outer is the caller's, inner the one with the limit of one request.
func explain(outer, inner context.Context, host string, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	err = withoutURL(err)
	if e := impatience(outer, inner, host, err); e != nil {
		return e
	}
	for _, explanation := range []func(string, error) *Error{explainProxy, explainAddress, explainTLS, explainProtocol, explainConnection} {
		if e := explanation(host, err); e != nil {
			return e
		}
	}
	return &Error{Kind: KindProtocol, Message: host + " did not answer as a web server does", Err: err}
}

// overTLS names the port, and the other scheme, where what answers at an unusual port may not speak TLS at all.
func overTLS(u *url.URL, e *Error) *Error {
	_, noTLS := errors.AsType[tls.RecordHeaderError](e.Err)
	if u.Scheme != "https" || u.Port() == "" || e.Kind != KindReset && !noTLS && !errors.Is(e.Err, http.ErrSchemeMismatch) {
		return e
	}
	at := shown(u.Hostname())
	hinted := *e
	hinted.Message = strings.Replace(e.Message, at, at+":"+u.Port(), 1) + "; if it does not speak https, begin the address with http://"
	return &hinted
}

// explainBody does the same for a fault while the body was read.
func explainBody(outer, inner context.Context, host string, err error) *Error {
	switch {
	case errors.Is(err, errTooLarge):
		return &Error{Kind: KindTooLarge, Message: "the answer of " + host + " is too large", Err: err}
	case errors.Is(err, errBomb):
		return &Error{Kind: KindTooLarge, Message: "the answer of " + host + " grows too large when it is decompressed", Err: err}
	}
	if _, ok := errors.AsType[*encodingError](err); ok {
		return &Error{Kind: KindEncoding, Message: "the answer of " + host + " cannot be decoded", Err: err}
	}
	if e := impatience(outer, inner, host, err); e != nil {
		return e
	}
	return &Error{Kind: KindTruncated, Message: "the answer of " + host + " was cut off", Err: err}
}

// impatience explains the end of a context, and every other timeout.
func impatience(outer, inner context.Context, host string, err error) *Error {
	if outer.Err() != nil {
		return stopped(outer, host)
	}
	_, lookup := errors.AsType[*net.DNSError](err)
	timeout, ok := errors.AsType[net.Error](err)
	if inner.Err() != nil || ok && !lookup && timeout.Timeout() {
		return &Error{Kind: KindTimeout, Message: host + " took too long to answer", Err: err}
	}
	return nil
}

// stopped is the error for a caller who no longer waits.
func stopped(ctx context.Context, host string) *Error {
	return &Error{Kind: KindStopped, Message: "the request to " + host + " was given up", Err: context.Cause(ctx)}
}

func explainProxy(host string, err error) *Error {
	if p, ok := errors.AsType[*proxyError](err); ok {
		message := "the proxy does not connect to " + host
		if p.status == http.StatusProxyAuthRequired {
			message = "the proxy wants a name and password"
		}
		return &Error{Kind: KindProxy, Message: message, Err: err}
	}
	op, ok := errors.AsType[*net.OpError](err)
	switch {
	case ok && op.Op == "proxyconnect":
		return &Error{Kind: KindProxy, Message: "the proxy on the way to " + host + " cannot be reached", Err: err}
	case ok && strings.HasPrefix(op.Op, "socks "):
		return &Error{Kind: KindProxy, Message: "the proxy does not connect to " + host, Err: err}
	}
	return nil
}

func explainAddress(host string, err error) *Error {
	if _, ok := errors.AsType[*refusedError](err); ok {
		return &Error{Kind: KindRefused, Message: host + " is not on the public Internet", Err: err}
	}
	dns, ok := errors.AsType[*net.DNSError](err)
	switch {
	case !ok:
		return nil
	case dns.IsNotFound:
		return &Error{Kind: KindUnknownHost, Message: "the host " + host + " does not exist", Err: err}
	default:
		return &Error{Kind: KindLookup, Message: "the name " + host + " could not be looked up", Err: err}
	}
}

func explainTLS(host string, err error) *Error {
	message := ""
	if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok && e.Reason == x509.Expired {
		message = "the certificate of " + host + " has expired or is not valid yet"
	} else if _, ok := errors.AsType[x509.HostnameError](err); ok {
		message = "the certificate of " + host + " is for another name"
	} else if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		message = "the certificate of " + host + " is not from an authority known here"
	} else if isTLS(err) {
		message = "no secure connection to " + host + " could be made"
	}
	if message == "" {
		return nil
	}
	return &Error{Kind: KindTLS, Message: message, Err: err}
}

func isTLS(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.AlertError](err); ok {
		return true
	}
	return errors.Is(err, http.ErrSchemeMismatch) ||
		strings.Contains(err.Error(), "tls: ") // most handshake faults have no type of their own
}

func explainProtocol(host string, err error) *Error {
	// net/http has no type for this fault, neither in HTTP/1 nor in HTTP/2.
	if s := err.Error(); strings.Contains(s, "response headers exceeded") || strings.Contains(s, "header list larger") {
		return &Error{Kind: KindTooLarge, Message: "the header of the answer of " + host + " is too large", Err: err}
	}
	return nil
}

func explainConnection(host string, err error) *Error {
	if _, ok := errors.AsType[streamError](err); ok || isCut(err) {
		return &Error{Kind: KindReset, Message: host + " closed the connection without an answer", Err: err}
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return &Error{Kind: KindConnection, Message: host + " refused the connection", Err: err}
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return &Error{Kind: KindConnection, Message: host + " cannot be reached", Err: err}
	}
	return nil
}

func isCut(err error) bool {
	for _, cut := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, net.ErrClosed} {
		if errors.Is(err, cut) {
			return true
		}
	}
	// net/http's own words for a kept connection that the other side closed just then.
	return strings.Contains(err.Error(), "server closed idle connection") || strings.Contains(err.Error(), "GOAWAY")
}

// withoutURL takes the address off an error of net/http: its query may be a secret.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
