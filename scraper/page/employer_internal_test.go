package page

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEmployerIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		own, other string
		same       bool
	}{
		{"Northwind", "northwind", true},
		{"Northwind", "Northwind Inc.", true},
		{"Northwind GmbH & Co. KG", "northwind", true},
		{"northwind", "Northwind Technologies", true},
		{"Northwind Traders", "northwindtraders", true},
		{"northwind-traders", "Northwind Traders Ltd", true},
		{"getnorthwind", "Northwind", true},
		{"northwind", "northwindhq", true},
		{"northwind", "northwindcareers", true},
		{"northwind", "northwind2", true},
		{"Björk & Söhne", "bjork-sohne", true},
		{"株式会社ノース", "株式会社ノース", true},
		{"3M", "3m", true},

		{"Northwind", "Otherfirm", false},
		{"meta", "metalworks", false},
		{"Delta", "Delta Dental", false},
		{"north", "northwind", false},
		{"go", "google", false},
		{"Careers", "careers", false},
		{"Jobs", "Open jobs", false},
		{"", "", false},
		{"Northwind", "", false},
		{"AB", "ABB", false},
	} {
		var e Employer
		e.Add(tt.own)
		require.Equal(t, tt.same, e.Is(tt.other), "%q and %q", tt.own, tt.other)
	}
}

func TestTokenNames(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]bool{
		"northwind": true, "northwind.wd5/External": true, "careers-northwind.icims.com": true, "northwind.teamtailor.com": true,
		"career5.successfactors.eu/C0001234P": false, "career5.successfactors.eu/Northwind": true, "4711": false, "0f8fad5b-d9cb-469f-a165-70867728950e": false, "a1b2c3d4e5f6a7b8": false,
	} {
		_, spelt := TokenNames(token)
		require.Equal(t, want, spelt, token)
	}
}

func TestOwnNames(t *testing.T) {
	t.Parallel()
	u, err := url.Parse("https://www.northwind.example/careers")
	require.NoError(t, err)
	page := func(head string) *Document {
		return Parse([]byte(`<html><head>`+head+`</head><body></body></html>`), u)
	}
	for head, name := range map[string]string{
		`<title>Careers | Nordwind Reederei</title>`:                                                                   "Nordwind Reederei",
		`<title>Careers at Nordwind Reederei</title>`:                                                                  "Nordwind Reederei",
		`<title>Jobs bei Nordwind Reederei – Startseite</title>`:                                                       "Nordwind Reederei",
		`<meta property="og:site_name" content="Nordwind Reederei">`:                                                   "Nordwind Reederei",
		`<script type="application/ld+json">{"@graph":[{"@type":"Organization","name":"Nordwind Reederei"}]}</script>`: "Nordwind Reederei",
	} {
		var e Employer
		d := page(head)
		e.Introduce(d, d.Structured())
		require.True(t, e.Is(name), head)
		require.True(t, e.Is("northwind"), "the domain's name counts too")
		require.False(t, e.Is("Otherfirm"), head)
	}
}
