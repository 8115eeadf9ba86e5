//go:build chaos

package chaos_test

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/chaos/systems"
)

// fault is a wrong way of answering a request for the list.
type fault struct {
	name string
	// show removes roles from the list and returns how many the list claims to have; the answer is then well-formed. If
	// it is nil, answer is used.
	show   func(roles []systems.Role) (shown []systems.Role, total int)
	answer func(w http.ResponseWriter, contentType, body string)
	holds  bool // it is slow, so it would delay every board on the same host
	claims bool // it only makes sense for lists that state the number of roles
}

// kind is how the ledger records an answer with this fault.
func (f *fault) kind() answerKind {
	switch {
	case f == nil:
		return whole
	case f.show != nil && !f.claims:
		return lie
	default:
		return sick
	}
}

func (f *fault) called() string {
	if f == nil {
		return ""
	}
	return f.name
}

// showed returns the roles that a list with this fault showed.
func (f *fault) showed(roles []systems.Role) roleSet {
	if f == nil || f.show == nil {
		return ""
	}
	numbers := make([]int, len(roles))
	for i, r := range roles {
		numbers[i] = r.N
	}
	return setOf(numbers)
}

func status(code int, body string) func(http.ResponseWriter, string, string) {
	return func(w http.ResponseWriter, _, _ string) {
		w.Header().Set("Content-Type", html)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

var (
	unavailable = &fault{name: "503", answer: status(http.StatusServiceUnavailable, "<h1>Service Unavailable</h1>")}
	maintenance = &fault{name: "maintenance", answer: status(http.StatusOK, "<!doctype html><title>Maintenance</title><h1>We'll be back soon!</h1><p>We are performing scheduled maintenance. Please check back later.</p>")}
	nothing     = &fault{name: "empty list", show: func([]systems.Role) ([]systems.Role, int) { return nil, 0 }}
	thirdGone   = &fault{name: "a third is gone", show: withoutThird}
	leaveAlone  = &fault{name: "429, long", holds: true, answer: func(w http.ResponseWriter, _, _ string) {
		w.Header().Set("Retry-After", "33") // longer than a check waits by itself
		w.WriteHeader(http.StatusTooManyRequests)
	}}
)

// ownFaults are the faults of single sites.
func ownFaults() []*fault {
	return []*fault{
		unavailable, maintenance, nothing,
		{name: "502", answer: status(http.StatusBadGateway, "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>")},
		{name: "500", answer: status(http.StatusInternalServerError, "Internal Server Error")},
		{name: "reset", answer: reset},
		{name: "cut off", answer: cutOff},
		{name: "empty answer", answer: status(http.StatusOK, "")},
		{name: "garbage", answer: garbage},
		{name: "soft 404", answer: status(http.StatusOK, "<!doctype html><title>Page not found</title><h1>Page not found</h1><p>The page you are looking for does not exist.</p>")},
		{name: "wall", answer: wall},
		{name: "slow drip", holds: true, answer: drip},
		{name: "429, short", holds: true, answer: func(w http.ResponseWriter, _, _ string) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}},
		{name: "most are gone", show: func(roles []systems.Role) ([]systems.Role, int) {
			kept := roles[:len(roles)/4]
			if len(roles) < 6 {
				kept = nil
			}
			return kept, len(kept)
		}},
		{name: "fewer than claimed", claims: true, show: func(roles []systems.Role) ([]systems.Role, int) {
			return roles[:len(roles)*2/3], len(roles)
		}},
	}
}

func withoutThird(roles []systems.Role) ([]systems.Role, int) {
	var kept []systems.Role
	for _, r := range roles {
		if r.N%3 != 0 {
			kept = append(kept, r)
		}
	}
	return kept, len(kept)
}

func reset(w http.ResponseWriter, _, _ string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	raw := conn
	if inner, ok := conn.(interface{ NetConn() net.Conn }); ok {
		raw = inner.NetConn()
	}
	if tcp, ok := raw.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = raw.Close()
}

func cutOff(w http.ResponseWriter, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)+64))
	_, _ = io.WriteString(w, body[:len(body)/2])
	panic(http.ErrAbortHandler)
}

func garbage(w http.ResponseWriter, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	b := []byte(body)
	for i := range b {
		b[i] ^= byte(systems.Hash(body[:i%16]))
	}
	_, _ = w.Write(b)
}

func wall(w http.ResponseWriter, _, _ string) {
	w.Header().Set("Content-Type", html)
	w.Header().Set("Server", "cloudflare")
	w.Header().Set("Cf-Mitigated", "challenge")
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={};</script></body></html>`)
}

func drip(w http.ResponseWriter, contentType, body string) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)+64))
	for i := range min(len(body), 40) {
		if _, err := io.WriteString(w, body[i:i+1]); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		<-time.After(100 * time.Millisecond)
	}
	panic(http.ErrAbortHandler)
}
