package ats

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
	"github.com/boardwatch/boardwatch/internal/script"
)

// Emply has its roles in a script of the page: JSON inside a text of JavaScript.
func init() {
	register(&declared{
		name: "emply",
		about: About{
			Name: "Emply", Site: "emply.com",
			Addresses: []string{"{company}.career.emply.com", "{company}.career.emply.com/{language}/vacant-positions", "{company}.career.emply.com/{language}/ad/{title}/{role}"},
			Endpoint:  "GET https://{company}.career.emply.com/en/vacant-positions",
			Reads:     "id, title, place, department, address",
			Evidence:  Single,
		},
		board: tenantUnder("career.emply.com"),
		valid: isTenant,
		page:  func(board string) string { return "https://" + board + ".career.emply.com/en/vacant-positions" },
		open:  inOne(emplyRoles),
	})
}

var emplyData = lazyregexp.New(`proceedBatch\(\s*\{\s*["']?vacancies["']?\s*:\s*JSON\.parse\(\s*`)

type emplyJob struct {
	ShortID      id     `json:"shortId"`
	PublishingID id     `json:"publishingId"`
	Title        string `json:"title"`
	TitleAsURL   string `json:"titleAsUrl"`
	Location     any    `json:"location"`
	Department   any    `json:"department"`
	Translations []struct {
		Title string `json:"title"`
	} `json:"translations"`
}

func emplyRoles(ctx context.Context, client Doer, board string) (page, error) {
	host := "https://" + board + ".career.emply.com/en/"
	content, err := getPage(ctx, client, host+"vacant-positions")
	if err != nil {
		return page{}, err
	}
	at := emplyData.FindIndex(content)
	if at == nil || at[1] == len(content) || content[at[1]] != '\'' && content[at[1]] != '"' {
		return page{}, didf("answered with a page without the roles' data")
	}
	value, _, err := script.New(string(content[at[1]:])).Value(0)
	document, isText := value.(string)
	if err != nil || !isText {
		return page{}, didf("returned a list of roles that is broken or cut off")
	}
	var rows []json.RawMessage
	if err := decodeJSON([]byte(document), &rows); err != nil {
		return page{}, err
	}
	return pageOf(rows, 0, func(j emplyJob) (boardwatch.Posting, bool) { return j.posting(host), true })
}

func (j emplyJob) posting(host string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: firstText(string(j.ShortID), string(j.PublishingID)), Title: j.Title,
		Location: linkedText(j.Location, "name", "title"), Department: linkedText(j.Department, "name", "title"),
	}
	if p.Title == "" && len(j.Translations) > 0 {
		p.Title = j.Translations[0].Title
	}
	if j.ShortID != "" && j.TitleAsURL != "" {
		p.URL = host + "ad/" + url.PathEscape(j.TitleAsURL) + "/" + url.PathEscape(string(j.ShortID))
	}
	return p
}
