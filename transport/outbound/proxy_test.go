package outbound_test

import (
	"net/http"
	"net/url"
)

func noProxy(*http.Request) (*url.URL, error) { return nil, nil }
