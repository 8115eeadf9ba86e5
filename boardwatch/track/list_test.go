package track_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func TestReadList(t *testing.T) {
	t.Parallel()
	entry := func(line int, url, company string) track.Entry {
		return track.Entry{Line: line, Board: track.NewBoard{URL: url, CompanyName: company}}
	}
	tests := []struct {
		name   string
		text   string
		format track.ListFormat
		want   []track.Entry
	}{
		{"nothing is no entry", "", "", nil},
		{
			"lines, without empty ones and remarks", "# ours\r\n\r\nnorthwind.example\r\n  https://contoso.example/jobs  \n#x\nfabrikam.example", "",
			[]track.Entry{entry(3, "northwind.example", ""), entry(4, "https://contoso.example/jobs", ""), entry(6, "fabrikam.example", "")},
		},
		{
			"a line may have a comma in it", "https://northwind.example/jobs?in=berlin,paris\n", "",
			[]track.Entry{entry(1, "https://northwind.example/jobs?in=berlin,paris", "")},
		},
		{
			"a line may have the company's name behind a comma",
			"https://careers.example/jobs, Acme\nnorthwind.example,Northwind\nhttps://contoso.example/jobs, \"Contoso, Inc.\"\n", "",
			[]track.Entry{
				entry(1, "https://careers.example/jobs", "Acme"), entry(2, "northwind.example", "Northwind"),
				entry(3, "https://contoso.example/jobs", "Contoso, Inc."),
			},
		},
		{
			"CSV with a header, in any order", "\xef\xbb\xbfCompany,id,careersUrl\nNorthwind,1,northwind.example\n\"Contoso, Inc\",2,contoso.example\n", "",
			[]track.Entry{entry(2, "northwind.example", "Northwind"), entry(3, "contoso.example", "Contoso, Inc")},
		},
		{
			"CSV of a spreadsheet with semicolons", "url;company name\r\nnorthwind.example;Northwind\r\n", "",
			[]track.Entry{entry(2, "northwind.example", "Northwind")},
		},
		{
			"CSV without a header, when it is said to be CSV", "northwind.example,Northwind\ncontoso.example\n", track.ListCSV,
			[]track.Entry{entry(1, "northwind.example", "Northwind"), entry(2, "contoso.example", "")},
		},
		{
			"a cell that was guarded against spreadsheets", "url,companyName\nnorthwind.example,'=Northwind\ncontoso.example,'s Contoso\n", "",
			[]track.Entry{entry(2, "northwind.example", "=Northwind"), entry(3, "contoso.example", "'s Contoso")},
		},
		{
			"CSV with tags", "url,tags\nnorthwind.example,\"rival, near home\"\ncontoso.example,\n", "",
			[]track.Entry{{Line: 2, Board: track.NewBoard{URL: "northwind.example"}, Tags: []string{"rival", "near home"}}, entry(3, "contoso.example", "")},
		},
		{
			"a row that is no CSV is named, and the others are read", "url,companyName\nnorth\"wind,x\ncontoso.example,\n", "",
			[]track.Entry{{Line: 2, Fault: `is not CSV: bare " in non-quoted-field`}, entry(3, "contoso.example", "")},
		},
		{
			"an array of texts", `["northwind.example", "contoso.example"]`, "",
			[]track.Entry{entry(1, "northwind.example", ""), entry(2, "contoso.example", "")},
		},
		{
			"an array of what addBoard takes", `[{"url":"northwind.example","companyName":"Northwind"},{"url":"contoso.example"}]`, "",
			[]track.Entry{entry(1, "northwind.example", "Northwind"), entry(2, "contoso.example", "")},
		},
		{
			"what listBoards answers", `{"boards":[{"id":"x","careersUrl":"https://northwind.example/","company":null,"openJobs":3}],"total":1}`, "",
			[]track.Entry{entry(1, "https://northwind.example/", "")},
		},
		{"an empty array", "[]", "", nil},
		{
			"one object after the other", "{\"url\":\"northwind.example\"}\n{\"careersUrl\":\"contoso.example\",\"company\":\"Contoso\"}\n", "",
			[]track.Entry{entry(1, "northwind.example", ""), entry(2, "contoso.example", "Contoso")},
		},
		{
			"an element that is no board is named", `["northwind.example", 7, null, {"url": 7}, ["x"]]`, "",
			[]track.Entry{
				entry(1, "northwind.example", ""),
				{Line: 2, Fault: "is neither a text nor an object with the texts url and companyName"},
				{Line: 3, Fault: "is neither a text nor an object with the texts url and companyName"},
				{Line: 4, Fault: "is neither a text nor an object with the texts url and companyName"},
				{Line: 5, Fault: "is neither a text nor an object with the texts url and companyName"},
			},
		},
		{"lines that look like JSON, when they are said to be lines", "[a]\n", track.ListLines, []track.Entry{entry(1, "[a]", "")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := track.ReadList(strings.NewReader(tt.text), tt.format)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}

	for name, tt := range map[string]struct{ text, format, want string }{
		"half of an array":     {`["northwind.example"`, "", "the list is not JSON: unexpected EOF"},
		"an unknown format":    {"x", "xml", `a list cannot be in "xml"; it can be in lines, csv, json or opml`},
		"UTF-16":               {"\xff\xfen\x00", "", "the list is in UTF-16; it has to be in UTF-8"},
		"more than a person's": {strings.Repeat("x\n", track.MaxListEntries+1), "", "the list has more than 10000 entries"},
		"a file without end":   {strings.Repeat(" ", track.MaxListBytes+1), "", "the list is longer than 8 MiB"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			_, err := track.ReadList(strings.NewReader(tt.text), track.ListFormat(tt.format))
			require.EqualError(t, err, tt.want)
		})
	}
}

func FuzzReadList(f *testing.F) {
	for _, text := range []string{
		"northwind.example\n# x\n", "url,companyName\na,b\n\"", `[{"url":"a"},"b"]`, "{\"url\":1}\n{}", "url;company\r\n\"a\n;b", "\xef\xbb\xbf[",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range []track.ListFormat{track.ListAuto, track.ListLines, track.ListCSV, track.ListJSON} {
			entries, err := track.ReadList(strings.NewReader(text), format)
			if err != nil {
				require.Empty(t, entries)
			}
			for _, e := range entries {
				require.Positive(t, e.Line)
			}
		}
	})
}

func ExampleReadList() {
	entries, err := track.ReadList(strings.NewReader("url,companyName\nnorthwind.example,Northwind\n"), track.ListAuto)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	for _, e := range entries {
		fmt.Println(e.Line, e.Board.URL, e.Board.CompanyName)
	}
	// Output: 2 northwind.example Northwind
}
