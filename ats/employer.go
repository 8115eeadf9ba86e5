package ats

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// A namer is a declared adapter whose lists do not always contain the employer's name, but that can request it.
type namer struct {
	*declared

	// employer is the employer's name, or empty if the system shows none. The board is a valid one.
	employer func(ctx context.Context, client Doer, board string) (string, error)
}

// Company requests the employer's name.
func (n namer) Company(ctx context.Context, client Doer, board string) (string, error) {
	if !n.valid(board) {
		return "", fmt.Errorf("name of %s board: %w", n.name, noName())
	}
	name, err := n.employer(ctx, client, board)
	if err != nil {
		return "", fmt.Errorf("name of %s board %s: %w", n.name, board, err)
	}
	return name, nil
}

// inTitle is the employer of a namer whose pages have the employer's name in their titles.
func inTitle(address func(board string) string) func(context.Context, Doer, string) (string, error) {
	return func(ctx context.Context, client Doer, board string) (string, error) {
		content, err := getPage(ctx, client, address(board))
		if err != nil {
			return "", err
		}
		page, err := parsePage(content)
		if err != nil {
			return "", err
		}
		name := companyInTitle(page)
		if name == "" {
			return "", errors.New("its page names nobody")
		}
		return name, nil
	}
}

var (
	titleParts = lazyregexp.New(`\s+[|–—·:-]\s+`)
	titleHead  = lazyregexp.New(`(?i)^(?:(?:open |current |all )?(?:careers|jobs|vacancies|positions|openings|job openings|opportunities)|work|working|join us) (?:at|with|@|bei|chez|en) `)
	titleTail  = lazyregexp.New(`(?i)(?:'s|’s)? (?:careers?|jobs?|vacancies|career (?:site|page|portal|center|centre)|careers (?:site|page|portal|home)|career opportunities|job (?:board|openings|search|listings)|open positions|recruiting|karriere|stellenangebote)(?: page| site)?$`)
	titleWords = lazyregexp.New(`(?i)^(?:careers?|jobs?|home|homepage|welcome|search(?: jobs| results)?|job (?:search|board|openings|listings|opportunities)|vacancies|current vacancies|all jobs|open positions|career (?:site|page|portal|opportunities|center|centre)|careers (?:site|page|portal|home)|current (?:openings|opportunities)|candidate experience(?: site)?|opportunities|apply(?: now)?|join us|external|stellenangebote|karriere|jobsuche)$`)
	titleNone  = lazyregexp.New(`(?i)not found|\berror\b|oops|unavailable|maintenance|denied|forbidden|^\d+$|just a moment|sign in|log ?in|attention required|redirecting`)
)

// companyInTitle is the employer's name in the title of its page of roles: what remains without the words that such pages
// usually have. It is empty if nothing remains, or if the title is that of another kind of page.
func companyInTitle(page *goquery.Document) string {
	og := page.Find(`meta[property="og:title"]`).AttrOr("content", "")
	for _, title := range []string{textOf(page.Find("title").First()), collapse(og)} {
		if titleNone.MatchString(title) {
			return ""
		}
		for _, part := range titleParts.Split(title, -1) {
			if name := companyInPart(part); name != "" {
				return name
			}
		}
	}
	return ""
}

func companyInPart(part string) string {
	part = strings.TrimSpace(part)
	part = strings.TrimSpace(titleTail.ReplaceAllString(titleHead.ReplaceAllString(part, ""), ""))
	if titleWords.MatchString(part) {
		return ""
	}
	return part
}
