package page

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryLanguageHasWordsThatLeadOn(t *testing.T) {
	t.Parallel()
	for i, sections := range languages() {
		for _, name := range []string{"next", "further", "load more"} {
			require.NotEmpty(t, sections[name], "%s, language %d", name, i)
		}
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]label{
		"Next": nextLabel, "Next page »": nextLabel, "Older posts": nextLabel, "« Older entries": nextLabel, "Next 8 jobs": nextLabel, "Next (2/3)": nextLabel,
		"Next steps": otherLabel, "Next event": otherLabel, "Next: apply": otherLabel, "Previous": otherLabel, "Newer posts": otherLabel,
		"Load more": moreLabel, "Show 8 more": moreLabel, "Load more (16 remaining)": moreLabel, "+ Show more": moreLabel,
		"More jobs": jobsLabel, "View more open positions": jobsLabel, "Mehr Stellen anzeigen": jobsLabel,
		"Learn more": otherLabel, "Read more": otherLabel, "More about us": otherLabel, "More news": otherLabel, "Mehr erfahren": otherLabel,
		"More": furtherLabel, "Mehr": furtherLabel, "Voir plus": moreLabel, "View all open jobs": allLabel, "Show all": wholeLabel,
		"›": arrowLabel, "»": arrowLabel, "→": arrowLabel, ">>": arrowLabel, "‹": noLabel, "« »": noLabel, "": noLabel, "…": noLabel, "chevron_right": arrowLabel,
		"chevron right": arrowLabel, "التالي": nextLabel, "Следваща": nextLabel, "Següent": nextLabel, "下一页": nextLabel, "下頁": nextLabel, "Sljedeća": nextLabel,
		"Další": nextLabel, "Næste": nextLabel, "Volgende": nextLabel, "Järgmine": nextLabel, "Seuraava": nextLabel, "Suivant": nextLabel, "Weiter": nextLabel,
		"Nächste Seite": nextLabel, "Επόμενη σελίδα": nextLabel, "הבא": nextLabel, "Következő": nextLabel, "Berikutnya": nextLabel, "Avanti": nextLabel,
		"次へ": nextLabel, "次のページ": nextLabel, "다음": nextLabel, "Nākamā": nextLabel, "Kitas": nextLabel, "Neste": nextLabel, "Następna": nextLabel, "Próxima": nextLabel,
		"Următoarea": nextLabel, "Следующая": nextLabel, "Ďalšia": nextLabel, "Naslednja": nextLabel, "Siguiente": nextLabel, "Nästa": nextLabel, "ถัดไป": nextLabel,
		"Sonraki": nextLabel, "Наступна": nextLabel, "Trang sau": nextLabel,
	} {
		require.Equal(t, want, labelOf(text), "%q", text)
	}
}

func TestTurnsOfAddresses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		own, other string
		want       relation
		number     int
	}{
		{"/jobs", "/jobs?page=2", turned, 2},
		{"/jobs/", "/jobs?page=2", turned, 2},
		{"/jobs?q=x&page=2", "/jobs?q=x&page=3", turned, 3},
		{"/jobs", "/jobs/page/2/", turned, 2},
		{"/jobs/page/2/", "/jobs/page/3/", turned, 3},
		{"/jobs", "/jobs/p2", turned, 2},
		{"/jobs", "/jobs/2", suffixed, 2},
		{"/jobs.html", "/jobs-2.html", suffixed, 2},
		{"/jobs/index.html", "/jobs/index-2.html", suffixed, 2},
		{"/jobs", "/jobs/seite-2", turned, 2},
		{"/", "/page/2", turned, 2},
		{"/jobs", "/jobs?b_start:int=10", turned, 10},
		{"/jobs", "/jobs?PAGEN_1=2", turned, 2},
		{"/jobs", "/jobs?e-page-5c1af3d=2", turned, 2},
		{"/jobs", "/jobs?tx_list%5BcurrentPage%5D=2&cHash=1a", turned, 2},
		{"/jobs", "/jobs?offset=1617283900000", turned, cursor},
		{"/jobs", "/jobs?after=eyJpZCI6", turned, cursor},
		{"/jobs", "/ajax/jobs?page=2", numbered, 2},
		{"/jobs", "/jobs?chunk=2", requeried, cursor},
		{"/jobs", "/jobs?page_id=12", requeried, cursor},
		{"/jobs", "/jobs?per_page=50", requeried, cursor},
		{"/jobs", "/jobs?from=newsletter", requeried, cursor},
		{"/jobs?page=2", "/jobs?page=2", itself, 0},
		{"/jobs?page=2&q=", "/jobs/?page=2", itself, 0},
		{"/jobs?page=2", "/jobs", itself, 0},
		{"/jobs", "/jobs/welder-1234", elsewhere, 0},
		{"/jobs", "/about", elsewhere, 0},
		{"/jobs", "https://other.example/jobs?page=2", elsewhere, 0},
	} {
		u, err := url.Parse("https://www.company.example" + tt.own)
		require.NoError(t, err)
		got := newDocument(u).turnTo(Resolve(u, tt.other))
		require.Equal(t, tt.want, got.relation, "%s from %s", tt.other, tt.own)
		require.Equal(t, tt.number, got.number, "%s from %s", tt.other, tt.own)
	}
}
