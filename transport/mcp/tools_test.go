package mcp_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

const acme = `{"url":"https://acme.example/careers"}`

// updates is what list_updates answers.
type updates struct {
	Jobs, Closed       []boardwatch.Job
	Total, ClosedTotal int64
	PolledAt, Since    time.Time
	NextSkip           *int64
}

func titles(jobs []boardwatch.Job) []string {
	out := make([]string, len(jobs))
	for i, j := range jobs {
		out[i] = j.Title
	}
	return out
}

// add puts a board on the list and answers with its id.
func (d *door) add(tb testing.TB, token, arguments string) string {
	tb.Helper()
	var added struct{ Board boardwatch.BoardView }
	d.call(tb, token, "add_board", arguments, &added)
	return added.Board.ID
}

func TestTools(t *testing.T) {
	t.Parallel()

	t.Run("are told with all their hints", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		got := map[string][]any{}
		var order []string
		for _, tool := range toolsOf(t, d, d.caller(t)) {
			a := tool.Annotations
			got[tool.Name] = []any{a["readOnlyHint"], a["destructiveHint"], a["idempotentHint"], a["openWorldHint"]}
			order = append(order, tool.Name)
		}
		require.Equal(t, map[string][]any{
			"list_boards": {true, false, true, false}, "search_jobs": {true, false, true, false}, "list_updates": {true, false, true, false},
			"add_board": {false, false, true, true}, "remove_board": {false, true, true, false},
		}, got)
		require.IsIncreasing(t, order)
	})

	t.Run("answer what their schemas say, in both eras", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		token := d.caller(t)
		outputs := map[string]*jsonschema.Schema{}
		for _, tool := range toolsOf(t, d, token) {
			compile(t, tool.InputSchema)
			outputs[tool.Name] = compile(t, tool.OutputSchema)
		}
		id := d.add(t, token, acme)
		d.check(t, "Engineer", "Writer")
		for _, c := range [][2]string{
			{"list_boards", `{"status":"ready"}`},
			{"search_jobs", `{"boardId":"` + id + `","limit":1}`},
			{"list_updates", `{"since":"2020-01-01T00:00:00Z"}`},
			{"add_board", `{"url":"https://other.example/","companyName":"Other"}`},
			{"remove_board", `{"boardId":"` + id + `"}`},
		} {
			w := d.post(token, callText(c[0], c[1]))
			if c[0] == "remove_board" {
				d.add(t, token, acme)
			}
			fits(t, outputs[c[0]], resultOf(t, w).Structured)
		}
		for _, tool := range []string{"list_boards", "search_jobs", "list_updates"} {
			r := resultOf(t, d.do(modern(token, "tools/call", tool, `"name":"`+tool+`","arguments":{}`)))
			require.False(t, r.IsError)
			fits(t, outputs[tool], r.Structured)
		}
	})

	t.Run("leave no line in the log when all is well, or when a client is wrong", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		token := d.caller(t)
		d.add(t, token, acme)
		d.refusal(t, token, "search_jobs", `{"search":5}`)
		d.post(token, callText("made_up", `{}`))
		d.post(token, `{"jsonrpc":"2.0","id":1,"method":"made/up"}`)
		require.Empty(t, d.log.String())
	})

	t.Run("work without any arguments where none are needed", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		token := d.caller(t)
		for _, params := range []string{`{"name":"list_boards"}`, `{"name":"list_boards","arguments":null}`} {
			r := resultOf(t, d.post(token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`))
			require.False(t, r.IsError)
		}
	})
}

func compile(tb testing.TB, raw json.RawMessage) *jsonschema.Schema {
	tb.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(tb, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(tb, c.AddResource("schema.json", value))
	s, err := c.Compile("schema.json")
	require.NoError(tb, err)
	return s
}

func fits(tb testing.TB, s *jsonschema.Schema, raw json.RawMessage) {
	tb.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(tb, err)
	require.NoError(tb, s.Validate(value), string(raw))
}

func TestArguments(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	long := strings.Repeat("x", 501)
	tests := []struct {
		tool, arguments string
		wrong           []string
	}{
		{"list_boards", `{"status":"gone"}`, []string{"status"}},
		{"list_boards", `{"Status":"ready"}`, []string{"Status"}},
		{"list_boards", `{"status":"ready","status":"failed"}`, []string{"status"}},
		{"list_boards", `{"status":null}`, []string{"status"}},
		{"list_boards", `[]`, []string{"arguments"}},
		{"list_boards", `"x"`, []string{"arguments"}},
		{"search_jobs", `{"search":"` + long + `","location":"` + long + `"}`, []string{"search", "location"}},
		{"search_jobs", `{"search":1,"boardId":"","addedAfter":"yesterday","limit":"5"}`, []string{"search", "boardId", "addedAfter", "limit"}},
		{"search_jobs", `{"limit":0,"skip":-1}`, []string{"limit", "skip"}},
		{"search_jobs", `{"limit":101,"skip":9007199254740992}`, []string{"limit", "skip"}},
		{"search_jobs", `{"limit":1.5,"skip":1e300}`, []string{"limit", "skip"}},
		{"search_jobs", `{"search":"a\u0000"}`, []string{"search"}},
		{"search_jobs", `{"search":"\ud800"}`, []string{"search"}},
		{"search_jobs", "{\"search\":\"\xff\"}", []string{"search"}},
		{"search_jobs", `{"boardId":"ABCDEFABCDEFABCDEFABCDEF"}`, []string{"boardId"}},
		{"list_updates", `{"since":"2026-11-20","search":"x"}`, []string{"since", "search"}},
		{"list_updates", `{"since":5,"boardId":null}`, []string{"since", "boardId"}},
		{"add_board", `{}`, []string{"url"}},
		{"add_board", `{"url":""}`, []string{"url"}},
		{"add_board", `{"url":"acme"}`, []string{"url"}},
		{"add_board", `{"url":"https://` + long + `","companyName":"` + long + `"}`, []string{"url", "companyName"}},
		{"add_board", `{"url":"https://acme.example/","companyName":null}`, []string{"companyName"}},
		{"remove_board", `{}`, []string{"boardId"}},
		{"remove_board", `{"boardId":"x","force":true}`, []string{"boardId", "force"}},
	}
	token := d.caller(t)
	for _, tt := range tests {
		t.Run("names every fault of "+tt.tool+" "+strconv.QuoteToASCII(tt.arguments[:min(60, len(tt.arguments))]), func(t *testing.T) {
			t.Parallel()
			f := d.refusal(t, token, tt.tool, tt.arguments)
			require.Equal(t, boardwatch.CodeInvalidRequest, f.Error.Code)
			require.ElementsMatch(t, tt.wrong, f.fields(t))
		})
	}

	t.Run("a whole number may be written as a fraction", func(t *testing.T) {
		t.Parallel()
		var page updates
		d.call(t, d.caller(t), "search_jobs", `{"limit":50.0,"skip":1e2}`, &page)
	})
}

func TestBoards(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	a := d.account(t)
	token := d.token(t, a, account.ScopeBoardsRead, account.ScopeBoardsWrite)
	var added struct {
		Board  boardwatch.BoardView
		Locked bool
	}
	d.call(t, token, "add_board", acme, &added)
	require.Equal(t, boardwatch.BoardPending, added.Board.Status)
	require.False(t, added.Locked)

	f := d.refusal(t, token, "add_board", acme)
	require.Equal(t, boardwatch.CodeAlreadyTracked, f.Error.Code)
	require.JSONEq(t, `{"boardId":"`+added.Board.ID+`"}`, string(f.Error.Details))
	require.Contains(t, f.Error.Message, "nothing has to be done")

	for i := range 5 {
		d.call(t, token, "add_board", `{"url":"https://acme.example/`+strconv.Itoa(i)+`"}`, &added)
	}
	require.True(t, added.Locked, "the sixth board is past the plan's limit")

	stranger := d.caller(t)
	other := d.add(t, stranger, `{"url":"https://other.example/"}`)
	for _, id := range []string{other, boardwatch.NewID()} {
		require.Equal(t, boardwatch.CodeNotFound, d.refusal(t, token, "remove_board", `{"boardId":"`+id+`"}`).Error.Code)
	}
	var removed struct {
		BoardID string `json:"boardId"`
		Removed bool
	}
	d.call(t, token, "remove_board", `{"boardId":"`+added.Board.ID+`"}`, &removed)
	require.True(t, removed.Removed)
	require.Equal(t, added.Board.ID, removed.BoardID)
	require.Equal(t, boardwatch.CodeNotFound, d.refusal(t, token, "remove_board", `{"boardId":"`+added.Board.ID+`"}`).Error.Code)

	var list struct {
		Boards []boardwatch.BoardView
		Total  int
	}
	d.call(t, token, "list_boards", `{"status":"pending"}`, &list)
	require.Equal(t, 5, list.Total)
	require.Len(t, list.Boards, 5)
}

func TestSearchJobs(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)
	id := d.add(t, token, acme)
	d.check(t, "Engineer", "Writer", "Data ENGINEER")
	var page updates
	d.call(t, token, "search_jobs", `{"search":"engineer","location":"ZÜRICH","limit":1}`, &page)
	require.Len(t, page.Jobs, 1)
	require.EqualValues(t, 2, page.Total)
	require.NotNil(t, page.NextSkip)
	require.EqualValues(t, 1, *page.NextSkip)
	d.call(t, token, "search_jobs", `{"search":"engineer","skip":1}`, &page)
	require.Nil(t, page.NextSkip)
	d.call(t, token, "search_jobs", `{"boardId":"`+id+`","addedAfter":"`+page.PolledAt.Format(time.RFC3339Nano)+`"}`, &page)
	require.LessOrEqual(t, page.Total, int64(3))
	d.call(t, d.caller(t), "search_jobs", `{"boardId":"`+id+`"}`, &page)
	require.Zero(t, page.Total, "another account's board shows nothing")
}

func TestListUpdates(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)
	d.add(t, token, acme)
	d.check(t, "A", "B", "C", "D")
	var first updates
	d.call(t, token, "list_updates", `{}`, &first)
	require.Len(t, first.Jobs, 4)
	require.Empty(t, first.Closed)
	require.WithinDuration(t, time.Now().Add(-24*time.Hour), first.Since, time.Minute)
	require.Nil(t, first.NextSkip)

	d.check(t, "B", "C", "D", "E")
	d.check(t, "B", "C", "D", "E") // closes A
	var next updates
	d.call(t, token, "list_updates", `{}`, &next)
	require.Equal(t, []string{"A"}, titles(next.Closed))
	require.Equal(t, boardwatch.JobClosed, next.Closed[0].Status)
	require.False(t, next.Closed[0].ClosedAt.IsZero())
	require.Contains(t, titles(next.Jobs), "E")
	require.Contains(t, titles(next.Jobs), "A", "first seen since then, whatever became of it")
	require.EqualValues(t, 5, next.Total)
	require.EqualValues(t, 1, next.ClosedTotal)

	t.Run("a role that changed or reopened says what it showed before", func(t *testing.T) {
		t.Parallel()
		d := newDoor(t)
		token := d.caller(t)
		d.add(t, token, acme)
		d.check(t, "A", "B")
		d.check(t, "B")
		d.check(t, "B") // closes A
		w := resultOf(t, d.post(token, callText("list_updates", `{}`)))
		require.Contains(t, string(w.Structured), `"updated":[],"updatedTotal":0`)
		var before updates
		require.NoError(t, json.Unmarshal(w.Structured, &before))
		d.show(t, [2]string{"A", "A, Senior"}, [2]string{"B", "B"})
		w = resultOf(t, d.post(token, callText("list_updates", `{"since":"`+before.PolledAt.Format(boardwatch.TimeFormat)+`"}`)))
		var got struct {
			UpdatedTotal int
			Updated      []struct {
				Title   string
				History []struct {
					Kind    string
					Changes []struct {
						Field    string
						From, To *string
					}
				}
			}
		}
		require.NoError(t, json.Unmarshal(w.Structured, &got))
		require.Equal(t, 1, got.UpdatedTotal)
		require.Equal(t, "A, Senior", got.Updated[0].Title)
		last := got.Updated[0].History[len(got.Updated[0].History)-1] // the closing in the millisecond of the poll is told as well
		require.Equal(t, "reopened", last.Kind)
		require.Equal(t, "title", last.Changes[0].Field)
		require.Equal(t, "A", *last.Changes[0].From)
		require.Equal(t, "A, Senior", *last.Changes[0].To)
		found := resultOf(t, d.post(token, callText("search_jobs", `{"search":"senior"}`)))
		require.Contains(t, string(found.Structured), `"kind":"reopened","changes":[{"field":"title","from":"A","to":"A, Senior"}]`)
	})

	t.Run("pages go through both lists, none larger than was asked for", func(t *testing.T) {
		t.Parallel()
		found, closed, skip := []string{}, []string{}, int64(0)
		for range 10 {
			var page updates
			d.call(t, token, "list_updates", `{"limit":2,"skip":`+strconv.FormatInt(skip, 10)+`}`, &page)
			require.LessOrEqual(t, len(page.Jobs)+len(page.Closed), 2)
			found, closed = append(found, titles(page.Jobs)...), append(closed, titles(page.Closed)...)
			if page.NextSkip == nil {
				break
			}
			skip = *page.NextSkip
		}
		require.Equal(t, titles(next.Jobs), found)
		require.Equal(t, titles(next.Closed), closed)
	})

	t.Run("nothing is new after the last answer", func(t *testing.T) {
		t.Parallel()
		var after updates
		d.call(t, token, "list_updates", `{"since":"`+time.Now().UTC().Add(time.Second).Format(boardwatch.TimeFormat)+`"}`, &after)
		require.Empty(t, after.Jobs)
		require.Empty(t, after.Closed)
	})
}

func TestTextAndStructuredContentAreTheSame(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)
	d.add(t, token, acme)
	strange := []string{`"quoted" \\ C:\new`, "<b>&amp;</b> \u00e9", "東京 🎉 \U0001F468", `\u0041 \"`, strings.Repeat(`"\`, 100)}
	d.check(t, strange...)
	for range 3 { // what is used again must not show through
		for _, arguments := range []string{`{"limit":100}`, `{"limit":1}`, `{"search":"nothing like it"}`} {
			r := resultOf(t, d.post(token, callText("search_jobs", arguments)))
			require.Equal(t, string(r.Structured), r.Content[0].Text)
		}
	}
	var page updates
	d.call(t, token, "search_jobs", `{"limit":100}`, &page)
	require.ElementsMatch(t, strange, titles(page.Jobs))
}

func TestEmployersTextIsData(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	token := d.caller(t)
	d.add(t, token, `{"url":"https://acme.example/careers","companyName":"Ac\u202eme\u001b[31m \udb40\udc49 \u0645\u06cc\u200c\u062e"}`)
	var list struct{ Boards []boardwatch.BoardView }
	d.call(t, token, "list_boards", `{}`, &list)
	require.Equal(t, "Acme[31m  \u0645\u06cc\u200c\u062e", list.Boards[0].Company, "what nobody sees is left out, what letters need stays")
	d.check(t, "Engineer\u202e\x1b[31m <b>\U000E0049\U000E0067")
	w := d.post(token, callText("search_jobs", `{}`))
	require.NotContains(t, w.Body.String(), "\U000E0049")
	r := resultOf(t, w)
	var page updates
	require.NoError(t, json.Unmarshal(r.Structured, &page))
	require.Equal(t, []string{"Engineer[31m <b>"}, titles(page.Jobs))
}

func TestSearchJobsTakesASavedSearch(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	a, other := d.account(t), d.account(t)
	token, stranger := d.token(t, a, account.ScopeBoardsRead, account.ScopeBoardsWrite), d.token(t, other, account.ScopeBoardsRead)
	var added struct{ Board struct{ ID string } }
	d.call(t, token, "add_board", `{"url":"https://acme.example/careers"}`, &added)
	d.check(t, "Data Engineer", "Writer")
	require.Contains(t, string(d.refusal(t, token, "search_jobs", `{"saved":"Data"}`).Error.Details), "there are none yet")
	require.NoError(t, d.store.CreateSearch(t.Context(), boardwatch.Search{
		ID: boardwatch.NewID(), AccountID: a.ID, Name: "Data", Criteria: boardwatch.Criteria{Text: "data"},
	}, 20))
	var found struct {
		Jobs  []boardwatch.Job
		Total int
	}
	d.call(t, token, "search_jobs", `{"saved":" DATA "}`, &found)
	require.Equal(t, []string{"Data Engineer"}, titles(found.Jobs))
	require.Equal(t, 1, found.Total)
	d.call(t, token, "search_jobs", `{"saved":"data","status":"closed"}`, &found)
	require.Empty(t, found.Jobs)
	require.Contains(t, string(d.refusal(t, token, "search_jobs", `{"saved":"Dat"}`).Error.Details), `there are \"Data\"`)
	refused := d.refusal(t, token, "search_jobs", `{"saved":"","search":"x","boardId":"`+added.Board.ID+`"}`)
	require.ElementsMatch(t, []string{"boardId", "search", "saved"}, refused.fields(t))
	require.NotContains(t, string(d.refusal(t, stranger, "search_jobs", `{"saved":"Data"}`).Error.Details), "there are \\\"", "it is another's")
}
