package ats

import (
	"context"
	"encoding/xml"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// EasyCruit has each role in one or several languages, and in one or several departments.
func init() {
	register(&declared{
		name: "easycruit",
		about: About{
			Name: "EasyCruit", Site: "easycruit.com",
			Addresses: []string{"{company}.easycruit.com", "{company}.easycruit.com/vacancy/{role}/{department}"},
			Endpoint:  "GET https://{company}.easycruit.com/export/xml/vacancy/list.xml",
			Reads:     "id, title, place, department, address",
			Evidence:  Single,
		},
		board: tenantUnder("easycruit.com"),
		valid: isTenant,
		page:  func(board string) string { return "https://" + board + ".easycruit.com/" },
		open:  inOne(easycruitRoles),
	})
}

type easycruitVersion struct {
	Language string `xml:"language,attr"`
	Title    string `xml:"Title"`
	Location string `xml:"Location"`
	Region   string `xml:"Region"`
}

type easycruitDepartment struct {
	ID         string `xml:"id,attr"`
	Name       string `xml:"Name"`
	VacancyURL string `xml:"VacancyURL"`
}

type easycruitVacancy struct {
	ID          string                `xml:"id,attr"`
	Versions    []easycruitVersion    `xml:"Versions>Version"`
	Bare        []easycruitVersion    `xml:"Version"`
	Departments []easycruitDepartment `xml:"Departments>Department"`
	Department  []easycruitDepartment `xml:"Department"`
}

func easycruitRoles(ctx context.Context, client Doer, board string) (page, error) {
	var list struct {
		XMLName   xml.Name           `xml:"VacancyList"`
		Vacancies []easycruitVacancy `xml:"Vacancy"`
	}
	host := "https://" + board + ".easycruit.com"
	if err := getXML(ctx, client, host+"/export/xml/vacancy/list.xml", &list); err != nil {
		return page{}, err
	}
	return pageOfRows(list.Vacancies, 0, func(v easycruitVacancy) (boardwatch.Posting, bool) { return v.posting(host), true })
}

func (v easycruitVacancy) posting(host string) boardwatch.Posting {
	version, department := v.version(), easycruitDepartment{}
	if all := slices.Concat(v.Departments, v.Department); len(all) > 0 {
		department = all[0]
	}
	p := boardwatch.Posting{
		Key: v.ID, Title: version.Title, Location: firstText(version.Location, version.Region), Department: department.Name,
		URL: strings.TrimSpace(department.VacancyURL),
	}
	if p.URL == "" && isToken(v.ID) {
		p.URL = strings.TrimSuffix(host+"/vacancy/"+v.ID+"/"+url.PathEscape(department.ID), "/")
	}
	return p
}

// version is the role in English, or in the first language in which it has a title.
func (v easycruitVacancy) version() (found easycruitVersion) {
	for _, version := range append(v.Versions, v.Bare...) {
		language := strings.ToLower(version.Language)
		if strings.TrimSpace(version.Title) == "" {
			continue
		}
		if language == "gb" || strings.HasPrefix(language, "en") {
			return version
		}
		if found.Title == "" {
			found = version
		}
	}
	return found
}
