package ats

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// shared reads a company's list on a host that many share, in one answer.
func (r sfReader) shared(ctx context.Context, b sfBoard) (boardwatch.Reading, error) {
	var list struct {
		XMLName xml.Name       `xml:"Job-Listing"`
		Jobs    []sfSharedRole `xml:"Job"`
	}
	address := fmt.Sprintf("%s/career?company=%s&career_ns=job_listing_summary&resultType=XML", r.host, b.company)
	if err := getXML(ctx, r.client, address, &list); err != nil {
		return failed(r.successFactors, err)
	}
	reading, err := listed(list.Jobs, func(role sfSharedRole) (boardwatch.Posting, bool) { return role.posting(r.host, b.company), true })
	return finish(r.successFactors, reading, err)
}

// sfSharedRole is a role with those fields that its company shows: some by their names, others as label and value.
type sfSharedRole struct {
	Fields []sfField `xml:",any"`
}

type sfField struct {
	XMLName xml.Name
	Text    string `xml:",chardata"`
	Label   string `xml:"label"`
	Value   string `xml:"value"`
}

var (
	sfPlaceLabel = lazyregexp.New(`(?i)^(?:(?:posting|work|job|primary|geographic|external posting) )*(?:location|city)(?:/city|s)?$|` +
		`^(?:standort|arbeitsort|lieu|ubicación|località|sede|localização)$`)
	sfCountryLabel    = lazyregexp.New(`(?i)^(?:country|country/region|land|pays|país|paese)$`)
	sfDepartmentLabel = lazyregexp.New(`(?i)^(?:department|job family(?: / functional area)?|functional area|` +
		`function|job function|work area|category|job category|abteilung|fachbereich|division)$`)
	sfToken = lazyregexp.New(`\[\[[^\]]*\]\]`)
)

// text is what a field says, without the marks that scripts were meant to fill in.
func (f sfField) text() string {
	return collapse(sfToken.ReplaceAllString(unescape(firstText(f.Value, f.Text), 1), ""))
}

func (s sfSharedRole) named(name string) string {
	for _, f := range s.Fields {
		if strings.EqualFold(f.XMLName.Local, name) {
			return f.text()
		}
	}
	return ""
}

// rich is a field with its markup.
func (s sfSharedRole) rich(name string) string {
	for _, f := range s.Fields {
		if strings.EqualFold(f.XMLName.Local, name) {
			return firstText(f.Value, f.Text)
		}
	}
	return ""
}

func (s sfSharedRole) labelled(label *lazyregexp.Regexp) string {
	for _, f := range s.Fields {
		if f.Label != "" && label.MatchString(collapse(f.Label)) && f.text() != "" {
			return f.text()
		}
	}
	return ""
}

func (s sfSharedRole) posting(host, company string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: s.named("ReqId"), Title: s.named("JobTitle"), Department: firstText(s.named("Department"), s.labelled(sfDepartmentLabel)),
		Location: firstText(s.named("Location"), place(s.named("City"), s.named("State"), s.named("Country")), place(s.labelled(sfPlaceLabel), s.labelled(sfCountryLabel))),
	}
	if p.Key != "" {
		p.URL = fmt.Sprintf("%s/career?career_ns=job_listing&company=%s&navBarLevel=JOB_SEARCH&career_job_req_id=%s", host, company, url.QueryEscape(p.Key))
	}
	p.Facts.PostedAt, p.Facts.Requisition = fact.Date(s.named("Posted-Date"), fact.American), p.Key
	describe(&p, said(s.rich("Job-Description")))
	return p
}
