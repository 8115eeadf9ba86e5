package page

import (
	"cmp"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/match"
)

//nolint:gochecknoglobals // constant tables; Go has no constant maps or patterns
var (
	headingWords = set(`title titel titolo titulo titre name nombre nome heading headline header uberschrift subtitle jobtitle job-title betreff nome`)
	badgeWords   = set(`badge tag tags label chip pill type employment contract salary date posted apply meta new count`)
	otherWords   = set(`author testimonial testimonials quote person people member members team staff employee bio product products post
		blog news article-date benefit benefits value values perk perks faq feature features step steps event events partner
		partners client clients customer services price pricing menu date posted time type contract salary tag tags badge filter filters`)
	jobNames = set(`job jobs position positions vacancy vacancies opening openings role roles posting postings career careers stelle stellen
		stellenangebot stellenangebote offre offres emploi vacature vacatures candidatura candidature lavoro oferta ofertas oferty empleo vaga vagas
		praca recruit recruitment vacante vacantes joblist jobposting joboffer hiring opportunity requisition joblisting jobtile`)
	placeNames = set(`location locations ort standort standorte lieu place city ciudad region office localisation localizacion ubicacion luogo sede
		plaats locatie miejsce lokalizacja stadt localidade cidade paikkakunta sijainti workplace joblocation emplacement ville land country geo
		plats sted konum sehir`)
	groupNames = set(`department departments dept team category abteilung bereich fachbereich departement equipe function
		division kategorie departamento dipartimento afdeling discipline jobfamily teams careerarea sector categoria avdelning`)

	placeLabel = match.New(`^(job |work |primary )?(locations?|place|city|office|region|where|workplace|(arbeits|einsatz|dienst)?orte?|standorte?|lieu( de travail)?|localisation|ville|ubicacion|lugar( de trabajo)?|localizacion|localidade|ciudad|luogo( di lavoro)?|sede( di lavoro)?|citta|plaats|locatie|standplaats|werklocatie|ort|plats|placering|sted|arbeidssted|sijainti|paikkakunta|miejsce( pracy)?|lokalizacja|miasto|misto( vykonu)?|lokalita|helyszin|munkavegzes helye|locatia|oras|konum|sehir|город|место( работы)?|локация|местоположение|勤務地|勤務先|地点|地點|工作地點|工作地点|地區|근무지|지역|الموقع|المكان|מיקום)\s*$`)
	groupLabel = match.New(`^(job )?(departments?|teams?|category|categories|function|division|area|discipline|abteilung|bereich|fachbereich|kategorie|team|departement|service|equipe|categorie|metier|departamento|area|equipo|categoria|dipartimento|reparto|settore|afdeling|vakgebied|avdelning|afdeling|osasto|dzial|zespol|kategoria|oddeleni|departament|bolum|отдел|департамент|направление|部門|部署|職種|カテゴリ|類別|部门|부서|직군|القسم)\s*$`)

	// placeLabelWords and groupLabelWords make labels together with words that say nothing of their own: "Duty station",
	// "Business unit". labelFillers are those.
	placeLabelWords = set(`location locations place city cities town region office offices site campus country countries workplace branch county province station based
		ort orte arbeitsort einsatzort dienstort standort standorte niederlassung filiale stadt land lieu lieux ville pays region localisation site agence ubicacion lugar ciudad
		sede pais localidade cidade luogo citta plaats locatie standplaats vestiging plats ort sted sijainti paikkakunta miejsce lokalizacja miasto misto lokalita helyszin locatia oras sehir konum`)
	groupLabelWords = set(`department departments dept team teams division unit function category discipline practice directorate section abteilung bereich fachbereich team
		departement service equipe direction pole metier departamento equipo dipartimento reparto afdeling team avdelning afdeling osasto dzial zespol oddeleni departament bolum`)
	labelFillers = set(`job jobs work working primary main head duty role position posting business functional organisational organizational assignment s name of the and our your in
		arbeits dienst de du des la le del da di do el der die das lavoro trabajo travail pracy`)

	titleLabel = match.New(`^(job|position|open|role|vacancy)?[ -]?(titles?|positions?|jobs?|roles?|vacanc(y|ies)|openings?|opportunit(y|ies)|stellen?|stellenbezeichnung|stellentitel|beruf|bezeichnung|tatigkeit|titel|postes?|intitule( du poste)?|metiers?|offres?|puestos?|vacantes?|cargos?|ofertas?|posizion[ei]|ruol[oi]|mansion[ei]|figur[ae]|titolo|functies?|functietitel|vacatures?|vagas?|funcao|stanowisk[oa]|oferta|tjanst(er)?|jobb|befattning|stilling(er)?|stillingsbetegnelse|tyotehtava|tehtava|pozice|pozicia|pozicio|allas|munkakor|post|functia|pozitii?|pozisyon|unvan|должность|вакансия|вакансии|позиция|посада|вакансія|θεση|職種|職名|募集職種|職位|职位|岗位|職缺|포지션|직무|공고|المسمى الوظيفي|الوظيفة|תפקיד|משרה)\s*$`)

	codeLabel = match.New(`^(job|position|role|vacancy|req(uisition)?|stellen|offer)?[- ]?(code|id|no|number|nr|ref|reference|kennziffer|referenz(nummer)?|reference de l.offre|referencia|riferimento|codice|numer ref\w*)\.?\s*$`)
	codeForm  = match.New(`^[\p{L}\d][\p{L}\d./_-]{1,39}$`)

	// terms are the words for kinds of work, which stand on the cards of roles and hardly anywhere else.
	terms = match.New(`\b(full.?time|part.?time|permanent|temporary|fixed.?term|freelance|remote|hybrid|on.?site|internship|vollzeit|teilzeit|festanstellung|unbefristet|befristet|homeoffice|home office|temps plein|temps partiel|cdi|cdd|stage|alternance|teletravail|tiempo completo|jornada completa|medio tiempo|presencial|hibrido|remoto|tempo (pieno|indeterminato|determinato)|voltijd|deeltijd|fulltime|parttime|heltid|deltid|tillsvidare|pelny etat|umowa o prace|b2b|zdalnie|plny uvazek|tam zamanli|czesc etatu|umowa zlecenie|stacjonarnie|tempo parcial|tempo integral|meio periodo|tiempo parcial|osa.?aikainen|kokoaikainen|castecny uvazek|yari zamanli)\b|(полная|частичная|неполная) занятость|полный день|удаленно|удаленная работа|повна зайнятість|正社員|契約社員|アルバイト|業務委託|全職|正職|全职|兼职|정규직|계약직|دوام`)
	// contract is a text that says only how long or how much is worked, or when it was posted.
	contract = match.New(`^(full.?time|part.?time|permanent( employee)?|employee|temporary|contract(or)?|freelance|internship|working student|vollzeit|teilzeit|festanstellung|unbefristet|befristet|cdi|cdd|stage|alternance|tiempo completo|tempo pieno|voltijd|heltid|pelny etat|正社員|正職|new|neu|\d.*|.*\b(ago|days?|hours?)\b.*|.*[€$£].*|20\d\d.*)$`)

	usState = match.New(`,\s*(A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|ON|BC|QC|AB|MB|NS|NSW|VIC|QLD|UK|US|USA)\b`)
	// remote is a text that says, in whatever language, that the work is done from anywhere, and no more than where that is, or
	// that it is done so in part.
	remote = match.New(`^(100 ?% ?|full(y|ement)? |total(e|mente|ement)? |komplett |praca |prace |lavoro |trabajo |trabalho |travail |munca |lucru |lam viec |работа |робота )?((in |en |im |em |da |na |w |zu )?(remote|remoto|teletravail|teletrabajo|teletrabalho|telelavoro|telearbeit|telewerk(en)?|telemunca|smart working|lavoro agile|home.?office|home.?based|home.?working)|(a|en|la|de la) (distance|distancia|distanta)|distanciel|de acasa|(mobil(es)?|ortsunabhangig(es)?) arbeiten|ortsunabhangig|fernarbeit|thuiswerk(en)?|(op|vanop) afstand|vanuit huis|(pa )?distans(arbete)?|fjarrarbete|hemifran|hemarbete|hjemmekontor|hjemmearbejde|hjemmefra|fjernarbe(jde|id)|eta(na)?tyo|etana|zdaln(ie|a|y)|na (dalku|dialku)|vzdialene|z domova?|tavmunka|otthoni munkavegzes|uzaktan( calisma)?|evden( calisma)?|εξ αποστασεως|τηλεργασια|απομακρυσμεν[αη]|удален(но|ная|ка)( работа)?|дистанционно|от разстояние|віддален[оа]( робота)?|дистанційно|(フル|完全)?(リモート|テレワーク|在宅)(ワーク|勤務)?(可)?|遠端(工作)?|遠距(工作)?|远程(办公|工作)?|居家(办公|辦公)|在家(办公|辦公|工作)|재택( ?근무)?|원격( ?근무)?|(العمل )?عن بعد|(עבודה )?מרחוק|ทำงาน(จาก)?ที่บ้าน|tu xa|(kerja )?jarak jauh)( ?[(（,;].{0,40})?$` +
		`|^(fully |100% ?)?(remote|anywhere|worldwide|remoto|teletrabajo|homeoffice|home office|distans|zdalnie|etanatyo|fjarrarbete|home based|telecommute|リモート|在宅|遠端|远程|재택|удаленно)\b[^/]{0,40}$|^[^/]*\b(remote|hybrid)\)?$`)
	groupTail = regexp.MustCompile(`\s*(\(\d+\)|[-–—:·]?\s*\d+\s+\p{L}+|\d+)$`)
)

// place is where the role of a card is, or "": what the page calls a place counts before what looks like one, and what stands
// on the card before what stands in the title, above the card or in its description.
func (d *Document) place(c *candidate, lines []line) string {
	if text := labelledLine(lines, isPlaceLabel, d); text != "" {
		return text
	}
	if text := d.marked(c, placeName, isPlaceLabel); text != "" {
		return text
	}
	for _, l := range lines {
		if l.pin && l.label == "" && !longer(l.text, 100) && !contract.MatchString(d.fold(l.text)) {
			return cmp.Or(d.phraseOf(l.text).placeIn(), l.text)
		}
	}
	place, mode := c.slots.place(c)
	if place != "" {
		return place
	}
	return cmp.Or(labelledLine(d.closedLines(c), isPlaceLabel, d), d.placeInData(c), d.phraseOf(c.title).placeAtEnd(), c.slots.headingPlace(c), d.placeDescribed(lines), mode)
}

// maxAround is how many elements around the only role are looked at.
const maxAround = 2_000

// placeAround is the place that a label names further around the only role of the page, as far as the part of the page under its
// heading goes.
func (d *Document) placeAround(c *candidate) string {
	level := c.element.level
	if level == 0 && c.section != nil {
		level = c.section.level
	}
	for e := c.base.parent; e != nil && e != d.body && e.end-e.index <= maxAround && !e.hasHeadingAbove(level, c.element); e = e.parent {
		around := *c
		around.card = span{e.index, e.end}
		if text := labelledLine(d.lines(&around), isPlaceLabel, d); text != "" {
			return text
		}
	}
	return ""
}

// hasHeadingAbove reports whether e holds a heading, besides one element, that is as high as a level or higher.
func (e *element) hasHeadingAbove(level int, besides *element) bool {
	for _, o := range e.page.within(e) {
		if o.level > 0 && o.level < max(level, besides.level+1) && o != besides && !o.hidden {
			return true
		}
	}
	return false
}

// labelledLine is the text of the first line that has such a label.
func labelledLine(lines []line, isLabel func(folded string) bool, d *Document) string {
	for _, l := range lines {
		if l.label != "" && l.text != "" && isLabel(d.fold(l.label)) && !longer(l.text, 100) {
			return l.text
		}
	}
	return ""
}

// placeInData is the place that an attribute of the card names, or "".
func (d *Document) placeInData(c *candidate) string {
	for _, e := range d.elements[c.card.from:c.card.to] {
		if e.with&placeAttribute == 0 {
			continue
		}
		for _, key := range [...]string{"data-location", "data-city", "data-office"} {
			v := attr(e.node, key)
			if isASCII(v) && v == strings.ToLower(v) {
				continue // for scripts, not for people
			}
			if d.phraseOf(v).placeIn() != "" {
				return v
			}
		}
	}
	return ""
}

// placeDescribed is the place that the beginning of the card's running text says the work is in.
func (d *Document) placeDescribed(lines []line) string {
	for _, l := range lines {
		if l.label == "" && longer(l.text, 30) {
			first, _, _ := strings.Cut(l.text, ". ")
			return placeInProse(first)
		}
	}
	return ""
}

// marked is the text of the first element on the card whose class, attribute or column says that it is what is looked for.
func (d *Document) marked(c *candidate, names facts, isLabel func(folded string) bool) string {
	for _, e := range d.elements[c.card.from:c.card.to] {
		if e.hidden || e != c.element && c.inTitle(e) {
			continue
		}
		if text, ok := d.labelled(e, c, names, isLabel); ok {
			return text
		}
	}
	return ""
}

// labelled is the text of e when its class, its column or an attribute says that it is what is looked for.
func (d *Document) labelled(e *element, c *candidate, names facts, isLabel func(folded string) bool) (string, bool) {
	if e.from == e.to && e.shows() || e.longer(longText) || e.contains(c.element) {
		return "", false
	}
	text := e.visibleText()
	if text == "" {
		return "", false
	}
	if e.named&names != 0 && !e.hasHeading() && !contract.MatchString(e.folded()) && e.folded() != d.fold(c.title) && !isPostal(text) && !isFilterText(text) {
		return joinParts(e), true
	}
	if e.tag == atom.Td || e.tag == atom.Th || e.tag == atom.Dd || e.parent == c.base {
		if isLabel(Fold(d.columnOf(e))) {
			return joinParts(e), true
		}
	}
	if e.with&labelAttribute == 0 {
		return "", false
	}
	for i := range e.node.Attr {
		switch a := &e.node.Attr[i]; a.Key {
		case "data-label", "data-title", "data-th", "data-column":
			if a.Val != "" && isLabel(Fold(a.Val)) {
				return text, true
			}
		}
	}
	return "", false
}

// isPlaceLabel reports whether a folded text says that what follows is a place.
func isPlaceLabel(folded string) bool {
	return placeLabel.MatchString(folded) || isMadeOf(folded, placeLabelWords)
}

// isGroupLabel reports whether a folded text says that what follows is a department.
func isGroupLabel(folded string) bool {
	return groupLabel.MatchString(folded) || isMadeOf(folded, groupLabelWords)
}

// isMadeOf reports whether a folded text is made of such words, at least one, and of fillers.
func isMadeOf(folded string, words map[string]bool) bool {
	if len(folded) > longestLabel {
		return false
	}
	n := 0
	for word := range strings.FieldsFuncSeq(folded, partsWords) {
		switch {
		case words[word]:
			n++
		case !labelFillers[word]:
			return false
		}
	}
	return n > 0
}

func isFilterText(text string) bool { return strings.HasPrefix(text, "+") }

func (e *element) hasHeading() bool { return e.level > 0 || e.heading() != nil }

// cutLabel parts "Location: Berlin".
func cutLabel(text string) (label, value string, found bool) {
	label, value, found = strings.Cut(text, ":")
	if !found {
		label, value, found = strings.Cut(text, "：")
	}
	if !found || len(label) > 40 {
		return "", "", false
	}
	return strings.TrimSpace(label), strings.TrimSpace(value), true
}

// columnOf is the heading of the column, or of the definition, that a cell stands in.
func (d *Document) columnOf(cell *element) string {
	if cell.tag == atom.Dd {
		for i, k := range cell.parent.kids {
			if k == cell && i > 0 {
				return cell.parent.kids[i-1].visibleText()
			}
		}
		return ""
	}
	row := cell.parent
	if row == nil {
		return ""
	}
	head, column := d.headOf(row), cell.column()
	if head == nil || head == row || column >= len(head.kids) {
		return ""
	}
	if head.kids[column].tag == atom.Th || head.parent.tag == atom.Thead || head.isHead(len(row.kids)) {
		return squeeze(rawText(head.kids[column].node))
	}
	return ""
}

// headOf is the row that may hold the headings of a row's columns, in a table or in blocks that make one; nil when there is none.
func (d *Document) headOf(row *element) *element {
	if table := row.closest(atom.Table); table != nil {
		for _, e := range d.within(table) {
			if e.tag == atom.Tr {
				return e
			}
		}
		return nil
	}
	if row.parent == nil || row.parent.parent == nil || len(row.kids) < 2 {
		return nil
	}
	if first := row.parent.kids[0]; first != row && first.isHead(len(row.kids)) {
		return first
	}
	if at := row.parent.column(); at > 0 {
		return row.parent.parent.kids[at-1]
	}
	return nil
}

// isHead reports whether an element with so many parts holds headings of columns, by what they say.
func (e *element) isHead(columns int) bool {
	if len(e.kids) != columns || columns < 2 || e.hidden || e.longer(longText) {
		return false
	}
	titles, fields := 0, 0
	for _, k := range e.kids {
		folded := k.folded()
		countIf(&titles, titleLabel.MatchString(folded))
		countIf(&fields, isPlaceLabel(folded) || isGroupLabel(folded))
	}
	return titles > 0 && fields > 0
}

// column is the position of a cell in its row.
func (e *element) column() int {
	for i, k := range e.parent.kids {
		if k == e {
			return i
		}
	}
	return 0
}

// onlyHeads reports whether a row holds the headings of columns only.
func (e *element) onlyHeads() bool {
	for _, k := range e.kids {
		if k.tag != atom.Th {
			return false
		}
	}
	return len(e.kids) > 1
}

// joinParts is the element's text, its parts joined as several places when they are list items of their own.
func joinParts(e *element) string {
	if len(e.kids) > 1 && !e.own {
		var parts []string
		for _, k := range e.kids {
			if k.tag != atom.Li && k.tag != atom.Div && k.tag != atom.P {
				return strings.Trim(e.visibleText(), " |·•,-–")
			}
			if t := k.visibleText(); t != "" && !isFilterText(t) && !contract.MatchString(Fold(t)) {
				parts = append(parts, t)
			}
		}
		return strings.Join(parts, "; ")
	}
	return strings.Trim(e.visibleText(), " |·•,-–")
}

// group is the department of a card's role, or "".
func (d *Document) group(c *candidate, lines []line) string {
	for _, e := range d.elements[c.card.from:c.card.to] {
		if v := e.ownGroup(); v != "" {
			return v
		}
	}
	text := cmp.Or(labelledLine(lines, isGroupLabel, d), d.marked(c, groupName, isGroupLabel), labelledLine(d.closedLines(c), isGroupLabel, d))
	if text != "" && !d.looksLikePlace(text) {
		return text
	}
	return c.slots.group(c)
}

// ownGroup is the department that an attribute of e names, or "".
func (e *element) ownGroup() string {
	if e.with&groupAttribute == 0 {
		return ""
	}
	for _, key := range [...]string{"data-department", "data-team"} {
		if v := attr(e.node, key); v != "" && len(v) < 100 {
			return v
		}
	}
	return ""
}

// code is the card's own number of the role, or "".
func (d *Document) code(c *candidate) string {
	for _, e := range d.elements[c.card.from:c.card.to] {
		if !e.own || e.contains(c.element) {
			continue
		}
		if key, value, found := cutLabel(e.visibleText()); found && codeLabel.MatchString(d.fold(key)) && codeForm.MatchString(value) {
			return value
		}
	}
	return ""
}

// looksLikePlace reports whether a text without a label is a place.
func looksLikePlace(text string) bool {
	return (&phrase{text: text, folded: Fold(text)}).looksLikePlace()
}

func (p *phrase) isPlace() bool {
	text, folded := p.text, p.folded
	n := utf8.RuneCountInString(text)
	switch {
	case n < 2 || n > 80:
		return false
	case renownOf(folded) == knownName: // "St. Gallen"
		return true
	case strings.ContainsAny(text, ".!?:;@") && !strings.Contains(text, "St."):
		return false
	}
	if usState.MatchString(text) || remote.MatchString(folded) {
		return true
	}
	for part := range strings.FieldsFuncSeq(folded, partsPlaces) {
		part = strings.TrimSpace(part)
		if isKnownPlace(part) {
			return !p.namesRole() // "Customer Success Manager, EMEA"
		}
		if before, after, found := strings.Cut(part, " - "); found && (isKnownPlace(before) || isKnownPlace(after)) {
			return true
		}
	}
	return false
}

func partsPlaces(r rune) bool {
	switch r {
	case ',', '/', '|', '&', '(', ')', '、', ';':
		return true
	}
	return false
}

// isPostal reports whether a text is a street address rather than the name of a place.
func isPostal(text string) bool {
	digits := 0
	for i := range len(text) {
		if isDigit(text[i]) {
			digits++
		}
	}
	return digits >= 2 && utf8.RuneCountInString(text) > 8 || strings.Contains(text, "丁目")
}

// withoutCount takes the number of roles off the heading of a group: "Sales (3)", "Sales - 1 position".
func withoutCount(heading string) string {
	if !strings.ContainsAny(heading, "0123456789") {
		return heading
	}
	return strings.TrimSpace(groupTail.ReplaceAllString(heading, ""))
}

// namesDepartment reports whether a folded text names a part of a company.
func namesDepartment(folded string) bool {
	folded = withoutCount(folded)
	if departments[folded] {
		return true
	}
	hits, all := 0, 0
	for _, w := range Words(folded) {
		switch w {
		case "and", "und", "et", "y", "e", "of", "the", "en", "i", "och", "og", "de":
			continue
		}
		all++
		if departments[w] {
			hits++
		}
	}
	return all > 0 && all <= 5 && hits*2 >= all && hits > 0
}

// departments are the words that name parts of a company.
//
//nolint:gochecknoglobals // a constant table
var departments = set(strings.Join(vocabulary["department"], " "))

func set2(text string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.SplitSeq(text, "|") {
		if w = strings.TrimSpace(w); w != "" {
			m[w] = true
		}
	}
	return m
}
