package ats

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "beisen",
		about: About{
			Name: "Beisen", Site: "beisen.com",
			Addresses: []string{"{board}.zhiye.com", "{board}.zhiye.com/social/jobs", "{board}.zhiye.com/campus/jobs"},
			Endpoint:  "POST https://{board}.zhiye.com/api/Jobad/GetJobAdPageList",
			Reads:     "id, title, every place, department, address, total",
			Evidence:  Several,
		},
		board: tenantUnder("zhiye.com"),
		valid: isTenant,
		page:  beisenPage,
		pages: paged{size: 100},
		open:  beisenJobs,
	})
}

func beisenPage(board string) string { return "https://" + board + ".zhiye.com/" }

type beisenJob struct {
	ID            id       `json:"Id"`
	JobAdName     string   `json:"JobAdName"`
	LocNames      []string `json:"LocNames"`
	DetailAddress string   `json:"DetailAddress"`
	CategoryID    id       `json:"CategoryId"`
	Org           string   `json:"Org"`
	Status        *count   `json:"Status"`
}

// beisenJobs takes the portal's id from its page and asks for the roles. Portals of the older kind have no such id.
func beisenJobs(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	portal := ""
	return func(at turn) (page, error) {
		if at.page == 0 {
			var err error
			if portal, err = beisenPortal(ctx, client, board); err != nil {
				return page{}, err
			}
		}
		var list struct {
			Code  count             `json:"Code"`
			Count *count            `json:"Count"`
			Data  []json.RawMessage `json:"Data"`
		}
		err := postJSON(ctx, client, beisenPage(board)+"api/Jobad/GetJobAdPageList", map[string]any{
			"PageIndex": at.page, "PageSize": 100, "KeyWords": "", "SpecialType": 0, "PortalId": portal, "DisplayFields": []string{"Category", "Org"},
		}, &list)
		if err != nil {
			return page{}, err
		}
		if list.Code != http.StatusOK || list.Count == nil {
			return page{}, didf("returned no list (code %d)", list.Code)
		}
		return pageOf(list.Data, *list.Count, func(j beisenJob) (boardwatch.Posting, bool) { return j.posting(board) })
	}
}

func beisenPortal(ctx context.Context, client Doer, board string) (string, error) {
	content, err := getPage(ctx, client, beisenPage(board))
	if err != nil {
		return "", err
	}
	var global struct {
		PortalID   string `json:"PortalId"`
		TenantInfo struct {
			Status *count `json:"Status"`
		} `json:"tenantInfo"`
	}
	if err := stateIn(string(content), "var BSGlobal", &global); err != nil {
		return "", err
	}
	switch status := global.TenantInfo.Status; {
	case status != nil && *status != 1:
		return "", noBoard("the company's portal is switched off")
	case !isUUID(global.PortalID):
		return "", didf("answered with a page that names no portal")
	}
	return global.PortalID, nil
}

func (j beisenJob) posting(board string) (boardwatch.Posting, bool) {
	kind, known := map[id]string{"1": "social", "2": "campus", "3": "intern"}[j.CategoryID]
	if !known {
		kind = firstText(url.PathEscape(string(j.CategoryID)), "social")
	}
	return boardwatch.Posting{
		Key: string(j.ID), Title: unescape(j.JobAdName, 1), Location: firstText(joinPlaces(j.LocNames...), collapse(j.DetailAddress)), Department: j.Org,
		URL: beisenPage(board) + kind + "/detail?jobAdId=" + url.QueryEscape(string(j.ID)),
	}, j.Status == nil || *j.Status == 1
}
