package ats_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/ats"
)

func ExampleMatch() {
	for _, address := range []string{
		"https://boards.greenhouse.io/northwindlabs/jobs/7",
		"https://jobs.lever.co/northwindlabs",
		"https://northwind.example/careers",
	} {
		u, err := url.Parse(address)
		if err != nil {
			fmt.Println(err)
			return
		}
		system, board, ok := ats.Match(u, ats.All())
		fmt.Println(system, board, ok)
	}
	// Output:
	// greenhouse northwindlabs true
	// lever northwindlabs true
	//   false
}

// answers is a Doer without a network. An outbound.Client is one with a network, and with limits.
type answers map[string]string

func (a answers) Do(r *http.Request) (*http.Response, error) {
	body, ok := a[r.URL.String()]
	status := http.StatusOK
	if !ok {
		status = http.StatusNotFound
	}
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Request: r, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)),
	}, nil
}

func ExampleAdapter() {
	client := answers{"https://api.lever.co/v0/postings/northwindlabs?mode=json": `[
		{"id": "7", "text": "Kiln Engineer", "hostedUrl": "https://jobs.lever.co/northwindlabs/7", "categories": {"location": "Turku"}}]`}
	for _, a := range ats.All() {
		if a.Name() != "lever" {
			continue
		}
		for _, board := range []string{"northwindlabs", "nobody"} {
			reading, err := ats.Read(context.Background(), a, client, board)
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(reading.Health, reading.Unknown, len(reading.Postings))
		}
	}
	// Output:
	// ok false 1
	// failed true 0
}
