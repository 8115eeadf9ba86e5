package ats

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"
)

func TestCount(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		document string
		want     count
		fault    string // in place of a number
	}{
		"a number":                   {document: `12`, want: 12},
		"a text":                     {document: `"12"`, want: 12},
		"a fraction of nothing":      {document: `12.0`, want: 12},
		"a power of ten":             {document: `1e3`, want: 1000},
		"null":                       {document: `null`},
		"half a role":                {document: `12.5`, fault: "total is not of the expected size"},
		"more than anybody has":      {document: `1e300`, fault: "total is not of the expected size"},
		"words":                      {document: `"many"`, fault: "total is a text, not a number"},
		"an empty text":              {document: `""`, fault: "total is a text, not a number"},
		"a number that is no number": {document: `"NaN"`, fault: "total is a text, not a number"},
		"a list":                     {document: `[12]`, fault: "total is a list, not a number"},
		"an object":                  {document: `{"value": 12}`, fault: "total is an object, not a number"},
		"a truth value":              {document: `true`, fault: "total is true or false, not a number"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list struct {
				Total count `json:"total"`
			}
			err := decodeJSON([]byte(`{"total": `+tt.document+`}`), &list)
			if tt.fault != "" {
				require.ErrorContains(t, err, strings.TrimPrefix(tt.fault, "total "))
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, list.Total)
		})
	}
}

func TestID(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]id{`7`: "7", `-7`: "-7", `"7"`: "7", `"a b"`: "a b", `"\u00e4"`: "ä", `null`: "", `12345678901234567890`: "12345678901234567890"} {
		var got id
		require.NoError(t, json.Unmarshal([]byte(document), &got), document)
		require.Equal(t, want, got, document)
	}
	for _, document := range []string{`{}`, `[7]`, `true`} {
		var got id
		require.Error(t, json.Unmarshal([]byte(document), &got), document)
	}
}

func TestYesAndNo(t *testing.T) {
	t.Parallel()
	for _, document := range []string{`true`, `"true"`, `"True"`, `"yes"`, `1`, `"1"`} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(document), &value))
		require.True(t, isYes(value) && !isNo(value), document)
	}
	for _, document := range []string{`false`, `"FALSE"`, `"no"`, `0`, `"0"`} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(document), &value))
		require.True(t, isNo(value) && !isYes(value), document)
	}
	for _, document := range []string{`null`, `""`, `"maybe"`, `2`, `[]`, `{}`} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(document), &value))
		require.False(t, isYes(value) || isNo(value), document)
	}
}

func TestSaysNoRoles(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"There are currently no open positions.", "No results", "Sorry, no jobs were found.", "0 vacancies", "We are not currently hiring.", "We aren’t hiring",
		"We don't have any open positions at this time", "We do not have any job openings.", "no matching job openings", "Derzeit keine offenen Stellen", "Keine Stellenangebote",
		"Aucune offre d'emploi", "Aucun résultat", "No hay vacantes", "Nenhuma vaga encontrada", "Nessuna posizione aperta", "Geen openstaande vacatures",
	} {
		require.True(t, saysNoRoles(pageOfText(t, "<p>"+text+"</p>")), text)
	}
	for _, text := range []string{
		"", "Nobody knows results", "No closing date: these roles stay open", "We never stop hiring", "Notable jobs", "1 vacancy", "10 jobs", "scheduled maintenance",
		`<script>var none = "no jobs found"</script>`, `<noscript>no jobs</noscript>`, `<template>0 results</template>`,
	} {
		require.False(t, saysNoRoles(pageOfText(t, "<p>"+text+"</p>")), text)
	}
}

func pageOfText(t *testing.T, text string) *goquery.Document {
	t.Helper()
	page, err := parsePage([]byte("<html><body>" + text + "</body></html>"))
	require.NoError(t, err)
	return page
}
