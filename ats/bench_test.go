package ats_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
)

// largest are the ten systems with the most boards and roles.
var largest = []string{
	"ashby", "bamboohr", "greenhouse", "lever", "oracle", "personio", "recruitee", "smartrecruiters", "workable", "workday",
}

// BenchmarkAtsRead reads boards of a thousand roles, made from the fixtures: the whole way from answers in memory to a
// normalized reading.
func BenchmarkAtsRead(b *testing.B) {
	const roles = 1000
	for _, system := range largest {
		a := adapter(system)
		if a == nil {
			continue
		}
		b.Run(system, func(b *testing.B) {
			board := normalBoard(b, a)
			client := newScaled(b, board, roles)
			read := func() {
				reading, err := ats.Read(b.Context(), a, client, board.board)
				require.NoError(b, err)
				require.Len(b, reading.Normalize().Postings, roles, reading.Reason)
			}
			read()
			b.SetBytes(int64(client.size))
			b.ReportAllocs()
			for b.Loop() {
				read()
			}
			b.ReportMetric(testing.AllocsPerRun(1, read)/roles, "allocs/role")
		})
	}
}

// BenchmarkAtsMatch tells the system and the board of an address, among all systems.
func BenchmarkAtsMatch(b *testing.B) {
	for name, address := range map[string]string{
		"hosted": "https://northwind.wd5.myworkdayjobs.com/en-US/Careers/job/Oslo/Engineer_R-1",
		"other":  "https://www.northwind.example/company/careers?department=all",
	} {
		u := must(url.Parse(address))
		adapters := ats.All()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ats.Match(u, adapters)
			}
		})
	}
}

// scaled is a board whose first page of roles holds many of them.
type scaled struct {
	normal

	body []byte // of the scaled answer
	at   int    // which of the normal answers it stands for
	size int    // bytes of one reading
}

func newScaled(b *testing.B, board normal, roles int) *scaled {
	b.Helper()
	for i, a := range board.answers {
		body := scale(b, a.body, board.keys, roles)
		if body == nil {
			continue
		}
		if board.claimed > 0 {
			w := &world{answers: []answered{{body: body}}}
			w.replaceTotals(board.claimed, roles)
			body = w.answers[0].body
		}
		return &scaled{normal: board, body: body, at: i, size: len(body)}
	}
	b.Fatalf("%s: no answer of its normal board has rows", board.adapter.Name())
	return nil
}

func (s *scaled) Do(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		body = string(must(io.ReadAll(r.Body)))
	}
	for i, a := range s.answers {
		if !a.fits(r, body) {
			continue
		}
		if i == s.at {
			return a.response(s.body, r), nil
		}
		return a.response(a.body, r), nil
	}
	return exchange{Status: http.StatusNotFound}.response([]byte(`{"error": "not found"}`), r), nil
}

// scale makes an answer with that many rows of one that has a few; nil when it has none. Each row gets an id of its own.
func scale(tb testing.TB, body []byte, keys []string, roles int) []byte {
	tb.Helper()
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		return scaleXML(body, keys, roles)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var document any
	if decoder.Decode(&document) != nil {
		return nil
	}
	found := false
	document = scaleRows(document, keys, roles, &found)
	if !found {
		return nil
	}
	return must(json.Marshal(document))
}

// scaleRows replaces the first list whose rows carry keys.
func scaleRows(document any, keys []string, roles int, found *bool) any {
	switch value := document.(type) {
	case map[string]any:
		for name, v := range value {
			if !*found {
				value[name] = scaleRows(v, keys, roles, found)
			}
		}
	case []any:
		var rows [][]byte
		for _, v := range value {
			if row := must(json.Marshal(v)); hasKey(row, keys) {
				rows = append(rows, row)
			}
		}
		if len(rows) < 2 {
			for i, v := range value {
				if !*found {
					value[i] = scaleRows(v, keys, roles, found)
				}
			}
			return value
		}
		*found = true
		many := make([]any, roles)
		for i := range many {
			many[i] = json.RawMessage(renamed(rows[i%len(rows)], keys, i))
		}
		return many
	}
	return document
}

func hasKey(row []byte, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return bytes.Contains(row, []byte(key)) })
}

// renamed gives a row another id: every key in it gets four more digits.
func renamed(row []byte, keys []string, i int) []byte {
	for _, key := range keys {
		row = bytes.ReplaceAll(row, []byte(key), fmt.Appendf(nil, "%s%04d", key, i))
	}
	return row
}

var xmlRow = regexp.MustCompile(`(?s)<(?:position|item)>.*?</(?:position|item)>`)

func scaleXML(body []byte, keys []string, roles int) []byte {
	rows := slices.DeleteFunc(xmlRow.FindAll(body, -1), func(row []byte) bool { return !hasKey(row, keys) })
	first := xmlRow.FindIndex(body)
	if len(rows) == 0 || first == nil {
		return nil
	}
	var out bytes.Buffer
	out.Write(body[:first[0]])
	for i := range roles {
		out.Write(renamed(rows[i%len(rows)], keys, i))
	}
	last := xmlRow.FindAllIndex(body, -1)
	out.Write(body[last[len(last)-1][1]:])
	return out.Bytes()
}
