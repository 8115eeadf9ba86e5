package outbound_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// once is for tests in which nothing is to be tried again.
var once = []time.Duration{}

// serve starts a loopback server and a client that may read it.
func serve(t *testing.T, o outbound.Options, handler http.HandlerFunc) (client *outbound.Client, address string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return loopback(t, o), server.URL
}

// loopback is a client that may read this machine.
func loopback(t *testing.T, o outbound.Options) *outbound.Client {
	t.Helper()
	o.AllowLoopback = true
	if o.Proxy == nil {
		o.Proxy = noProxy
	}
	client := outbound.New(o)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// speak answers every connection with raw bytes, and closes it.
func speak(t *testing.T, answer string) (address string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = io.WriteString(conn, answer)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-done
	})
	return "http://" + listener.Addr().String()
}

func request(t *testing.T, method, address string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, body)
	require.NoError(t, err)
	return req
}

func do(t *testing.T, client *outbound.Client, req *http.Request) (*http.Response, string) {
	t.Helper()
	resp, err := client.Do(req)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp, string(body)
}

func TestDoSendsItsDefaults(t *testing.T) {
	t.Parallel()
	client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Accept", r.Header.Get("Accept"))
		_, _ = fmt.Fprint(w, r.Header.Get("User-Agent"), "|", r.Header.Get("Accept-Encoding"), "|", r.Header.Get("Cookie"))
	})
	req := request(t, http.MethodGet, address, nil)
	req.Header.Set("Accept", "application/json")
	resp, body := do(t, client, req)
	require.Equal(t, outbound.DefaultUserAgent+"|gzip, deflate, br, zstd|", body)
	require.Equal(t, "application/json", resp.Header.Get("X-Accept"))
	require.Len(t, req.Header, 1, "the request is not changed")
}

func TestDoUsesTheUserAgentOfItsOptions(t *testing.T) {
	t.Parallel()
	client, address := serve(t, outbound.Options{UserAgent: "Acme/1"}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.UserAgent())
	})
	_, body := do(t, client, request(t, http.MethodGet, address, nil))
	require.Equal(t, "Acme/1", body)
}

func TestDoReturnsARedirectAsItIs(t *testing.T) {
	t.Parallel()
	client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	})
	resp, _ := do(t, client, request(t, http.MethodGet, address, nil))
	require.Equal(t, http.StatusFound, resp.StatusCode)
	require.Equal(t, "/elsewhere", resp.Header.Get("Location"))
	require.Equal(t, 1, client.Requests())
}

func TestDoDecodesBodies(t *testing.T) {
	t.Parallel()
	const text = "Ten roles are open in Oslo. "
	long := strings.Repeat(text, 40_000) // more than a kept buffer
	var members []byte
	for part := range slices.Chunk([]byte(long), 700) {
		members = append(members, zipped(t, string(part))...)
		members = append(members, zipped(t, "")...)
	}
	tests := []struct {
		name, coding string
		body         []byte
	}{
		{"plain", "", []byte(long)},
		{"identity", "identity", []byte(long)},
		{"gzip", "gzip", zipped(t, long)},
		{"gzip by its old name", "X-GZIP", zipped(t, long)},
		{"gzip with bytes after its end", "gzip", append(zipped(t, long), "\n\n"...)},
		{"gzip in two members", "gzip", append(zipped(t, long[:5000]), zipped(t, long[5000:])...)},
		{"gzip in thousands of members", "gzip", members},
		{"deflate", "deflate", deflated(t, long, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })},
		{"deflate without its wrapping", "deflate", deflated(t, long, func(w io.Writer) io.WriteCloser {
			zw, err := flate.NewWriter(w, flate.BestSpeed)
			require.NoError(t, err)
			return zw
		})},
		{"brotli", "br", brotlied(t, long)},
		{"zstd", "zstd", zstdOf(t, long)},
		{"gzip in gzip", "gzip, gzip", zipped(t, string(zipped(t, long)))},
		{"gzip named twice and used once", "gzip, gzip", zipped(t, long)},
		{"gzip in brotli", "gzip, br", brotlied(t, string(zipped(t, long)))},
		{"gzip that nobody names", "", zipped(t, long)},
		{"zstd that nobody names", "identity", zstdOf(t, long)},
		{"gzip called a charset", "utf-8", zipped(t, long)},
		{"gzip called brotli", "br", zipped(t, long)},
		{"zlib called gzip", "gzip", deflated(t, long, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })},
		{"text called a charset", "UTF-8", []byte(long)},
		{"text called gzip", "gzip", []byte(long)},
		{"text called brotli", "br", []byte(long)},
		{"text called something new", "none", []byte(long)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Encoding", test.coding)
				if r.URL.Path == "/chunked" {
					_ = http.NewResponseController(w).Flush()
				}
				_, _ = w.Write(test.body)
			})
			for _, path := range []string{"/", "/chunked", "/"} { // the last from used buffers
				resp, got := do(t, client, request(t, http.MethodGet, address+path, nil))
				require.Equal(t, long, got)
				require.Equal(t, int64(len(long)), resp.ContentLength)
				if (test.coding == "" || test.coding == "identity") && string(test.body) == long {
					continue
				}
				require.Empty(t, resp.Header.Get("Content-Encoding"), "it would be decoded twice")
				require.Empty(t, resp.Header.Get("Content-Length"))
			}
		})
	}
}

func TestDoTakesAnEmptyBodyInEveryCoding(t *testing.T) {
	t.Parallel()
	for _, coding := range []string{"gzip", "deflate", "br", "zstd", "none"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			t.Run(method+" "+coding, func(t *testing.T) {
				t.Parallel()
				client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Encoding", coding)
					w.WriteHeader(http.StatusOK)
				})
				_, body := do(t, client, request(t, method, address, nil))
				require.Empty(t, body)
			})
		}
	}
}

func brotlied(t *testing.T, s string) []byte {
	t.Helper()
	return deflated(t, s, func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) })
}

func zstdOf(t *testing.T, s string) []byte {
	t.Helper()
	return deflated(t, s, func(w io.Writer) io.WriteCloser {
		zw, err := zstd.NewWriter(w)
		require.NoError(t, err)
		return zw
	})
}

func zipped(t *testing.T, s string) []byte {
	t.Helper()
	return deflated(t, s, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
}

func deflated(t *testing.T, s string, writer func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var b bytes.Buffer
	zw := writer(&b)
	_, err := io.WriteString(zw, s)
	require.NoError(t, err)
	require.NoError(t, zw.Close())
	return b.Bytes()
}

func TestDoKeepsBodiesApart(t *testing.T) {
	t.Parallel()
	client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat(r.URL.Path[1:2], 5000))
	})
	a, err := client.Do(request(t, http.MethodGet, address+"/a", nil))
	require.NoError(t, err)
	b, err := client.Do(request(t, http.MethodGet, address+"/b", nil))
	require.NoError(t, err)
	body, ok := a.Body.(*outbound.Body)
	require.True(t, ok)
	require.Equal(t, strings.Repeat("a", 5000), string(body.Bytes()))
	require.NoError(t, a.Body.Close())
	require.NoError(t, a.Body.Close(), "twice is harmless")
	require.Nil(t, body.Bytes())
	_, err = a.Body.Read(make([]byte, 1))
	require.ErrorIs(t, err, http.ErrBodyReadAfterClose)
	c, err := client.Do(request(t, http.MethodGet, address+"/c", nil))
	require.NoError(t, err)
	for want, resp := range map[string]*http.Response{"b": b, "c": c} {
		var got strings.Builder
		_, err = io.Copy(&got, resp.Body)
		require.NoError(t, err)
		require.Equal(t, strings.Repeat(want, 5000), got.String())
		require.NoError(t, resp.Body.Close())
	}
}

func TestDoStopsAtItsLimits(t *testing.T) {
	t.Parallel()
	const limit = 100 << 10
	tests := []struct {
		name    string
		kind    outbound.Kind
		message string
		handler http.HandlerFunc
	}{
		{"a body of just the limit", "", "", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, limit))
		}},
		{"a body of one byte more", outbound.KindTooLarge, "the answer of 127.0.0.1 is too large", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, limit+1))
		}},
		{"an endless answer", outbound.KindTooLarge, "the answer of 127.0.0.1 is too large", func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(make([]byte, 4096)); err != nil {
					return
				}
			}
		}},
		{"a promise past the limit", outbound.KindTooLarge, "the answer of 127.0.0.1 is too large", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "999999999999")
			w.WriteHeader(http.StatusOK)
		}},
		{"a compressed bomb", outbound.KindTooLarge, "the answer of 127.0.0.1 grows too large when it is decompressed", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			zw := gzip.NewWriter(w)
			for range 1000 {
				_, _ = zw.Write(make([]byte, 1<<20))
			}
		}},
		{"an endless header", outbound.KindTooLarge, "the header of the answer of 127.0.0.1 is too large", func(w http.ResponseWriter, _ *http.Request) {
			for i := range 100 {
				w.Header().Set("X-"+strconv.Itoa(i), strings.Repeat("x", 8<<10))
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client, address := serve(t, outbound.Options{MaxBody: limit}, test.handler)
			_, err := client.Get(t.Context(), address+"/?token=secret", nil)
			require.Equal(t, test.kind, outbound.KindOf(err), "%v", err)
			require.Equal(t, 1, client.Requests(), "what is too large stays so")
			if test.kind != "" {
				require.EqualError(t, err, test.message)
			}
		})
	}
}

func TestDoNamesWhatIsWrongWithAnAnswer(t *testing.T) {
	t.Parallel()
	whole := string(zipped(t, strings.Repeat("Ten roles are open. ", 100)))
	tests := []struct {
		name, answer string
		kind         outbound.Kind
	}{
		{"cut before Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", outbound.KindTruncated},
		{"a chunk that is cut", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\nhalf", outbound.KindTruncated},
		{"no last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", outbound.KindTruncated},
		{"cut gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + whole[:len(whole)/2], outbound.KindTruncated},
		{"gzip without its checksum", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + whole[:len(whole)-4], outbound.KindTruncated},
		{"gzip that is none", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x00\x01this is no gzip", outbound.KindEncoding},
		{"gzip with a wrong checksum", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + whole[:len(whole)-8] + "xxxxxxxx", outbound.KindEncoding},
		{"an unknown coding", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nxxxx", outbound.KindEncoding},
		{"no answer", "", outbound.KindReset},
		{"half a header", "HTTP/1.1 200 OK\r\nContent-Type: text", outbound.KindReset},
		{"not HTTP", "220 mail.example ESMTP\r\n", outbound.KindProtocol},
		{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", outbound.KindProtocol},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client := loopback(t, outbound.Options{Backoff: once})
			_, err := client.Get(t.Context(), speak(t, test.answer)+"/?token=secret", nil)
			require.Equal(t, test.kind, outbound.KindOf(err), "%v", errors.Unwrap(err))
			require.Contains(t, err.Error(), "127.0.0.1")
			for ; err != nil; err = errors.Unwrap(err) {
				require.NotContains(t, err.Error(), "secret")
			}
		})
	}
}

func TestDoIsPatientOnlyUpToItsTimeout(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"no answer at all", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"a body that never ends", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "<html>")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}},
		{"a slow drip", func(w http.ResponseWriter, r *http.Request) {
			tick := time.NewTicker(time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					_, _ = io.WriteString(w, ".")
					_ = http.NewResponseController(w).Flush()
				case <-r.Context().Done():
					return
				}
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client, address := serve(t, outbound.Options{Timeout: 100 * time.Millisecond, Backoff: once}, test.handler)
			_, err := client.Get(t.Context(), address, nil)
			require.Equal(t, outbound.KindTimeout, outbound.KindOf(err), "%v", err)
			require.EqualError(t, err, "127.0.0.1 took too long to answer")
			require.NotErrorIs(t, err, context.DeadlineExceeded, "the caller's deadline is another matter")
		})
	}
}

func TestDoEndsWithItsContext(t *testing.T) {
	t.Parallel()
	reached := make(chan struct{})
	client, address := serve(t, outbound.Options{}, func(_ http.ResponseWriter, r *http.Request) {
		close(reached)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-reached
		cancel()
	}()
	_, err := client.Get(ctx, address, nil)
	require.Equal(t, outbound.KindStopped, outbound.KindOf(err), "%v", err)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, client.Requests())

	_, err = client.Get(ctx, address, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, client.Requests(), "nothing is sent for nobody")
}

// nobody is an address where nobody listens. A port that was free a moment ago may be another test's by now; this one is
// never given out.
const nobody = "127.0.0.1:1"

func TestDoOfAClosedPort(t *testing.T) {
	t.Parallel()
	client := loopback(t, outbound.Options{Backoff: once})
	_, err := client.Get(t.Context(), "http://"+nobody, nil)
	require.Equal(t, outbound.KindConnection, outbound.KindOf(err), "%v", err)
	require.EqualError(t, err, "127.0.0.1 refused the connection")
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

func TestDoRefusesWhatItCannotSend(t *testing.T) {
	t.Parallel()
	client := outbound.New(outbound.Options{Proxy: noProxy})
	for _, address := range []string{"", "acme", "boards.example/acme", "://", "https://a b.example/", "https://%zz/", "\x00"} {
		_, err := client.Get(t.Context(), address, nil)
		require.Equal(t, outbound.KindInvalid, outbound.KindOf(err), "%q: %v", address, err)
	}
	require.Zero(t, client.Requests())
}

func TestSessionKeepsItsCookies(t *testing.T) {
	t.Parallel()
	client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "visit", Value: "first"})
		_, _ = io.WriteString(w, r.Header.Get("Cookie"))
	})
	session, other := client.Session(), client.Session()
	for _, step := range []struct {
		client *outbound.Client
		want   string
	}{{session, ""}, {session, "visit=first"}, {other, ""}, {client, ""}, {client, ""}} {
		_, body := do(t, step.client, request(t, http.MethodGet, address, nil))
		require.Equal(t, step.want, body)
	}
	req := request(t, http.MethodGet, address, nil)
	req.Header.Set("Cookie", "own=1")
	_, body := do(t, session, req)
	require.Equal(t, "own=1; visit=first", body)
	require.Equal(t, "own=1", req.Header.Get("Cookie"), "the request is not changed")
	require.Equal(t, 3, session.Requests())
	require.Equal(t, 1, other.Requests())
	require.Equal(t, 6, client.Requests(), "its own and those of its sessions")
}

func TestTraceIsToldOfEveryTry(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	var told []outbound.Exchange
	client, address := serve(t, outbound.Options{
		Backoff: []time.Duration{time.Nanosecond},
		Trace: func(_ context.Context, x outbound.Exchange) {
			x.Body = bytes.Clone(x.Body)
			told = append(told, x)
		},
	}, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if tries.Add(1) == 1 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_, _ = w.Write(body)
	})
	_, body := do(t, client, request(t, http.MethodPost, address+"/list", strings.NewReader("{}")))
	require.Equal(t, "{}", body)
	require.Len(t, told, 2)
	require.Equal(t, []int{1, 502}, []int{told[0].Attempt, told[0].Status})
	require.Equal(t, []int{2, 200}, []int{told[1].Attempt, told[1].Status})
	require.Equal(t, http.MethodPost, told[1].Method)
	require.Equal(t, address+"/list", told[1].URL.String())
	require.Equal(t, "{}", string(told[1].RequestBody))
	require.Equal(t, "{}", string(told[1].Body))
	require.Equal(t, outbound.DefaultUserAgent, told[1].RequestHeader.Get("User-Agent"))
	require.NotEmpty(t, told[1].ResponseHeader.Get("Date"))
}
