package boardwatch_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestAddressIdentity(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://www.northwind.example/jobs/7/":                  "northwind.example/jobs/7",
		"http://NORTHWIND.example/jobs/7":                        "northwind.example/jobs/7",
		"https://northwind.example/jobs/7?utm_source=x&ref=y":    "northwind.example/jobs/7",
		"https://northwind.example/job?id=7&PHPSESSID=abc":       "northwind.example/job?id=7",
		"https://northwind.example/jobs/7;jsessionid=AB12":       "northwind.example/jobs/7",
		"https://northwind.example/jobs;v=2;jsessionid=AB12/7":   "northwind.example/jobs;v=2/7",
		"https://northwind.example/(S(abc123))/jobs/7":           "northwind.example/jobs/7",
		"https://northwind.example/%28S%28abc123%29%29/jobs/7":   "northwind.example/jobs/7",
		"https://northwind.example/jobs?listpos=3&id=7":          "northwind.example/jobs?id=7",
		"https://northwind.example/jobs/7?signature=x&expires=9": "northwind.example/jobs/7",
		"https://northwind.example/jobs#apply":                   "northwind.example/jobs",
		"https://northwind.example/jobs#/7":                      "northwind.example/jobs#/7",
		"https://northwind.example/jobs/K%C3%B6ln":               "northwind.example/jobs/K%C3%B6ln",
		"https://northwind.example/jobs/Köln":                    "northwind.example/jobs/K%C3%B6ln",
		"https://northwind.example/jobs/a%2Fb":                   "northwind.example/jobs/a%2Fb",
	} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		require.Equal(t, want, boardwatch.AddressIdentity(u), address)
	}
}

// FuzzAddressIdentity checks that what tells visits apart never changes the identity of an address.
func FuzzAddressIdentity(f *testing.F) {
	for _, seed := range []string{"https://a.example/jobs/7", "https://a.example/j?id=7&page=2", "//a.example/#/7", "https://a.example/(S(x))/a;b=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			return
		}
		before := boardwatch.AddressIdentity(u)
		u.Scheme = "http"
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += "utm_source=x&phpsessid=1&csrf=2"
		require.Equal(t, before, boardwatch.AddressIdentity(u))
	})
}
