package scraper_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	listAddress = "https://www.company.example/careers/list"
	goodPage    = `<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1><ul><li><a href="/jobs/1-welder">Welder</a></li><li><a href="/jobs/2-fitter">Pipe Fitter</a></li></ul></body></html>`
)

// Whatever comes in place of the page, it is never an empty board.
func TestReadPageDoubts(t *testing.T) {
	t.Parallel()
	header := func(pairs ...string) map[string]any {
		h := make(map[string]any)
		for i := 0; i < len(pairs); i += 2 {
			h[pairs[i]] = pairs[i+1]
		}
		return h
	}
	for _, tt := range []struct {
		name       string
		answer     answer
		health     boardwatch.Health
		reason     string
		blockedBy  string
		unknown    bool
		retryAfter time.Duration
	}{
		{name: "gone", answer: answer{Status: 404, Body: []byte(goodPage)}, reason: "does not exist", unknown: true},
		{name: "gone for good", answer: answer{Status: 410}, reason: "does not exist", unknown: true},
		{name: "refused", answer: answer{Status: 403, Body: []byte("Forbidden")}, reason: "refused with status 403"},
		{name: "refused with a status of one's own", answer: answer{Status: 999}, reason: "refused with status 999"},
		{name: "a challenge of Cloudflare", answer: answer{Status: 403, Header: header("cf-mitigated", "challenge")}, health: boardwatch.HealthBlocked, reason: "Cloudflare", blockedBy: "Cloudflare"},
		{name: "too many requests", answer: answer{Status: 429, Header: header("Retry-After", "1800")}, reason: "too many requests", retryAfter: 30 * time.Minute},
		{name: "a wait in parts of seconds", answer: answer{Status: 429, Header: header("Retry-After", "1800.5")}, reason: "too many requests", retryAfter: 30*time.Minute + 500*time.Millisecond},
		{name: "a wait without measure", answer: answer{Status: 503, Header: header("Retry-After", "99999999999999999999")}, reason: "not available", retryAfter: 24 * time.Hour},
		{name: "a wait until a far day", answer: answer{Status: 503, Header: header("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT")}, reason: "not available", retryAfter: 24 * time.Hour},
		{name: "maintenance", answer: answer{Status: 503, Header: header("Retry-After", "1800")}, reason: "not available", retryAfter: 30 * time.Minute},
		{name: "trouble", answer: answer{Status: 500, Body: []byte(goodPage)}, reason: "has a server error (status 500)"},
		{name: "accepted", answer: answer{Status: 202, Body: []byte(goodPage)}, reason: "without the page"},
		{name: "no content", answer: answer{Status: 204}, reason: "without the page"},
		{name: "a redirect to nowhere", answer: answer{Status: 307}, reason: "without the page"},
		{name: "nothing", answer: answer{Body: []byte(" \n")}, reason: "the answer is empty"},
		{name: "a document", answer: answer{Header: header("Content-Type", "application/pdf"), Body: []byte("%PDF-1.7")}, reason: "answers with application/pdf"},
		{name: "data", answer: answer{Header: header("Content-Type", "application/json"), Body: []byte("[]")}, reason: "data in which no roles were found"},
		{name: "plain text", answer: answer{Header: header("Content-Type", "text/plain"), Body: []byte("no open positions")}, reason: "answers with text/plain"},
		{name: "moved to the home page", answer: answer{Status: 302, Header: header("Location", "https://www.company.example/")}, reason: "home page", unknown: true},
		{name: "moved to a home page in a language", answer: answer{Status: 302, Header: header("Location", "https://www.company.example/en")}, reason: "home page", unknown: true},
		{name: "moved to a login", answer: answer{Status: 302, Header: header("Location", "https://www.company.example/login?next=list")}, reason: "sign in"},
		{name: "moved to an error page", answer: answer{Status: 302, Header: header("Location", "https://www.company.example/404.html")}, reason: "error page"},
		{name: "moved to another site", answer: answer{Status: 302, Header: header("Location", "https://other.example/careers/list")}, reason: "another site: other.example", unknown: true},
		{name: "redirects in a circle", answer: answer{Status: 302, Header: header("Location", listAddress)}, reason: "circle"},
		{name: "cut off", answer: text(strings.Split(goodPage, "Pipe")[0] + `<div class="jo`), reason: "cut off"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			page := text(goodPage)
			s := site{
				listAddress: tt.answer, "https://www.company.example": page, "https://www.company.example/en": page,
				"https://www.company.example/login?next=list": page, "https://www.company.example/404.html": page,
				"https://other.example/careers/list": page,
			}
			r := read(t, s, listAddress)
			if tt.health == "" {
				tt.health = boardwatch.HealthFailed
			}
			require.Equal(t, tt.health, r.Health, r.Reason)
			require.Contains(t, r.Reason, tt.reason)
			require.Equal(t, tt.blockedBy, r.BlockedBy)
			require.Equal(t, tt.unknown, r.Unknown)
			require.Equal(t, tt.retryAfter, r.RetryAfter)
			require.Empty(t, r.Fingerprint)
		})
	}
}

func TestReadPageSaysNone(t *testing.T) {
	t.Parallel()
	page := func(sentence string) answer {
		return text(`<!doctype html><html><head><title>Jobs</title></head><body><main><h1>Jobs</h1><p>` + sentence + `</p></main></body></html>`)
	}
	for lang, sentence := range map[string]string{
		"English":    "There are currently no open positions.",
		"English 2":  "We are not hiring right now.",
		"English 3":  "We don't have any open roles at the moment.",
		"German":     "Derzeit sind keine Stellen ausgeschrieben.",
		"German 2":   "Aktuell haben wir leider keine offenen Positionen.",
		"French":     "Aucune offre d'emploi pour le moment.",
		"French 2":   "Nous n'avons pas de poste à pourvoir.",
		"Spanish":    "No hay vacantes disponibles en este momento.",
		"Portuguese": "No momento não temos vagas abertas.",
		"Italian":    "Al momento non ci sono posizioni aperte.",
		"Dutch":      "Er zijn momenteel geen openstaande vacatures.",
		"Swedish":    "Just nu har vi inga lediga tjänster.",
		"Danish":     "Der er ingen ledige stillinger.",
		"Finnish":    "Meillä ei ole avoimia työpaikkoja.",
		"Polish":     "Obecnie nie prowadzimy żadnych rekrutacji.",
		"Czech":      "Momentálně nemáme žádné volné pozice.",
		"Russian":    "Сейчас нет открытых вакансий.",
		"Japanese":   "現在、募集中の求人はありません。",
		"Chinese":    "目前沒有職缺。",
		"Korean":     "현재 진행 중인 채용 공고가 없습니다.",
		"Arabic":     "لا توجد وظائف شاغرة حالياً.",
		"Turkish":    "Şu anda açık pozisyon bulunmamaktadır.",
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			r := read(t, site{listAddress: page(sentence)}, listAddress)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Empty(t, r.Postings)
		})
	}
	for name, sentence := range map[string]string{
		"a filter":            "No open positions match your search.",
		"a supposition":       "If there are no open positions for you, write to us.",
		"the start of a list": "Below is a list of open positions.",
		"other matter":        "There is no such thing as bad weather.",
		"a slogan":            "No job is too small for us.",
	} {
		t.Run("not "+name, func(t *testing.T) {
			t.Parallel()
			r := read(t, site{listAddress: page(sentence)}, listAddress)
			require.Equal(t, boardwatch.HealthFailed, r.Health)
		})
	}
}

func TestReadPageUnchanged(t *testing.T) {
	t.Parallel()
	s := reader(t, site{listAddress: text(goodPage)})
	b := boardwatch.Board{Source: "page:" + listAddress}
	first, err := s.Read(t.Context(), b)
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthOK, first.Health)
	require.NotEmpty(t, first.Fingerprint)

	b.State = boardwatch.BoardState{Health: boardwatch.HealthOK, Fingerprint: first.Fingerprint}
	r, err := s.Read(t.Context(), b)
	require.NoError(t, err)
	require.True(t, r.Unchanged)
	require.Equal(t, 1, r.Requests)

	b.State.Health = boardwatch.HealthPartial
	r, err = s.Read(t.Context(), b)
	require.NoError(t, err)
	require.False(t, r.Unchanged, "only a healthy reading may be repeated unread")
}
