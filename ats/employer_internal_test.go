package ats

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompanyInTitle(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, page, want string }{
		{"the name alone", `<title>Northwind Labs</title>`, "Northwind Labs"},
		{"the name with a word behind it", `<title>Northwind Labs Careers</title>`, "Northwind Labs"},
		{"the name behind a word", `<title>Jobs at Northwind Labs</title>`, "Northwind Labs"},
		{"both", `<title>Jobs at Northwind Labs | Northwind Labs Careers</title>`, "Northwind Labs"},
		{"the name behind a dash", `<title>Careers - Northwind Labs</title>`, "Northwind Labs"},
		{"the name before a dash", `<title>Northwind Labs - Career Page</title>`, "Northwind Labs"},
		{"a dash within the name", `<title>North-Wind Labs Jobs</title>`, "North-Wind Labs"},
		{"only the name for other pages", `<title>Careers</title><meta property="og:title" content="Northwind Labs Jobs">`, "Northwind Labs"},
		{"no name", `<title>Search Jobs</title>`, ""},
		{"no title", `<p>Northwind Labs</p>`, ""},
		{"another page", `<title>Page not found | Northwind Labs</title>`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			page, err := parsePage([]byte(tt.page))
			require.NoError(t, err)
			require.Equal(t, tt.want, companyInTitle(page))
		})
	}
}
