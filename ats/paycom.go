package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// paycom reads www.paycomonline.net. A portal's page lends its visitors a token for the list, which does not last.
type paycom struct{ vendor }

func init() {
	register(paycom{vendor{
		name: "paycom",
		about: About{
			Name: "Paycom", Site: "paycom.com",
			Addresses: []string{"www.paycomonline.net/v4/ats/web.php/portal/{key}/career-page", "www.paycomonline.net/v4/ats/web.php/jobs?clientkey={key}"},
			Endpoint:  "POST https://{service of the portal}/api/ats/job-posting-previews/search",
			Reads:     "id, title, places, address, total, company",
			Evidence:  Several,
		},
		match: matchPaycom,
		page:  func(board string) string { return paycomPortals + board + "/career-page" },
	}})
}

const paycomPortals = "https://www.paycomonline.net/v4/ats/web.php/portal/"

// matchPaycom knows portals and their roles, and the portals' older addresses.
func matchPaycom(a address) (board string, ok bool) {
	if a.host != "www.paycomonline.net" && a.host != "paycomonline.net" {
		return "", false
	}
	board = a.below("v4", "ats", "web.php", "portal")
	if board == "" && a.below("v4") == "ats" {
		board = a.value("clientkey")
	}
	if !isHex32(board) {
		return "", false
	}
	return strings.ToLower(board), true
}

// paycomSession is what a portal's page lends its visitors.
type paycomSession struct {
	service string
	client  Doer
}

var (
	paycomConfig = lazyregexp.New(`\bconfigsFromHost\s*=`)
	paycomNone   = []byte("Job board does not exist")
)

// open asks for the portal's page.
func (p paycom) open(ctx context.Context, client Doer, board string) (paycomSession, error) {
	content, err := getPage(ctx, client, p.CareersURL(board))
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
	return paycomSession{service, with(client, "Authorization", config.SessionJWT, "Portal-Host-Referrer", p.CareersURL(board))}, nil
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

// Read asks for the portal's page, and then for page after page of its list.
func (p paycom) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isHex32(board) {
		return failed(p, noName())
	}
	session, err := p.open(ctx, client, board)
	if err != nil {
		return failed(p, err)
	}
	return paged{}.read(ctx, p, func(at turn) (page, error) {
		list, err := session.search(ctx, at.rows, 100)
		if err != nil {
			return page{}, asListFault(err)
		}
		return pageOf(list.Previews, *list.Count, func(job paycomJob) (boardwatch.Posting, bool) { return job.posting(board), true })
	})
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
	if p.Location == "" && strings.Contains(strings.ToLower(j.RemoteType), "remote") {
		p.Location = "Remote"
	}
	return p
}

// Company is the employer of the list's first role, by what it has for search engines. A portal without roles names
// nobody.
func (p paycom) Company(ctx context.Context, client Doer, board string) (string, error) {
	if !isHex32(board) {
		return "", namelessBoard(p)
	}
	name, err := p.employer(ctx, client, board)
	if err != nil {
		return "", fmt.Errorf("name of paycom board %s: %w", board, err)
	}
	return name, nil
}

func (p paycom) employer(ctx context.Context, client Doer, board string) (string, error) {
	session, err := p.open(ctx, client, board)
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
	return paycomEmployer(detail.JobPosting.GoogleJobJSON), nil
}

// paycomEmployer is the organization in what a role has for search engines, an object or the text of one.
func paycomEmployer(document json.RawMessage) string {
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
