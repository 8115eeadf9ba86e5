package fact_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

func TestEmployment(t *testing.T) {
	t.Parallel()
	for want, texts := range map[boardwatch.JobType][]string{
		boardwatch.TypeFullTime:       {"Full-time", "FULL_TIME", "FullTime", "full time", "fulltime_permanent", "Vollzeit", "Temps plein", "Tempo integral", "Heltid", "正社員", "Full-Time Regular"},
		boardwatch.TypePartTime:       {"Part-time", "PART_TIME", "parttime", "Teilzeit", "Temps partiel", "Deeltijd", "Deltid", "パート"},
		boardwatch.TypeContract:       {"Contract", "CONTRACTOR", "Freelance", "Independent contractor", "業務委託"},
		boardwatch.TypeTemporary:      {"Temporary", "TEMPORARY", "Fixed term", "Befristet", "CDD", "Seasonal", "fixed_term_full_time", "Intérim"},
		boardwatch.TypeInternship:     {"Intern", "INTERN", "Internship", "Praktikum", "Stage", "Pflichtpraktikum", "実習 / インターン"},
		boardwatch.TypeApprenticeship: {"Apprenticeship", "Ausbildung", "Alternance", "Azubi"},
		boardwatch.TypeVolunteer:      {"VOLUNTEER", "Ehrenamt", "Bénévolat"},
		boardwatch.TypeOther:          {"CDI", "Permanent", "OTHER", "Festanstellung", "International", "Partner", "Permanent contract", "PER_DIEM"},
	} {
		for _, text := range texts {
			var f boardwatch.Facts
			fact.Employment(&f, "", text, "Full-time")
			require.Equal(t, want, f.Type, text)
			require.Equal(t, text, f.TypeText)
		}
	}
	var none boardwatch.Facts
	fact.Employment(&none, "", "  ", "N/A", "null")
	require.True(t, none.IsZero())
}

func TestMode(t *testing.T) {
	t.Parallel()
	for want, texts := range map[boardwatch.WorkMode][]string{
		boardwatch.ModeRemote: {"Remote", "REMOTE", "fully", "Fully remote", "ORA_REMOTE", "Home office", "TELECOMMUTE", "remoto", "リモート"},
		boardwatch.ModeHybrid: {"Hybrid", "ORA_HYBRID", "partial", "hybride", "Hybrid remote", "Híbrido"},
		boardwatch.ModeOnsite: {"onsite", "On-site", "ON_SITE", "OnSite", "ORA_ON_SITE", "In office", "Presencial", "Vor Ort"},
		"":                    {"", "unspecified", "none", "not remote", "temporary", "true", "Oslo"},
	} {
		for _, text := range texts {
			require.Equal(t, want, fact.Mode(text), text)
		}
	}
	require.Equal(t, boardwatch.ModeHybrid, fact.Mode("unspecified", "hybrid", "remote"), "the first that states one")
}

func TestDate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]boardwatch.Stated{
		"2026-08-26T11:17:53.862+00:00":   "2026-08-26T11:17:53Z",
		"2026-08-08T11:27:44-05:00":       "2026-08-08T11:27:44-05:00",
		"2026-09-27T16:36:00+0000":        "2026-09-27T16:36:00Z",
		"2024-03-22 14:09:19 UTC":         "2024-03-22T14:09:19Z",
		"Fri, 04 Sep 2026 14:50:13 +0300": "2026-09-04T14:50:13+03:00",
		"Fri, 02 Oct 2026 7:00:00 GMT":    "2026-10-02T07:00:00Z",
		"Wed, 19 Aug 2026 05:00:00:0":     "2026-08-19T05:00:00Z",
		"1778622524938":                   "2026-05-12T21:48:44Z",
		"1790380800":                      "2026-09-26T00:00:00Z",
		"2026-08-07":                      "2026-08-07",
		"Sep 18, 2026":                    "2026-09-18",
		"September 25, 2026":              "2026-09-25",
		"31.12.2026":                      "2026-12-31",
		"":                                "", "soon": "", "2026": "", "0": "", "03/04/2026": "", "Posted 3 Days Ago": "", "0001-01-01T00:00:00Z": "",
	} {
		require.Equal(t, want, fact.Date(text), text)
		_, ok := fact.Date(text).Time()
		require.Equal(t, want != "", ok, text)
	}
	require.Equal(t, boardwatch.Stated("2026-03-04"), fact.Date("3/4/2026", fact.American))
}

func TestPay(t *testing.T) {
	t.Parallel()
	require.Equal(t, boardwatch.Pay{Min: 38000, Max: 46000, Currency: "EUR", Period: boardwatch.PerYear}, fact.Pay("38000", "46000.0", "eur", "yearly", ""))
	require.Equal(t, boardwatch.Pay{Min: 10, Max: 20, Period: boardwatch.PerHour, Text: "as agreed"}, fact.Pay("20", "10", "?", "Hour", "as agreed"))
	require.Equal(t, boardwatch.Pay{Min: 16.76, Currency: "GBP", Period: boardwatch.PerHour, Text: "£16.76 / hour"}, fact.Pay("", "", "", "", "£16.76 / hour"))
	require.Equal(t, boardwatch.Pay{Text: "Competitive"}, fact.Pay("", "0", "EUR", "year", "Competitive"))
}

func TestPayLabel(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]boardwatch.Pay{
		"€60k–80k":                  {Min: 60000, Max: 80000, Currency: "EUR"},
		"£42,978 - £54,395 / year":  {Min: 42978, Max: 54395, Currency: "GBP", Period: boardwatch.PerYear},
		"$0.05 – $0.06 / hour":      {Min: 0.05, Max: 0.06, Period: boardwatch.PerHour},
		"£16.76 / hour":             {Min: 16.76, Currency: "GBP", Period: boardwatch.PerHour},
		"3.500 – 4.200 € pro Monat": {Min: 3500, Max: 4200, Currency: "EUR", Period: boardwatch.PerMonth},
		"60–80k EUR":                {Min: 60000, Max: 80000, Currency: "EUR"},
		"USD 120,000 per annum":     {Min: 120000, Currency: "USD", Period: boardwatch.PerYear},
		"up to €90k":                {Max: 90000, Currency: "EUR"},
	} {
		got, ok := fact.PayLabel(text)
		require.True(t, ok, text)
		want.Text = text
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "60", "2026", "60-80", "€", "Engineer", "€60k bonus for everybody who comes", "5 days", "US$", "$100M ARR", "EUR", "10 - 20 people"} {
		_, ok := fact.PayLabel(text)
		require.False(t, ok, text)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	for text, code := range map[string]string{"DE": "DE", "de": "DE", "DEU": "DE", "Germany": "DE", "United States of America": "US", "UK": "GB", "Türkiye": "TR", "Atlantis": "", "": ""} {
		require.Equal(t, code, fact.Country(text), text)
	}
	var f boardwatch.Facts
	fact.Places(&f, fact.Place("Anywhere", "", ""), fact.Place("Everywhere", "", ""))
	require.Nil(t, f.Places, "texts alone are the role's location already")
	fact.Places(&f, fact.Place("Oslo, Norway", "Oslo", "Norway"), fact.Place("Oslo, Norway", "Oslo", "NO"), fact.Place("Remote", "", ""), fact.Place("", "Bergen", "Norway"))
	require.Equal(t, []boardwatch.Place{
		{Text: "Oslo, Norway", Country: "NO", City: "Oslo"}, {Text: "Remote"}, {Text: "Bergen, Norway", Country: "NO", City: "Bergen"},
	}, f.Places)
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"en": "en", "en-us": "en-US", "fr_CA": "fr-CA", "en_GLOBAL": "en", "": "", "English": "", "12": ""} {
		require.Equal(t, want, fact.Language(text), text)
	}
}

func TestLinked(t *testing.T) {
	t.Parallel()
	var posting map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"@type": "JobPosting", "title": "Rigger", "datePosted": "2026-08-07", "validThrough": "2026-12-31T00:00:00Z",
		"employmentType": ["FULL_TIME", "CONTRACTOR"], "jobLocationType": "TELECOMMUTE", "inLanguage": "nb",
		"baseSalary": {"@type": "MonetaryAmount", "currency": "NOK", "value": {"@type": "QuantitativeValue", "minValue": 500000, "maxValue": 600000, "unitText": "YEAR"}},
		"identifier": {"@type": "PropertyValue", "name": "Northwind", "value": "R-7"}, "description": "<p>Ropes.</p>",
		"jobLocation": [{"@type": "Place", "address": {"addressLocality": "Oslo", "addressRegion": "Oslo", "addressCountry": {"@type": "Country", "name": "Norway"}}}]}`), &posting))
	facts, description := fact.Linked(posting)
	require.Equal(t, "<p>Ropes.</p>", description)
	require.Equal(t, boardwatch.Facts{
		PostedAt: "2026-08-07", ValidThrough: "2026-12-31T00:00:00Z", Mode: boardwatch.ModeRemote, Type: boardwatch.TypeContract, TypeText: "FULL_TIME, CONTRACTOR",
		Pay: boardwatch.Pay{Min: 500000, Max: 600000, Currency: "NOK", Period: boardwatch.PerYear}, Requisition: "R-7", Language: "nb",
		Places: []boardwatch.Place{{Text: "Oslo, Norway", Country: "NO", City: "Oslo"}},
	}, facts)
	for _, odd := range []string{`{}`, `{"baseSalary": [], "jobLocation": [[]], "identifier": [null], "employmentType": {}}`, `{"baseSalary": {"value": {"value": {}}}, "jobLocation": {"address": "Oslo"}}`} {
		clear(posting)
		require.NoError(t, json.Unmarshal([]byte(odd), &posting))
		facts, _ := fact.Linked(posting)
		require.True(t, facts.IsZero(), odd)
	}
}

// FuzzFields: no text is more than it says, whatever is in it.
func FuzzFields(f *testing.F) {
	for _, text := range []string{"Full-time", "€60k–80k", "2026-08-07", "1778622524938", "Norway", "en_GLOBAL", "\u202egnol", "9e999", "$1 - $2 / hour"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var facts boardwatch.Facts
		fact.Employment(&facts, text)
		require.NotContains(t, facts.TypeText, "\u202e")
		require.LessOrEqual(t, len(facts.TypeText), 200)
		if stated := fact.Date(text); stated != "" {
			_, ok := stated.Time()
			require.True(t, ok, stated)
		}
		p := fact.Pay(text, text, text, text, text)
		require.True(t, p.Min >= 0 && p.Max >= 0 && (p.Max == 0 || p.Max >= p.Min), p)
		require.True(t, p.Currency == "" || len(p.Currency) == 3, p.Currency)
		require.Contains(t, []int{0, 2}, len(fact.Country(text)))
		fact.Mode(text)
		fact.Language(text)
	})
}
