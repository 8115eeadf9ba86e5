package scraper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// part is one way in which a part of a site may look.
type part struct {
	name string
	make func(s *sketch)
}

// sketch is a site in the making.
type sketch struct {
	web    web
	links  string // what the home page says besides itself
	href   string // where its way to careers leads
	source string
}

const generatedHome = "northwind.example"

// ways are how a home page leads to careers.
func generatedWays() []part {
	link := func(format string) func(*sketch) {
		return func(s *sketch) { s.links += fmt.Sprintf(format, s.href) }
	}
	return []part{
		{"in the navigation", link(`<nav><ul><li><a href="/ships">Ships</a></li><li><a href="%s">Careers</a></li></ul></nav>`)},
		{"in the footer", link(`<footer><ul><li><a href="/imprint">Imprint</a></li><li><a href="%s">Karriere</a></li></ul></footer>`)},
		{"in a folded menu", link(`<div class="dropdown" style="display:none"><a href="%s">Work with us</a></div>`)},
		{"a picture", link(`<a href="%s"><img src="/join.png" alt="Join our team"></a>`)},
		{"an icon with a label", link(`<a href="%s" aria-label="Jobs"><svg></svg></a>`)},
		{"a button with a script", link(`<button onclick="window.location.href='%s'">View open positions</button>`)},
		{"a box with an address", link(`<div data-href="%s" role="link">Stellenangebote</div>`)},
		{"a form", link(`<form action="%s"><button>Search jobs</button></form>`)},
		{"words in another language", link(`<footer><a href="%s">採用情報</a></footer>`)},
		{"an absolute address with a query", func(s *sketch) {
			address := s.href
			if strings.HasPrefix(address, "/") {
				address = "https://" + generatedHome + address
			}
			s.links += `<a href="` + address + `?utm_source=home">Join us!</a>`
		}},
	}
}

// ends are where the roles are.
func generatedEnds() []part {
	hosted := func(how string) func(*sketch) {
		return func(s *sketch) {
			s.web = and(s.web, greenhouse("northwind", "Northwind", "Deck Officer", "Ship's Cook"))
			s.href, s.source = "/careers", "greenhouse:northwind"
			s.web[generatedHome+"/careers"] = html("<title>Careers</title>", `<h1>Careers</h1><p>We sail.</p>`+how)
		}
	}
	return []part{
		{"a page", func(s *sketch) {
			s.href, s.source = "/people/open", "page:https://northwind.example/people/open"
			s.web[generatedHome+"/people/open"] = html("", listed)
		}},
		{"a page behind a page", func(s *sketch) {
			s.href, s.source = "/careers", "page:https://northwind.example/careers/list"
			s.web[generatedHome+"/careers"] = html("<title>Careers</title>", `<h1>Careers</h1><p>We sail.</p><a href="/careers/list">See all openings</a>`)
			s.web[generatedHome+"/careers/list"] = html("", listed)
		}},
		{"a page that only sends on", func(s *sketch) {
			s.href, s.source = "/careers", "page:https://northwind.example/jobs/all"
			s.web[generatedHome+"/careers"] = html(`<meta http-equiv="refresh" content="0;url=/jobs/all">`, "")
			s.web[generatedHome+"/jobs/all"] = html("", listed)
		}},
		{"another host", func(s *sketch) {
			s.href, s.source = "https://people.northwind.example/", "page:https://people.northwind.example"
			s.web["people."+generatedHome] = html("", listed)
		}},
		{"a page that says that there are none", func(s *sketch) {
			s.href, s.source = "/careers", "page:https://northwind.example/careers"
			s.web[generatedHome+"/careers"] = html("<title>Careers</title>", `<h1>Careers</h1><p>We currently have no open positions.</p>`)
		}},
		{"a hosted board itself", func(s *sketch) {
			s.web = and(s.web, greenhouse("northwind", "Northwind", "Deck Officer", "Ship's Cook"))
			s.href, s.source = "https://boards.greenhouse.io/northwind", "greenhouse:northwind"
		}},
		{"a host that leads to a hosted board", func(s *sketch) {
			s.web = and(s.web, greenhouse("northwind", "Northwind", "Deck Officer", "Ship's Cook"))
			s.href, s.source = "https://careers.northwind.example/", "greenhouse:northwind"
			s.web["careers."+generatedHome] = sendTo("https://job-boards.greenhouse.io/northwind")
			s.web["job-boards.greenhouse.io/northwind"] = html("", "")
		}},
		{"a frame", hosted(`<iframe src="https://boards.greenhouse.io/embed/job_board?for=northwind"></iframe>`)},
		{"an embed", hosted(`<div id="grnhse_app"></div><script src="https://boards.greenhouse.io/embed/job_board/js?for=northwind"></script>`)},
		{"a link", hosted(`<a href="https://boards.greenhouse.io/northwind">Open roles</a>`)},
		{"a script", hosted(`<div id="list"></div><script>const b = 'northwind'; load('https://boards-api.greenhouse.io/v1/boards/' + b + '/jobs?content=true')</script>`)},
		{"an attribute", hosted(`<div class="board" data-source="https://boards-api.greenhouse.io/v1/boards/northwind/jobs"></div>`)},
		{"apply buttons", hosted(`<ul><li><h3>Deck Officer</h3><a href="https://boards.greenhouse.io/northwind/jobs/100">Apply</a></li><li><h3>Ship's Cook</h3><a href="https://boards.greenhouse.io/northwind/jobs/101">Apply</a></li></ul>`)},
	}
}

// decoys are what else stands on the site and is not the way.
func generatedDecoys() []part {
	return []part{
		{"nothing else", func(*sketch) {}},
		{"a partner's board in the footer", func(s *sketch) {
			s.web = and(s.web, greenhouse("otherfirm", "Otherfirm", "Clerk", "Painter", "Driver"))
			s.links += `<footer><a href="https://boards.greenhouse.io/otherfirm">Jobs at our partner Otherfirm</a></footer>`
		}},
		{"a vendor's board and portals", func(s *sketch) {
			s.web = and(s.web, greenhouse("vendor", "Vendor", "Clerk"))
			s.links += `<footer><a href="https://boards.greenhouse.io/vendor">Powered by Vendor</a><a href="https://www.linkedin.com/company/northwind/jobs">Jobs</a><a href="https://www.indeed.com/cmp/northwind">Jobs</a></footer>`
		}},
		{"articles about careers", func(s *sketch) {
			s.links += `<a href="/blog/careers-at-sea">How careers at sea begin</a><a href="/blog/10-jobs">10 jobs that will be gone</a>`
			s.web[generatedHome+"/blog/careers-at-sea"] = html("", `<h1>How careers at sea begin</h1><p>Long ago.</p>`)
		}},
	}
}

// TestDiscoverGeneratedSites draws sites of combinations of ways, ends and decoys: all 520 of them with the build tag long.
func TestDiscoverGeneratedSites(t *testing.T) {
	t.Parallel()
	for i, decoy := range generatedDecoys() {
		for j, end := range generatedEnds() {
			for k, way := range generatedWays() {
				if (i+j+k)%generatedEvery != 0 {
					continue
				}
				t.Run(way.name+", to "+end.name+", with "+decoy.name, func(t *testing.T) {
					t.Parallel()
					s := &sketch{web: web{}}
					decoy.make(s)
					end.make(s)
					way.make(s)
					s.web[generatedHome] = html("<title>Northwind</title>", company+s.links)
					b, _, err := found(t, s.web, generatedHome)
					require.NoError(t, err)
					require.Equal(t, s.source, b.Source)
				})
			}
		}
	}
}
