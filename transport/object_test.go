package transport_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport"
)

func TestObject(t *testing.T) {
	t.Parallel()
	const unknown = "is nobody's"
	for name, tt := range map[string]struct {
		raw  string
		url  string // what is read
		want map[string]string
	}{
		"takes a text as it is":                {`{"url":"a\u00e9😀"}`, "aé😀", nil},
		"takes the replacement character":      {`{"url":"�\ufffd"}`, "��", nil},
		"requires a required field":            {`{}`, "", map[string]string{"url": "is required"}},
		"refuses an empty text":                {`{"url":""}`, "", map[string]string{"url": "must not be empty"}},
		"refuses another type":                 {`{"url":null}`, "", map[string]string{"url": "must be a string"}},
		"refuses half of a character":          {`{"url":"\ud800"}`, "�", map[string]string{"url": "is not valid UTF-8"}},
		"distinguishes names by case":          {`{"URL":"b","url":"a"}`, "a", map[string]string{"URL": unknown}},
		"names a repeated field only once":     {`{"url":1,"url":"a","url":"b"}`, "b", map[string]string{"url": "is given more than once"}},
		"repeats no more than a name's length": {`{"url":"a","` + strings.Repeat("x", 200) + `":1}`, "a", map[string]string{strings.Repeat("x", 100) + "...": unknown}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, ok := transport.ReadObject([]byte(tt.raw))
			require.True(t, ok)
			require.Equal(t, tt.url, o.Text("url", true))
			o.Unknown(unknown)
			got := map[string]string{}
			for _, f := range o.List() {
				got[f.Field] = f.Message
			}
			require.Len(t, o.List(), len(got), "one fault for each field")
			if tt.want == nil {
				tt.want = map[string]string{}
			}
			require.Equal(t, tt.want, got)
			if len(got) == 0 {
				require.NoError(t, o.Err())
			} else {
				require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(o.Err()))
			}
		})
	}
	for _, raw := range []string{"[]", "null", `"a"`, "1"} {
		_, ok := transport.ReadObject(json.RawMessage(raw))
		require.False(t, ok, raw)
	}
}
