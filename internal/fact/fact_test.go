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
		"":                            {"Full-time, Part-time", "PART_TIME, FULL_TIME", "Full/Part Time", "Vollzeit oder Teilzeit"},
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

func TestPayRanges(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]boardwatch.Pay{
		`[{"min_cents": 5000000, "max_cents": 7500000, "currency_type": "USD", "title": "NYC Salary Range", "blurb": "<p>Bonus: $5</p>"}]`: {
			Min: 50000, Max: 75000, Currency: "USD", Text: "NYC Salary Range",
		},
		`[{"min_cents": 5000000, "max_cents": 7500000, "currency_type": "USD", "title": "Zone 1"}, {"min_cents": 4250050, "max_cents": 6000000, "currency_type": "USD", "title": "Zone 2"}]`: {
			Min: 42500.5, Max: 75000, Currency: "USD", Text: "Zone 1; Zone 2",
		},
		`[{"min_cents": 5000000, "max_cents": 7500000, "currency_type": "USD"}, {"min_cents": 4000000, "max_cents": null, "currency_type": "USD"}]`:    {Min: 40000, Currency: "USD"},
		`[{"min_cents": 5000000, "max_cents": 7500000, "currency_type": "USD"}, {"min_cents": 4000000, "max_cents": 6000000, "currency_type": "EUR"}]`: {},
		`[{"min_cents": 5000000, "max_cents": 7500000, "currency_type": null}]`:                                                                        {},
		`[{"min_cents": null, "max_cents": null, "currency_type": "USD", "title": "NYC Salary Range"}]`:                                                {},
		`["$50,000"]`: {}, `[]`: {}, `null`: {}, `{"min_cents": 1}`: {},
	} {
		var list any
		require.NoError(t, json.Unmarshal([]byte(text), &list))
		require.Equal(t, want, fact.PayRanges(list), text)
	}
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

func TestDaysAgo(t *testing.T) {
	t.Parallel()
	const answered = "Sun, 01 Nov 2026 23:30:00 GMT"
	for text, want := range map[string]boardwatch.Stated{
		"Posted Today": "2026-11-01", "Posted Yesterday": "2026-10-31", "Posted 3 Days Ago": "2026-10-29", "posted 1 day ago": "2026-10-31",
		"Posted 30 Days Ago": "2026-10-02", "Posted 30+ Days Ago": "", "Publié il y a 3 jours": "", "": "", "Posted": "", "Posted Today!": "",
	} {
		require.Equal(t, want, fact.DaysAgo(text, answered), text)
	}
	require.Empty(t, fact.DaysAgo("Posted Today", ""), "nobody says when today is")
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
	fact.Places(&f, fact.Place("Paris, France; Lyon", "Paris, France; Lyon", "France, Metropolitan"), fact.Place("Hybrid", "Raleigh", "US"))
	require.Equal(t, []boardwatch.Place{
		{Text: "Paris, France", Country: "FR", City: "Paris"}, {Text: "Lyon", Country: "FR", City: "Lyon"}, {Text: "Raleigh, US", Country: "US", City: "Raleigh"},
	}, f.Places, "several in one field, and a mode of work in place of a place")
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

// TestLinkedAsGeneratorsWriteIt: plugins, templates and hands write the same thing in many shapes.
func TestLinkedAsGeneratorsWriteIt(t *testing.T) {
	t.Parallel()
	year := func(least, most float64, currency string) boardwatch.Facts {
		return boardwatch.Facts{Pay: boardwatch.Pay{Min: least, Max: most, Currency: currency, Period: boardwatch.PerYear}}
	}
	words := func(f boardwatch.Facts, text string) boardwatch.Facts {
		f.Pay.Text = text
		return f
	}
	pay := func(p boardwatch.Pay) boardwatch.Facts { return boardwatch.Facts{Pay: p} }
	for members, want := range map[string]boardwatch.Facts{
		`"baseSalary": {"currency": "USD", "value": {"value": 40.00, "unitText": "HOUR"}}`:                             pay(boardwatch.Pay{Min: 40, Max: 40, Currency: "USD", Period: boardwatch.PerHour}),
		`"baseSalary": 60000, "salaryCurrency": "USD"`:                                                                 pay(boardwatch.Pay{Min: 60000, Max: 60000, Currency: "USD"}),
		`"baseSalary": "60000", "salaryCurrency": "EUR"`:                                                               pay(boardwatch.Pay{Min: 60000, Max: 60000, Currency: "EUR"}),
		`"baseSalary": "€60,000 - €80,000 per year"`:                                                                   words(year(60000, 80000, "EUR"), "€60,000 - €80,000 per year"),
		`"baseSalary": {"currency": "EUR", "minValue": "50000", "maxValue": "60000", "unitText": "YEAR"}`:              year(50000, 60000, "EUR"),
		`"baseSalary": {"price": "52000", "priceCurrency": "GBP"}`:                                                     pay(boardwatch.Pay{Min: 52000, Max: 52000, Currency: "GBP"}),
		`"baseSalary": {"currency": "USD", "value": {"value": "$50,000 - $60,000", "unitText": "YEAR"}}`:               words(year(50000, 60000, "USD"), "$50,000 - $60,000"),
		`"baseSalary": {"currency": "EUR", "value": {"value": "50,000 - 60,000", "unitText": "YEAR"}}`:                 words(year(50000, 60000, "EUR"), "50,000 - 60,000"),
		`"baseSalary": {"currency": "EUR", "value": {"minValue": "50.000", "maxValue": "60.000", "unitText": "YEAR"}}`: year(50000, 60000, "EUR"),
		`"baseSalary": {"currency": "EUR", "value": {"value": "3.200,50", "unitText": "MONTH"}}`:                       pay(boardwatch.Pay{Min: 3200.5, Max: 3200.5, Currency: "EUR", Period: boardwatch.PerMonth}),
		`"baseSalary": {"currency": "EUR", "value": {"value": "16.125", "unitText": "HOUR"}}`:                          pay(boardwatch.Pay{Min: 16.125, Max: 16.125, Currency: "EUR", Period: boardwatch.PerHour}),
		`"baseSalary": [{"currency": "EUR", "value": 45000}]`:                                                          pay(boardwatch.Pay{Min: 45000, Max: 45000, Currency: "EUR"}),
		`"baseSalary": {"currency": "EUR", "value": {"minValue": 0, "maxValue": 0, "unitText": "YEAR"}}`:               {},
		`"baseSalary": {"currency": "EUR", "value": {"value": "Competitive", "unitText": "YEAR"}}`:                     pay(boardwatch.Pay{Text: "Competitive"}),
		`"employmentType": "https://schema.org/PartTime"`:                                                              {Type: boardwatch.TypePartTime, TypeText: "PartTime"},
		`"jobLocationType": "telecommute"`:                                                                             {Mode: boardwatch.ModeRemote},
		`"jobLocationType": "Hybrid"`:                                                                                  {Mode: boardwatch.ModeHybrid},
		`"jobLocationType": "TELECOMMUTE", "applicantLocationRequirements": [{"@type": "Country", "name": "Portugal"}, {"@type": "State", "name": "Ohio, USA"}]`: {
			Mode: boardwatch.ModeRemote, Places: []boardwatch.Place{{Text: "Portugal", Country: "PT"}, {Text: "Ohio, USA"}},
		},
		`"jobLocation": {"address": {"addressLocality": "Wien", "addressCountry": "AT"}}, "applicantLocationRequirements": {"name": "Germany"}`: {
			Places: []boardwatch.Place{{Text: "Wien, AT", Country: "AT", City: "Wien"}},
		},
		`"datePosted": "2026-10-01T08:00", "validThrough": "Thu Dec 31 2026 10:00:00 GMT+0000 (Coordinated Universal Time)"`: {PostedAt: "2026-10-01T08:00:00Z", ValidThrough: "2026-12-31T10:00:00Z"},
		`"datePosted": "October 1st, 2026", "validThrough": "2020-01-01"`:                                                    {PostedAt: "2026-10-01", ValidThrough: "2020-01-01"},
		`"identifier": {"value": "https://northwind.example/?post_type=job_listing&p=12"}`:                                   {},
	} {
		var posting map[string]any
		require.NoError(t, json.Unmarshal([]byte("{"+members+"}"), &posting))
		facts, _ := fact.Linked(posting)
		require.Equal(t, want, facts, members)
	}
	_, description := fact.Linked(map[string]any{"description": map[string]any{"@value": "<p>Ropes.</p>"}})
	require.Equal(t, "<p>Ropes.</p>", description)
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
