package scraper_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/recipe"
)

// recordedSeries is one page on several days.
type recordedSeries struct {
	ID, URL string
	By      string // what identifies a role: "title", or "url"
	Steps   []recordedDay
}

// recordedDay is the page on one day, with what identifies each of its roles.
type recordedDay struct {
	Date, File string
	Keys       []string
}

// pageSeries are the recorded pages of which there are several days, the first of them with roles.
func pageSeries(t *testing.T) []recordedSeries {
	t.Helper()
	folder := filepath.Join(corpus(t), "..", "fresh")
	data, err := os.ReadFile(filepath.Join(folder, "series.json"))
	if os.IsNotExist(err) {
		t.Skip("beside the corpus lie no series of pages")
	}
	require.NoError(t, err)
	var all []recordedSeries
	require.NoError(t, json.Unmarshal(data, &all))
	all = slices.DeleteFunc(all, func(s recordedSeries) bool { return filepath.Ext(s.Steps[0].File) != ".html" })
	for _, s := range all {
		for i := range s.Steps {
			s.Steps[i].File = filepath.Join(folder, s.Steps[i].File)
		}
	}
	return append(all, listingSeries(t)...)
}

// listingSeries are the listings of the corpus that were recorded more than once: the names of the earlier files have a date.
func listingSeries(t *testing.T) []recordedSeries {
	t.Helper()
	folder := filepath.Join(corpus(t), "listings")
	data, err := os.ReadFile(filepath.Join(folder, "listings.json"))
	require.NoError(t, err)
	var listings []listing
	require.NoError(t, json.Unmarshal(data, &listings))
	slices.SortFunc(listings, func(a, b listing) int { return strings.Compare(a.File, b.File) })
	byURL := make(map[string]*recordedSeries)
	var all []*recordedSeries
	for _, l := range listings {
		s := byURL[l.URL]
		if s == nil {
			s = &recordedSeries{ID: l.File, URL: l.URL, By: "title"}
			byURL[l.URL] = s
			all = append(all, s)
		}
		day := recordedDay{Date: l.File, File: filepath.Join(folder, l.File)}
		for _, r := range l.Roles {
			day.Keys = append(day.Keys, strings.Join(strings.Fields(r.Title), " "))
		}
		s.Steps = append(s.Steps, day)
	}
	var series []recordedSeries
	for _, s := range all {
		if len(s.Steps) > 1 && len(s.Steps[0].Keys) > 0 {
			series = append(series, *s)
		}
	}
	return series
}

// shows reports whether a reading has just the roles of the day.
func (d recordedDay) shows(by string, r boardwatch.Reading) bool {
	keys := make([]string, 0, len(r.Postings))
	for _, p := range r.Postings {
		if by == "url" {
			keys = append(keys, p.URL)
		} else {
			keys = append(keys, p.Title)
		}
	}
	want := slices.Clone(d.Keys)
	slices.Sort(keys)
	slices.Sort(want)
	return r.Health.Read() && slices.Equal(keys, want)
}

// examples are titles of the day's roles. Where only their addresses are known, the page is read for them.
func (d recordedDay) examples(t *testing.T, s recordedSeries, page []byte) []string {
	t.Helper()
	titles := d.Keys
	if s.By == "url" {
		r, err := plainReader(page, nil).Read(t.Context(), boardwatch.Board{Source: "page:" + s.URL})
		require.NoError(t, err)
		require.True(t, d.shows(s.By, r), "%s has to be read on its first day, or there are no titles to teach it with", s.ID)
		titles = names(r)
	}
	titles = slices.Compact(slices.Sorted(slices.Values(titles)))
	return titles[:min(len(titles), 2)]
}

// tallyOfDays counts how the pages that were taught are read later.
type tallyOfDays struct{ days, right, broken, healed int }

// TestTaughtPagesAreReadOnLaterDays teaches pages on the first day on which they were recorded. On each later day they are read right,
// or fail loudly, and are then healed where the known roles allow it.
func TestTaughtPagesAreReadOnLaterDays(t *testing.T) {
	t.Parallel()
	var all tallyOfDays
	for _, s := range pageSeries(t) {
		page, err := os.ReadFile(s.Steps[0].File)
		require.NoError(t, err)
		lesson, err := plainReader(page, nil).Teach(t.Context(), s.URL, recipe.Examples{Like: s.Steps[0].examples(t, s, page)})
		require.NoError(t, err, s.ID)
		require.True(t, s.Steps[0].shows(s.By, lesson.Reading), "%s is taught whole", s.ID)
		b, known := lesson.Board, names(lesson.Reading)
		for _, day := range s.Steps[1:] {
			page, err := os.ReadFile(day.File)
			require.NoError(t, err)
			r := all.read(t, plainReader(page, nil), &b, known, func(r boardwatch.Reading) bool { return day.shows(s.By, r) })
			t.Logf("%s on %s: %s, %d of %d roles; %s", s.ID, day.Date, r.Health, len(r.Postings), len(day.Keys), r.Reason)
			if r.Health == boardwatch.HealthOK {
				known = names(r)
			}
		}
	}
	t.Logf("%d later days: %d read right, %d fail loudly, of which %d are healed", all.days, all.right, all.broken, all.healed)
	require.Positive(t, all.days)
}

// read reads a board that was taught on a later day, and heals it if it fails.
func (n *tallyOfDays) read(
	t *testing.T, s *scraper.Scraper, b *boardwatch.Board, known []string, isRight func(boardwatch.Reading) bool,
) boardwatch.Reading {
	t.Helper()
	n.days++
	r, err := s.Read(t.Context(), *b)
	require.NoError(t, err)
	if isRight(r) {
		n.right++
		return r
	}
	require.NotEqual(t, boardwatch.HealthOK, r.Health, "%s: what is not right is not called so: %q", b.URL, names(r))
	n.broken++
	healed, err := s.Heal(t.Context(), *b, known)
	require.NoError(t, err)
	if !healed.Health.Read() {
		return r
	}
	require.True(t, isRight(healed) || healed.Health != boardwatch.HealthOK, "%s: what is healed is right: %q", b.URL, names(healed))
	if isRight(healed) {
		n.healed++
		b.Recipe = healed.Recipe
	}
	return healed
}

// named are the classes and ids in the selectors of a recipe.
var named = regexp.MustCompile(`[.#]([A-Za-z_][\w-]*)`)

// classes are the values of classes and ids in a page.
var classes = regexp.MustCompile(`(\b(?:class|id)\s*=\s*["']?)([^"'>]*)`)

// TestTaughtPagesAreHealedWhenTheirClassesChange gives other names to the classes that recipes select by.
func TestTaughtPagesAreHealedWhenTheirClassesChange(t *testing.T) {
	t.Parallel()
	folder, pages := teachable(t)
	var all tallyOfDays
	several := 0 // that show more than one role: a title alone may stand anywhere
	for _, p := range pages {
		page, err := os.ReadFile(filepath.Join(folder, p.File))
		require.NoError(t, err)
		like := p.titles(page)
		lesson, err := plainReader(page, nil).Teach(t.Context(), p.URL, recipe.Examples{Like: like[:min(len(like), 2)]})
		if err != nil || !p.isWhole(lesson.Reading) {
			continue // TestTitlesTeachRecordedPages says which
		}
		changed := renamed(page, lesson.Board.Recipe)
		if slices.Equal(changed, page) {
			continue
		}
		several += hit(len(like) > 1)
		b := lesson.Board
		r := all.read(t, plainReader(changed, nil), &b, names(lesson.Reading), p.isWhole)
		t.Logf("%s, %d roles: %s; %s", p.ID, len(p.Roles), r.Health, r.Reason)
	}
	t.Logf("%d pages whose classes change: %d read right, %d fail loudly, of which %d are healed", all.days, all.right, all.broken, all.healed)
	require.Positive(t, all.broken)
	require.Equal(t, several, all.right+all.healed)
}

// renamed is a page in which the classes and ids that a recipe selects by have other names.
func renamed(page []byte, selectors string) []byte {
	other := make(map[string]string)
	for _, m := range named.FindAllStringSubmatch(selectors, -1) {
		other[m[1]] = m[1] + "-anew"
	}
	return classes.ReplaceAllFunc(page, func(match []byte) []byte {
		m := classes.FindSubmatch(match)
		names := strings.Fields(string(m[2]))
		changed := false
		for i, name := range names {
			if to, ok := other[name]; ok {
				names[i], changed = to, true
			}
		}
		if !changed {
			return match
		}
		return append(slices.Clone(m[1]), strings.Join(names, " ")...)
	})
}
