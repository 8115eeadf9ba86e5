package ats

import (
	"net/url"
	"strings"
)

// A namedSystem is a system that is recognised, but has no adapter: where its list is, or what is in it, is not known well
// enough. Its boards are read as pages.
type namedSystem struct {
	name, vendor string
	board        func(address) string // "" for what is not a board
}

// namedSystems are in the order of their names. A system leaves the list when it gets an adapter.
var namedSystems = []namedSystem{
	{"betterteam", "Betterteam", tenantUnder("betterteam.com")},
	{"brassring", "BrassRing (Infinite Talent)", brassringBoard},
	{"erecruiter", "eRecruiter", tenantUnder("erecruiter.pl", "erecruiter.net")},
	{"freshteam", "Freshteam", tenantUnder("freshteam.com")},
	{"homerun", "Homerun", tenantUnder("homerun.co")},
	{"huntflow", "Huntflow", tenantUnder("huntflow.io", "huntflow.ru")},
	{"inhire", "InHire", tenantUnder("inhire.app")},
	{"jobadder", "JobAdder", jobadderBoard},
	{"loxo", "Loxo", tenantUnder("app.loxo.co")},
	{"njoyn", "Njoyn", tenantUnder("njoyn.com")},
	{"recruitercokr", "Recruiter (Midas)", tenantUnder("recruiter.co.kr")},
	{"recruiterflow", "Recruiterflow", firstSegmentOf("recruiterflow.com", "jobs")},
	{"solides", "Sólides", tenantUnder("vagas.solides.com.br")},
	{"talentlyft", "TalentLyft", tenantUnder("talentlyft.com")},
	{"teamdash", "Teamdash", tenantUnder("teamdash.com")},
	{"turbohire", "TurboHire", tenantUnder("turbohire.co")},
	{"workstream", "Workstream", workstreamBoard},
}

// Named recognises boards of systems that have no adapter in this package, by their address: the name is for telling
// people, and the board is read as any page is. An address that an adapter matches is never named.
func Named(u *url.URL) (system, board string, ok bool) {
	a, ok := parseAddress(u)
	if !ok {
		return "", "", false
	}
	for _, s := range namedSystems {
		if board := s.board(a); board != "" {
			return s.name, board, true
		}
	}
	return "", "", false
}

// tenantUnder finds boards whose name is the one label before a domain.
func tenantUnder(domains ...string) func(address) string {
	return func(a address) string { return a.tenant(domains...) }
}

// firstSegmentOf finds boards whose name is the first segment of a path that goes on with a certain word.
func firstSegmentOf(host, second string) func(address) string {
	return func(a address) string {
		board := a.segment(0)
		if a.host != host && a.host != "www."+host || a.segment(1) != second || !isToken(board) {
			return ""
		}
		return board
	}
}

// jobadderBoard finds the account's number and the name of its board.
func jobadderBoard(a address) string {
	account, board := a.segment(0), a.segment(1)
	if a.host != "clientapps.jobadder.com" || !isNumber(account) || !isToken(board) {
		return ""
	}
	return account + "/" + board
}

// workstreamBoard finds the account's eight digits and the name of its brand.
func workstreamBoard(a address) string {
	account, brand := a.below("j"), a.segment(2)
	if a.host != "www.workstream.us" || len(account) != 8 || !isToken(account) || !isToken(brand) {
		return ""
	}
	return account + "/" + brand
}

// brassringBoard finds boards of partner and site. Their list is given to browsers only: it wants a session, a token of the
// page and a value that a script makes.
func brassringBoard(a address) string {
	partner, site := a.value("partnerid"), a.value("siteid")
	if a.tenant("brassring.com") == "" || !strings.EqualFold(a.segment(0), "TGnewUI") || !isDigits(partner) || !isDigits(site) {
		return ""
	}
	return partner + "/" + site
}
