package foreign_test

import (
	"bytes"
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/internal/foreign"
)

func TestXML(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ document, title string }{
		"as it should be":               {`<?xml version="1.0" encoding="windows-1251"?><j><t>Welder &amp; fitter</t></j>`, "Welder & fitter"},
		"an entity of HTML":             {`<j><t>Caf&eacute;&nbsp;lead</t></j>`, "Café\u00a0lead"},
		"an entity that does not exist": {`<j><t>R&D; R&foo; lead</t></j>`, "R&D; R&foo; lead"},
		"a bare sign":                   {`<j><t>Research & Development</t></j>`, "Research & Development"},
		"a sign at the end":             {`<j><t>R&</t></j>`, "R&"},
		"a control character":           {"<j><t>Wel\x0bder\x00</t></j>", "Welder"},
		"a control character by number": {`<j><t>Wel&#x0b;der&#31;&#0;</t></j>`, "Welder"},
		"a number past all":             {`<j><t>Welder&#x7fffffff;&#99999999999;</t></j>`, "Welder"},
		"half a letter":                 {"<j><t>Wel\xc3der</t></j>", "Wel\ufffdder"},
		"CDATA":                         {"<j><t><![CDATA[R&D; \x08<b>lead</b>]]></t></j>", "R&D; <b>lead</b>"},
		"a comment":                     {"<j><!-- R&D \x01 < --><t>Welder</t></j>", "Welder"},
		"an attribute":                  {`<j><t at="a&b;">Welder</t></j>`, "Welder"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got struct {
				Title string `xml:"t"`
			}
			require.NoError(t, parse(foreign.XML([]byte(test.document)), &got))
			require.Equal(t, test.title, got.Title)
		})
	}
}

func parse(document []byte, into any) error {
	decoder := xml.NewDecoder(bytes.NewReader(document))
	decoder.Entity = xml.HTMLEntity
	return decoder.Decode(into)
}

func FuzzXML(f *testing.F) {
	f.Add("<a>&b;<![CDATA[\x00]]></a>")
	f.Add("<?xml version='1.0'?><!--&-->&#0;&#x1F600;&amp")
	f.Fuzz(func(t *testing.T, document string) {
		once := foreign.XML([]byte(document))
		require.LessOrEqual(t, len(once), 5*len(document))
		if again := foreign.XML(once); string(again) != string(once) {
			require.Less(t, len(again), len(once), "a second look finds only another declaration")
		}
	})
}
