package ats

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/text/encoding/charmap"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(detailed{look: applitrackPlace, declared: &declared{
		name: "applitrack",
		about: About{
			Name: "AppliTrack (Frontline)", Site: "frontlineeducation.com",
			Addresses: []string{"www.applitrack.com/{board}/onlineapp/", "www.applitrack.com/{board}/onlineapp/jobpostings/view.asp?AppliTrackJobId={role}"},
			Endpoint:  "GET https://www.applitrack.com/{board}/onlineapp/jobpostings/Output.asp?all=1&AppliTrackLayoutMode=condensed",
			Reads:     "id, title, place inside the district, address, number of rows",
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
	}})
}

var (
	applitrackID    = lazyregexp.New(`(?i)AppliTrackJobId(?:=|%3D)([0-9]{1,18})`)
	applitrackCount = lazyregexp.New(`\(([0-9,]+) openings?\)`)
)

// applitrackOpenings reads what the script of the list would write. It counts rows, which are more than roles where several
// districts share one.
func applitrackOpenings(ctx context.Context, client Doer, board string) (page, error) {
	document, err := applitrackDocument(ctx, client, board, "all=1&AppliTrackLayoutMode=condensed")
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
	seen := make(map[string]bool)
	rows = rows.FilterFunction(func(_ int, row *goquery.Selection) bool {
		key := applitrackID.FindStringSubmatch(row.Find("a").AttrOr("href", ""))[1]
		fresh := !seen[key]
		seen[key] = true
		return fresh
	})
	return pageOfCards(rows, 0, func(row *goquery.Selection) (boardwatch.Posting, bool) {
		view := row.Find("a").First()
		key := applitrackID.FindStringSubmatch(view.AttrOr("href", ""))[1]
		return boardwatch.Posting{
			Key: key, Title: collapse(strings.TrimSuffix(textOf(row), textOf(view))),
			URL: "https://www.applitrack.com/" + board + "/onlineapp/jobpostings/view.asp?AppliTrackJobId=" + key,
		}, true
	})
}

// applitrackPlace adds the place on the page of a role.
func applitrackPlace(ctx context.Context, client Doer, board string, role *boardwatch.Posting) error {
	document, err := applitrackDocument(ctx, client, board, "AppliTrackJobId="+role.Key)
	if err != nil {
		return err
	}
	document.Find("#p" + role.Key + "_ span.label").EachWithBreak(func(_ int, name *goquery.Selection) bool {
		if strings.TrimSpace(strings.TrimSuffix(textOf(name), ":")) == "Location" {
			role.Location = textOf(name.NextAllFiltered("span.normal").First())
		}
		return role.Location == ""
	})
	return nil
}

// applitrackDocument is the page that a script of the system would write. Its text is in the charset of old Windows, and does not
// say so.
func applitrackDocument(ctx context.Context, client Doer, board, query string) (*goquery.Document, error) {
	content, err := getPage(ctx, client, "https://www.applitrack.com/"+board+"/onlineapp/jobpostings/Output.asp?"+query)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(content) {
		if content, err = charmap.Windows1252.NewDecoder().Bytes(content); err != nil {
			return nil, didf("returned text in an unknown charset")
		}
	}
	written, err := applitrackWritten(string(content))
	if err != nil {
		return nil, err
	}
	return parsePage([]byte(written))
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
			return "", didf("returned a script that is cut off (%d bytes)", len(script))
		}
		script = after[i:]
	}
	if written.Len() == 0 {
		return "", didf("answered with something other than its script")
	}
	return written.String(), nil
}
