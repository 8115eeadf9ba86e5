package receiver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/receiver"
)

func ExampleReceiver_Middleware() {
	const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"
	r, err := receiver.New([]string{secret}, receiver.Options{
		Refused: func(_ *http.Request, reason error) { fmt.Println("refused:", reason) },
	})
	if err != nil {
		panic(err)
	}
	handler := r.Middleware(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		e, _ := receiver.FromContext(req.Context())
		fmt.Println(e.Head().Type, e.Head().ID)
		w.WriteHeader(http.StatusAccepted) // any 2xx says that it was accepted
	}))

	body := `{"id":"65f0c0ffee000000000000ff","type":"ping","createdAt":"2026-11-20T12:00:00.000Z","webhook":{"id":"w","events":[]}}`
	for _, key := range []string{secret, "whsec_another"} {
		req := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(body))
		req.Header.Set("X-Boardwatch-Signature", boardwatch.Sign([]byte(key), []byte(body), time.Now()))
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		fmt.Println(w.Code)
	}
	// Output:
	// ping 65f0c0ffee000000000000ff
	// 202
	// refused: the signature does not match: the secret is different, or the bytes are not those that were signed
	// 401
}
