package web

import "github.com/boardwatch/boardwatch/boardwatch"

// systemName returns what people call the system of a board; empty if it is not known yet.
func systemName(b boardwatch.Board) string {
	return systemTitle(b.System())
}

// systemTitle returns what people call a system.
func systemTitle(system string) string {
	if system == boardwatch.PageSystem {
		return "own careers page"
	}
	if name := properNames()[system]; name != "" {
		return name
	}
	return capital(system)
}

// hostedBy is the hosted system of a board; empty for a page of the company's own.
func hostedBy(b boardwatch.Board) string {
	if b.System() == boardwatch.PageSystem {
		return ""
	}
	return systemTitle(b.System())
}

// properNames are the names of systems that are not written as one word with a capital.
func properNames() map[string]string {
	return map[string]string{
		"adp": "ADP", "applicantpro": "ApplicantPro", "applicantstack": "ApplicantStack", "applitrack": "AppliTrack", "bamboohr": "BambooHR",
		"careerplug": "CareerPlug", "cats": "CATS", "clearcompany": "ClearCompany", "digitalrecruiters": "DigitalRecruiters", "dvinci": "d.vinci",
		"easycruit": "EasyCruit", "employmenthero": "Employment Hero", "gohire": "GoHire", "gr8people": "GR8 People", "herp": "HERP", "hibob": "HiBob",
		"hirehive": "HireHive", "hiringthing": "HiringThing", "hrmdirect": "HRMDirect", "hrmos": "HRMOS", "icims": "iCIMS", "jazzhr": "JazzHR",
		"jobdiva": "JobDiva", "join": "JOIN", "livehire": "LiveHire", "neogov": "NEOGOV", "smartrecruiters": "SmartRecruiters",
		"successfactors": "SuccessFactors", "ukg": "UKG", "ultipro": "UltiPro", "zoho": "Zoho Recruit",
	}
}
