package boardwatch_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// page returns an ok reading of a page that lists roles with these titles and shows this text.
func page(text string, titles ...string) boardwatch.Reading {
	r := boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK}
	for i, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: title + " " + strconv.Itoa(i), Title: title})
	}
	r.Shown.Add(text)
	return r
}

// A role is gone from a page only if its title is no longer on it.
func TestARoleWhoseTitleStillStandsOnThePageIsNotAbsent(t *testing.T) {
	t.Parallel()
	edge := boardwatch.WordEdge
	for _, tt := range []struct {
		name   string
		lost   string
		text   string
		listed []string
		stands bool
	}{
		{"beside the role that is listed", "Pipe Fitter", "Jobs Welder Pipe Fitter Apply", []string{"Welder"}, true},
		{"nowhere", "Pipe Fitter", "Jobs Welder Apply", []string{"Welder"}, false},
		{"in capitals and with other signs", "Pipe Fitter – Nights", "WELDER PIPE  FITTER - NIGHTS", []string{"Welder"}, true},
		{"as a part of longer words", "Fitter", "Welder Outfitters Fitterson 3Fitter", []string{"Welder"}, false},
		{"inside a longer title that is listed", "Engineer", "Senior Engineer", []string{"Senior Engineer"}, false},
		{"at the beginning of one", "Engineer", "Engineer, Pumps", []string{"Engineer, Pumps"}, false},
		{"inside a longer title, and alone", "Engineer", "Senior Engineer Engineer", []string{"Senior Engineer"}, true},
		{"inside a longer title that is not listed", "Engineer", "Welder Senior Engineer", []string{"Welder"}, true},
		{"for a listed role of the same title", "Welder", "Welder Oslo Fitter Bergen", []string{"Welder", "Fitter"}, false},
		{"more often than for that role", "Welder", "Welder Oslo Welder Bergen Fitter", []string{"Welder", "Fitter"}, true},
		{"twice, as all titles do", "Welder", "Welder Apply for Welder Fitter Apply for Fitter", []string{"Welder", "Fitter"}, false},
		{"twice, and it is the only title", "Welder", "Welder Apply for Welder", []string{"Welder"}, false},
		{"three times for two roles", "Welder", "Welder Oslo Welder Bergen Welder Lindau", []string{"Welder", "Welder"}, true},
		{"at the edge of an element", "Fitter", "Welder" + edge + "Fitter" + edge + "Oslo", []string{"Welder"}, true},
		{"across the edge of an element", "Fitter", "Welder F" + edge + "itter", []string{"Welder"}, true},
		{"in another script", "配管工", "溶接工 配管工 東京", []string{"溶接工"}, true},
		{"with accents that are letters of their own", "Elève", "Soudeur Élève Elèves", []string{"Soudeur"}, false},
		{"a title without letters", "***", "Welder ***", []string{"Welder"}, false},
		{"on a page that lists nothing", "Welder", "There are no open positions. Our Welder says hello.", nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, boardwatch.Rules{})
			full := page("", append([]string{tt.lost}, tt.listed...)...)
			full.Postings[0].Key = "lost"
			for i := range tt.listed {
				full.Postings[i+1].Key = tt.listed[i] + " " + strconv.Itoa(i)
			}
			w.check(full, false)
			var closed int
			for range 8 {
				w.now = w.now.Add(12 * time.Hour)
				r := page(tt.text, tt.listed...)
				res := w.check(r, false)
				closed += len(res.Change.Closed)
				if tt.stands {
					require.Equal(t, boardwatch.HealthPartial, health(res))
					require.Contains(t, res.Check.Reason, "1 known role")
				}
			}
			require.Equal(t, !tt.stands, closed == 1)
		})
	}
}

func TestARoleClosesOnceItsTitleIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, boardwatch.Rules{})
	w.check(page("", "Welder", "Fitter", "Turner"), false)
	short := func(text string) boardwatch.Reading {
		r := page(text, "Welder", "Fitter")
		return r
	}
	for range 5 {
		require.Equal(t, boardwatch.HealthPartial, health(w.check(short("Welder Fitter Turner"), false)))
	}
	for range 2 {
		require.Empty(t, w.check(short("Welder Fitter"), false).Change.Closed)
	}
	require.Len(t, w.check(short("Welder Fitter"), false).Change.Closed, 1)
}

// Unseen text is no evidence: neither if no page was seen, nor for a page that is too long to be stored or searched.
func TestTheTextOfAPageIsEvidenceOnlyWhereItWasSeen(t *testing.T) {
	t.Parallel()

	t.Run("no page was seen", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(ok(1, 2, 3), false)
		w.check(ok(1, 2), false)
		w.check(ok(1, 2), false)
		require.Len(t, w.check(ok(1, 2), false).Change.Closed, 1)
	})

	t.Run("a page that is cut counts as showing every title", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		w.check(page("", "Welder", "Fitter"), false)
		long := strings.Repeat("ä ", 1<<19)
		r := page(long, "Welder")
		require.True(t, r.Shown.Cut)
		require.LessOrEqual(t, len(r.Shown.Pages[0]), 1<<20)
		for range 5 {
			require.Equal(t, boardwatch.HealthPartial, health(w.check(r, false)))
		}
		require.Equal(t, boardwatch.HealthOK, health(w.check(page(long, "Welder", "Fitter"), false)), "nothing is missing")
	})

	t.Run("a page made to be searched for ever", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.Rules{})
		var titles []string
		for i := range 2000 {
			titles = append(titles, strings.Repeat("a ", 250)+strings.Repeat("b ", i%40)+strings.Repeat("a ", i/40))
		}
		w.check(page("", titles...), false)
		text := strings.Repeat(strings.Repeat("a ", 249)+"b ", 2000)
		require.Contains(t, w.check(page(text, titles[1000:]...), false).Check.Reason, "too long to tell")
	})
}
