package webhook_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/boardwatch/boardwatch/transport/webhook"
)

// limit is the time that hostile receivers are given; a second stands for the ten.
const limit = time.Second

// TestHostileReceivers is about receivers that mean harm, or behave as if. None costs more than the time of an attempt or
// much memory.
func TestHostileReceivers(t *testing.T) {
	t.Parallel()
	const ok = "HTTP/1.1 200 OK\r\n"
	for name, tt := range map[string]struct {
		answer func(c net.Conn)
		code   int
		says   string // part of the error; empty: taken
		quick  bool   // it does not take the whole time
	}{
		"an endless body": {
			answer: func(c net.Conn) { send(c, ok+"\r\n"); forever(c, strings.Repeat("x", 64<<10)) }, code: 200, quick: true,
		},
		"an endless body in chunks": {
			answer: func(c net.Conn) {
				send(c, ok+"Transfer-Encoding: chunked\r\n\r\n")
				forever(c, "1000\r\n"+strings.Repeat("x", 4096)+"\r\n")
			}, code: 200, quick: true,
		},
		"one byte at a time": {
			answer: func(c net.Conn) { send(c, ok+"Content-Length: 1000\r\n\r\n"); drip(c, "x") }, code: 200, says: "took too long to answer",
		},
		"a header at one byte at a time": {
			answer: func(c net.Conn) { send(c, ok); drip(c, "x") }, says: "took too long to answer",
		},
		"no answer at all": {
			answer: func(c net.Conn) { drip(c, "") }, says: "took too long to answer",
		},
		"a flood of 100s": {
			answer: func(c net.Conn) { forever(c, "HTTP/1.1 100 Continue\r\n\r\n") }, says: "header of the answer", quick: true,
		},
		"a flood of 103s": {
			answer: func(c net.Conn) { forever(c, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n") }, says: "header of the answer", quick: true,
		},
		"a 101": {
			answer: func(c net.Conn) {
				send(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
				drip(c, "x")
			}, code: 101, says: "answered 101 Switching Protocols", quick: true,
		},
		"a huge header": {
			answer: func(c net.Conn) { send(c, ok+"X-Large: "); forever(c, strings.Repeat("x", 64<<10)) }, says: "header of the answer", quick: true,
		},
		"a million headers": {
			answer: func(c net.Conn) { send(c, ok); forever(c, "X: y\r\n") }, says: "header of the answer", quick: true,
		},
		"a length that is too long": {
			answer: func(c net.Conn) { send(c, ok+"Content-Length: 1000\r\n\r\nshort") }, code: 200, quick: true,
		},
		"a length that is too short": {
			answer: func(c net.Conn) { send(c, ok+"Content-Length: 2\r\n\r\nlong"+strings.Repeat("x", 1000)) }, code: 200, quick: true,
		},
		"two lengths": {
			answer: func(c net.Conn) { send(c, ok+"Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc") }, says: "did not answer as a web server does", quick: true,
		},
		"a length that is no number": {
			answer: func(c net.Conn) { send(c, ok+"Content-Length: -5\r\n\r\n") }, says: "did not answer as a web server does", quick: true,
		},
		"a connection that is reset after the head": {
			answer: func(c net.Conn) { send(c, ok+"Content-Length: 10\r\n\r\n"); reset(c) }, code: 200, quick: true,
		},
		"a connection that is reset at once": {
			answer: reset, says: "closed the connection without an answer", quick: true,
		},
		"an error that is reset after the head": {
			answer: func(c net.Conn) { send(c, "HTTP/1.1 500 Oops\r\nContent-Length: 10\r\n\r\n"); reset(c) },
			code:   500, says: "answered 500", quick: true,
		},
		"something else than HTTP": {
			answer: func(c net.Conn) { send(c, "SSH-2.0-OpenSSH_9.2\r\n") }, says: "did not answer as a web server does", quick: true,
		},
		"a compressed bomb": {
			answer: func(c net.Conn) {
				send(c, ok+"Content-Encoding: gzip\r\nContent-Length: 1000000000\r\n\r\n")
				forever(c, strings.Repeat("\x00", 64<<10))
			}, code: 200, quick: true,
		},
		"a redirect to itself": {
			answer: func(c net.Conn) { send(c, "HTTP/1.1 307 Go\r\nLocation: /\r\nContent-Length: 0\r\n\r\n") },
			code:   307, says: "redirects are not followed", quick: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, requests := raw(t, tt.answer)
			s := webhook.New(webhook.Options{Local: true, Timeout: limit})
			receipt := s.Deliver(t.Context(), hook(address), delivery())
			require.Equal(t, tt.code, receipt.Code, receipt.Error)
			require.Contains(t, receipt.Error, tt.says)
			require.Equal(t, tt.says == "", receipt.OK(), receipt.Error)
			if !tt.quick {
				require.GreaterOrEqual(t, receipt.Duration, limit)
			}
			require.Less(t, receipt.Duration, 5*limit)
			require.Equal(t, 1, requests(), "one attempt is one request")
		})
	}
}

// TestHostileReceiversCostLittle has many of the worst at the same time.
func TestHostileReceiversCostLittle(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	address, _ := raw(t, func(c net.Conn) {
		send(c, "HTTP/1.1 200 OK\r\n\r\n")
		forever(c, strings.Repeat("x", 64<<10))
	})
	s := webhook.New(webhook.Options{Local: true, Timeout: limit})
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			for range 10 {
				s.Deliver(t.Context(), hook(address), delivery())
			}
		})
	}
	group.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(16<<20))
}

func TestAStalledHandshakeEnds(t *testing.T) {
	t.Parallel()
	address, _ := raw(t, func(c net.Conn) { drip(c, "") })
	names := newNames(t)
	names.answer("127.0.0.1")
	_, port, err := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	require.NoError(t, err)
	s := webhook.New(webhook.Options{Local: true, Timeout: limit, Resolver: names.resolver()})
	receipt := s.Deliver(t.Context(), hook("https://hooks.acme.example:"+port), delivery())
	require.Equal(t, "hooks.acme.example took too long to answer", receipt.Error)
	require.Less(t, receipt.Duration, 5*limit)
}

func TestAStalledLookupEnds(t *testing.T) {
	t.Parallel()
	names := newNames(t)
	s := webhook.New(webhook.Options{Timeout: limit, Resolver: names.resolver()}) // which never answers
	receipt := s.Deliver(t.Context(), hook("https://hooks.acme.example"), delivery())
	require.Equal(t, "hooks.acme.example took too long to answer", receipt.Error)
	require.Less(t, receipt.Duration, 5*limit)
}

func TestACallerWhoLeavesIsNotKept(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	address := answering(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // until then nobody looks whether the caller is there
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	receipt := webhook.New(webhook.Options{Local: true}).Deliver(ctx, hook(address), delivery())
	require.Equal(t, "the request to 127.0.0.1 was given up", receipt.Error)
	require.Less(t, receipt.Duration, 5*time.Second)
}

// raw is a receiver that reads a request and then does as it likes. It returns how many requests came.
func raw(t *testing.T, answer func(c net.Conn)) (address string, requests func() int) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var group sync.WaitGroup
	var mu sync.Mutex
	n := 0
	group.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(20 * limit)) // should the other side not hang up
				if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body)
				}
				mu.Lock()
				n++
				mu.Unlock()
				answer(c)
			})
		}
	})
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		group.Wait()
	})
	return fmt.Sprint("http://", l.Addr()), func() int {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
}

func send(c net.Conn, s string) { _, _ = io.WriteString(c, s) }

// forever sends until the other side hangs up.
func forever(c net.Conn, s string) {
	for {
		if _, err := io.WriteString(c, s); err != nil {
			return
		}
	}
}

// drip sends a little now and then until the other side hangs up.
func drip(c net.Conn, s string) {
	gone := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, c)
		close(gone)
	}()
	ticker := time.NewTicker(limit / 20)
	defer ticker.Stop()
	for {
		select {
		case <-gone:
			return
		case <-ticker.C:
			send(c, s)
		}
	}
}

func reset(c net.Conn) {
	_ = c.(*net.TCPConn).SetLinger(0)
	_ = c.Close()
}

// names is a name server that gives every name the same address, which may change, or no answer at all.
type names struct {
	conn net.PacketConn

	mu    sync.Mutex
	addr  string
	count int
}

func newNames(t *testing.T) *names {
	t.Helper()
	conn, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close()) })
	n := &names{conn: conn}
	go n.serve()
	return n
}

func (n *names) answer(addr string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.addr = addr
}

func (n *names) asked() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.count
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", n.conn.LocalAddr().String())
	}}
}

func (n *names) serve() {
	buffer := make([]byte, 1500)
	for {
		size, from, err := n.conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		if reply := n.reply(buffer[:size]); reply != nil {
			_, _ = n.conn.WriteTo(reply, from)
		}
	}
}

func (n *names) reply(question []byte) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	var m dnsmessage.Message
	if n.addr == "" || m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	reply := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true}, Questions: m.Questions}
	if q.Type == dnsmessage.TypeA {
		n.count++
		reply.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
			Body:   &dnsmessage.AResource{A: [4]byte(net.ParseIP(n.addr).To4())},
		}}
	}
	out, err := reply.Pack()
	if err != nil {
		return nil
	}
	return out
}
