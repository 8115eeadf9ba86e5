package ats

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// roleForm is where a system answers for a single role: the address, and what is sent to it, if anything. {board} and {id}
// stand for the board and the role's id, ${1} for parts of the role's own address.
type roleForm struct {
	url           *lazyregexp.Regexp // of the role's own address
	address, sent string
}

// roleForms are those of the systems whose answer about one role says more than its page. Of several forms, the first that
// fits is asked.
var roleForms = map[string][]roleForm{
	"ashby": {{
		url: anyAddress, address: ashbyPages + "api/non-user-graphql?op=ApiJobPosting",
		sent: `{"operationName":"ApiJobPosting","variables":{"organizationHostedJobsPageName":"{board}","jobPostingId":"{id}"},` +
			`"query":"query ApiJobPosting($organizationHostedJobsPageName: String!, $jobPostingId: String!) { ` +
			`jobPosting(organizationHostedJobsPageName: $organizationHostedJobsPageName, jobPostingId: $jobPostingId) { id title } }"}`,
	}},
	"bamboohr":   {{url: anyAddress, address: "https://{board}.bamboohr.com/careers/{id}/detail"}},
	"greenhouse": {{url: anyAddress, address: greenhouseAPI + "{board}/jobs/{id}?pay_transparency=true"}},
	"lever":      {{url: lazyregexp.New(`^https://jobs\.(eu\.)?lever\.co/`), address: "https://api.${1}lever.co/v0/postings/{board}/{id}?mode=json"}},
	"oracle": {{
		url:     lazyregexp.New(`^(https://[a-z0-9.-]+\.oraclecloud\.(?:com|eu))/hcmUI/CandidateExperience/[A-Za-z-]+/sites/([A-Za-z0-9_-]+)/job/`),
		address: `${1}/hcmRestApi/resources/latest/recruitingCEJobRequisitionDetails?expand=all&onlyData=true&finder=ById;Id=%22{id}%22,siteNumber=${2}`,
	}},
	"recruitee":       {{url: lazyregexp.New(`^(https://[^/?#]+)/o/([^/?#]+)`), address: "${1}/api/offers/${2}"}},
	"rippling":        {{url: anyAddress, address: ripplingAPI + "v1/board/{board}/jobs/{id}"}},
	"smartrecruiters": {{url: anyAddress, address: smartRecruitersAPI + "{board}/postings/{id}"}},
	"workable":        {{url: anyAddress, address: "https://apply.workable.com/api/v2/accounts/{board}/jobs/{id}"}},
	"workday": {
		{url: lazyregexp.New(`^https://([a-z0-9_-]+)(\.wd[0-9]+\.myworkdayjobs\.com)/([^/?#]+)(/job/[^?#]+)`), address: "https://${1}${2}/wday/cxs/${1}/${3}${4}"},
		{url: lazyregexp.New(`^(https://wd[0-9]+\.myworkdaysite\.com)/recruiting/([^/?#]+)/([^/?#]+)(/job/[^?#]+)`), address: "${1}/wday/cxs/${2}/${3}${4}"},
	},
}

var anyAddress = lazyregexp.New(``)

// question is the address at which the system answers for the role, and what is sent to it. ok is false if there is none.
func question(system, board string, j boardwatch.Job) (address, sent string, ok bool) {
	id := strings.TrimPrefix(j.Key, boardwatch.MergedKey)
	for _, f := range roleForms[system] {
		if m := f.url.FindStringSubmatchIndex(j.URL); m != nil {
			address = string(f.url.ExpandString(nil, f.address, j.URL, m))
			address = strings.NewReplacer("{board}", url.PathEscape(board), "{id}", url.PathEscape(id)).Replace(address)
			return address, strings.NewReplacer("{board}", inJSON(board), "{id}", inJSON(id)).Replace(f.sent), true
		}
	}
	return "", "", false
}

// inJSON is a text as it stands between quotes.
func inJSON(s string) string {
	quoted, _ := json.Marshal(s) //nolint:errchkjson // a text
	return string(quoted[1 : len(quoted)-1])
}

// Testify asks the system for its data of a role that its board no longer lists, if it has an address for that. Its word that
// there is no such role may come from something that stands before it, so the role's own page should be asked as well. An
// error means that nobody was asked: the context ended.
func Testify(ctx context.Context, a Adapter, client Doer, board string, j boardwatch.Job) (boardwatch.Testimony, error) {
	address, sent, ok := question(a.Name(), board, j)
	if !ok {
		return boardwatch.TestimonySilent, nil
	}
	method, body := http.MethodGet, []byte(nil)
	if sent != "" {
		method, body = http.MethodPost, []byte(sent)
	}
	answered, err := send(unheard(ctx), client, method, address, "application/json", body)
	switch {
	case ctx.Err() != nil:
		return "", cmp.Or(context.Cause(ctx), ctx.Err())
	case err != nil:
		return boardwatch.TestimonySilent, nil //nolint:nilerr // the system says nothing
	case answered.status == http.StatusNotFound && !isPage(answered.body), answered.status == http.StatusGone:
		return boardwatch.TestimonyGone, nil
	case answered.status != http.StatusOK:
		return boardwatch.TestimonySilent, nil
	}
	return RoleSays(answered.body, j.Title), nil
}

// What systems write of a role that is closed, in names and values in small letters only.
var (
	closedValues = strings.Fields("closed filled archived expired inactive unpublished notpublished unlisted cancelled canceled withdrawn deleted removed deactivated disabled ended completed onhold paused draft offline unavailable notavailable unposted")
	closedIfTrue = strings.Fields("closed isclosed expired isexpired jobexpired archived isarchived filled isfilled deleted isdeleted inactive unpublished disabled")
	closedIfNot  = strings.Fields("active isactive open isopen published ispublished posted isposted listed islisted live islive available isavailable canapply acceptingapplications isacceptingapplications")
	roleNames    = strings.Fields("data result item items job jobposting posting position opening jobopening offer vacancy requisition")
	errorNames   = strings.Fields("error errors message errormessage errorcode code detail details title status")
	notThere     = lazyregexp.New(`(?i)not[ _-]?found|no longer|does(?:n['’]t| not) exist|expired|\bclosed\b|\bfilled\b|(?:not |un)available|\b(?:404|410)\b`)
)

// RoleSays is what a document of JSON says of the role with this title, if the address of the role leads to it. The role is
// what has the title as one of its fields, outside of lists.
func RoleSays(document []byte, title string) boardwatch.Testimony {
	var value any
	if json.Unmarshal(document, &value) != nil {
		return boardwatch.TestimonySilent
	}
	role := roleReader{title: title}
	there := role.shows(value, 0)
	fields, _ := value.(map[string]any)
	switch {
	case role.closed, !there && saysClosed(fields):
		return boardwatch.TestimonyClosed
	case there:
		return boardwatch.TestimonyThere
	case saysNotThere(fields), lacksRole(fields), isNothing(value) && len(fields) == 0:
		return boardwatch.TestimonyGone
	}
	return boardwatch.TestimonySilent
}

type roleReader struct {
	title  string
	closed bool
}

// shows reports whether the title stands in a value, and notes whether what has it says that it is closed.
func (r *roleReader) shows(value any, depth int) (shows bool) {
	switch v := value.(type) {
	case string:
		text := boardwatch.PageText{Pages: []string{v}}
		return len(v) < 600 && text.Shows(r.title)
	case []any:
		return len(v) == 1 && r.shows(v[0], depth+1)
	case map[string]any:
		for _, inside := range v {
			if depth < 5 && r.shows(inside, depth+1) {
				_, direct := inside.(string)
				r.closed = r.closed || direct && saysClosed(v)
				shows = true
			}
		}
	}
	return shows
}

// saysClosed reports whether a field says that the role is closed.
func saysClosed(fields map[string]any) bool {
	for name, value := range fields {
		name = plainName(name)
		said, isText := value.(string)
		said = plainName(said)
		switch {
		case isText && (strings.HasSuffix(name, "status") || strings.HasSuffix(name, "state")) && slices.Contains(closedValues, said),
			slices.Contains(closedIfTrue, name) && (value == true || said == "true"),
			slices.Contains(closedIfNot, name) && (value == false || said == "false"):
			return true
		}
	}
	return false
}

// lacksRole reports whether the place of the role is empty, and no error explains that.
func lacksRole(fields map[string]any) (lacks bool) {
	for name, value := range fields {
		switch name = plainName(name); {
		case slices.Contains(wrongBy, name) && !isNothing(value):
			return false
		case slices.Contains(roleNames, name) && isNothing(value):
			lacks = true
		}
	}
	return lacks
}

// saysNotThere reports whether an error says that there is no such role.
func saysNotThere(fields map[string]any) bool {
	for name, value := range fields {
		if slices.Contains(errorNames, plainName(name)) {
			if text, err := json.Marshal(value); err == nil && len(text) < 2000 && notThere.Match(text) {
				return true
			}
		}
	}
	return false
}
