package ats

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/text/encoding/charmap"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "applitrack",
		about: About{
			Name: "AppliTrack (Frontline)", Site: "frontlineeducation.com",
			Addresses: []string{"www.applitrack.com/{board}/onlineapp/", "www.applitrack.com/{board}/onlineapp/jobpostings/view.asp?AppliTrackJobId={role}"},
			Endpoint:  "GET https://www.applitrack.com/{board}/onlineapp/jobpostings/Output.asp?all=1&AppliTrackLayoutMode=condensed",
			Reads:     "id, title, address, number of rows",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "www.applitrack.com" && a.host != "applitrack.com" || !strings.EqualFold(a.segment(1), "onlineapp") {
				return ""
			}
			return strings.ToLower(a.segment(0))
		},
		valid: isToken,
		page:  func(board string) string { return "https://www.applitrack.com/" + board + "/onlineapp/" },
		open:  inOne(applitrackOpenings),
	})
}

var (
	applitrackID    = regexp.MustCompile(`(?i)AppliTrackJobId(?:=|%3D)([0-9]{1,18})`)
	applitrackCount = regexp.MustCompile(`\(([0-9,]+) openings?\)`)
)

// applitrackOpenings reads what the script of the list would write. It counts rows, which are more than roles where several
// districts share one.
func applitrackOpenings(ctx context.Context, client Doer, board string) (page, error) {
	content, err := getPage(ctx, client, "https://www.applitrack.com/"+board+"/onlineapp/jobpostings/Output.asp?all=1&AppliTrackLayoutMode=condensed")
	if err != nil {
		return page{}, err
	}
	if !utf8.Valid(content) {
		if content, err = charmap.Windows1252.NewDecoder().Bytes(content); err != nil {
			return page{}, didf("gave text in an unknown charset")
		}
	}
	written, err := applitrackWritten(string(content))
	if err != nil {
		return page{}, err
	}
	document, err := parsePage([]byte(written))
	if err != nil {
		return page{}, err
	}
	counted := applitrackCount.FindStringSubmatch(textOf(document.Selection))
	if counted == nil {
		return page{}, didf("answered without the number of openings")
	}
	total, err := strconv.Atoi(strings.ReplaceAll(counted[1], ",", ""))
	if err != nil {
		return page{}, didf("counts its openings in an unknown form")
	}
	rows := document.Find("span.title").FilterFunction(func(_ int, row *goquery.Selection) bool {
		return applitrackID.MatchString(row.Find("a").AttrOr("href", ""))
	})
	if rows.Length() < total {
		return page{}, didf("lists %d of %d openings", rows.Length(), total)
	}
	return pageOfCards(rows, 0, func(row *goquery.Selection) (boardwatch.Posting, bool) {
		view := row.Find("a").First()
		key := applitrackID.FindStringSubmatch(view.AttrOr("href", ""))[1]
		return boardwatch.Posting{
			Key: key, Title: collapse(strings.TrimSuffix(textOf(row), textOf(view))),
			URL: "https://www.applitrack.com/" + board + "/onlineapp/jobpostings/view.asp?AppliTrackJobId=" + key,
		}, true
	})
}

// applitrackWritten is what the calls of document.write in a script write.
func applitrackWritten(script string) (string, error) {
	var written strings.Builder
	for {
		_, after, found := strings.Cut(script, "document.write('")
		if !found {
			break
		}
		i := 0
		for i < len(after) && after[i] != '\'' {
			if after[i] == '\\' {
				i++
			}
			if i < len(after) {
				written.WriteByte(after[i])
				i++
			}
		}
		if i >= len(after) {
			return "", didf("gave a script that is cut off (%d bytes)", len(script))
		}
		script = after[i:]
	}
	if written.Len() == 0 {
		return "", didf("answered with something else than its script")
	}
	return written.String(), nil
}
