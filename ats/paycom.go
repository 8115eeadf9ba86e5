package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// A portal's page of Paycom gives its visitors a token for the list, which does not last.
func init() {
	register(namer{employer: paycomEmployer, declared: &declared{
		name: "paycom",
		about: About{
			Name: "Paycom", Site: "paycom.com",
			Addresses: []string{"www.paycomonline.net/v4/ats/web.php/portal/{key}/career-page", "www.paycomonline.net/v4/ats/web.php/jobs?clientkey={key}"},
			Endpoint:  "POST https://{service of the portal}/api/ats/job-posting-previews/search",
			Reads:     "id, title, places, address, total, company",
			Evidence:  Several,
		},
		board: func(a address) string { // portals and their roles, and the portals' older addresses
			if a.host != "www.paycomonline.net" && a.host != "paycomonline.net" {
				return ""
			}
			board := a.below("v4", "ats", "web.php", "portal")
			if board == "" && a.below("v4") == "ats" {
				board = a.value("clientkey")
			}
			return strings.ToLower(board)
		},
		valid: isHex32,
		page:  paycomPage,
		open:  paycomJobs,
	}})
}

func paycomPage(board string) string { return paycomPortals + board + "/career-page" }

const paycomPortals = "https://www.paycomonline.net/v4/ats/web.php/portal/"

// paycomSession is the service of a portal's list, and a client with the token of the portal's page.
type paycomSession struct {
	service string
	client  Doer
}

var (
	paycomConfig = lazyregexp.New(`\bconfigsFromHost\s*=`)
	paycomNone   = []byte("Job board does not exist")
)

// paycomVisit requests the portal's page.
func paycomVisit(ctx context.Context, client Doer, board string) (paycomSession, error) {
	content, err := getPage(ctx, client, paycomPage(board))
	if err != nil {
		return paycomSession{}, err
	}
	if bytes.Contains(content, paycomNone) {
		return paycomSession{}, noBoard("its page says so")
	}
	at := paycomConfig.FindIndex(content)
	if at == nil {
		return paycomSession{}, didf("answered with a page that does not say where its list is")
	}
	var config struct {
		SessionJWT string          `json:"sessionJWT"`
		LibConfig  json.RawMessage `json:"libConfig"`
	}
	if err := stateIn(string(content[at[1]:]), "", &config); err != nil {
		return paycomSession{}, err
	}
	library := config.LibConfig
	if bytes.HasPrefix(library, []byte(`"`)) {
		text, err := unquoted(string(library))
		if err != nil {
			return paycomSession{}, err
		}
		library = json.RawMessage(text)
	}
	var where struct {
		Service string `json:"atsPortalMantleServiceUrl"`
	}
	if err := decodeJSON(library, &where); err != nil {
		return paycomSession{}, err
	}
	service, ok := paycomService(where.Service)
	if !ok || config.SessionJWT == "" || strings.ContainsAny(config.SessionJWT, " \r\n\t") {
		return paycomSession{}, didf("answered with a page that does not say where its list is")
	}
	return paycomSession{service, with(client, "Authorization", config.SessionJWT, "Portal-Host-Referrer", paycomPage(board))}, nil
}

// paycomService is the address of the list's service, which must be the vendor's own: it is given the token.
func paycomService(service string) (string, bool) {
	u, err := url.Parse(service)
	if err != nil {
		return "", false
	}
	a, ok := parseAddress(u)
	if !ok || u.Scheme != "https" || !isHost(a.host, "paycomonline.net") || u.RawQuery != "" {
		return "", false
	}
	path := a.path()
	if slices.ContainsFunc(path, func(segment string) bool { return !isToken(segment) }) {
		return "", false
	}
	return "https://" + strings.Join(append([]string{a.host}, path...), "/"), true
}

type paycomList struct {
	Count    *count            `json:"jobPostingPreviewsCount"`
	Previews []json.RawMessage `json:"jobPostingPreviews"`
}

type paycomJob struct {
	JobID      id     `json:"jobId"`
	JobTitle   string `json:"jobTitle"`
	Locations  string `json:"locations"`
	RemoteType string `json:"remoteType"`
}

// search asks for rows of the list, with the filters that the portal's page sends when none is chosen.
func (s paycomSession) search(ctx context.Context, skip, take int) (paycomList, error) {
	none := []string{}
	question := map[string]any{
		"skip": skip, "take": take,
		"filtersForQuery": map[string]any{
			"distanceFrom": 0, "workEnvironments": none, "positionTypes": none, "educationLevels": none, "categories": none, "travelTypes": none,
			"shiftTypes": none, "otherFilters": none, "keywordSearchText": "", "location": "", "sortOption": "",
		},
	}
	var list paycomList
	if err := postJSON(ctx, s.client, s.service+"/api/ats/job-posting-previews/search", question, &list); err != nil {
		return list, err
	}
	if list.Count == nil {
		return list, didf("answered without a total")
	}
	return list, nil
}

// paycomJobs requests the portal's page, and then page after page of its list.
func paycomJobs(ctx context.Context, client Doer, board string) func(at turn) (page, error) {
	var session paycomSession
	return func(at turn) (page, error) {
		if session.client == nil {
			var err error
			if session, err = paycomVisit(ctx, client, board); err != nil {
				return page{}, err
			}
		}
		list, err := session.search(ctx, at.rows, 100)
		if err != nil {
			return page{}, asListFault(err)
		}
		return pageOf(list.Previews, *list.Count, func(job paycomJob) (boardwatch.Posting, bool) { return job.posting(board), true })
	}
}

// asListFault is the error of a list whose board is known to be there: that it is not found says nothing of the board.
func asListFault(err error) error {
	e, ok := errors.AsType[*systemError](err)
	if !ok || !e.unknown {
		return err
	}
	return &systemError{did: strings.Replace(e.did, "has no such board", "has the board, but not its list", 1), retryAfter: e.retryAfter}
}

func (j paycomJob) posting(board string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.JobID), Title: j.JobTitle, Location: strings.TrimSpace(j.Locations), URL: paycomPortals + board + "/jobs/" + url.PathEscape(string(j.JobID)),
	}
	orRemote(&p, strings.Contains(strings.ToLower(j.RemoteType), "remote"))
	return p
}

// paycomEmployer is the employer of the list's first role, as its data for search engines states it. A portal without roles
// names nobody.
func paycomEmployer(ctx context.Context, client Doer, board string) (string, error) {
	session, err := paycomVisit(ctx, client, board)
	if err != nil {
		return "", err
	}
	list, err := session.search(ctx, 0, 1)
	if err != nil || len(list.Previews) == 0 {
		return "", err
	}
	var job paycomJob
	if err := decodeJSON(list.Previews[0], &job); err != nil {
		return "", err
	}
	var detail struct {
		JobPosting struct {
			GoogleJobJSON json.RawMessage `json:"googleJobJson"`
		} `json:"jobPosting"`
	}
	if err := getJSON(ctx, session.client, session.service+"/api/ats/job-postings/"+url.PathEscape(string(job.JobID)), &detail); err != nil {
		return "", err
	}
	return paycomOrganization(detail.JobPosting.GoogleJobJSON), nil
}

// paycomOrganization is the organization in a role's data for search engines, which is an object or the text of one.
func paycomOrganization(document json.RawMessage) string {
	var value any
	if json.Unmarshal(document, &value) != nil {
		return ""
	}
	if text, ok := value.(string); ok && json.Unmarshal(cleanLinked(text), &value) != nil {
		return ""
	}
	object, _ := value.(map[string]any)
	return collapse(linkedText(object["hiringOrganization"], "name"))
}
