package ats_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recordedFacts are where a recording holds the facts of its roles: the fields of a row, several for one fact where it has it
// in one of them. A field counts if it is neither absent nor empty, and a flag if it is true.
var recordedFacts = map[string]struct {
	rows, key string
	fields    map[string]string
}{
	"ashby": {"jobs", "id", map[string]string{
		"posted": "publishedAt", "mode": "isRemote workplaceType", "type": "employmentType", "pay": "compensation.scrapeableCompensationSalarySummary",
		"places": "address.postalAddress.addressLocality address.postalAddress.addressCountry secondaryLocations.address.postalAddress.addressCountry", "text": "descriptionHtml",
	}},
	"bamboohr": {"result", "id", map[string]string{"mode": "locationType isRemote", "type": "employmentStatusLabel", "places": "location.city atsLocation.country"}},
	"breezy":   {"", "id", map[string]string{"posted": "published_date", "mode": "location.is_remote", "type": "type.name", "pay": "salary", "places": "location.city"}},
	"comeet":   {"", "uid", map[string]string{"updated": "time_updated", "mode": "workplace_type", "type": "employment_type", "places": "location.city", "text": "details.value"}},
	"dover":    {"", "id", map[string]string{"mode": "workplace_type", "places": "locations.location_option.country"}},
	"eightfold": {"data.positions positions", "id", map[string]string{
		"posted": "postedTs t_create", "updated": "t_update", "mode": "workLocationOption", "requisition": "displayJobId ats_job_id", "places": "standardizedLocations",
	}},
	"gem": {"", "id", map[string]string{
		"posted": "first_published_at", "updated": "updated_at", "mode": "location_type", "type": "employment_type", "requisition": "requisition_id", "text": "content",
	}},
	"greenhouse": {"jobs", "id", map[string]string{"posted": "first_published", "updated": "updated_at", "requisition": "requisition_id", "text": "content"}},
	"jibe": {"jobs.data", "slug", map[string]string{
		"posted": "posted_date", "type": "employment_type", "places": "country_code", "requisition": "req_id", "language": "language", "text": "description",
	}},
	"lever":   {"", "id", map[string]string{"posted": "createdAt", "mode": "workplaceType", "type": "categories.commitment", "pay": "salaryRange", "places": "country", "text": "description"}},
	"manatal": {"results", "id", map[string]string{"mode": "is_remote", "type": "contract_details", "places": "city country", "text": "description"}},
	"oracle":  {"items.requisitionList", "Id", map[string]string{"posted": "PostedDate", "requisition": "Id", "places": "PrimaryLocationCountry"}},
	"pinpoint": {"data", "id", map[string]string{
		"valid through": "deadline_at", "mode": "workplace_type", "type": "employment_type", "pay": "compensation", "places": "location.city",
		"requisition": "job.requisition_id", "text": "description",
	}},
	"recruitee": {"offers", "id", map[string]string{
		"posted": "published_at", "updated": "updated_at", "mode": "remote hybrid on_site", "type": "employment_type_code", "pay": "salary.min", "places": "locations.city", "text": "description",
	}},
	"rippling": {"items", "id", map[string]string{"mode": "locations.workplaceType", "places": "locations.countryCode", "language": "language"}},
	"smartrecruiters": {"content", "id", map[string]string{
		"posted": "releasedDate", "mode": "location.remote location.hybrid", "type": "typeOfEmployment.label", "places": "location.city", "requisition": "refNumber", "language": "language.code",
	}},
	"ukg": {"opportunities", "Id", map[string]string{"posted": "PostedDate", "places": "Locations.Address.City"}},
	"welcometothejungle": {"hits", "objectID", map[string]string{
		"posted": "published_at", "mode": "remote", "type": "contract_type", "pay": "salary_minimum", "places": "offices.city", "text": "profile",
	}},
	"workable": {"jobs", "shortcode", map[string]string{
		"posted": "published_on", "mode": "telecommuting", "type": "employment_type", "places": "locations.countryCode", "requisition": "code", "text": "description",
	}},
	"workday": {"jobPostings", "bulletFields", map[string]string{"requisition": "bulletFields", "type": "timeType", "mode": "remoteType"}},
}

// countedFacts are how many roles the recordings of other systems show with a fact, counted by hand.
var countedFacts = map[string]map[string]int{
	"hrmdirect":      {"posted": 2, "requisition": 2},
	"icims":          {"requisition": 2},
	"jobvite":        {},
	"neogov":         {"posted": 2, "valid through": 1, "pay": 2, "text": 2},
	"paylocity":      {"posted": 2, "places": 2},
	"personio":       {"posted": 1, "type": 1},
	"phenom":         {"posted": 2, "type": 2, "places": 2, "requisition": 2, "language": 2},
	"successfactors": {"posted": 2},
	"taleo":          {"posted": 2, "requisition": 2},
	"teamtailor":     {"posted": 5, "mode": 2, "places": 5, "text": 5},
}

// TestCorpusFacts counts what the roles of recorded boards have besides title and place, and what the recordings hold of it.
func TestCorpusFacts(t *testing.T) {
	t.Parallel()
	got, held, roles := make(map[string]map[string]int), make(map[string]map[string]int), make(map[string]int)
	for _, l := range looks(t) {
		a := adapter(l.system)
		if a == nil || stages[l.name].why != "" {
			continue
		}
		reading, asked := l.read(t, a)
		if !asked {
			continue
		}
		if got[l.system] == nil {
			got[l.system], held[l.system] = make(map[string]int), make(map[string]int)
		}
		roles[l.system] += len(reading.Postings)
		shown := make(map[string]bool)
		for _, p := range reading.Postings {
			countFacts(got[l.system], p)
			shown[p.Key] = true
		}
		where, ok := recordedFacts[l.system]
		if !ok {
			continue
		}
		counted := make(map[string]bool)
		for _, page := range l.pages {
			for _, body := range answersIn(corpusFile(t, page.File)) {
				var document any
				if json.Unmarshal(body, &document) != nil {
					continue
				}
				for path := range strings.SplitSeq(where.rows, " ") {
					for _, row := range reached(document, path) {
						id := ""
						if ids := reached(row, where.key); len(ids) > 0 {
							id = key(ids[0])
						}
						for name, fields := range where.fields {
							mark := id + "\x00" + name
							if shown[id] && !counted[mark] && slices.ContainsFunc(strings.Fields(fields), func(f string) bool { return slices.ContainsFunc(reached(row, f), says) }) {
								counted[mark] = true
								held[l.system][name]++
							}
						}
					}
				}
			}
		}
	}
	maps.Copy(held, countedFacts)
	for _, system := range slices.Sorted(maps.Keys(roles)) {
		t.Logf("%s: %d roles, %v", system, roles[system], got[system])
		for _, name := range factNames {
			require.GreaterOrEqual(t, got[system][name], held[system][name], "%s: %s of %d roles", system, name, roles[system])
		}
	}
	require.GreaterOrEqual(t, len(roles), 25, "recorded systems")
}

// reached are the values at the end of a path of names; those of lists are followed one by one.
func reached(document any, path string) []any {
	if rows, ok := document.([]any); ok {
		var all []any
		for _, row := range rows {
			all = append(all, reached(row, path)...)
		}
		return all
	}
	if path == "" {
		return []any{document}
	}
	name, rest, _ := strings.Cut(path, ".")
	return reached(at(document, name), rest)
}

// says reports whether a value says anything.
func says(value any) bool {
	switch value := value.(type) {
	case string:
		return strings.ContainsFunc(value, func(r rune) bool { return r > ' ' }) && value != "unspecified"
	case bool:
		return value
	}
	return value != nil
}
