package scraper_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// recordedRoles is a recorded page with the roles that a person found on it, each under the titles that are right.
type recordedRoles struct {
	ID, URL, File, Verdict string
	Unsure                 bool
	Roles                  []struct{ Titles []string }
}

// teachable are the recorded pages that lie beside the corpus and show all their roles.
func teachable(t *testing.T) (folder string, pages []recordedRoles) {
	t.Helper()
	folder = filepath.Join(corpus(t), "..", "fresh")
	data, err := os.ReadFile(filepath.Join(folder, "pages.json"))
	if os.IsNotExist(err) {
		t.Skip("beside the corpus lie no pages with labels")
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &pages))
	return folder, slices.DeleteFunc(pages, func(p recordedRoles) bool { return p.Unsure || p.File == "" || len(p.Roles) == 0 })
}

// TestTitlesTeachRecordedPages teaches every recorded page that has roles: with two titles, as a person would, and with all, as a
// model that is asked names them. A page that is taught is read whole or fails loudly.
func TestTitlesTeachRecordedPages(t *testing.T) {
	t.Parallel()
	folder, pages := teachable(t)
	for _, k := range []struct {
		name            string
		titles, atLeast int // of a hundred pages
	}{{"two titles", 2, 95}, {"all titles", 1000, 95}} {
		whole := 0
		for _, p := range pages {
			text, err := os.ReadFile(filepath.Join(folder, p.File))
			require.NoError(t, err)
			var like []string
			for _, r := range p.Roles {
				if title := shownOf(string(text), r.Titles); len(like) < k.titles && !slices.Contains(like, title) {
					like = append(like, title)
				}
			}
			client := outbound.New(outbound.Options{Transport: anywhere(text), Pause: -1, Backoff: []time.Duration{}})
			lesson, err := scraper.New(client, scraper.Options{BrowserMode: scraper.BrowserNever}).Teach(t.Context(), p.URL, recipe.Examples{Like: like})
			switch missed, others := p.compare(lesson.Reading); {
			case err != nil:
				t.Logf("%s by %s: %v", p.ID, k.name, err)
			case missed+others == 0:
				whole++
			default:
				t.Logf("%s by %s: %s, %d of %d missed, %d too many", p.ID, k.name, lesson.Reading.Health, missed, len(p.Roles), others)
			}
		}
		t.Logf("%s: %d of %d pages are read whole", k.name, whole, len(pages))
		require.GreaterOrEqual(t, whole*100, k.atLeast*len(pages))
	}
}

// shownOf is the one of a role's titles that stands in the page, the first when none does as it is.
func shownOf(page string, titles []string) string {
	for _, t := range titles {
		if strings.Contains(page, t) {
			return t
		}
	}
	return titles[0]
}

// compare counts the roles that are missing from a reading, and the postings that are no role.
func (p *recordedRoles) compare(r boardwatch.Reading) (missed, others int) {
	left := names(r)
	for _, role := range p.Roles {
		at := slices.IndexFunc(left, func(name string) bool {
			return slices.ContainsFunc(role.Titles, func(t string) bool { return strings.EqualFold(strings.Join(strings.Fields(t), " "), name) })
		})
		if at < 0 {
			missed++
			continue
		}
		left = slices.Delete(left, at, at+1)
	}
	return missed, len(left)
}
