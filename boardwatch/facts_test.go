package boardwatch_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// stating returns a reading of one role that states these facts and this text.
func stating(f boardwatch.Facts, text string) boardwatch.Reading {
	r := shows("", "Baker", "Miller")
	r.Postings[0].Facts, r.Postings[0].Text = f, text
	return r
}

func inPorto(r boardwatch.Reading) boardwatch.Reading {
	r.Postings[0].Location = "Porto"
	return r
}

func paid(from, to float64) boardwatch.Facts {
	return boardwatch.Facts{Pay: boardwatch.Pay{Min: from, Max: to, Currency: "EUR", Period: boardwatch.PerYear}}
}

func TestWhatASourceStates(t *testing.T) {
	t.Parallel()
	field := func(field boardwatch.JobField, from, to string) boardwatch.FieldChange {
		return boardwatch.FieldChange{Field: field, From: from, To: to}
	}
	full := boardwatch.Facts{
		PostedAt: "2026-10-01", Mode: boardwatch.ModeRemote, Type: boardwatch.TypeFullTime, TypeText: "Vollzeit", Requisition: "R-1",
		Pay: paid(60000, 80000).Pay, Places: []boardwatch.Place{{Text: "Porto", Country: "PT"}}, ValidThrough: "2026-12-01",
	}
	change := func(edit func(f *boardwatch.Facts)) boardwatch.Facts {
		f := full
		edit(&f)
		return f
	}
	const text = "Bake bread."
	for _, tt := range []struct {
		name          string
		before, after boardwatch.Reading
		want          []boardwatch.FieldChange
		touched       bool
	}{
		{name: "the same again is nothing", before: stating(full, text), after: stating(full, text)},
		{name: "the first facts and the first text are no news", before: stating(boardwatch.Facts{}, ""), after: stating(full, text), touched: true},
		{name: "nor is a first text with more facts", before: stating(boardwatch.Facts{Mode: boardwatch.ModeRemote}, ""), after: stating(full, text), touched: true},
		{name: "a reading that states nothing takes nothing away", before: stating(full, text), after: stating(boardwatch.Facts{}, "")},
		{name: "one that states less takes nothing away either", before: stating(full, text), after: stating(boardwatch.Facts{Mode: boardwatch.ModeRemote}, "")},
		{name: "the date of the posting changes by itself", before: stating(full, text), after: stating(change(func(f *boardwatch.Facts) { f.UpdatedAt = "2026-10-21T09:00:00Z" }), text)},
		{name: "so does an end that is put off with every visit", before: stating(full, text), after: stating(change(func(f *boardwatch.Facts) { f.ValidThrough = "2026-12-02" }), text), touched: true},
		{
			name: "an end that is put off for longer", before: stating(full, text), after: stating(change(func(f *boardwatch.Facts) { f.ValidThrough = "2026-12-31" }), text),
			want: []boardwatch.FieldChange{field(boardwatch.FieldValidThrough, "2026-12-01", "2026-12-31")},
		},
		{
			name: "the pay", before: stating(full, text), after: stating(change(func(f *boardwatch.Facts) { f.Pay.Max = 90000 }), text),
			want: []boardwatch.FieldChange{field(boardwatch.FieldPay, "60,000–80,000 EUR per year", "60,000–90,000 EUR per year")},
		},
		{
			name: "the mode and the kind of employment", before: stating(full, text),
			after: stating(change(func(f *boardwatch.Facts) {
				f.Mode, f.Type, f.TypeText = boardwatch.ModeOnsite, boardwatch.TypePartTime, ""
			}), text),
			want: []boardwatch.FieldChange{field(boardwatch.FieldMode, "remote", "onsite"), field(boardwatch.FieldType, "Vollzeit", "part-time")},
		},
		{name: "other words for the same kind are no news", before: stating(full, text), after: stating(change(func(f *boardwatch.Facts) { f.TypeText = "100 %" }), text), touched: true},
		{
			name: "a fact that a known role gains", before: stating(full, text), after: stating(change(func(f *boardwatch.Facts) { f.Places = append(f.Places, boardwatch.Place{Text: "Lisboa"}) }), text),
			want: []boardwatch.FieldChange{field(boardwatch.FieldPlaces, "Porto", "Porto; Lisboa")},
		},
		{name: "the place that its location names is no news", before: inPorto(stating(change(func(f *boardwatch.Facts) { f.Places = nil }), text)), after: inPorto(stating(full, text)), touched: true},
		{
			name: "the text", before: stating(full, text), after: stating(full, "Bake cakes."),
			want: []boardwatch.FieldChange{field(boardwatch.FieldText, boardwatch.TextHash(text), boardwatch.TextHash("Bake cakes."))},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := newKeeper(t)
			k.check(tt.before, false)
			before := k.jobs[0]
			c := k.check(tt.after, false)
			require.Equal(t, tt.want, c.Fields[before.ID])
			require.Len(t, c.Updated, min(1, len(tt.want)))
			found := false
			for _, j := range c.Touched {
				found = found || j.ID == before.ID
			}
			require.Equal(t, tt.touched || tt.want == nil && !k.jobs[0].Facts.Equal(before.Facts), found)
			if len(tt.want) == 0 && tt.after.Postings[0].Text == "" {
				require.Equal(t, before.Facts, k.jobs[0].Facts)
				require.Equal(t, before.TextHash, k.jobs[0].TextHash)
			}
		})
	}
}

func TestARoleUnderAnotherAddressKeepsWhatIsKnown(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	k.check(stating(paid(1, 2), "Bake bread."), false)
	before := k.jobs[0]
	moved := stating(boardwatch.Facts{}, "")
	moved.Postings[0].Key, moved.Postings[0].URL = "https://northwind.example/b", "https://northwind.example/b"
	c := k.check(moved, false)
	require.Empty(t, c.Found)
	require.Equal(t, []boardwatch.FieldChange{{Field: boardwatch.FieldURL, To: "https://northwind.example/b"}}, c.Fields[before.ID])
	require.Equal(t, []any{before.ID, before.TextHash, before.Facts}, []any{k.jobs[0].ID, k.jobs[0].TextHash, k.jobs[0].Facts})
}

// TestChangesOfFactsAreToldToNoWebhook compares what is delivered with what the published interface has events for.
func TestChangesOfFactsAreToldToNoWebhook(t *testing.T) {
	t.Parallel()
	in := boardwatch.CheckInput{
		Now: noon, Board: boardwatch.Board{ID: board.ID, Source: board.Source, Cadence: time.Hour},
		Subscribers: []boardwatch.Subscription{{AccountID: hook.AccountID, BoardID: board.ID, Plan: "ultra"}}, Webhooks: []boardwatch.Webhook{hook},
	}
	first := boardwatch.Decide(in, stating(paid(1, 2), "Bake bread.").Normalize(), false, boardwatch.Rules{}, ids())
	require.Len(t, first.Deliveries, 1)
	require.NotContains(t, string(first.Payloads[0].Tail), "EUR")
	require.NotContains(t, string(first.Payloads[0].Tail), "bread")
	in.Now, in.Known, in.Board = noon.Add(time.Hour), first.Jobs(in), first.Board
	second := boardwatch.Decide(in, stating(paid(1, 3), "Bake cakes.").Normalize(), false, boardwatch.Rules{}, ids())
	require.Len(t, second.Change.Updated, 1)
	require.Empty(t, second.Deliveries)
}

func TestSetHashKnowsFactsAndTexts(t *testing.T) {
	t.Parallel()
	base := stating(paid(1, 2), "Bake bread.").Normalize()
	require.Equal(t, shows("", "Baker", "Miller").SetHash(), stating(boardwatch.Facts{UpdatedAt: "2026-10-01"}, "").SetHash(), "it changes all the time")
	require.NotEqual(t, base.SetHash(), stating(paid(1, 3), "Bake bread.").SetHash())
	require.NotEqual(t, base.SetHash(), stating(paid(1, 2), "Bake cakes.").SetHash())
	require.Equal(t, base.SetHash(), stating(paid(1, 2), "Bake bread.").SetHash())
}

func TestFactsSayWhatThePlaceDoesNot(t *testing.T) {
	t.Parallel()
	facts := boardwatch.Facts{Mode: boardwatch.ModeRemote, Type: boardwatch.TypeFullTime}
	require.Equal(t, "full-time", boardwatch.Job{Location: "Remote, Portugal", Facts: facts}.FactsLine())
	require.Equal(t, "remote · full-time", boardwatch.Job{Location: "Lisbon", Facts: facts}.FactsLine())
}

// A field that the hash leaves out would be stored only when something else about the board changes.
func TestSetHashKnowsEveryField(t *testing.T) {
	t.Parallel()
	hash := func(p boardwatch.Posting) string {
		return boardwatch.Reading{Postings: []boardwatch.Posting{p}}.SetHash()
	}
	fields := reflect.TypeFor[boardwatch.Posting]()
	for i := range fields.NumField() {
		var p boardwatch.Posting
		switch field := reflect.ValueOf(&p).Elem().Field(i); fields.Field(i).Name {
		case "Facts":
			field.Set(reflect.ValueOf(paid(1, 2)))
		case "URL":
			field.SetString("https://northwind.example/jobs/1")
		default:
			field.SetString("northwind")
		}
		require.NotEqual(t, hash(boardwatch.Posting{}), hash(p), fields.Field(i).Name)
	}
}

func TestKeptReadings(t *testing.T) {
	t.Parallel()
	r := stating(paid(1, 2), "Bake bread.")
	for _, tt := range []struct {
		rules       boardwatch.Rules
		facts, text bool
	}{
		{boardwatch.Rules{}, true, true},
		{boardwatch.Rules{Details: boardwatch.DetailsAll, Texts: boardwatch.TextsOpen}, true, true},
		{boardwatch.Rules{Texts: boardwatch.TextsOff}, true, false},
		{boardwatch.Rules{Details: boardwatch.DetailsOff}, false, false},
	} {
		p := tt.rules.Kept(r).Postings[0]
		require.Equal(t, []bool{tt.facts, tt.text}, []bool{!p.Facts.IsZero(), p.Text != ""})
	}
	require.NotEmpty(t, r.Postings[0].Text, "the reading itself stays as it is")
}

// TestTextsAreLeftOutBeforeRoles gives a board little room.
func TestTextsAreLeftOutBeforeRoles(t *testing.T) {
	t.Parallel()
	room := 10_000
	in := boardwatch.CheckInput{
		Now: noon, Board: boardwatch.Board{ID: board.ID, Source: board.Source, Cadence: time.Hour}, Room: &room, Reserve: 5000,
		Weigh: func(text string) int { return len(text) },
	}
	r := stating(paid(1, 2), strings.Repeat("bread ", 1000))
	r.Fingerprint = "1"
	res := boardwatch.Decide(in, r.Normalize(), false, boardwatch.Rules{}, ids())
	require.Len(t, res.Change.Found, 2)
	require.Empty(t, res.Change.Found[0].TextHash)
	require.Equal(t, boardwatch.HealthOK, res.Check.Health)
	require.Empty(t, res.Board.State.Fingerprint, "the next reading is a full one")
	in.Known, in.Board, in.Now = res.Jobs(in), res.Board, noon.Add(time.Hour)
	require.False(t, r.Normalize().SaysNothingNew(in.Board))
	room = 100_000
	res = boardwatch.Decide(in, r.Normalize(), false, boardwatch.Rules{}, ids())
	require.Empty(t, res.Change.Updated)
	require.NotEmpty(t, res.Change.Touched[0].Text)
	require.Greater(t, res.Grown, 6000)
}

func FuzzFacts(f *testing.F) {
	f.Add("2026-11-29", "remote", "full_time", "Vollzeit", 1.5, 3.0, "EUR", "Porto", "# Baker\n\n* bread")
	f.Add("2026-11-29T10:00:00+01:00", "both", "gig", "\x00=1", math.Inf(1), math.NaN(), "\"mode\":\"remote\"", "\u202eevil\u3164\U000e0101", "\ufe01\xff\x1b[31m\u202e\r\ntext\t.")
	f.Fuzz(func(t *testing.T, at, mode, kind, words string, least, most float64, currency, place, text string) {
		r := boardwatch.Reading{Postings: []boardwatch.Posting{{Key: "1", Title: "Baker", Text: text, Facts: boardwatch.Facts{
			PostedAt: boardwatch.Stated(at), Mode: boardwatch.WorkMode(mode), Type: boardwatch.JobType(kind), TypeText: words, Requisition: words,
			Language: words, Pay: boardwatch.Pay{Min: least, Max: most, Currency: currency, Period: boardwatch.PayPeriod(mode), Text: words},
			Places: []boardwatch.Place{{Text: place, Country: currency, City: words}},
		}}}}.Normalize()
		p := r.Postings[0]
		raw := p.Facts.JSON()
		require.Less(t, len(raw), 8000)
		var back boardwatch.Facts
		require.NoError(t, json.Unmarshal(raw, &back))
		require.True(t, p.Facts.Equal(back), "%s", raw)
		require.NotContains(t, p.Facts.Line(), "\n")
		require.LessOrEqual(t, len(p.Text), boardwatch.MaxText)
		require.True(t, utf8.ValidString(p.Text))
		require.False(t, strings.ContainsFunc(p.Text, func(c rune) bool { return c != '\n' && boardwatch.Invisible(c) }))
		require.Equal(t, r, r.Normalize(), "once is enough")
	})
}

func TestFactsWhoseAmountIsNoNumber(t *testing.T) {
	t.Parallel()
	f := boardwatch.Facts{Mode: boardwatch.ModeRemote, Pay: boardwatch.Pay{Min: math.NaN(), Max: math.Inf(1), Text: "well paid"}}
	require.JSONEq(t, `{"mode":"remote","pay":{"text":"well paid"}}`, string(f.JSON()))
}

func TestPayInWords(t *testing.T) {
	t.Parallel()
	for want, pay := range map[string]boardwatch.Pay{
		"":                           {},
		"from 1,234.5 USD per hour":  {Min: 1234.5, Currency: "USD", Period: boardwatch.PerHour},
		"up to 900 per day":          {Max: 900, Period: boardwatch.PerDay},
		"1,000,000 JPY":              {Min: 1e6, Max: 1e6, Currency: "JPY"},
		"by arrangement":             {Text: "by arrangement"},
		"60,000–80,000 EUR per year": {Min: 60000, Max: 80000, Currency: "EUR", Period: boardwatch.PerYear, Text: "60-80k"},
	} {
		require.Equal(t, want, pay.String())
	}
}

func TestOnceAWeekABoardIsReadAnew(t *testing.T) {
	t.Parallel()
	b := boardwatch.Board{ID: board.ID, State: boardwatch.BoardState{Health: boardwatch.HealthOK, Fingerprint: "1"}}
	anew := 0
	for hour := range 4 * 7 * 24 {
		b.State.LastSuccessAt = noon.Add(time.Duration(hour) * time.Hour)
		if b.Offered(b.State.LastSuccessAt.Add(time.Hour)).State.Fingerprint == "" {
			anew++
		}
	}
	require.Equal(t, 4, anew)
	require.Empty(t, b.Offered(b.State.LastSuccessAt.Add(8*24*time.Hour)).State.Fingerprint)
}
