package ats

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// pinpoint reads boards at pinpointhq.com. Trials that nobody uses show roles that the vendor made up.
type pinpoint struct{ namer }

func init() {
	register(pinpoint{namer{employer: inTitle(func(board string) string { return pinpointPage(board) + "/" }), declared: &declared{
		name: "pinpoint",
		about: About{
			Name: "Pinpoint", Site: "pinpointhq.com",
			Addresses: []string{"{company}.pinpointhq.com", "{company}.pinpointhq.com/en/postings/{role}", "{company}.pinpointhq.com/postings.json"},
			Endpoint:  "GET https://{company}.pinpointhq.com/postings.json",
			Reads:     "id, title, place, department, address; boards of sample roles are no boards",
			Evidence:  Recording,
		},
		board: tenantUnder("pinpointhq.com"),
		valid: isPinpointBoard,
		page:  pinpointPage,
		open:  inOne(pinpointJobs),
	}}})
}

func pinpointPage(board string) string { return "https://" + board + ".pinpointhq.com" }

var isPinpointBoard = isTenantBut("developers-api", "partners", "community", "trust", "academy", "learn", "hub", "resources")

type pinpointJob struct {
	ID       id     `json:"id"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Path     string `json:"path"`
	Location struct {
		Name     string `json:"name"`
		City     string `json:"city"`
		Province string `json:"province"`
	} `json:"location"`
	Job struct {
		Department    someone `json:"department"`
		RequisitionID said    `json:"requisition_id"`
	} `json:"job"`
	WorkplaceType string `json:"workplace_type"`
	Description   string `json:"description"`

	EmploymentType         said `json:"employment_type_text"`
	DeadlineAt             said `json:"deadline_at"`
	Compensation           said `json:"compensation"`
	CompensationVisible    any  `json:"compensation_visible"`
	CompensationMinimum    said `json:"compensation_minimum"`
	CompensationMaximum    said `json:"compensation_maximum"`
	CompensationCurrency   said `json:"compensation_currency"`
	CompensationFrequency  said `json:"compensation_frequency"`
	Responsibilities       said `json:"key_responsibilities"`
	ResponsibilitiesHeader said `json:"key_responsibilities_header"`
	SkillsExpertise        said `json:"skills_knowledge_expertise"`
	SkillsExpertiseHeader  said `json:"skills_knowledge_expertise_header"`
	Benefits               said `json:"benefits"`
	BenefitsHeader         said `json:"benefits_header"`
}

func pinpointJobs(ctx context.Context, client Doer, board string) (page, error) {
	var list struct {
		Data []json.RawMessage `json:"data"`
	}
	if err := getJSON(ctx, client, pinpointPage(board)+"/postings.json", &list); err != nil {
		return page{}, err
	}
	samples := 0
	p, err := pageOf(list.Data, 0, func(job pinpointJob) (boardwatch.Posting, bool) {
		if isFiller(job.Description) {
			samples++
		}
		return job.posting(pinpointPage(board)), true
	})
	if samples > 0 && samples == len(p.Postings) {
		err = noBoard("all of its roles are samples, as trials have them")
	}
	return p, err
}

func (j pinpointJob) posting(host string) boardwatch.Posting {
	posting := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Department: j.Job.Department.Name, URL: j.URL,
		Location: collapse(firstText(j.Location.Name, place(j.Location.City, j.Location.Province))),
	}
	orRemote(&posting, j.WorkplaceType == "remote")
	if posting.URL == "" && strings.HasPrefix(j.Path, "/") {
		posting.URL = host + j.Path
	}
	posting.Facts = boardwatch.Facts{
		ValidThrough: date(j.DeadlineAt), Mode: fact.Mode(j.WorkplaceType), Requisition: collapse(string(j.Job.RequisitionID)),
	}
	if !isNo(j.CompensationVisible) {
		posting.Facts.Pay = statedPay(j.CompensationMinimum, j.CompensationMaximum, j.CompensationCurrency, j.CompensationFrequency, j.Compensation)
	}
	employment(&posting.Facts, j.EmploymentType)
	fact.Places(&posting.Facts, statedPlace(posting.Location, said(j.Location.City), ""))
	describe(&posting, said(j.Description), section(j.ResponsibilitiesHeader, j.Responsibilities),
		section(j.SkillsExpertiseHeader, j.SkillsExpertise), section(j.BenefitsHeader, j.Benefits))
	return posting
}

// fillerWords are what the sample roles of trials are written with.
var fillerWords = lazyregexp.New(`(?i)\b(?:bicycle rights|chartreuse|chillwave|church-key|cold-pressed|cornhole|cronut|crucifix|dreamcatcher|farm-to-table|` +
	`fingerstache|fixie|flexitarian|gastropub|gluten-free|godard|hoodie|kale chips|keffiyeh|keytar|kickstarter|kinfolk|kogi|kombucha|leggings|` +
	`letterpress|listicle|locavore|meggings|microdosing|migas|mixtape|mlkshk|mumblecore|mustache|narwhal|neutra|normcore|occupy|pabst|paleo|` +
	`pickled|pitchfork|plaid|pop-up|pork belly|portland|post-ironic|pour-over|quinoa|raw denim|schlitz|scenester|selfies|selvage|semiotics|` +
	`shabby chic|single-origin coffee|skateboard|slow-carb|squid|sriracha|street|stumptown|synth|tacos|tattooed|taxidermy|thundercats|tilde|` +
	`tofu|tote bag|trust fund|truffaut|twee|typewriter|umami|venmo|vhs|vice|vinyl|viral|wayfarers|williamsburg|xoxo|yolo|yr)\b`)

// isFiller reports whether a description is words without sense: many different ones of those that fillers are made of,
// and little else.
func isFiller(description string) bool {
	different := make(map[string]bool)
	hits := fillerWords.FindAllString(description, -1)
	for _, word := range hits {
		different[strings.ToLower(word)] = true
	}
	return len(different) >= 6 && 12*len(hits) >= len(strings.Fields(description))
}

var pinpointScript = lazyregexp.New(`(?i)//([a-z0-9-]+)\.pinpointhq\.com/(?:[a-z-]{2,5}/)?(?:postings|jobs|careers|embed|external|widget)`)

// Embedded knows pages whose script asks for the list, or comes from the company's host.
func (pinpoint) Embedded(page *goquery.Document) (board string, ok bool) {
	return onlyMatch(scriptsOf(page), isPinpointBoard, pinpointScript)
}
