package page

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// Evidence is a list of texts that are written alike, with what the page shows of it: what could be the list of roles.
type Evidence struct {
	Titles []string
	Signs  judge.Signs
	Rules  float64 // what the rules make of it
	Judged float64 // what the judge makes of it
	Taken  bool    // the roles come from it
	Trail  []string
}

// Lists are all lists of the page that could be the list of roles, in document order, whatever they are worth.
func (d *Document) Lists() []Evidence {
	d.roles()
	lists := make([]Evidence, 0, len(d.weighed))
	for _, g := range d.weighed {
		lists = append(lists, Evidence{Titles: g.texts, Signs: g.signs, Rules: g.score, Judged: g.likely, Taken: g.taken, Trail: g.trail})
	}
	return lists
}

// maxScored is how many texts of a list are looked at one by one; of longer lists, so many from all over it.
const maxScored = 40

// weigh finds the signs of the group: everything that may tell a list of roles from another list.
func (g *group) weigh(prior float64) {
	s := &g.signs
	items := g.sample()
	n := float64(len(items))
	scores := make([]float64, len(items))
	distinct := make(map[string]bool, len(items))
	for i, c := range items {
		said := g.page.phraseOf(c.title)
		scores[i] = said.likely()
		distinct[c.title] = true
		g.weighText(c, scores[i], n)
		g.weighPlace(c, n)
		g.weighCard(c, n)
	}
	slices.Sort(scores)
	s[judge.Median], s[judge.Least] = scores[len(scores)/2], scores[0]
	s[judge.Size] = math.Log2(float64(len(g.items)))
	countIf(&s[judge.Single], len(g.items) == 1)
	countIf(&s[judge.Few], len(g.items) < 4)
	s[judge.Distinct] = float64(len(distinct)) / n
	s[judge.AboutJobs] = prior
	s[judge.Classes] = g.classScore()
	s[judge.Column] = g.columnScore()
	countIf(&s[judge.Denied], g.page.SaysNone())
	s[judge.Start] = float64(g.items[0].element.index) / float64(len(g.page.elements))
}

// sample are the texts that speak for the group.
func (g *group) sample() []*candidate {
	if len(g.items) <= maxScored {
		return g.items
	}
	items := make([]*candidate, 0, maxScored)
	for i := range maxScored {
		items = append(items, g.items[i*len(g.items)/maxScored])
	}
	return items
}

// shareOf adds one of n texts to the share of those that have a sign.
func (g *group) shareOf(n float64) func(judge.Sign, bool) {
	return func(sign judge.Sign, is bool) {
		if is {
			g.signs[sign] += 1 / n
		}
	}
}

func (g *group) weighText(c *candidate, score, n float64) {
	s := &g.signs
	s[judge.Mean] += score / n
	share := g.shareOf(n)
	share(judge.AboveZero, score > 0)
	share(judge.AboveTwo, score > 2)
	share(judge.Known, c.role)
	share(judge.Place, c.placed)
	share(judge.Gender, marksGender(c.title))
	share(judge.Plural, isPlural(c.title))
	share(judge.Department, g.page.phraseOf(c.title).namesDepartment())
	share(judge.OtherMatter, c.kind == aside || c.kind == closed)
	share(judge.Numbered, c.title[0] >= '0' && c.title[0] <= '9')
	last, _ := utf8.DecodeLastRuneInString(c.title)
	share(judge.Sentence, endsSentence(last))
	share(judge.Person, namesPerson(g.page, c.title))
	share(judge.Colon, strings.Contains(c.title, ": "))
	share(judge.Owner, g.page.namesOwner(c.title))
	share(judge.Contract, g.page.phraseOf(c.title).isContract())
	s[judge.Words] += float64(strings.Count(c.title, " ")+1) / n
	s[judge.Length] += math.Log2(float64(len(c.title))) / n
}

func (g *group) weighPlace(c *candidate, n float64) {
	s, share := &g.signs, g.shareOf(n)
	e := c.element
	share(judge.Linked, c.link != nil)
	share(judge.OwnLink, c.url != nil)
	share(judge.JobLink, c.url != nil && c.url.job)
	share(judge.OtherLink, c.url != nil && c.url.other)
	share(judge.Heading, e.level > 0)
	share(judge.HighHeading, e.level == 1 || e.level == 2)
	share(judge.Inline, e.level == 0 && c.link == nil && isInline(e.tag))
	share(judge.Bullet, e.level == 0 && c.link == nil && e.closest(atom.Li) != nil)
	share(judge.Cell, e.closest(atom.Td) != nil)
	share(judge.Button, e.closest(atom.Button) != nil || e.closest(atom.Summary) != nil)
	share(judge.UnderOpen, c.section.about() == open)
	share(judge.UnderOther, c.section.about() == aside)
	share(judge.UnderPlain, c.section != nil && c.section.about() == plain)
	share(judge.UnderRole, c.section != nil && g.page.namesRole(c.section.heading))
	if c.section != nil {
		s[judge.Heads] += g.page.phraseOf(c.section.heading).likely() / n
	}
	share(judge.FormPart, e.closest(atom.Form) != nil)
}

func (g *group) weighCard(c *candidate, n float64) {
	s, share := &g.signs, g.shareOf(n)
	length, pictures, applying, quoted, mail := 0, false, false, false, false
	for _, e := range g.page.between(c.card.from, c.card.to) {
		if e.hidden || e.chrome {
			continue
		}
		if e.own {
			length += int(e.words)
		}
		quoted = quoted || e.tag == atom.Blockquote || e.tag == atom.Q || e.own && e.quotes()
		mail = mail || e.tag == atom.A && strings.HasPrefix(attr(e.node, "href"), "mailto:")
		pictures = pictures || e.tag == atom.Img || e.tag == atom.Picture
		if (e.tag == atom.A || e.tag == atom.Button) && !e.longer(60) && !applying {
			said := e.said()
			applying = said.callsToAct() || said.leadsOn() || applyButton.MatchString(said.folded)
		}
	}
	share(judge.Terms, g.page.showsTerms(c))
	share(judge.Quoted, quoted)
	share(judge.Mail, mail)
	share(judge.Picture, pictures)
	share(judge.Applying, applying)
	share(judge.SaysMore, length > len(c.title)+3)
	s[judge.CardLength] += math.Log2(float64(1+max(0, length-len(c.title)))) / n
}

// quotes reports whether e's own text begins with a quotation, as what colleagues and clients say does.
func (e *element) quotes() bool {
	text := e.ownText()
	first, size := utf8.DecodeRuneInString(text)
	return strings.ContainsRune(`"“”„«»‚‘「『`, first) && longer(text[size:], shortestQuote)
}

// shortestQuote is the length of the shortest quotation that is a sentence and not a name.
const shortestQuote = 25

// Two opinions decide about a list: that of the rules, which know words and how lists are written, and that of the judge, which
// learned from labelled pages what lists of roles have in common. These probabilities of the judge decide.
const (
	denied   = 0.15                   // below it a list holds no roles, unless its texts read like titles
	deniable = 0.35                   // below it the judge denies what is evident to the rules
	unlikely = 0.45                   // below it the judge overrules the rules; from it on they have their list, with doubt
	likely   = 0.65                   // from it on the judge agrees with the rules
	fair     = (likely + trusted) / 2 // from it on the best list of a page about jobs is taken, with doubt, though the rules know no roles
	trusted  = 0.80                   // and is trusted alone; what else stands on the page has to be likely by itself
	whole    = 0.85                   // below it a list is not whole: of the readings of labelled pages below it, two in five were wrong
	certain  = 0.90                   // from it on it vouches for texts that the rules left out
)

// evident is the score from which the rules are so sure of a list that the judge need only not deny it: a single role under a
// clear heading is seldom like the lists that the judge learned from.
const evident = 1.75 * threshold

// isFaint reports whether too little speaks for the list to be whole.
func (g *group) isFaint(prior float64) bool {
	least := whole
	if prior == 0 && !g.underOpenings() && g.signs[judge.JobLink] == 0 {
		least = certain // nothing speaks of openings: neither the page nor a heading or an address
	}
	return judge.Probability(g.likely) < least && !g.isEvident()
}

// isEvident reports whether the rules are sure of the list.
func (g *group) isEvident() bool {
	return g.score >= evident && g.signs[judge.Contract] < 0.5 || len(g.items) > 1 && g.share(func(c *candidate) bool { return c.numbered }) == 1
}

// namesPerson reports whether the text names a person and what that person is: "Ada Moor, Head Chef".
func namesPerson(d *Document, text string) bool {
	at := strings.IndexAny(text, ",–—|-")
	if at < 3 || at > 30 {
		return false
	}
	name, rest := d.phraseOf(strings.TrimSpace(text[:at])), d.phraseOf(strings.Trim(text[at:], " ,–—|-"))
	return !name.namesRole() && name.likely() < 0 && rest.likely() > 0
}

// namesOwner reports whether the text holds the name of the page's site: "Life at Northwind" on northwind.example.
func (d *Document) namesOwner(text string) bool {
	name := d.owner()
	return len(name) >= shortestName && strings.Contains(strings.Map(wordRune, d.fold(text)), name)
}

func (d *Document) findOwner() string { return strings.ReplaceAll(SiteLabel(d.Base), "-", "") }

// shortestName is the length of the shortest name of a site that means the site wherever it stands.
const shortestName = 5

// wordRune leaves out what is not part of a word.
func wordRune(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}

// opine asks the judge about each list, and decides which are accepted, and which of these with doubt.
func (d *Document) opine(groups []*group, prior float64) (accepted, rest []*group) {
	compare(groups)
	model := d.model
	if model == nil {
		model = judge.Shipped()
	}
	var best *group
	for _, g := range groups {
		if len(g.texts) == 0 {
			continue
		}
		g.signs[judge.Rules] = g.score
		countIf(&g.signs[judge.Accepted], g.score >= threshold)
		g.likely = model.Score(&g.signs)
		if len(g.all) > 0 && (best == nil || g.likely > best.likely) {
			best = g
		}
	}
	for _, g := range groups {
		if len(g.items) == 0 {
			g.items = g.all // the rules left out every text; the judge may know better
		}
		if len(g.items) == 0 {
			continue
		}
		if g.decide(g == best, best, prior); g.accepted && len(g.items) > 0 {
			accepted = append(accepted, g)
		} else if len(g.items) > 0 {
			rest = append(rest, g)
		}
	}
	return accepted, rest
}

// compare notes for each list how much better the texts of the best other list are.
func compare(groups []*group) {
	first, second := -100.0, -100.0
	for _, g := range groups {
		if mean := g.signs[judge.Mean]; len(g.texts) > 0 && mean > second {
			first, second = max(first, mean), min(first, mean)
		}
	}
	for _, g := range groups {
		other := first
		if g.signs[judge.Mean] == first {
			other = second
		}
		g.signs[judge.Rivals] = max(-10, other-g.signs[judge.Mean])
	}
}

// restore takes back what the rules left out of a list that the judge takes for roles: in such a list a text that no rule knows
// is a role as well, unless it is clearly something else. What stands between roles is one whatever it says: other matter
// that is written like the entries of a list stands before or behind them.
func (g *group) restore(p float64) {
	kept := g.kept()
	first, last := slices.Index(g.all, g.items[0]), slices.Index(g.all, g.items[len(g.items)-1])
	items := make([]*candidate, 0, len(g.all))
	for i, c := range g.all {
		if kept[c] || c.kind == plain && (c.url == nil || !c.url.other) && !c.placed && (first < i && i < last || c.isAnnounced() || c.likely() > clearlyNot) {
			items = append(items, c)
		}
	}
	g.contested = g.contested || len(items) > len(g.items) && p < trusted
	g.items = items
}

// kept are the texts of the list, without those that were left out.
func (g *group) kept() map[*candidate]bool {
	kept := make(map[*candidate]bool, len(g.items))
	for _, c := range g.items {
		kept[c] = true
	}
	return kept
}

// trim leaves out what stands at the beginning or the end of a list, is known to no rule and is clearly no title: the heading of the
// list, or what is written like its entries after it, such as how to apply.
func (g *group) trim() {
	if g.nameless() {
		return
	}
	from, to := 0, len(g.items)
	for g.items[from].isOdd() {
		from++
	}
	for g.items[to-1].isOdd() {
		to--
	}
	for _, c := range slices.Concat(g.items[:from], g.items[to:]) {
		g.contested = g.contested || c.likely() > hardly
	}
	g.items = g.items[from:to]
}

// isOdd reports whether nothing but the list that it stands in speaks for the text being a title. A row of a table with several cells is
// an entry whatever it says.
func (c *candidate) isOdd() bool {
	if row := c.element.closest(atom.Tr); row != nil && len(row.kids) > 2 {
		return false
	}
	return !c.role && c.url == nil && !c.isAnnounced() && c.likely() <= clearlyNot && !c.element.page.showsTerms(c)
}

// likely is how likely the text is a title, as the logarithm of the odds.
func (c *candidate) likely() float64 { return c.element.page.phraseOf(c.title).likely() }

// leavesStrays reports whether the rules know too few of the list's texts to tell which are roles, and the judge is neither certain of
// the list nor takes each of the others for a title by itself.
func (g *group) leavesStrays() bool {
	kept := g.kept()
	sure := judge.Probability(g.likely) >= certain
	return slices.ContainsFunc(g.all, func(c *candidate) bool { return c.stray && (!kept[c] || !sure && c.likely() <= 0) })
}

// leavesPeers reports whether beside the groups that were taken stands one that was not, though it is written as they are: it may
// be another column of the same list.
func leavesPeers(taken, rest []*group) bool {
	return slices.ContainsFunc(rest, func(g *group) bool {
		return g.mayHoldRoles() && slices.ContainsFunc(taken, func(o *group) bool { return o.mayGoOnIn(g) }) &&
			!slices.ContainsFunc(g.items, func(c *candidate) bool { return c.placed || !g.page.mayBeRole(c.title) })
	})
}

// leavesEntries reports whether among the entries of the list, such as the rows of a table, stands one that holds none of the
// group's texts. What the judge takes alone is whole only without such entries: no rule could say what they are.
func (g *group) leavesEntries() bool {
	within := g.page.countBefore(elementsOf(g.items))
	seen := make(map[*element]bool)
	return slices.ContainsFunc(g.items, func(c *candidate) bool {
		list := c.base.parent
		if !isEntry(c.base.tag) || list == nil || seen[list] {
			return false
		}
		seen[list] = true
		return slices.ContainsFunc(list.kids, func(k *element) bool {
			return k.tag == c.base.tag && !k.hidden && !k.chrome && k.longer(0) && !k.onlyHeads() && !k.isHead(len(k.kids)) && within[k.end] == within[k.index]
		})
	})
}

// mayGoOnIn reports whether the other group is written like this one, in the same part of the page, and near it.
func (g *group) mayGoOnIn(o *group) bool {
	if len(g.items) == 0 || len(o.items) == 0 {
		return false
	}
	a, b := g.items[0], o.items[0]
	if a.link != nil || b.link != nil || a.section != b.section || kindOfPeer(a.element, a.element.level) != kindOfPeer(b.element, b.element.level) {
		return false
	}
	x, y := a.element, b.element
	for range columnDepth {
		if x, y = x.parent, y.parent; x == nil || y == nil {
			return false
		}
		if x == y {
			return true
		}
	}
	return false
}

// mayHoldRoles reports whether the list may be one of roles, though it was not taken: the judge does not deny it, or its texts do not
// read like something else, such as what the roles pay, whom they serve or what is offered.
func (g *group) mayHoldRoles() bool {
	return judge.Probability(g.likely) >= denied || g.signs[judge.Mean] > rarely
}

// columnDepth is how many steps above the texts of two columns the element stands that holds both.
const columnDepth = 3

// clearlyNot is the score under which a text is no title, whatever it stands beside.
const clearlyNot = -2

// rarely is the average score of texts from which a list may be one of roles, in words that nobody knows.
const rarely = -1

// hardly is the score under which a text that no rule knows is left out without a doubt, at the edge of a list or beside it: of the
// titles on labelled pages, one in twenty scores less.
const hardly = -2.4

// surelyNot is that score for a text beside a list that leads to a page of its own.
const surelyNot = -3.75

// isMixed reports whether a third of the texts or more, as they were before any was left out, are about other matter: a menu of the
// pages about working here.
func (g *group) isMixed() bool {
	asides := 0
	for _, c := range g.all {
		countIf(&asides, c.kind == aside && !c.role)
	}
	return asides*3 >= len(g.all) && len(g.all) > 2
}

// offers reports whether most of several cards lead to what is sold, and none to the page of a role: services and courses are often
// called like the people who provide them, or who they are for.
func (g *group) offers() bool {
	if len(g.items) < 2 || g.signs[judge.JobLink] > 0 {
		return false
	}
	sold := 0
	for _, c := range g.items {
		countIf(&sold, c.leadsToSales())
	}
	return sold*2 >= len(g.items)
}

// isBareHeading reports whether the only text of the group is a heading about which the page says nothing: what would be said of a role
// follows its title.
func (g *group) isBareHeading() bool {
	return len(g.items) == 1 && g.items[0].element.level > 0 && g.items[0].url == nil && g.signs[judge.SaysMore] == 0
}

// callsReaders reports whether the text speaks to the reader or of the company as "us", as the names of roles hardly ever do.
func (c *candidate) callsReaders() bool {
	return c.url == nil && strings.Count(c.title, " ") >= shortestCall && !marksGender(c.title) && !strings.Contains(c.title, "US") &&
		!c.element.page.namesRole(c.title) && callsReaders.MatchString(c.element.page.fold(c.title))
}

// shortestCall is how many spaces a text at least has that speaks to its reader.
const shortestCall = 3

// leadsToSales reports whether a link of the card leads to what the site sells.
func (c *candidate) leadsToSales() bool {
	d := c.element.page
	for _, l := range d.links(c) {
		if !l.element.chrome && l.url.Host == d.Base.Host && sells(l.url) {
			return true
		}
	}
	return false
}

// isPart reports whether the group stands in the same part of the page as the best one, as one entry that is set off from
// the others does.
func (g *group) isPart(best *group) bool {
	return g != best && len(best.items) > 0 && judge.Probability(best.likely) >= likely && g.items[0].section != nil && g.items[0].section == best.items[0].section
}

// decide weighs both opinions on a group. isBest says that the judge likes no list of the page more.
func (g *group) decide(isBest bool, best *group, prior float64) {
	p, rules := judge.Probability(g.likely), g.score >= threshold
	switch {
	case g.signs[judge.Quoted] >= 0.5 && g.signs[judge.JobLink] == 0:
		// people who are quoted, by what they are
	case g.offers():
		// services and courses, by who provides them or who they are for
	case g.isBareHeading() && g.items[0].callsReaders():
		// an invitation to join
	case len(g.items) == 1 && g.items[0].element.said().sought() != "":
		// a heading that seeks somebody, which advert judges
	case p < trusted && g.headSections():
		// headings of parts of the page, each above several others
	case rules && p >= likely, p >= deniable && g.isEvident(), rules && p >= unlikely && g.adverts == 1 && len(g.items) > 1:
		g.accepted = true
	case !isBest && judge.Probability(best.likely) >= trusted && p < likely && !(g.isPart(best) && p >= unlikely):
		// the page has its list, and this is another
	case p >= trusted && g.signs[judge.Colon] < 1:
		g.accepted = true
	case rules && p >= unlikely, g.isPart(best) && p >= unlikely,
		isBest && p >= fair && prior > 0 && g.signs[judge.UnderOther] == 0, g.repeatsAdvert(prior):
		g.accepted, g.contested = true, true
	}
	if g.accepted && p >= likely {
		g.restore(p)
	}
	if g.accepted {
		g.trim()
		g.contested = g.contested || g.isMixed() || (!rules || g.items[0].isAnnounced()) && g.leavesEntries() || g.isBareHeading() || slices.ContainsFunc(g.items, (*candidate).callsReaders)
		g.doubted = g.doubted || g.leavesStrays()
	}
	if g.accepted && !rules {
		g.score = threshold
		g.trail = append(g.trail, "like lists of roles")
	}
}
