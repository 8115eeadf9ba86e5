package page

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// record is an object of an application's state that may be a role.
type record struct {
	posting boardwatch.Posting
	id      string
	address *url.URL
	keys    map[string]bool
	work    int    // how many of its members only roles have
	titled  bool   // its title stands under a key that only roles have
	foreign bool   // it has members that no role has
	listed  bool   // it is open and shown
	group   string // the name of the object around its list
	members members
}

// identity tells records apart.
func (r *record) identity() string {
	switch {
	case r.id != "":
		return "id " + r.id
	case r.address != nil:
		return "at " + roleKey(r.address)
	}
	return r.posting.Title + "\x00" + r.posting.Location
}

// members is an object by the letters of its keys, so that "jobTitle", "JobTitle" and "job_title" are one.
type members map[string]any

func membersOf(o map[string]any) members {
	m := make(members, len(o))
	for key, v := range o {
		name := Letters(key)
		if old, taken := m[name]; !taken || isNothing(old) {
			m[name] = v
		}
	}
	for _, key := range [...]string{"job", "jobposting", "requisition", "details", "opening"} {
		inner, ok := m[key].(map[string]any)
		if !ok {
			continue
		}
		for key, v := range inner {
			if name := Letters(key); isNothing(m[name]) && (workKeys[name] || slices.Contains(placeKeys, name) || slices.Contains(groupKeys, name)) {
				m[name] = v
			}
		}
	}
	return m
}

// record is the object as a role, or nil when it cannot be one: it has no title, nothing to tell it by, and nothing that
// speaks of work.
func (w *stateWalk) record(o map[string]any, t trace) *record {
	key := titleKeyOf(o)
	if key == "" {
		return nil
	}
	title := trimTitle(w.label(o[key]))
	if !plausible(title) {
		return nil
	}
	m := membersOf(o)
	r := &record{members: m, keys: make(map[string]bool, len(o)), titled: roleTitleKeys[Letters(key)], listed: m.listed()}
	for name, v := range m {
		r.keys[name] = true
		if workKeys[name] {
			r.work++
		}
		r.foreign = r.foreign || foreignKeys[name] && !isNothing(v)
	}
	if kind, ok := o["__typename"].(string); ok {
		countIf(&r.work, hasWord(kind, stateNames))
		r.foreign = r.foreign || !hasWord(kind, stateNames) && hasWord(kind, otherNames)
	}
	r.foreign = r.foreign || !isNothing(m["firstname"]) && !isNothing(m["lastname"])
	r.id = w.first(m, idKeys)
	slug := w.first(m, slugKeys)
	r.address = w.address(m)
	r.posting = boardwatch.Posting{Title: title, Location: w.place(m, 0), Department: w.department(m, t)}
	if n := len(t.owners); n > 0 && stateNames[Letters(t.name)] {
		if _, isRole := t.owners[n-1]["description"]; !isRole {
			r.group = w.first(membersOf(t.owners[n-1]), groupNameKeys)
		}
	}
	if r.id == "" && slug == "" && r.address == nil && r.work == 0 {
		return nil
	}
	if r.id == "" {
		r.id = slug
	}
	if unsolicited.MatchString(Fold(title)) {
		r.listed = false
	}
	r.posting.Key = r.id
	if u := hostedAddress(w.base, r.id); r.address == nil && u != "" {
		r.posting.URL = u
	}
	if r.address != nil {
		r.posting.URL = r.address.String()
		if roleKey(r.address) != roleKey(w.base) {
			r.posting.Key = roleKey(r.address)
		}
	}
	return r
}

// hostedAddress is the page of a role on a hosted system whose state holds only the role's id; "" elsewhere.
func hostedAddress(base *url.URL, id string) string {
	board, _, _ := strings.Cut(strings.TrimPrefix(base.EscapedPath(), "/"), "/")
	if id == "" || board == "" || strings.ContainsAny(id, "/?# ") {
		return ""
	}
	u := url.URL{Scheme: "https", Host: base.Host}
	switch Site(base.Hostname()) {
	case "ashbyhq.com", "lever.co":
		return u.String() + "/" + board + "/" + id
	case "greenhouse.io", "rippling.com":
		return u.String() + "/" + board + "/jobs/" + id
	case "paylocity.com":
		return u.String() + "/Recruiting/Jobs/Details/" + id
	}
	return ""
}

// titleKeyOf is the key of an object's title, "" when it has none.
func titleKeyOf(o map[string]any) string {
	best, at := "", len(titleKeys)
	for key, v := range o {
		if len(key) > 24 || isNothing(v) {
			continue
		}
		switch v.(type) {
		case string, map[string]any:
		default:
			continue
		}
		if i, ok := titleKeys[Letters(key)]; ok && (i < at || i == at && key < best) {
			best, at = key, i
		}
	}
	return best
}

func isNothing(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// listed reports whether nothing in the record says that it is closed, a draft, or not for everybody.
func (m members) listed() bool {
	for name, v := range m {
		switch v := v.(type) {
		case bool:
			if !v && shownKeys[name] || v && hiddenKeys[name] {
				return false
			}
		case string:
			if v == "false" && shownKeys[name] || v == "true" && hiddenKeys[name] {
				return false
			}
			if (name == "status" || name == "state" || name == "jobstatus" || name == "visibility") && closedStates[strings.ToLower(v)] {
				return false
			}
		}
	}
	return true
}

// maxLabel is how many objects may be wrapped around a text.
const maxLabel = 5

// label is a text, or the text of an object that wraps one: translations, rich text, an entry with a name.
func (w *stateWalk) label(v any) string { return w.labelAt(v, 0) }

func (w *stateWalk) labelAt(v any, depth int) string {
	if depth > maxLabel {
		return ""
	}
	switch v := v.(type) {
	case string:
		return w.reader.text(v)
	case json.Number:
		return v.String()
	case []any:
		if len(v) > 0 {
			return w.labelAt(v[0], depth+1)
		}
	case map[string]any:
		for _, key := range labelKeys {
			if text := w.labelAt(v[key], depth+1); text != "" {
				return text
			}
		}
	}
	return ""
}

// first is the first text or number under one of the keys.
func (w *stateWalk) first(m members, keys []string) string {
	for _, key := range keys {
		switch v := m[key].(type) {
		case string:
			if v = strings.TrimSpace(v); v != "" && len(v) <= 300 {
				return v
			}
		case json.Number:
			return v.String()
		case map[string]any:
			if text, ok := v["current"].(string); ok && text != "" { // as Sanity writes it
				return text
			}
		}
	}
	return ""
}

// address is the record's own page: of the keys that hold addresses the first that leads to a page; the form to apply
// comes last.
func (w *stateWalk) address(m members) *url.URL {
	for _, key := range urlKeys {
		text := w.label(m[key])
		if text == "" || strings.ContainsAny(text, " \n") || !strings.ContainsAny(text, "/?") {
			continue
		}
		if u := Resolve(w.base, text); u != nil && !isSocial(u) {
			return u
		}
	}
	return nil
}

// place is where the role is.
func (w *stateWalk) place(m members, depth int) string {
	pieced := "" // put together from the parts of an address, which a name says better
	for _, key := range placeKeys {
		text := w.placeText(m[key], depth+1)
		if o, ok := m[key].(map[string]any); ok && text != "" && depth == 0 && w.label(o) == "" && pieced == "" {
			pieced = text
			continue
		}
		if text != "" && (pieced == "" || namedPlace[key]) {
			return text
		}
	}
	if pieced != "" {
		return pieced
	}
	var parts []string
	for _, keys := range placeParts {
		for _, key := range keys {
			text := w.label(m[key])
			if folded := strings.ToLower(text); text != "" && !slices.Contains(parts, text) && !closedStates[folded] && !openStates[folded] {
				parts = append(parts, text)
				break
			}
		}
	}
	if len(parts) > 0 {
		return strings.Join(parts, ", ")
	}
	for _, key := range [...]string{"remote", "isremote", "fullyremote"} {
		if yes, ok := m[key].(bool); ok && yes {
			return "Remote"
		}
	}
	return ""
}

func (w *stateWalk) placeText(v any, depth int) string {
	if depth > maxLabel {
		return ""
	}
	switch v := v.(type) {
	case string:
		return w.reader.text(v)
	case []any:
		var all []string
		for _, child := range v {
			if text := w.placeText(child, depth+1); text != "" && !slices.Contains(all, text) && len(all) < 30 {
				all = append(all, text)
			}
		}
		return strings.Join(all, "; ")
	case map[string]any:
		m := membersOf(v)
		for _, key := range [...]string{"name", "label", "text", "title", "displayname", "locationname", "fulllocation", "value", "locationstring", "formatted", "formattedaddress", "descriptor", "fields", "attributes", "node", "location", "data", "en"} {
			if text := w.placeText(m[key], depth+1); text != "" {
				return text
			}
		}
		if text := w.place(m, depth+1); text != "" {
			return text
		}
		return w.placeText(m["address"], depth+1)
	}
	return ""
}

// department is the role's part of the company: its own, or the name of the group that the record lies in.
func (w *stateWalk) department(m members, t trace) string {
	for _, key := range groupKeys {
		if text := w.label(m[key]); text != "" && len(text) <= 120 && strings.Trim(text, "0123456789-") != "" {
			return text
		}
	}
	for i := len(t.owners) - 1; i >= 0 && i >= len(t.owners)-2; i-- {
		owner := t.owners[i]
		if _, isRole := owner["description"]; isRole {
			return ""
		}
		for _, key := range [...]string{"department", "departmentName", "team", "category", "name", "title", "label"} {
			if text := w.label(owner[key]); text != "" && len(text) <= 80 && (namesDepartment(Fold(text)) || key != "name" && key != "title" && key != "label") {
				return text
			}
		}
	}
	return ""
}

// namedPlace are the keys of the name of a place beside its address.
var namedPlace = set(`locationname locationstext locationtext formattedlocation locationstring fulllocation`)

func ranked(text string) map[string]int {
	m := make(map[string]int)
	for name := range strings.FieldsSeq(text) {
		m[name] = len(m)
	}
	return m
}

var (
	titleKeys = ranked(`jobtitle positiontitle positionname postingtitle jobname jobopeningname rolename roletitle vacancytitle vacancyname displayjobtitle requisitiontitle jobtitlelocalized
		title name text headline heading label position role titel stellentitel bezeichnung intitule titulo puesto titolo naam`)
	roleTitleKeys = set(`jobtitle positiontitle positionname postingtitle jobname jobopeningname rolename roletitle vacancytitle vacancyname displayjobtitle requisitiontitle jobtitlelocalized stellentitel`)
	labelKeys     = []string{
		"rendered", "text", "name", "label", "title", "value", "displayName", "display_name", "descriptor", "Name", "Label", "Title",
		"en", "en-US", "en_US", "de", "fr", "es", "it", "nl", "pt", "sv", "pl", "raw", "default", "href", "url", "fields", "attributes", "data", "department", "team", "category",
	}
	groupNameKeys = []string{"name", "title", "label", "heading"}
	idKeys        = strings.Fields(`id jobid uid uuid guid reqid requisitionid jobreqid jobseqno postingid positionid vacancyid shortcode reference refnumber ref jobcode code externalid objectid key documentid number internaljobid entityid nid sysid`)
	slugKeys      = strings.Fields(`slug permalink handle urlslug seoslug friendlyurl titleslug`)
	urlKeys       = strings.Fields(`url joburl absoluteurl hostedurl canonicalurl publicurl link href permalink detailurl detailsurl detailpage pageurl careersurl positionurl canonicalpositionurl shareurl joblink weburl uri
		path fullpath route externalpath relativeurl slug applyurl applicationurl applylink applicationlink ctaurl cta`)
	placeKeys = strings.Fields(`locations location joblocations joblocation alllocations locationname locationstext locationtext primarylocation fulllocation citystatecountry citystate formattedlocation locationnames
		locationstring worklocation worklocations workplace workplaces office offices officelocation place places standort standorte ort arbeitsort lieu ville localisation ubicacion ciudad sede plaats locatie cities loc localidad localidade cidade local`)
	placeParts = [...][]string{{"city", "town", "locality", "addresslocality"}, {"state", "region", "province", "addressregion"}, {"country", "countryname", "addresscountry"}}
	groupKeys  = strings.Fields(`department departments dept departmentname jobdepartments jobdepartment hiringdepartment team teams teamname jobteams jobfamily jobfunction function division area discipline jobcategory category categories businessunit
		fachbereich abteilung bereich departement departamento group sector`)
	workKeys = set(`employmenttype employmenttypes employment contracttype contracttypename contract commitment workplacetype worktype workmode workingtime worklocation jobtype jobtypes timetype dateposted
		postingdate postedon posteddate postedat dateposting publishedate requisitionid reqid jobreqid jobid jobcode jobfamily jobfunction jobcategory joblocation joblocations joblevel seniority senioritylevel
		experiencelevel experience salary salaryrange compensation compensationtiersummary applyurl applylink applicationurl hiringmanager department departments departmentname team teams teamname location locations locationname
		locationstext office offices remote isremote remotepolicy remotestatus publisheddate hiringdepartment jobdepartments jobteams jobemploymenttypes fulltime parttime schedule workschedule validthrough hiringorganization vacancies numberofopenings shift jobdescription
		requirements responsibilities qualifications hardskills stellenart beschaeftigungsart standort standorte arbeitsort lieu typecontrat contrat ville vaga ubicacion salario salaire gehalt tipocontrato modalidade`)
	foreignKeys = set(`price prices sku currency quote author authors avatar photo headshot bio biography linkedinurl twitter twitterurl email readingtime readtime wordcount speaker speakers venue ticketurl
		answer question rating ratings isbn coordinates latitude openinghours children submenu subitems menuitems playtime episode podcast excerpt birthday`)
	stateNames = set(`job jobs joblist joblistings joblisting jobopenings jobposts jobpostings jobposting jobads joboffers jobresults jobsdata alljobs openjobs joboffer jobsearch position positions openpositions opening openings
		currentopenings posting postings vacancy vacancies role roles openroles opportunity opportunities careers careerlist requisition requisitions requisitionlist stellen stellenangebote stellenanzeigen offres offresemploi emplois vacantes ofertas
		vagas posizioni vacatures tjanster jobb stillinger ogloszenia recruitments hirings`)
	otherNames = set(`menu menus nav navigation navbar footer header breadcrumb breadcrumbs links sociallinks blog blogs blogposts article articles news event events product products testimonial testimonials
		people persons members teammembers employees staff leadership authors author category categories tag tags filter filters facet facets facetlist locations location departments department teams offices office countries cities
		faq faqs press stories story benefits perks values translations translation i18n messages locales languages language images image media videos assets sections casestudies customers partners clients services solutions
		courses webinars podcasts podcast cookies routes seo metatags options aggregations buckets users user reviews investors awards`)
	closedNames  = set(`closed archived archive expired past pastjobs closedjobs filled similar similarjobs relatedjobs related recommended recommendedjobs recentlyviewed savedjobs saved drafts internal`)
	neutralNames = set(`data props pageprops state items results result list content edges nodes node hits entries records page response body payload value values fetch search query queries cache store root initialstate main rows docs documents collection`)
	shownKeys    = set(`listed islisted active isactive published ispublished open isopen visible isvisible enabled public ispublic isactiveposting`)
	hiddenKeys   = set(`archived isarchived closed isclosed draft isdraft hidden ishidden deleted isdeleted expired isexpired filled internal isinternal isfilled confidential isconfidential istemplate unlisted isevergreen disabled`)
	closedStates = set(`closed archived draft inactive filled expired internal unlisted hidden cancelled canceled deleted unpublished on_hold paused private rejected pending`)
	openStates   = set(`open active published live public listed approved`)
)
