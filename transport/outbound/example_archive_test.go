package outbound_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// What was recorded once is played again without a network.
func ExampleArchive() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "<h1>We are hiring</h1>")
	}))
	recorder := outbound.NewRecorder("1.0.0")
	client := outbound.New(outbound.Options{AllowLoopback: true, Trace: recorder.Record})
	if _, err := client.Get(context.Background(), site.URL+"/careers", nil); err != nil {
		fmt.Println(err)
		return
	}
	site.Close()
	var har bytes.Buffer
	if _, err := recorder.WriteTo(&har); err != nil {
		fmt.Println(err)
		return
	}

	archive, err := outbound.ReadArchive(&har)
	if err != nil {
		fmt.Println(err)
		return
	}
	offline := outbound.New(outbound.Options{AllowLoopback: true, Transport: archive})
	page, err := offline.Get(context.Background(), site.URL+"/careers", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(page.Text()))
	_, err = offline.Get(context.Background(), site.URL+"/elsewhere", nil)
	fmt.Println(outbound.KindOf(err) == outbound.KindNotRecorded)
	// Output:
	// <h1>We are hiring</h1>
	// true
}
