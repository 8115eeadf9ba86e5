package page

import (
	"regexp"
	"slices"

	"github.com/boardwatch/boardwatch/internal/match"
)

//nolint:gochecknoglobals // constant patterns
var (
	// closedMark is what a card says whose role is no longer open.
	closedMark = match.New(`^(now |already |this (position|role|job|vacancy) (is|has been) |position |role |job |vacancy |status: ?)?(closed|filled|expired|no longer available)[.!]?$|\bclosed (to|for) (new )?(applica|candida|entries)|no longer (accepting|open|recruiting|hiring)|applications? (period )?(is |are |has |have )?(now |been )?closed|(position|role|job|vacancy) (is |has )?(now |already |been )*(closed|filled|taken)` +
		`|^(bereits |schon )?(besetzt|vergeben|abgelaufen|geschlossen)$|(stelle|position) (ist |wurde )?(bereits |schon )?(besetzt|vergeben)|bewerbungsfrist (ist )?abgelaufen|^(poste )?(deja )?(pourvu|cloture|expire)e?$|(poste|offre) (est )?(deja )?(pourvu|cloture|expire)e?|candidatures? (closes?|cloturees?)|^(cerrad|cubiert|finalizad|encerrad|preenchid|expirad)[ao]$|(vacante|oferta|vaga|puesto|plaza) (ya )?(cerrad|cubiert|finalizad|encerrad|preenchid|expirad)[ao]` +
		`|^(chius|scadut|coperta)[aoei]?$|posizione (chiusa|coperta)|^(gesloten|vervuld|verlopen)$|vacature (is )?(gesloten|vervuld)|^(tillsatt|stangd|lukket|besat|utgatt|suljettu|zakonczona|zamknieta|nieaktualne|obsazeno|uzavreto|betoltve|ocupat|kapali|закрыта|закрыто|закрита)$|rekrutacja zakonczona|ansokningstiden har gatt ut|вакансия закрыта|募集終了|受付終了|応募締切済|已截止|已关闭|已關閉|已结束|마감|채용완료|مغلقة|انتهى التقديم`)

	// furtherPlaces is the end of a place that counts those which are not shown: "Berlin +2 more".
	furtherPlaces = regexp.MustCompile(`(?i)[\s,;|•·–-]*(\(?\+\s?\d{1,3}(\s(more|others?|weitere[rn]?|autres?|m[áa]s|mais|altr[eio]|andere|meer|fler|flere|inn[ey]ch?|locations?|standorte?|lieux|sedes?|places|cities)){0,2}\)?|\s(and|und|et|y|e|en|och|og|i|&)\s\d{1,3}\s(more|others?|weitere[rn]?|autres?|m[áa]s|mais|altr[eio]|andere|meer|fler|flere)(\s\p{L}+)?)$`)
)

// isClosed reports whether the candidate's card says that the role is no longer open.
func (d *Document) isClosed(c *candidate) bool { return d.closedMark(c) != nil }

// closedMark is what says so on the candidate's card; nil when nothing does.
func (d *Document) closedMark(c *candidate) *element {
	for _, e := range d.elements[c.card.from:c.card.to] {
		if e.hidden || !e.own || e.contains(c.element) || c.element.contains(e) || e.longer(70) {
			continue
		}
		if closedMark.MatchString(e.folded()) {
			return e
		}
	}
	return nil
}

// dropClosed takes out of a group the roles that the page calls closed, and notes them.
func (g *group) dropClosed() {
	d := g.page
	g.items = slices.DeleteFunc(g.items, func(c *candidate) bool {
		if c.section.about() == closed {
			d.closed = append(d.closed, c)
			return true
		}
		mark := d.closedMark(c)
		if mark != nil && c.callsClosed(mark) {
			d.closed = append(d.closed, c)
		}
		return mark != nil
	})
}

// withoutFurther takes off a place the number of those that are not shown.
func withoutFurther(place string) string {
	if at := furtherPlaces.FindStringIndex(place); at != nil && at[0] > 0 {
		return place[:at[0]]
	}
	return place
}
