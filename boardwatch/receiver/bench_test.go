package receiver_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/receiver"
)

// BenchmarkHandler takes a delivery of one role, and one of a hundred: read, verify, look up, parse, hand on.
func BenchmarkHandler(b *testing.B) {
	for _, name := range []string{"event-found", "event-archived-truncated"} {
		b.Run(name, func(b *testing.B) {
			r, err := receiver.New([]string{secret}, receiver.Options{})
			require.NoError(b, err)
			handler := r.Handler(func(context.Context, receiver.Event) error { return nil })
			body := golden(b, name)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				id := boardwatch.NewID()
				text := strings.Replace(string(body), "65f0c0ffee000000000000ff", id, 1)
				req := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(text))
				req.Header.Set("X-Boardwatch-Signature", boardwatch.Sign([]byte(secret), []byte(text), time.Now()))
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, req)
				if w.Code != http.StatusNoContent {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
