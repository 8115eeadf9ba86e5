package outbound_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

func ExampleClient_Get() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "<h1>We are hiring</h1>")
	}))
	defer site.Close()

	client := outbound.New(outbound.Options{AllowLoopback: true}) // a development build
	page, err := client.Get(context.Background(), site.URL, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Status, string(page.Text()))

	_, err = client.Get(context.Background(), "http://169.254.169.254/latest/meta-data/", nil)
	fmt.Println(err)
	// Output:
	// 200 <h1>We are hiring</h1>
	// 169.254.169.254 is not on the public Internet
}
