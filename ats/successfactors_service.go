package ats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

var (
	sfLocale = lazyregexp.New(`[?&]locale=([a-z]{2}_[A-Z]{2})\b`)
	sfLang   = lazyregexp.New(`^([a-z]{2})[-_]([A-Za-z]{2})$`)
	sfCSRF   = lazyregexp.New(`(?i)\bcsrf-?token["']?\s*[:=]\s*["']([A-Za-z0-9_.=/+-]{8,200})["']`)
)

// sfLocales are the languages of a site in the order of its switch, its own first.
func sfLocales(document *goquery.Document) []string {
	var locales []string
	add := func(locale string) {
		if !slices.Contains(locales, locale) {
			locales = append(locales, locale)
		}
	}
	if m := sfLang.FindStringSubmatch(document.Find("html").AttrOr("lang", "")); m != nil {
		add(m[1] + "_" + strings.ToUpper(m[2]))
	}
	document.Find(`a[href*="locale="], link[href*="locale="], option[value*="locale="]`).Each(func(_ int, link *goquery.Selection) {
		if m := sfLocale.FindStringSubmatch(link.AttrOr("href", link.AttrOr("value", ""))); m != nil {
			add(m[1])
		}
	})
	if len(locales) == 0 {
		add("en_US")
	}
	return locales
}

// service asks the service that the newest sites have, which shows the roles of one language at a time. A role that is
// there in several counts once.
func (r sfReader) service(ctx context.Context, site *goquery.Document) (boardwatch.Reading, error) {
	client := r.client
	if m := sfCSRF.FindStringSubmatch(scriptsOf(site)); m != nil {
		client = with(client, "X-Csrf-Token", m[1])
	}
	whole := newParts(r.successFactors, -1)
	for i, locale := range sfLocales(site) {
		part, err := r.inLocale(ctx, client, locale)
		if err != nil || i == 0 && !part.Health.Read() {
			return part, err
		}
		if !whole.add(part) {
			break
		}
	}
	return finish(r.successFactors, whole.reading, nil)
}

// sfQuestion is what the service is asked.
type sfQuestion struct {
	Keywords   string `json:"keywords"`
	Locale     string `json:"locale"`
	Location   string `json:"location"`
	PageNumber int    `json:"pageNumber"`
	SortBy     string `json:"sortBy"`
}

type sfResult struct {
	Response sfServiceRole `json:"response"`
}

type sfServiceRole struct {
	ID                   id       `json:"id"`
	UnifiedStandardTitle string   `json:"unifiedStandardTitle"`
	UnifiedURLTitle      string   `json:"unifiedUrlTitle"`
	URLTitle             string   `json:"urlTitle"`
	JobLocationShort     []string `json:"jobLocationShort"`
	JobLocationCountry   []string `json:"jobLocationCountry"`
	Department           any      `json:"department"`
	UnifiedStandardStart said     `json:"unifiedStandardStart"`
}

// inLocale reads the roles of one language.
func (r sfReader) inLocale(ctx context.Context, client Doer, locale string) (boardwatch.Reading, error) {
	return paged{most: 500}.read(ctx, r.successFactors, func(at turn) (page, error) {
		var list struct {
			TotalJobs       *count            `json:"totalJobs"`
			JobSearchResult []json.RawMessage `json:"jobSearchResult"`
		}
		question := sfQuestion{Locale: locale, PageNumber: at.page, SortBy: "recent"}
		if err := postJSON(ctx, client, r.host+"/services/recruiting/v1/jobs", question, &list); err != nil {
			if e, ok := errors.AsType[*systemError](err); ok {
				e.unknown = false // the site's page was there
			}
			return page{}, err
		}
		if list.TotalJobs == nil || list.JobSearchResult == nil && *list.TotalJobs > 0 {
			return page{}, didf("answered without a list of roles")
		}
		if list.JobSearchResult == nil {
			list.JobSearchResult = []json.RawMessage{}
		}
		return pageOf(list.JobSearchResult, *list.TotalJobs, func(result sfResult) (boardwatch.Posting, bool) {
			return result.Response.posting(r.host, locale), true
		})
	})
}

var sfTag = lazyregexp.New(`<[^>]*>`)

func (s sfServiceRole) posting(host, locale string) boardwatch.Posting {
	places := make([]string, 0, len(s.JobLocationShort))
	for _, p := range s.JobLocationShort {
		places = append(places, collapse(sfTag.ReplaceAllString(unescape(p, 1), " ")))
	}
	if len(places) == 0 {
		places = s.JobLocationCountry
	}
	p := boardwatch.Posting{
		Key: string(s.ID), Title: unescape(s.UnifiedStandardTitle, 1), Location: joinPlaces(places...), Department: linkedText(s.Department, "name", "label"),
	}
	if p.Key != "" {
		p.URL = fmt.Sprintf("%s/job/%s/%s-%s", host, sfSlug(firstText(s.UnifiedURLTitle, s.URLTitle, "role")), url.PathEscape(p.Key), locale)
	}
	p.Facts.PostedAt = fact.Date(string(s.UnifiedStandardStart), fact.American)
	return p
}

// sfSlug is the title in the address of a role, which comes encoded.
func sfSlug(title string) string {
	if decoded, err := url.PathUnescape(title); err == nil {
		return url.PathEscape(decoded)
	}
	return url.PathEscape(title)
}
