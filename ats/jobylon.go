package ats

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const jobylonEmbeds = "https://cdn.jobylon.com/jobs/"

// Jobylon has its roles in a script of the page that companies frame, as JavaScript writes them, not as JSON does.
func init() {
	register(&declared{
		name: "jobylon",
		about: About{
			Name: "Jobylon", Site: "jobylon.com",
			Addresses: []string{"cdn.jobylon.com/jobs/companies/{id}/embed/v2/", "cdn.jobylon.com/jobs/company-groups/{id}/embed/v2/", "emp.jobylon.com/companies/{id}-{name}/"},
			Endpoint:  "GET " + jobylonEmbeds + "companies/{id}/embed/v2/?page_size=1000",
			Reads:     "id, title, every place, departments, address, company",
			Evidence:  Several,
		},
		board: func(a address) string {
			path := a.path()
			if a.host == "cdn.jobylon.com" && nth(path, 0) == "jobs" {
				path = path[1:]
			} else if a.host != "emp.jobylon.com" {
				return ""
			}
			number, _, _ := strings.Cut(nth(path, 1), "-")
			return nth(path, 0) + "/" + number
		},
		valid: jobylonBoard.MatchString,
		page:  func(board string) string { return jobylonEmbeds + board + "/embed/v2/" },
		open:  inOne(jobylonRoles),
	})
}

var (
	jobylonBoard = regexp.MustCompile(`^(?:companies|company-groups)/[1-9]\d{0,9}$`)
	jobylonJobs  = regexp.MustCompile(`JBL\.embed_v2\[['"]jobs['"]\]\s*=\s*`)
)

type jobylonJob struct {
	ID            id     `json:"id"`
	Title         string `json:"title"`
	URL           string `json:"url"`
	Company       string `json:"company"`
	Locations     any    `json:"locations"`
	LocationsText string `json:"locations_text"`
	Departments   any    `json:"departments"`
}

func jobylonRoles(ctx context.Context, client Doer, board string) (page, error) {
	content, err := getPage(ctx, client, jobylonEmbeds+board+"/embed/v2/?page_size=1000")
	if err != nil {
		return page{}, err
	}
	at := jobylonJobs.FindIndex(content)
	if at == nil {
		return page{}, didf("answered with a page without the roles' data")
	}
	document, ok := literalJSON(string(content[at[1]:]))
	if !ok {
		return page{}, didf("gave a list of roles that is cut off")
	}
	var rows []json.RawMessage
	if err := decodeJSON([]byte(document), &rows); err != nil {
		return page{}, err
	}
	company := ""
	p, err := pageOf(rows, 0, func(j jobylonJob) (boardwatch.Posting, bool) {
		if strings.HasPrefix(board, "companies/") {
			company = firstText(company, j.Company)
		}
		return j.posting(), true
	})
	p.Company = company
	return p, err
}

func (j jobylonJob) posting() boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: firstText(joinPlaces(textsOf(j.Locations)...), j.LocationsText), Department: joinPlaces(textsOf(j.Departments)...),
		URL: j.URL,
	}
	if strings.HasPrefix(j.URL, "/") {
		p.URL = "https://emp.jobylon.com" + j.URL
	}
	return p
}

// textsOf are the texts of a JSON list, or the text that stands in its place.
func textsOf(value any) []string {
	values, isList := value.([]any)
	if !isList {
		values = []any{value}
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, linkedText(v, "name"))
	}
	return texts
}

// literalJSON is the object or list that a script begins with, made JSON of: names in quotes, texts in double quotes, no comma
// before a closing bracket. It is not ok when the brackets do not close.
func literalJSON(script string) (document string, ok bool) {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(script); i++ {
		switch c := script[i]; {
		case c == '"' || c == '\'':
			text, end := literalText(script, i)
			if end < 0 {
				return "", false
			}
			b.WriteString(text)
			i = end
		case c == '[' || c == '{':
			depth++
			b.WriteByte(c)
		case c == ']' || c == '}':
			depth--
			closed := strings.TrimSuffix(strings.TrimRight(b.String(), " \t\r\n"), ",")
			b.Reset()
			b.WriteString(closed)
			b.WriteByte(c)
			if depth == 0 {
				return b.String(), true
			}
		case depth == 0:
			return "", false
		case isNameStart(c):
			end := i
			for end < len(script) && (isNameStart(script[end]) || script[end] >= '0' && script[end] <= '9') {
				end++
			}
			b.WriteString(literalName(script[i:end]))
			i = end - 1
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

func isNameStart(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// literalName is a bare word: a value of its own, or a name.
func literalName(word string) string {
	switch word {
	case "true", "false", "null":
		return word
	case "undefined":
		return "null"
	}
	return strconv.Quote(word)
}

// literalText is the text in quotes that begins at a place, as JSON, and where it ends; -1 when it does not.
func literalText(script string, start int) (text string, end int) {
	quote := script[start]
	var b strings.Builder
	for i := start + 1; i < len(script); i++ {
		c := script[i]
		switch {
		case c == quote:
			quoted, err := json.Marshal(b.String())
			if err != nil {
				return "", -1
			}
			return string(quoted), i
		case c != '\\':
			b.WriteByte(c)
		case i+1 < len(script):
			i += literalEscape(&b, script[i+1:])
		}
	}
	return "", -1
}

// literalEscape writes what an escape stands for, and returns how long it is behind its backslash.
func literalEscape(b *strings.Builder, escape string) int {
	digits := map[byte]int{'u': 4, 'x': 2}[escape[0]]
	if digits > 0 && len(escape) > digits {
		if r, err := strconv.ParseUint(escape[1:1+digits], 16, 32); err == nil {
			b.WriteRune(rune(r))
			return 1 + digits
		}
	}
	switch escape[0] {
	case 'n', 'r', 't', 'b', 'f', 'v', '\n':
		b.WriteByte(' ')
	default:
		b.WriteByte(escape[0])
	}
	return 1
}
