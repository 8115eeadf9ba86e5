package page

import (
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/markdown"
)

// describe gives a posting its text. Relative links in it belong to the posting's own page, or to the one at base.
func describe(p *boardwatch.Posting, markup string, base *url.URL) {
	if markup == "" {
		return
	}
	at := p.URL
	if at == "" && base != nil {
		at = base.String()
	}
	p.Text = markdown.Of(markup, at)
}

// addFacts adds what the object states besides to a record that is a role.
func (r *record) addFacts(base *url.URL) {
	facts, description := fact.Named(r.members, r.posting.Location)
	r.posting.Facts = facts
	describe(&r.posting, strings.Join(description, "\n\n"), base)
}

// labelFacts adds to a posting what labels on its card say: texts of their own that name nothing but a kind of employment, a mode
// of work, or pay.
func labelFacts(f *boardwatch.Facts, lines []line) {
	for _, l := range lines {
		if len(l.text) > longestLabel {
			continue
		}
		folded := Fold(l.text)
		if t, ok := fact.JobType(l.text); ok && f.Type == "" && contract.MatchString(folded) {
			f.Type, f.TypeText = t, l.text
		}
		if f.Mode == "" && (workMode[folded] || remote.MatchString(folded)) {
			f.Mode = fact.Mode(l.text)
		}
		if p, ok := fact.PayLabel(l.text); ok && f.Pay.IsZero() {
			f.Pay = p
		}
	}
}
