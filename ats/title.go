package ats

import (
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

var (
	titleParts = lazyregexp.New(`\s+[|–—·:-]\s+`)
	titleHead  = lazyregexp.New(`(?i)^(?:(?:open |current |all )?(?:careers|jobs|vacancies|positions|openings|job openings|opportunities)|work|working|join us) (?:at|with|@|bei|chez|en) `)
	titleTail  = lazyregexp.New(`(?i)(?:'s|’s)? (?:careers?|jobs?|vacancies|career (?:site|page|portal|center|centre)|careers (?:site|page|portal|home)|career opportunities|job (?:board|openings|search|listings)|open positions|recruiting|karriere|stellenangebote)(?: page| site)?$`)
	titleWords = lazyregexp.New(`(?i)^(?:careers?|jobs?|home|homepage|welcome|search(?: jobs| results)?|job (?:search|board|openings|listings|opportunities)|vacancies|current vacancies|all jobs|open positions|career (?:site|page|portal|opportunities|center|centre)|careers (?:site|page|portal|home)|current (?:openings|opportunities)|candidate experience(?: site)?|opportunities|apply(?: now)?|join us|external|stellenangebote|karriere|jobsuche)$`)
	titleNone  = lazyregexp.New(`(?i)not found|\berror\b|oops|unavailable|maintenance|denied|forbidden|^\d+$|just a moment|sign in|log ?in|attention required|redirecting`)
)

// companyInTitle is the employer's name in the title of its page of roles: what is left without the words that every
// such page has. It is empty when nothing is, or when the page is another one.
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
