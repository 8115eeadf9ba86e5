package scraper_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
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
	"github.com/boardwatch/boardwatch/scraper/teacher"
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
// model that is asked names them. All are then read whole.
func TestTitlesTeachRecordedPages(t *testing.T) {
	t.Parallel()
	folder, pages := teachable(t)
	for _, k := range []struct {
		name   string
		titles int
	}{{"two titles", 2}, {"all titles", 1000}} {
		whole := 0
		for _, p := range pages {
			text, err := os.ReadFile(filepath.Join(folder, p.File))
			require.NoError(t, err)
			like := p.titles(text)
			lesson, err := plainReader(text, nil).Teach(t.Context(), p.URL, recipe.Examples{Like: like[:min(len(like), k.titles)]})
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
		require.Equal(t, len(pages), whole)
	}
}

// TestATeacherTeachesRecordedPages has a model, which names the true titles, teach every recorded page that has roles: first the
// pages that are not understood, as it happens in service, then all of them. The second reading of a page that is taught is whole.
func TestATeacherTeachesRecordedPages(t *testing.T) {
	t.Parallel()
	folder, pages := teachable(t)
	asked, helped, whole, taught := 0, 0, 0, 0
	for _, p := range pages {
		text, err := os.ReadFile(filepath.Join(folder, p.File))
		require.NoError(t, err)
		s := plainReader(text, teacher.New(teacher.Options{URL: modelNaming(t, p.titles(text)), Model: "scripted"}))

		r, first := p.readTwice(t, s, s.Read)
		whole += hit(r.Health == boardwatch.HealthOK && p.isWhole(r))
		if first.Taught != "" {
			asked++
			helped += hit(first.Recipe != "" && p.isWhole(r))
		}
		r, first = p.readTwice(t, s, s.AskTeacher)
		taught += hit(first.Recipe != "" && r.Health == boardwatch.HealthOK && p.isWhole(r))
		if missed, others := p.compare(r); first.Recipe == "" || missed+others > 0 {
			t.Logf("%s: taught %t, %s, %d of %d missed, %d too many; %s", p.ID, first.Recipe != "", r.Health, missed, len(p.Roles), others, r.Reason)
		}
	}
	t.Logf("%d pages: the model is asked about %d and teaches %d of them whole; with it %d are read whole. Asked about all, it teaches %d whole",
		len(pages), asked, helped, whole, taught)
	require.Equal(t, len(pages), taught)
}

// modelNaming is the address of a chat API whose model names these titles, whatever it is asked.
func modelNaming(t *testing.T, titles []string) string {
	t.Helper()
	said, err := json.Marshal(titles)
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": string(said)}}}})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// readTwice is the second reading of the page: by the recipe of the first, if that has one.
func (p *recordedRoles) readTwice(
	t *testing.T, s *scraper.Scraper, read func(context.Context, boardwatch.Board) (boardwatch.Reading, error),
) (second, first boardwatch.Reading) {
	t.Helper()
	b := boardwatch.Board{Source: "page:" + p.URL}
	first, err := read(t.Context(), b)
	require.NoError(t, err)
	if first.Recipe == "" {
		return first, first
	}
	require.Equal(t, boardwatch.HealthPartial, first.Health, "%s: what a model says closes nothing before it is confirmed", p.ID)
	b.Recipe = first.Recipe
	second, err = s.Read(t.Context(), b)
	require.NoError(t, err)
	return second, first
}

// plainReader reads one page, which stands at every address, without a browser.
func plainReader(page []byte, teaches scraper.Teacher) *scraper.Scraper {
	client := outbound.New(outbound.Options{Transport: anywhere(page), Pause: -1, Backoff: []time.Duration{}})
	return scraper.New(client, scraper.Options{BrowserMode: scraper.BrowserNever, Teacher: teaches})
}

// titles are the titles of the page's roles as they stand on it, each once.
func (p *recordedRoles) titles(page []byte) []string {
	var all []string
	for _, r := range p.Roles {
		if title := shownOf(string(page), r.Titles); !slices.Contains(all, title) {
			all = append(all, title)
		}
	}
	return all
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

// isWhole reports whether a reading has just the page's roles.
func (p *recordedRoles) isWhole(r boardwatch.Reading) bool {
	missed, others := p.compare(r)
	return missed+others == 0
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
