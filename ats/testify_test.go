package ats_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// A roleQuestion is what a system is asked about a single role; asked is empty if it is not.
type roleQuestion struct{ system, board, key, url, asked string }

// roleQuestions are the questions for a single role that systems answer.
var roleQuestions = []roleQuestion{
	{"ashby", "North Wind", "0d7a3b1c-6f0e-4b53-9a51-2f6f0c1d8e90", "https://jobs.ashbyhq.com/North%20Wind/0d7a3b1c-6f0e-4b53-9a51-2f6f0c1d8e90", `POST https://jobs.ashbyhq.com/api/non-user-graphql?op=ApiJobPosting "organizationHostedJobsPageName":"North Wind","jobPostingId":"0d7a3b1c-6f0e-4b53-9a51-2f6f0c1d8e90"`},
	{"bamboohr", "northwind", "31", "https://northwind.bamboohr.com/careers/31", "GET https://northwind.bamboohr.com/careers/31/detail"},
	{"greenhouse", "northwind", "4012", "https://www.northwind.example/careers?gh_jid=4012", "GET https://boards-api.greenhouse.io/v1/boards/northwind/jobs/4012?pay_transparency=true"},
	{"greenhouse", "northwind", "merged 4012", "https://www.northwind.example/careers?gh_jid=4012", "GET https://boards-api.greenhouse.io/v1/boards/northwind/jobs/4012?pay_transparency=true"},
	{"lever", "northwind", "a1", "https://jobs.lever.co/northwind/a1", "GET https://api.lever.co/v0/postings/northwind/a1?mode=json"},
	{"lever", "northwind", "a1", "https://jobs.eu.lever.co/northwind/a1", "GET https://api.eu.lever.co/v0/postings/northwind/a1?mode=json"},
	{"oracle", "", "210", "https://nwnd.fa.us2.oraclecloud.com/hcmUI/CandidateExperience/en/sites/CX_1/job/210", "GET https://nwnd.fa.us2.oraclecloud.com/hcmRestApi/resources/latest/recruitingCEJobRequisitionDetails?expand=all&onlyData=true&finder=ById;Id=%22210%22,siteNumber=CX_1"},
	{"recruitee", "northwind", "77", "https://careers.northwind.example/o/welder-2", "GET https://careers.northwind.example/api/offers/welder-2"},
	{"rippling", "northwind", "b2", "https://ats.rippling.com/northwind/jobs/b2", "GET https://api.rippling.com/platform/api/ats/v1/board/northwind/jobs/b2"},
	{"smartrecruiters", "NorthWind", "7440", "https://jobs.smartrecruiters.com/NorthWind/7440", "GET https://api.smartrecruiters.com/v1/companies/NorthWind/postings/7440"},
	{"workable", "northwind", "0A1B2C3D4E", "https://apply.workable.com/j/0A1B2C3D4E", "GET https://apply.workable.com/api/v2/accounts/northwind/jobs/0A1B2C3D4E"},
	{"workday", "northwind.wd5/Careers", "R-1", "https://northwind.wd5.myworkdayjobs.com/Careers/job/Leith/Welder_R-1", "GET https://northwind.wd5.myworkdayjobs.com/wday/cxs/northwind/Careers/job/Leith/Welder_R-1"},
	{"workday", "northwind.wd5/Careers", "R-1", "https://wd5.myworkdaysite.com/recruiting/northwind/Careers/job/Leith/Welder_R-1", "GET https://wd5.myworkdaysite.com/wday/cxs/northwind/Careers/job/Leith/Welder_R-1"},
	{"breezy", "northwind", "c3", "https://northwind.breezy.hr/p/c3-welder", ""},
	{"workday", "northwind.wd5/Careers", "R-1", "https://www.northwind.example/job/Welder_R-1", ""},
}

func adapterOf(system string) ats.Adapter {
	for _, a := range ats.All() {
		if a.Name() == system {
			return a
		}
	}
	return nil
}

func TestSystemsAreAskedForTheDataOfOneRole(t *testing.T) {
	t.Parallel()
	for _, system := range ats.AskedSystems() {
		require.True(t, slices.ContainsFunc(roleQuestions, func(q roleQuestion) bool { return q.system == system && q.asked != "" }),
			"%s is in roleForms: add what it is asked to roleQuestions, and its answers to closedRoles", system)
	}
	for _, q := range roleQuestions {
		asked := ""
		client := doerFunc(func(r *http.Request) (*http.Response, error) {
			body := ""
			if r.Body != nil {
				body = string(must(io.ReadAll(r.Body)))
			}
			asked = r.Method + " " + r.URL.String()
			if body != "" {
				_, want, _ := strings.Cut(strings.TrimPrefix(q.asked, "POST "), " ")
				require.Contains(t, body, want)
				asked += " " + want
			}
			return textAnswer(http.StatusOK, `{"title":"Welder"}`), nil
		})
		said, err := ats.Testify(t.Context(), adapterOf(q.system), client, q.board, boardwatch.Job{Key: q.key, Title: "Welder", URL: q.url})
		require.NoError(t, err)
		require.Equal(t, q.asked, asked, q.system)
		if q.asked == "" {
			require.Equal(t, boardwatch.TestimonySilent, said)
		} else {
			require.Equal(t, boardwatch.TestimonyThere, said, q.system)
		}
	}
}

func textAnswer(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// closedRoles are the ways in which systems say that a role is closed, or is not.
var closedRoles = []struct {
	name, system string
	status       int
	body         string
	said         boardwatch.Testimony
}{
	{"greenhouse: not found", "greenhouse", 404, `{"status":404,"error":"Job not found"}`, boardwatch.TestimonyGone},
	{"greenhouse: there", "greenhouse", 200, `{"id":4012,"title":"Welder","location":{"name":"Leith"},"content":"We weld."}`, boardwatch.TestimonyThere},
	{"lever: not found", "lever", 404, `{"ok":false,"error":"Document not found"}`, boardwatch.TestimonyGone},
	{"lever: there", "lever", 200, `{"id":"a1","text":"Welder","categories":{"location":"Leith"},"lists":[{"text":"You","content":"weld"},{"text":"We","content":"pay"}]}`, boardwatch.TestimonyThere},
	{"ashby: null", "ashby", 200, `{"data":{"jobPosting":null}}`, boardwatch.TestimonyGone},
	{"ashby: there", "ashby", 200, `{"data":{"jobPosting":{"id":"x","title":"Welder"}}}`, boardwatch.TestimonyThere},
	{"ashby: not understood", "ashby", 200, `{"errors":[{"message":"Cannot query field"}],"data":null}`, boardwatch.TestimonySilent},
	{"smartrecruiters: inactive", "smartrecruiters", 200, `{"id":"7440","name":"Welder","active":false}`, boardwatch.TestimonyClosed},
	{"smartrecruiters: active", "smartrecruiters", 200, `{"id":"7440","name":"Welder","active":true}`, boardwatch.TestimonyThere},
	{"smartrecruiters: not found", "smartrecruiters", 404, `{"message":"Posting not found","errors":[{"code":"RESOURCE_NOT_FOUND"}]}`, boardwatch.TestimonyGone},
	{"workday: not found", "workday", 404, `{"errorCode":"HTTP_404","httpStatus":404,"message":"not found"}`, boardwatch.TestimonyGone},
	{"workday: no longer posted", "workday", 200, `{"jobPostingInfo":{"title":"Welder","canApply":false,"posted":false}}`, boardwatch.TestimonyClosed},
	{"workday: posted", "workday", 200, `{"jobPostingInfo":{"title":"Welder","canApply":true,"posted":true},"similarJobs":[{"title":"Baker","posted":false},{"title":"Cook"}]}`, boardwatch.TestimonyThere},
	{"recruitee: not found", "recruitee", 404, `{"error":["Offer not found"]}`, boardwatch.TestimonyGone},
	{"recruitee: closed", "recruitee", 200, `{"offer":{"id":77,"title":"Welder","status":"closed"}}`, boardwatch.TestimonyClosed},
	{"recruitee: published", "recruitee", 200, `{"offer":{"id":77,"title":"Welder (m/w/d)","status":"published"}}`, boardwatch.TestimonyThere},
	{"bamboohr: closed", "bamboohr", 200, `{"result":{"jobOpening":{"jobOpeningName":"Welder","jobOpeningStatus":"Filled"}}}`, boardwatch.TestimonyClosed},
	{"bamboohr: open", "bamboohr", 200, `{"result":{"jobOpening":{"jobOpeningName":"Welder","jobOpeningStatus":"Open"}}}`, boardwatch.TestimonyThere},
	{"bamboohr: a redirect", "bamboohr", 302, ``, boardwatch.TestimonySilent},
	{"workable: plain text", "workable", 404, `Not Found`, boardwatch.TestimonyGone},
	{"workable: archived", "workable", 200, `{"shortcode":"0A1B2C3D4E","title":"Welder","state":"archived"}`, boardwatch.TestimonyClosed},
	{"oracle: no items", "oracle", 200, `{"items":[],"count":0,"hasMore":false,"limit":25,"offset":0,"links":[{"rel":"self","href":"https://nwnd.example"}]}`, boardwatch.TestimonyGone},
	{"oracle: there", "oracle", 200, `{"items":[{"Id":"210","Title":"Welder","ExternalPostedEndDate":null}],"count":1,"hasMore":false,"limit":25}`, boardwatch.TestimonyThere},
	{"rippling: gone", "rippling", 410, `{"detail":"Gone"}`, boardwatch.TestimonyGone},
	{"status 200 and the word not found", "greenhouse", 200, `{"status":"error","message":"This job could not be found or is no longer available"}`, boardwatch.TestimonyGone},
	{"status 200 and nothing but a status", "greenhouse", 200, `{"id":4012,"status":"closed"}`, boardwatch.TestimonyClosed},
	{"an expired flag", "greenhouse", 200, `{"job":{"title":"Welder","isExpired":true}}`, boardwatch.TestimonyClosed},
	{"a company that is inactive, and a role that is not", "greenhouse", 200, `{"company":{"name":"Northwind","active":false},"job":{"title":"Welder","live":true}}`, boardwatch.TestimonyThere},
	{"an empty answer", "greenhouse", 200, `{}`, boardwatch.TestimonyGone},
	{"another role", "greenhouse", 200, `{"id":4013,"title":"Baker"}`, boardwatch.TestimonySilent},
	{"the list", "greenhouse", 200, `{"jobs":[{"id":4013,"title":"Baker"},{"id":4014,"title":"Welder","status":"closed"}]}`, boardwatch.TestimonySilent},
	{"a page in place of a 404", "greenhouse", 404, `<html><body>Not found</body></html>`, boardwatch.TestimonySilent},
	{"a page", "greenhouse", 200, `<html><body>Welder</body></html>`, boardwatch.TestimonySilent},
	{"a refusal", "greenhouse", 403, `{"error":"forbidden"}`, boardwatch.TestimonySilent},
	{"too many requests", "greenhouse", 429, `{"error":"job not found"}`, boardwatch.TestimonySilent},
	{"an outage", "greenhouse", 503, `{"error":"job not found"}`, boardwatch.TestimonySilent},
}

func TestSystemsSayThatARoleIsClosed(t *testing.T) {
	t.Parallel()
	for _, tt := range closedRoles {
		client := doerFunc(func(*http.Request) (*http.Response, error) { return textAnswer(tt.status, tt.body), nil })
		for _, q := range roleQuestions {
			if q.system != tt.system || q.asked == "" {
				continue
			}
			said, err := ats.Testify(t.Context(), adapterOf(q.system), client, q.board, boardwatch.Job{Key: q.key, Title: "Welder", URL: q.url})
			require.NoError(t, err)
			require.Equal(t, tt.said, said, tt.name)
		}
	}
}

func TestASystemThatCannotBeReachedSaysNothing(t *testing.T) {
	t.Parallel()
	q := roleQuestions[1]
	j := boardwatch.Job{Key: q.key, Title: "Welder", URL: q.url}
	client := doerFunc(func(r *http.Request) (*http.Response, error) {
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		return nil, errors.New("no route")
	})
	said, err := ats.Testify(t.Context(), adapterOf(q.system), client, q.board, j)
	require.NoError(t, err)
	require.Equal(t, boardwatch.TestimonySilent, said)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = ats.Testify(ctx, adapterOf(q.system), client, q.board, j)
	require.ErrorIs(t, err, context.Canceled, "nobody was asked")
}

// FuzzRoleSays: whatever the data of a role says, it says one of four things, and it says that the role is there only if its
// title is.
func FuzzRoleSays(f *testing.F) {
	for _, tt := range closedRoles {
		f.Add([]byte(tt.body))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		said := ats.RoleSays(document, "Welder")
		require.Contains(t, []boardwatch.Testimony{boardwatch.TestimonyGone, boardwatch.TestimonyClosed, boardwatch.TestimonyThere, boardwatch.TestimonySilent}, said)
		if said == boardwatch.TestimonyThere && !strings.Contains(string(document), `\u`) {
			require.Contains(t, strings.ToLower(string(document)), "elder")
		}
	})
}
