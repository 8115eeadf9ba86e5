package ats_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// signsOfACut are fields by which systems say that a list is not whole, as they may come to an answer one day.
var signsOfACut = []string{
	`"next": "https://northwind.example/jobs?page=9"`, `"next_page": 9`, `"nextPageToken": "eyJ"`, `"nextCursor": "c9"`, `"cursor": "c9"`,
	`"paging": {"next": {"href": "/jobs?page=9"}}`, `"has_more": true`, `"hasMore": true`, `"hasNextPage": true`, `"pageInfo": {"hasNext": true}`,
	`"last": false`, `"isLastPage": false`, `"pages": 99`, `"totalPages": 99`, `"meta": {"total_pages": 99}`,
	`"total": 9999`, `"totalCount": 9999`, `"error": "timeout"`, `"errors": [{"message": "timeout"}]`, `"success": false`, `"partial": true`,
}

// heeded are signs that an adapter reads in another form of its list, and that say nothing in this one.
var heeded = map[string][]string{"manatal": {`"pages": 99`, `"total": 9999`}}

// TestMatrixOfSigns adds each of them to every answer in JSON of every adapter's normal board and of its empty one, unless the
// answer has the field, and a link to a next page to every answer.
func TestMatrixOfSigns(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			boards, signs := []normal{normalBoard(t, a)}, 0
			if empty, ok := emptyBoard(t, a); ok {
				boards = append(boards, empty)
			}
			for _, board := range boards {
				for _, sign := range signsOfACut {
					w := board.world(t)
					if !w.addField(sign) || slices.Contains(heeded[a.Name()], sign) {
						continue
					}
					signs++
					require.NotEqual(t, boardwatch.HealthOK, w.readAnything(a.Name()+" with "+sign).Health, sign)
				}
				w := board.world(t)
				for i := range w.answers {
					header := map[string]string{"Link": `<https://northwind.example/?page=9>; rel="next"`}
					maps.Copy(header, w.answers[i].Header)
					w.answers[i].Header = header
				}
				require.NotEqual(t, boardwatch.HealthOK, w.readAnything(a.Name()+" with a link to a next page").Health)
			}
			t.Logf("%d signs in %d boards", signs, len(boards))
		})
	}
}

// emptyBoard is the board of the adapter's case of no roles, where that is a healthy reading.
func emptyBoard(tb testing.TB, a ats.Adapter) (n normal, ok bool) {
	tb.Helper()
	n = normalBoard(tb, a)
	c := cases(tb, a.Name())["empty"]
	n.board, n.answers, n.keys, n.claimed = c.Board, nil, nil, 0
	for _, e := range c.Exchanges {
		n.answers = append(n.answers, answered{e, e.content(tb, a.Name())})
	}
	if len(n.answers) == 0 {
		return n, false
	}
	reading, err := ats.Read(tb.Context(), a, n.world(tb), n.board)
	return n, err == nil && reading.Normalize().Health == boardwatch.HealthOK
}

// addField adds a field to every answer that is an object of JSON and does not have it.
func (w *world) addField(field string) (added bool) {
	name, _, _ := strings.Cut(field, ":")
	for i, answer := range w.answers {
		var object map[string]json.RawMessage
		if json.Unmarshal(answer.body, &object) == nil && len(object) > 0 && !bytes.Contains(bytes.ToLower(answer.body), []byte(strings.ToLower(name)+":")) {
			w.answers[i].body = bytes.Replace(answer.body, []byte("{"), []byte("{"+field+", "), 1)
			added = true
		}
	}
	return added
}

// TestMatrixOfSilence has systems that always say how many roles there are say it no longer, or say that there are none.
func TestMatrixOfSilence(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := claimingBoard(t, a)
			total := regexp.MustCompile(`("[A-Za-z_]*(?:[Tt]otal|[Cc]ount|[Ff]ound|[Hh]its|NumberOfItems|numberOfItems)[A-Za-z_]*": *"?)` + strconv.Itoa(normal.claimed) + `\b`)
			for what, replacement := range map[string]string{"nothing": `"zz_${1}`, "none": "${1}0", "one": "${1}1"} {
				w := normal.world(t)
				changed := false
				for i, answer := range w.answers {
					if !json.Valid(answer.body) {
						continue
					}
					body := total.ReplaceAll(answer.body, []byte(strings.Replace(replacement, `"zz_${1}`, `"zz": 1, ${1}null, "zz_y":`, 1)))
					changed = changed || !bytes.Equal(body, answer.body)
					w.answers[i].body = body
				}
				reading := w.readAnything(a.Name() + " claims " + what)
				require.True(t, !changed || reading.Health != boardwatch.HealthOK, "says %s", what)
				if changed {
					t.Logf("says %s: %s", what, reading.Reason)
				}
			}
		})
	}
}

// TestMatrixOfEnds has every adapter say that it has seen the end of its normal board.
func TestMatrixOfEnds(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		if !normalBoard(t, a).world(t).read(a.Name()).EndSeen {
			t.Errorf("%s", a.Name())
		}
	}
}
