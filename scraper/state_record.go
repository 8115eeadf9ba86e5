package scraper

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// record is an object of an application's state that may be a role.
type record struct {
	posting boardwatch.Posting
	id      string
	slug    string
	address *url.URL
	keys    map[string]bool
	work    int  // how many of its members only roles have
	titled  bool // its title stands under a key that only roles have
	foreign bool // it has members that no role has
	listed  bool // it is open and shown
}

// identity tells records apart.
func (r *record) identity() string {
	switch {
	case r.id != "":
		return "id " + r.id
	case r.address != nil:
		return "at " + canonical(r.address)
	}
	return r.posting.Title + "\x00" + r.posting.Location
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
	r := &record{keys: make(map[string]bool, len(o)), titled: roleTitleKeys[nameKey(key)], listed: isListed(o)}
	for k := range o {
		name := nameKey(k)
		r.keys[k] = true
		if workKeys[name] {
			r.work++
		}
		r.foreign = r.foreign || foreignKeys[name] && !isNothing(o[k])
	}
	if kind, ok := o["__typename"].(string); ok {
		r.work += int(count(hasWord(kind, stateNames)))
		r.foreign = r.foreign || !hasWord(kind, stateNames) && hasWord(kind, otherNames)
	}
	if first, last := o["firstName"], o["lastName"]; first != nil && last != nil {
		r.foreign = true
	}
	r.id = w.first(o, idKeys)
	r.slug = w.first(o, slugKeys)
	r.address = w.address(o, r)
	r.posting = boardwatch.Posting{Title: title, Location: w.place(o, 0), Department: w.department(o, t)}
	if r.id == "" && r.slug == "" && r.address == nil && r.work == 0 {
		return nil
	}
	if unsolicited.MatchString(fold(title)) {
		r.listed = false
	}
	r.posting.Key = r.id
	if r.id == "" {
		r.posting.Key = r.slug
	}
	if r.address != nil {
		r.posting.URL = r.address.String()
		if canonical(r.address) != canonical(w.base) {
			r.posting.Key = canonical(r.address)
		}
	}
	return r
}

// titleKeyOf is the key of an object's title, "" when it has none.
func titleKeyOf(o map[string]any) string {
	for _, key := range titleKeys {
		if v, ok := o[key]; ok && !isNothing(v) {
			switch v.(type) {
			case string, map[string]any:
				return key
			}
		}
	}
	return ""
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

// isListed reports whether nothing in the record says that it is closed, a draft, or not for everybody.
func isListed(o map[string]any) bool {
	for key, v := range o {
		switch name := nameKey(key); v := v.(type) {
		case bool:
			if !v && (shownKeys[name]) || v && hiddenKeys[name] {
				return false
			}
		case string:
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
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case map[string]any:
		for _, key := range [...]string{
			"rendered", "text", "name", "label", "title", "value", "displayName", "display_name", "descriptor", "fullLocation", "full_location",
			"en", "en-US", "en_US", "de", "fr", "es", "it", "nl", "pt", "sv", "pl", "raw", "default", "fields", "attributes", "data",
		} {
			if text := w.labelAt(v[key], depth+1); text != "" {
				return text
			}
		}
	}
	return ""
}

// first is the first text or number under one of the keys.
func (w *stateWalk) first(o map[string]any, keys []string) string {
	for _, key := range keys {
		switch v := o[key].(type) {
		case string:
			if v = strings.TrimSpace(v); v != "" && len(v) <= 300 {
				return v
			}
		case json.Number:
			return v.String()
		case float64:
			return strconv.FormatFloat(v, 'f', -1, 64)
		case map[string]any:
			if text, ok := v["current"].(string); ok && text != "" { // a slug of Sanity
				return text
			}
		}
	}
	return ""
}

// address is the record's own page: of the keys that hold addresses the first that leads to a page, preferring the
// site's own over the form to apply.
func (w *stateWalk) address(o map[string]any, r *record) *url.URL {
	for _, key := range urlKeys {
		text := w.label(o[key])
		if text == "" || strings.ContainsAny(text, " \n") {
			continue
		}
		if u := resolve(w.base, text); u != nil && (strings.Contains(text, "/") || strings.Contains(text, "?")) && !isSocial(u) {
			return u
		}
	}
	return nil
}

// place is where the role is.
func (w *stateWalk) place(o map[string]any, depth int) string {
	for _, key := range placeKeys {
		if text := w.placeText(o[key], depth+1); text != "" {
			return text
		}
	}
	var parts []string
	for _, keys := range [...][]string{{"city", "town", "locality", "addressLocality"}, {"state", "region", "province", "addressRegion"}, {"country", "countryName", "addressCountry"}} {
		for _, key := range keys {
			if text := w.label(o[key]); text != "" && !slices.Contains(parts, text) && !closedStates[strings.ToLower(text)] && !openStates[strings.ToLower(text)] {
				parts = append(parts, text)
				break
			}
		}
	}
	if len(parts) > 0 {
		return strings.Join(parts, ", ")
	}
	for _, key := range [...]string{"remote", "isRemote", "is_remote", "fullyRemote"} {
		if yes, ok := o[key].(bool); ok && yes {
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
		for _, key := range [...]string{"name", "label", "text", "title", "displayName", "display_name", "locationName", "fullLocation", "value", "locationString", "formatted", "formattedAddress", "descriptor", "fields", "attributes", "node", "location", "data"} {
			if text := w.placeText(v[key], depth+1); text != "" {
				return text
			}
		}
		if text := w.place(v, depth+1); text != "" {
			return text
		}
		return w.placeText(v["address"], depth+1)
	}
	return ""
}

// department is the role's part of the company: its own, or the name of the group that the record lies in.
func (w *stateWalk) department(o map[string]any, t trace) string {
	for _, key := range groupKeys {
		var text string
		if list, ok := o[key].([]any); ok && len(list) > 0 {
			text = w.label(list[0])
		} else {
			text = w.label(o[key])
		}
		if text != "" && len(text) <= 120 {
			return text
		}
	}
	for i := len(t.owners) - 1; i >= 0 && i >= len(t.owners)-2; i-- {
		owner := t.owners[i]
		if _, isRole := owner["description"]; isRole {
			return ""
		}
		for _, key := range [...]string{"department", "departmentName", "team", "category", "name", "title", "label"} {
			if text := w.label(owner[key]); text != "" && len(text) <= 80 && (namesDepartment(fold(text)) || key != "name" && key != "title" && key != "label") {
				return text
			}
		}
	}
	return ""
}

//nolint:gochecknoglobals // constant tables; Go has no constant maps or slices
var (
	titleKeys = []string{
		"jobTitle", "job_title", "positionTitle", "position_title", "positionName", "position_name", "postingTitle", "posting_title",
		"jobName", "job_name", "jobOpeningName", "roleName", "roleTitle", "role_title", "vacancyTitle", "vacancyName", "vacancy_name", "displayJobTitle", "requisitionTitle",
		"job_title_localized", "JobTitle", "Title", "title", "name", "Name", "text", "headline", "heading", "label", "position", "role", "titel", "bezeichnung", "intitule", "titulo",
	}
	roleTitleKeys = set(`jobtitle positiontitle positionname postingtitle jobname jobopeningname rolename roletitle vacancytitle vacancyname displayjobtitle
		requisitiontitle`)
	idKeys = []string{
		"id", "jobId", "job_id", "jobID", "ID", "Id", "_id", "uid", "uuid", "guid", "reqId", "req_id", "requisitionId", "requisition_id", "jobReqId", "jobSeqNo", "postingId",
		"positionId", "position_id", "vacancyId", "vacancy_id", "shortcode", "shortCode", "reference", "refNumber", "ref", "jobCode", "job_code", "code", "externalId", "external_id",
		"objectID", "objectId", "key", "documentId", "number", "internal_job_id", "entityId", "nid", "sys_id",
	}
	slugKeys = []string{"slug", "permalink", "handle", "url_slug", "urlSlug", "seoSlug", "friendlyUrl", "titleSlug"}
	urlKeys  = []string{
		"url", "jobUrl", "job_url", "jobURL", "absolute_url", "absoluteUrl", "hostedUrl", "hosted_url", "canonicalUrl", "canonical_url", "publicUrl", "public_url", "link", "href", "permalink",
		"detailUrl", "detail_url", "detailsUrl", "detailPage", "pageUrl", "page_url", "careersUrl", "careers_url", "positionUrl", "canonicalPositionUrl", "shareUrl", "jobLink", "job_link", "web_url", "webUrl", "uri", "URL", "Url",
		"Link", "path", "fullPath", "full_path", "route", "externalPath", "relativeUrl", "slug", "applyUrl", "apply_url", "applicationUrl", "application_url", "applyLink", "apply_link", "applyURL", "ctaUrl", "cta",
	}
	placeKeys = []string{
		"locations", "location", "jobLocations", "jobLocation", "job_location", "allLocations", "locationName", "location_name", "locationsText", "locationText", "location_text", "primaryLocation", "primary_location",
		"fullLocation", "full_location", "cityStateCountry", "cityState", "formattedLocation", "locationNames", "locationString", "workLocation", "work_location", "workplace", "workplaces", "office", "offices", "officeLocation", "place", "places", "job_locations",
		"standort", "standorte", "ort", "arbeitsort", "lieu", "ville", "localisation", "ubicacion", "ciudad", "sede", "plaats", "locatie", "Location", "Locations", "cities", "loc",
	}
	groupKeys = []string{
		"department", "departments", "departmentName", "department_name", "team", "teams", "teamName", "team_name", "jobFamily", "jobFunction", "job_function", "function", "division", "area", "discipline", "jobCategory", "job_category",
		"category", "categories", "businessUnit", "business_unit", "fachbereich", "abteilung", "bereich", "departement", "departamento", "Department", "Team", "Category", "group", "sector",
	}
	workKeys = set(`employmenttype employmenttypes employment contracttype contracttypename contract commitment workplacetype worktype workmode workingtime worklocation jobtype jobtypes timetype dateposted
		postingdate postedon posteddate postedat dateposting publishedate requisitionid reqid jobreqid jobid jobcode jobfamily jobfunction jobcategory joblocation joblocations joblevel seniority senioritylevel
		experiencelevel experience salary salaryrange compensation compensationtiersummary applyurl applylink applicationurl hiringmanager department departments departmentname team teams teamname location locations locationname
		locationstext office offices remote isremote remotepolicy remotestatus fulltime parttime schedule workschedule validthrough hiringorganization vacancies numberofopenings shift jobdescription
		requirements responsibilities qualifications hardskills stellenart beschaeftigungsart standort standorte arbeitsort lieu typecontrat contrat ville vaga ubicacion`)
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
	totalNames   = set(`total totalcount totaljobs jobscount jobcount totalresults totalhits numfound totalelements totalrecords totalitems totalnumber nbhits recordstotal totalrows resultcount totalresultcount totalpositions itemcount counttotal totalentries`)
	shownKeys    = set(`listed islisted active isactive published ispublished open isopen visible isvisible enabled public ispublic isactiveposting`)
	hiddenKeys   = set(`archived isarchived closed isclosed draft isdraft hidden ishidden deleted isdeleted expired isexpired filled internal isinternal isfilled confidential isconfidential istemplate unlisted isevergreen disabled`)
	closedStates = set(`closed archived draft inactive filled expired internal unlisted hidden cancelled canceled deleted unpublished on_hold paused private rejected pending`)
	openStates   = set(`open active published live public listed approved`)
)
