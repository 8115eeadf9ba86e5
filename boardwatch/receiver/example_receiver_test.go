package receiver_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/receiver"
)

func ExampleReceiver_Handler() {
	const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"
	r, err := receiver.New([]string{secret}, receiver.Options{})
	if err != nil {
		panic(err)
	}
	handler := r.Handler(func(_ context.Context, e receiver.Event) error {
		switch e := e.(type) {
		case receiver.JobsFound:
			for _, job := range e.Jobs {
				fmt.Println(e.Board.Company, "is looking for:", job.Title)
			}
		case receiver.JobsArchived:
			fmt.Println(len(e.Jobs)+e.Truncated, "roles are gone")
		case receiver.BoardFailed:
			fmt.Println("not read:", e.Reason)
		}
		return nil
	})

	// What the service sends, twice: the second one is not handed on.
	body := `{"id":"65f0c0ffee000000000000ff","type":"job.found","createdAt":"2026-11-20T12:00:00.000Z",` +
		`"board":{"id":"65f0c0ffee00000000000001","company":"Northwind Labs"},"jobs":[{"title":"Kiln Engineer"}]}`
	for range 2 {
		req := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(body))
		req.Header.Set("X-Boardwatch-Signature", boardwatch.Sign([]byte(secret), []byte(body), time.Now()))
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		fmt.Println(w.Code)
	}

	// Output:
	// Northwind Labs is looking for: Kiln Engineer
	// 204
	// 204
}
