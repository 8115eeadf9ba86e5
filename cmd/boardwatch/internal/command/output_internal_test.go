package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

type person struct {
	Name string `json:"name"`
	City string `json:"city"`
}

func people() []Column[person] {
	return []Column[person]{
		Col("NAME", func(p person) string { return p.Name }),
		Col("HOME TOWN", func(p person) string { return p.City }),
	}
}

func printed(t *testing.T, format string, width int, items []person) string {
	t.Helper()
	var out bytes.Buffer
	c := &CLI{Out: &out, Output: format, OutTerm: Terminal{Is: width > 0, Width: width}}
	require.NoError(t, PrintList(c, items, people()...))
	return out.String()
}

func TestPrintList(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		format string
		width  int
		items  []person
		want   string
	}{
		{"JSON is a bare array", "json", 0, []person{{"Ann", "R&D <1>"}}, "[\n  {\n    \"name\": \"Ann\",\n    \"city\": \"R&D <1>\"\n  }\n]\n"},
		{"no items are an empty array", "json", 0, nil, "[]\n"},
		{"a program gets JSON unasked", "", 0, nil, "[]\n"},
		{"a terminal gets a table unasked", "", 80, nil, "NAME  HOME TOWN\n"},
		{"NDJSON is one object per line", "ndjson", 0, []person{{"Ann", "Rome"}, {"Bo", "Oslo"}}, "{\"name\":\"Ann\",\"city\":\"Rome\"}\n{\"name\":\"Bo\",\"city\":\"Oslo\"}\n"},
		{"no items are no lines", "ndjson", 0, nil, ""},
		{"CSV quotes what needs it", "csv", 0, []person{{"Ann, Bo", "\"Rome\"\nItaly"}}, "name,city\n\"Ann, Bo\",\"\"\"Rome\"\"\nItaly\"\n"},
		{"CSV keeps foreign text from being a formula", "csv", 0, []person{{"=1+1", "@SUM(A1)"}, {"-2", "+3"}, {"a=b", ""}}, "name,city\n'=1+1,'@SUM(A1)\n'-2,'+3\na=b,\n"},
		{"CSV keeps it from being one where others separate", "csv", 0, []person{{"Engineer;=cmd|' /C calc'!A0", "a\t@x"}, {"a; \"=b", "1;+2;c;-3"}}, "name,city\nEngineer;'=cmd|' /C calc'!A0,a\t'@x\n\"a;' \"\"=b\",1;'+2;c;'-3\n"},
		{"CSV of nothing has its header", "csv", 0, nil, "name,city\n"},
		{"wide letters take two places", "table", 0, []person{{"東京", "a"}, {"ab", "b"}}, "NAME  HOME TOWN\n東京  a\nab    b\n"},
		{"foreign text cannot steer the terminal", "table", 0, []person{{"a\x1b[31mb\tc\nd", "\u202eevil\u0000"}}, "NAME        HOME TOWN\na[31mb c d  evil\n"},
		{"a long cell gives way to a narrow terminal", "table", 20, []person{{strings.Repeat("x", 30), "Rome"}}, "NAME       HOME TOWN\nxxxxxxxx…  Rome\n"},
		{"a pipe has no width", "table", 0, []person{{strings.Repeat("x", 30), "Rome"}}, "NAME                            HOME TOWN\n" + strings.Repeat("x", 30) + "  Rome\n"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, printed(t, tc.format, tc.width, tc.items))
		})
	}
}

func TestPrintItem(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &CLI{Out: &out, Output: OutputJSON}
	require.NoError(t, PrintItem(c, person{"Ann", "Rome"}, people()...))
	require.JSONEq(t, `{"name":"Ann","city":"Rome"}`, out.String())
}

func TestCSVHasTheFieldsOfTheInterface(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	added := track.Added{Board: boardwatch.BoardView{ID: "5f", OpenJobs: -1, Company: "-x"}, Locked: true}
	require.NoError(t, WriteCSV(&out, []track.Added{added}))
	require.Equal(t, "id,company,domain,careersUrl,status,tracking,openJobs,closedJobs,lastCheckedAt,lastSuccessAt,addedAt,locked\n"+
		"5f,'-x,,,,,-1,0,,,,true\n", out.String())

	out.Reset()
	type setting struct {
		Key    string   `json:"key"`
		Value  []string `json:"value"`
		Source string   `json:"source"`
		From   string   `json:"from"`
	}
	require.NoError(t, WriteCSV(&out, []setting{{Key: "role", Value: []string{"api", "worker"}, Source: "default"}}))
	require.Equal(t, "key,value,source,from\nrole,\"api,worker\",default,\n", out.String())

	type shape struct {
		A     string         `json:"a,omitempty"`
		B     map[string]int `json:"b"`
		C     *person        `json:"c"`
		D     string         `json:"d,omitempty"`
		Total int            `json:"total"`
	}
	out.Reset()
	require.NoError(t, WriteCSV(&out, []shape{
		{Total: 1}, {B: map[string]int{"y": 2}, Total: 2}, {A: "a", C: &person{"Ann", "Rome"}, D: "d", Total: 3}, {B: map[string]int{"x": 4, "y": 5}, Total: 4},
	}))
	require.Equal(t, "a,x,y,name,city,d,total\n,,,,,,1\n,,2,,,,2\na,,,Ann,Rome,d,3\n,4,5,,,,4\n", out.String(), "what one item leaves out shifts nothing")

	out.Reset()
	require.NoError(t, WriteCSV[boardwatch.Check](&out, nil))
	require.Equal(t, "id,boardId,at,health,cause,reason,blockedBy,openJobs,found,reopened,closed,updated,missed,requests,first,repeats,lastAt,event\n", out.String())
}
