package ats_test

import (
	"encoding/csv"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://northwind.freshteam.com/jobs/Ab12/engineer":                                    "freshteam:northwind",
		"http://NorthWind.InHire.app:80/vagas":                                                  "inhire:northwind",
		"https://northwind.vagas.solides.com.br/":                                               "solides:northwind",
		"https://sjobs.brassring.com/TGnewUI/Search/Home/Home?partnerid=25515&siteid=5710#home": "brassring:25515/5710",
		"https://sjobs.brassring.com/TGnewUI/Search/Home/Home?partnerid=25515":                  ":",
		"https://www.brassring.com/TGnewUI/?partnerid=1&siteid=2":                               ":",
		"https://northwind.teamdash.com/p/job/DJQJDUk1/engineer":                                "teamdash:northwind",
		"https://recruiterflow.com/northwind/jobs/12":                                           "recruiterflow:northwind",
		"https://clientapps.jobadder.com/4711/northwind/jobs/1":                                 "jobadder:4711/northwind",
		"https://www.workstream.us/j/36047dd7/northwind/positions":                              "workstream:36047dd7/northwind",
		"https://www.workstream.us/j/northwind":                                                 ":",
		"https://recruiterflow.com/pricing":                                                     ":",
		"https://www.freshteam.com/":                                                            ":",
		"https://freshteam.com/":                                                                ":",
		"https://a.b.freshteam.com/":                                                            ":",
		"https://northwind.freshteam.com.evil.example/jobs":                                     ":",
		"https://northwind.freshteam.com@evil.example/jobs":                                     ":",
		"ftp://northwind.freshteam.com/jobs":                                                    ":",
		"https://northwind.freshteam.com:8443/jobs":                                             ":",
		"https://northwind.example/?next=https://x.freshteam.com/":                              ":",
		"https://nørthwind.freshteam.com/jobs":                                                  ":",
		"https://jobs.lever.co/northwind":                                                       ":",
		"https://northwind.example/northwind.recruiter.co.kr/career":                            ":",
	} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		system, board, ok := ats.Named(u)
		require.Equal(t, want, system+":"+board, address)
		require.Equal(t, want != ":", ok, address)
		if ok {
			require.Nil(t, adapter(system), "it has an adapter")
			_, _, matched := ats.Match(u, ats.All())
			require.False(t, matched, address)
		}
	}
}

// TestCorpusNamed judges the listed addresses of systems without an adapter: they are named right or not at all.
func TestCorpusNamed(t *testing.T) {
	t.Parallel()
	rows, err := csv.NewReader(strings.NewReader(string(corpusFile(t, "addresses/open.csv")))).ReadAll()
	require.NoError(t, err)
	named, unnamed := make(map[string]int), make(map[string]int)
	for _, row := range rows[1:] {
		u, err := url.Parse(row[0])
		if err != nil {
			continue
		}
		system, board, ok := ats.Named(u)
		switch {
		case ok:
			require.Equal(t, row[1]+":"+row[2], system+":"+board, row[0])
			require.Nil(t, adapter(system), "it has an adapter")
			named[system]++
		case adapter(row[1]) == nil:
			unnamed[row[1]]++
		}
	}
	t.Logf("named %v; neither named nor read %v", named, unnamed)
}
