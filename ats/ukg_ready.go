package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// ukgReady reads UKG Ready. The same tenant is unknown on the hosts of another environment, so that the host is part of
// the board. What is known of its list comes from one description.
type ukgReady struct{ ukg }

// About is that of both products, but for the evidence.
func (r ukgReady) About() About {
	about := r.ukg.About()
	about.Evidence = Single
	return about
}

var ukgReadyHost = lazyregexp.New(`^(?:[a-z0-9-]+\.)+(?:saashr\.com|entertimeonline\.com|mykronos\.com|yourpayrollhr\.com|workforceready\.(?:com|eu|ca|co\.uk|com\.au))$`)

// ukgReadyTenant is the tenant that a path names: ta/{tenant}.careers, or the list's own address.
func ukgReadyTenant(path []string) string {
	if !strings.EqualFold(nth(path, 0), "ta") {
		return ""
	}
	if nth(path, 1) == "rest" {
		at := slices.Index(path, "companies")
		return strings.TrimPrefix(nth(path, at+1), "|")
	}
	const end = ".careers"
	name := nth(path, 1)
	if at := len(name) - len(end); at > 0 && strings.EqualFold(name[at:], end) {
		return name[:at]
	}
	return ""
}

type ukgReadyBoard struct{ host, tenant string }

func parseUKGReadyBoard(board string) (ukgReadyBoard, bool) {
	host, tenant, _ := strings.Cut(board, "/")
	b := ukgReadyBoard{host, tenant}
	return b, isHost(host) && ukgReadyHost.MatchString(host) && isToken(tenant)
}

func (b ukgReadyBoard) page() string { return "https://" + b.host + "/ta/" + b.tenant + ".careers" }

type ukgReadyJob struct {
	ID       id     `json:"id"`
	JobTitle string `json:"job_title"`
	Location struct {
		City    string `json:"city"`
		State   string `json:"state"`
		Country string `json:"country"`
	} `json:"location"`
	JobCategories json.RawMessage `json:"job_categories"`
	IsRemoteJob   bool            `json:"is_remote_job"`
}

// read asks for page after page. What the list calls offset is the number of a page, from 1.
func (r ukgReady) read(ctx context.Context, client Doer, b ukgReadyBoard) (boardwatch.Reading, error) {
	const size = 200
	return paged{size: size}.read(ctx, r, func(at turn) (page, error) {
		address := fmt.Sprintf("https://%s/ta/rest/ui/recruitment/companies/%%7C%s/job-requisitions?offset=%d&size=%d", b.host, b.tenant, at.page+1, size)
		answered, err := send(ctx, client, http.MethodGet, address, "application/json", nil)
		if err != nil {
			return page{}, err
		}
		if answered.status >= http.StatusBadRequest && strings.Contains(strings.ToLower(string(answered.body)), "company not found") {
			return page{}, noBoard(fmt.Sprintf("it answered %d", answered.status))
		}
		var list struct {
			JobRequisitions []json.RawMessage `json:"job_requisitions"`
			Paging          *struct {
				Total count `json:"total"`
			} `json:"_paging"`
		}
		if err := answered.decode(&list); err != nil {
			return page{}, err
		}
		if list.Paging == nil {
			return page{}, didf("answered without a total")
		}
		return pageOf(list.JobRequisitions, list.Paging.Total, func(job ukgReadyJob) (boardwatch.Posting, bool) {
			return job.posting(b), true
		})
	})
}

func (j ukgReadyJob) posting(b ukgReadyBoard) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.JobTitle, Location: placeAsGiven(j.Location.City, j.Location.State, j.Location.Country),
		Department: ukgReadyCategory(j.JobCategories), URL: b.page() + "?ShowJob=" + url.QueryEscape(string(j.ID)),
	}
	orRemote(&p, j.IsRemoteJob)
	return p
}

// ukgReadyCategory is the first category's name, whichever of its possible forms the field has.
func ukgReadyCategory(document json.RawMessage) string {
	var value any
	if json.Unmarshal(document, &value) == nil {
		return linkedText(value, "name", "display_name", "value")
	}
	return ""
}
