package ats

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "gohire",
		about: About{
			Name: "GoHire", Site: "gohire.io",
			Addresses: []string{"jobs.gohire.io/{company}-{board}/", "jobs.gohire.io/{company}-{board}/{role}/", "widget.gohire.io/widget/{board}", "api2.gohire.io/widget-jobs/{board}"},
			Endpoint:  "GET https://api2.gohire.io/widget-jobs/{board}",
			Reads:     "id, title, place, address",
			Evidence:  Single,
		},
		board: gohireBoard,
		valid: func(board string) bool { return gohireHash.MatchString(board) },
		page:  func(board string) string { return "https://jobs.gohire.io/" + board + "/" },
		open:  inOne(gohireJobs),
	})
}

var gohireHash = lazyregexp.New(`^[A-Za-z0-9]{6,16}$`)

// gohireBoard is the hash of the company, which stands behind its name in addresses.
func gohireBoard(a address) string {
	switch a.host {
	case "jobs.gohire.io":
		segment := a.segment(0)
		return segment[strings.LastIndexByte(segment, '-')+1:]
	case "widget.gohire.io":
		return a.below("widget")
	case "api2.gohire.io":
		return a.below("widget-jobs")
	}
	return ""
}

type gohireJob struct {
	ID       id     `json:"id"`
	Title    string `json:"title"`
	Link     string `json:"link"`
	Location string `json:"location"`
}

// gohireJobs asks for the list. The system answers the same for a company that it does not know and for one without
// roles.
func gohireJobs(ctx context.Context, client Doer, board string) (page, error) {
	var list struct {
		Jobs []json.RawMessage `json:"jobs"`
	}
	if err := getJSON(ctx, client, "https://api2.gohire.io/widget-jobs/"+board, &list); err != nil {
		return page{}, err
	}
	if len(list.Jobs) == 0 {
		return page{}, &systemError{cause: cause.NoList, did: "shows no roles, as it does for companies that it does not know"}
	}
	return pageOf(list.Jobs, 0, func(j gohireJob) (boardwatch.Posting, bool) {
		return boardwatch.Posting{Key: string(j.ID), Title: j.Title, Location: collapse(j.Location), URL: j.Link}, true
	})
}
