package scraper

import (
	"bytes"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/language"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/wall"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// refusal is the reading of an answer that is no page: refused, gone, in trouble, empty, or something else than a page.
// It is nil when there is a page to read.
func refusal(p *outbound.Page) *boardwatch.Reading {
	status := strconv.Itoa(p.Status)
	r := boardwatch.Failed(boardwatch.CauseSiteError, "")
	r.RetryAfter = retryAfter(p.Header)
	w := (*wall.Wall)(nil)
	if p.Status != http.StatusOK {
		w = wallOfPage(p)
	}
	switch {
	case w != nil:
		block(&r, w)
	case p.Status == http.StatusNotFound || p.Status == http.StatusGone:
		r.Cause, r.Reason, r.Unknown = boardwatch.CauseGone, "the page does not exist (status "+status+")", true
	case p.Status == http.StatusTooManyRequests:
		r.Cause, r.Reason = boardwatch.CauseThrottled, "refused with status 429: too many requests"
	case p.Status == http.StatusServiceUnavailable:
		r.Reason = "the site is not available just now (status 503)"
	case p.Status >= 400 && p.Status < 500 || p.Status >= 600:
		r.Cause, r.Reason = boardwatch.CauseRefused, "refused with status "+status
	case p.Status >= 500:
		r.Reason = "the site is in trouble (status " + status + ")"
	case p.Status != http.StatusOK && p.Status != http.StatusNonAuthoritativeInfo:
		r.Reason = "the site answered with status " + status + ", without the page"
	case len(bytes.TrimSpace(p.Body)) == 0:
		r.Reason = "the answer is empty"
	case !isPage(p):
		r.Reason = "the address answers with " + p.ContentType + ", not with a page"
	default:
		return nil
	}
	return &r
}

// isPage reports whether an answer is HTML or data that may hold roles, by its content type or, without one, by its looks.
func isPage(p *outbound.Page) bool {
	switch p.ContentType {
	case "text/html", "application/xhtml+xml", "application/xml", "text/xml", "application/rss+xml", "application/atom+xml",
		"application/rdf+xml", "application/json", "application/feed+json", "text/json", "application/ld+json":
		return true
	case "", "text/plain", "application/octet-stream":
		if kind := dataKind(p.Body); kind == feedData || kind == jsonData {
			return true
		}
		start := bytes.ToLower(bytes.TrimSpace(p.Body[:min(len(p.Body), 1024)]))
		if p.ContentType == "" {
			p.ContentType = "something that is no HTML"
		}
		return bytes.HasPrefix(start, []byte("<")) && !bytes.HasPrefix(start, []byte("<?xml")) ||
			bytes.Contains(start, []byte("<html"))
	}
	return false
}

// sick says what is wrong with a page as a whole, whatever roles it seems to show.
func (f *fetched) sick() trouble {
	switch d := f.doc; {
	case cutOff(f.text):
		return trouble{boardwatch.CauseTruncated, "the page was cut off on its way"}
	case !moved(f.asked, f.page.URL).none():
		return moved(f.asked, f.page.URL)
	case d.says(missing):
		return trouble{boardwatch.CauseGone, "the page says that it does not exist, although the site answered as if it did"}
	case d.isConsent():
		return trouble{boardwatch.CauseConsent, "the site asks for consent before it shows the page"}
	}
	return trouble{}
}

// isWord reports whether what came is a word in place of the page: that it is not there, or not now, or not for everybody.
func (f *fetched) isWord(r boardwatch.Reading) bool {
	return !f.sick().none() || len(r.Postings) == 0 && (f.doc.says(maintenance) || f.doc.hasPassword() || f.doc.says(signIn) && f.doc.hasForm())
}

// isConsent reports whether the page is nothing but a question whether data may be collected.
func (d *document) isConsent() bool {
	if label, _, _ := strings.Cut(d.url.Hostname(), "."); label == "consent" {
		return true
	}
	if !consent.MatchString(fold(d.title)) {
		return false
	}
	return !longer(d.mainText(), 3_000)
}

// barren says why a page without roles is not to be taken for an empty board; nothing when it is one, by its own words.
// archived says that it leads to roles which are closed.
func (d *document) barren(archived bool) trouble {
	switch {
	case d.hasPassword() || d.says(signIn) && d.hasForm():
		return trouble{boardwatch.CauseSignIn, "the page asks to sign in"}
	case d.says(maintenance):
		return trouble{boardwatch.CauseMaintenance, "the site is down for maintenance"}
	case d.says(relocated):
		return trouble{boardwatch.CauseMoved, "the page says that it has moved"}
	case d.broken() != nil:
		return trouble{boardwatch.CauseListError, "the page says that its list of roles could not be loaded"}
	case d.isShell():
		return trouble{boardwatch.CauseNeedsBrowser, "the page is rendered by JavaScript: reading it needs a browser"}
	case d.saysNone() && d.isUnfilled():
		return trouble{boardwatch.CauseNeedsBrowser, "the list of roles is rendered by JavaScript: reading it needs a browser"}
	case d.saysNone() && !archived && d.pointsAtRoles():
		return trouble{boardwatch.CauseUnsure, "the page says that there are no roles, but leads to what looks like some"}
	case d.saysNone():
		return trouble{}
	case d.hasEmptyList():
		return trouble{boardwatch.CauseNeedsBrowser, "the list of roles is rendered by JavaScript: reading it needs a browser"}
	}
	return trouble{boardwatch.CauseNoList, "no roles were found, and the page does not say that there are none"}
}

// cutOff reports whether a page ends before its end: it opens a document, does not close it, and leaves blocks open whose
// end is never left out.
func cutOff(text []byte) bool {
	tail := bytes.ToLower(text[max(0, len(text)-4096):])
	if bytes.Contains(tail, []byte("</html")) || bytes.Contains(tail, []byte("</body")) {
		return false
	}
	z := html.NewTokenizer(bytes.NewReader(text))
	open, document := 0, false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return document && open > 0 || bytes.LastIndexByte(text, '<') > bytes.LastIndexByte(text, '>')
		case html.DoctypeToken:
			document = true
		case html.StartTagToken:
			name, _ := z.TagName()
			document = document || atom.Lookup(name) == atom.Html
			open += blockDepth(name)
		case html.EndTagToken:
			name, _ := z.TagName()
			open -= blockDepth(name)
		default:
		}
	}
}

func blockDepth(name []byte) int {
	switch atom.Lookup(name) {
	case atom.Div, atom.Section, atom.Main, atom.Article, atom.Ul, atom.Table, atom.Script, atom.Style:
		return 1
	}
	return 0
}

// moved says where the page went when that is not the page that was asked for; nothing when it is.
func moved(asked, final *url.URL) trouble {
	if site(asked.Hostname()) != site(final.Hostname()) {
		return trouble{boardwatch.CauseMoved, "the page has moved to another site: " + final.Hostname()}
	}
	for segment := range strings.SplitSeq(strings.ToLower(final.Path), "/") {
		if strings.Contains(strings.ToLower(asked.Path), segment) {
			continue
		}
		switch strings.TrimSuffix(segment, path.Ext(segment)) {
		case "login", "signin", "sign-in", "log-in", "sso", "auth", "anmelden", "connexion":
			return trouble{boardwatch.CauseSignIn, "the site asks to sign in"}
		case "404", "error", "errors", "not-found", "notfound", "page-not-found", "fehler":
			return trouble{boardwatch.CauseGone, "the site leads to an error page"}
		}
	}
	if isHome(final.Path) && !isHome(asked.Path) {
		return trouble{boardwatch.CauseMoved, "the page now leads to the home page"}
	}
	return trouble{}
}

// isHome reports whether a path is a site's first page, in whatever language.
func isHome(p string) bool {
	p = strings.ToLower(strings.Trim(p, "/"))
	switch p {
	case "", "index.html", "index.php", "home", "index.htm":
		return true
	}
	switch len(p) {
	case 2:
		return isLocale(p)
	case 5:
		return (p[2] == '-' || p[2] == '_') && isLocale(p[:2]) && isLocale(p[3:])
	default:
		return false
	}
}

// isLocale reports whether two letters are the code of a language or a country.
func isLocale(code string) bool {
	if _, err := language.ParseBase(code); err == nil {
		return true
	}
	_, err := language.ParseRegion(code)
	return err == nil
}

//nolint:gochecknoglobals // constant patterns
var (
	missing = newPattern(`^(error |erreur |fehler )?404\b|\b404 (-|error|not found|page)|page (could )?not (be )?found|not found$|can.?t (be found|find (that|the|this) page)|page (doesn.?t|does not) exist|page introuvable|page non trouvee|seite (wurde )?nicht gefunden|nicht gefunden$|pagina no encontrada|no encontrada$|pagina nao encontrada|pagina non trovata|pagina niet gevonden|sidan (hittades|finns|kunde) inte|hittades inte|siden (ble|blev) ikke fundet|sivua ei loyt|nie znaleziono strony|strona nie (istnieje|zostala znaleziona)|stranka nenalezena|az oldal nem talalhato|pagina nu a fost gasita|sayfa bulunamadi|страница не найдена|ページが見つかりません|お探しのページ|找不到页面|找不到頁面|页面不存在|頁面不存在|페이지를 찾을 수 없|الصفحة غير موجودة`)

	maintenance = newPattern(`(scheduled|under|down for|undergoing|planned) maintenance|maintenance mode|be (right )?back (soon|shortly)|we.ll be (right )?back|temporarily (unavailable|offline|down)|wartungsarbeiten|wartungsmodus|in wartung|en maintenance|maintenance en cours|momentanement indisponible|en mantenimiento|fuera de servicio|em manutencao|in manutenzione|manutenzione|onderhoud|underhall|vedlikehold|huoltokatko|przerwa techniczna|prace konserwacyjne|udrzba|karbantartas|bakim|техническ\S+ работ|メンテナンス中|维护中|維護中|점검 중|الصيانة`)

	// signIn is the title of a page that wants to know who is there.
	signIn = newPattern(`^(please )?(log|sign)[ -]?in\b|^(login|sign in|log in) (to|with|required)|(log|sign) in to (continue|your account)|single sign.on|\bsso\b|authentication required|session (has )?expired|access denied|^anmelden|^anmeldung|bitte (melden sie sich|anmelden)|^einloggen|^connexion|connectez.vous|identifiez.vous|^iniciar sesion|^inicie sesion|^accedi|^accesso|^inloggen|^logga in|^log ind|^kirjaudu|^zaloguj|^logowanie|^prihlas|^bejelentkezes|^autentificare|^giris yap|^вход|^войти|ログイン|登录|登錄|登入|로그인|تسجيل الدخول`)

	// relocated is the title of a page that sends people elsewhere in words.
	relocated = newPattern(`(this |our )?(page|site|website|careers? (page|site)) (has|have) (been )?(moved|relocated)|we.?(ve| have) moved|moved permanently|^redirect|^you are being redirected|(seite|website) ist umgezogen|wir sind umgezogen|(page|site) a (ete )?(demenage|deplace)|(pagina|sitio) (se )?ha (sido )?(movid|trasladad)|la pagina (e stata spostata|si e spostata)|pagina is verplaatst|sidan har flyttat|strona zostala przeniesiona|ページは移動しました|页面已移动|頁面已移動`)

	// consent is the title of a page that stands before all others.
	consent = newPattern(`^before you continue|^(your|cookie|privacy|data) (privacy )?(consent|choices|preferences|settings)|^we value your privacy|^cookie (consent|policy notice|einstellungen)|^(bevor sie|avant de|antes de|prima di) (fortfahren|continu[ae]r)|zustimmung erforderlich|datenschutzeinstellungen|^ihre datenschutz|consentement|同意が必要`)

	// brokenList is what a list says that could not be loaded.
	brokenList = newPattern(`(error|problem|trouble|issue|failed|failure|unable|could ?n.t|could not|cannot|can.t|was not able)[^.!?]{0,40}(load|fetch|retriev|display|show|get)\S*[^.!?]{0,30}(job|position|vacanc|opening|role|opportunit|posting|list|data|content|results)|(load|fetch|retriev)\S* (the )?(job|position|vacanc|opening|role|opportunit|posting)\S*( \S+)? (failed|error)|(jobs?|positions|vacancies|openings|roles|opportunities) (could not|couldn.t|cannot|can.t) be (loaded|displayed|shown|retrieved|fetched)|something went wrong|an (unexpected )?error (has )?occurred|job (board|search|feed|list) is (currently |temporarily )?(unavailable|not available|down)` +
		`|(stellen|jobs|stellenangebote|daten|inhalte)\S*( \S+){0,2} (konnten|konnte|kann|konnen) (derzeit |leider |momentan )?nicht (geladen|angezeigt|abgerufen)|fehler beim (laden|abrufen)|(es|leider) ist ein fehler aufgetreten|(une )?erreur (est survenue|s.est produite|lors du chargement)|impossible (de charger|d.afficher)|(se ha producido|ha ocurrido|ocurrio) un error|error al cargar|no se (pudo|pudieron|han podido) cargar|ocorreu um erro|erro ao carregar|nao foi possivel carregar|si e verifica\S+ un errore|errore (durante|nel) caricamento|impossibil\S caricare|er is (een fout|iets mis)|fout bij het laden|kon(den)? niet (worden )?geladen|(nagot|noget|noe) gick? (fel|galt)|ett fel (har )?(uppstod|intraffat)|der opstod en fejl|kunne ikke (indlaeses|lastes|hentes)|virhe|wystapil blad|blad (podczas )?ladowania|nie udalo sie (zaladowac|pobrac|wczytac)|doslo k chybe|nepodarilo se nacist|hiba tortent|a aparut o eroare|bir hata olustu|yuklenemedi|произошла ошибка|ошибка (при )?загрузк|не удалось загрузить|エラーが発生|読み込め|加载失败|載入失敗|加载错误|오류가 발생|불러올 수 없|불러오지 못|حدث خطأ|תקלה|אירעה שגיאה`)

	askScript = newPattern(`(enable|requires?|turn on|activate|need).{0,20}javascript|javascript.{0,40}(enable|required|aktivier|activ|habilit|abilit|inschakel|slaa pa|wlacz|необход|включ|有効|启用|啟用)`)
)

// broken is the element that says that the list could not be loaded; nil when none does.
func (d *document) broken() *element {
	for _, e := range d.within(d.body) {
		if e.own && !e.hidden && !e.chrome && !e.scripted && !e.longer(250) && brokenList.MatchString(e.folded()) {
			return e
		}
	}
	return nil
}

func (d *document) hasForm() bool {
	for _, e := range d.elements {
		if e.tag == atom.Input && !e.hidden && !e.chrome {
			return true
		}
	}
	return false
}

// pointsAtRoles reports whether links beside the sentence that there are no roles read like roles, and lead to what looks
// like their pages.
func (d *document) pointsAtRoles() bool {
	at := make(map[string]bool)
	sections := d.sections()
	said := sections.at(d.noneSaid())
	for _, e := range d.within(d.body) {
		if e.tag != atom.A || e.hidden || e.chrome || longer(e.visibleText(), 140) {
			continue
		}
		if l := e.lead(); l != nil && l.job && d.namesRole(e.visibleText()) && d.plausible(e.visibleText()) && (sections.at(e) == said || sections.at(e).about() == open) {
			at[l.key] = true
		}
	}
	return len(at) > 1
}

// says reports whether the page's title or first heading matches, or all its text when that is little.
func (d *document) says(what *pattern) bool {
	if what.MatchString(fold(d.title)) {
		return true
	}
	for _, e := range d.elements {
		if e.level == 1 && !e.hidden {
			if what.MatchString(e.folded()) {
				return true
			}
			break
		}
	}
	if d.showsMore(littleText) {
		return false
	}
	text := d.mainText()
	return utf8.RuneCountInString(text) < littleText && what.MatchString(fold(text))
}

// littleText is the length under which a page's text as a whole may be a message instead of a page.
const littleText = 300

// showsMore reports whether the page's own text is surely longer, without putting it together: most pages' is.
func (d *document) showsMore(than int) bool {
	least := 0
	for _, e := range d.within(d.body) {
		if e.shows() && !e.chrome {
			if least += e.words / 2; least > than { // half, because white space was counted too
				return true
			}
		}
	}
	return false
}

// mainText is the page's visible text without navigation and footer.
func (d *document) mainText() string {
	if !d.gathered {
		d.main, d.gathered = d.body.textWithout(func(e *element) bool { return e.chrome }), true
	}
	return d.main
}

func (d *document) hasPassword() bool {
	for _, e := range d.elements {
		if e.tag == atom.Input && strings.EqualFold(attr(e.node, "type"), "password") && !e.hidden && !e.chrome {
			return true
		}
	}
	return false
}

// shellText is the length of visible text under which a page with scripts is only the frame of one.
const shellText = 200

// isShell reports whether the page is the frame of an application that draws itself by script.
func (d *document) isShell() bool {
	scripts := false
	for _, e := range d.elements {
		scripts = scripts || e.tag == atom.Script && !strings.Contains(attr(e.node, "type"), "json")
	}
	if !scripts {
		return false
	}
	little := utf8.RuneCountInString(d.mainText()) < shellText
	for _, e := range d.elements {
		switch {
		case isMount(e) && utf8.RuneCountInString(e.visibleText()) < 40:
			return true
		case e.tag == atom.Noscript && little && askScript.MatchString(fold(rawText(e.node))):
			return true
		}
	}
	return little && !d.saysNone()
}

// isMount reports whether an element is where an application draws itself.
func isMount(e *element) bool {
	switch attr(e.node, "id") {
	case "root", "app", "__next", "__nuxt", "main-app", "svelte", "react-root", "app-root", "ember-app", "gatsby-focus-wrapper":
		return true
	}
	return e.node.Data == "app-root" || hasAttr(e.node, "ng-app") || hasAttr(e.node, "data-reactroot")
}

// hasEmptyList reports whether the page has a place for a list of roles that is empty, or a template not filled in.
func (d *document) hasEmptyList() bool {
	for _, e := range d.within(d.body) {
		if e.chrome {
			continue
		}
		if e.tag == atom.Tbody && e.visibleText() == "" && !e.hidden || e.isEmptyList() {
			return true
		}
		if attr(e.node, "aria-busy") == "true" || e.named&waitingName != 0 || e.holdsTemplate() {
			return true
		}
	}
	return false
}

// isEmptyList reports whether the element is called a list of roles, and empty.
func (e *element) isEmptyList() bool {
	switch e.tag {
	case atom.Div, atom.Ul, atom.Ol, atom.Section, atom.Table:
		return !e.hidden && e.visibleText() == "" && len(e.kids) < 3 && e.has(jobName) && e.below(atom.Img) == nil && e.below(atom.A) == nil && e.below(atom.Input) == nil
	}
	return false
}

// holdsTemplate reports whether the element shows the name of what a script is to put in its place.
func (e *element) holdsTemplate() bool {
	return e.own && len(e.visibleText()) < 200 && strings.Contains(e.visibleText(), "{{")
}

// isUnfilled reports whether a script is still to fill the page, so that the sentence that there are no roles is what it
// begins with: a template stands there, or an empty list under another heading than the sentence.
func (d *document) isUnfilled() bool {
	sections := d.sections()
	said := sections.at(d.noneSaid())
	for _, e := range d.within(d.body) {
		if e.chrome || e.hidden {
			continue
		}
		if e.holdsTemplate() {
			return true
		}
		if at := sections.at(e); at != nil && said != nil && at != said && at.level == said.level && e.isEmptyList() {
			return true
		}
	}
	return false
}

//nolint:gochecknoglobals // a constant table
var waiting = set(`skeleton spinner loader loading placeholder-glow shimmer`)

// saysNone reports whether the page says in words of its own that there are no open roles: visibly, about all of them,
// not about a search.
func (d *document) saysNone() bool { return d.noneSaid() != nil }

// closedAll reports whether the page says in its section of open roles that there are none, while what was found stands
// elsewhere: an archive.
func (d *document) closedAll(found []*candidate) bool {
	for _, c := range found {
		if c.section.about() == open {
			return false
		}
	}
	if len(found) == 0 {
		return false
	}
	e := d.noneSaid()
	return e != nil && d.sections().at(e).about() == open
}

// noneSaid is the element that says that there are no open roles; nil when none does.
func (d *document) noneSaid() *element {
	if !d.listened {
		d.none, d.listened = d.findNone(), true
	}
	return d.none
}

func (d *document) findNone() *element {
	for _, e := range d.within(d.body) {
		if !e.own || e.hidden || e.chrome || e.scripted {
			continue
		}
		text := e.visibleText()
		if n := len(text); n < 4 || n > 2000 {
			continue
		}
		for rest := fold(text); rest != ""; {
			var sentence string
			var asks bool
			if sentence, rest, asks = cutSentence(rest); !asks && none.MatchString(sentence) && !aboutFilter.MatchString(sentence) && !conditional.MatchString(sentence) {
				return e
			}
		}
	}
	return nil
}

// cutSentence is the first sentence of a text, whether it is a question, and what follows it.
func cutSentence(text string) (sentence, rest string, asks bool) {
	end := strings.IndexFunc(text, partsSentences)
	if end < 0 {
		return strings.TrimSpace(text), "", false
	}
	rest = strings.TrimLeftFunc(text[end:], partsSentences)
	return strings.TrimSpace(text[:end]), rest, strings.ContainsAny(text[end:len(text)-len(rest)], "?？")
}

func partsSentences(r rune) bool {
	switch r {
	case '.', '!', '?', '。', '！', '？', '\n':
		return true
	}
	return false
}
