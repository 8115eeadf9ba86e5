package ats_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// learning is a client that remembers.
type learning struct {
	doerFunc

	memory map[string]string
}

func (l learning) Recall(key string) (string, bool) {
	value, ok := l.memory[key]
	return value, ok
}

func (l learning) Remember(key, value string) { l.memory[key] = value }

func TestABoardIsAskedForFirstWhereItWasLast(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ system, first, second, list string }{
		{"lever", "api.lever.co", "api.eu.lever.co", `[{"id": "a", "text": "Keeper", "hostedUrl": "https://jobs.lever.co/northwind/a"}]`},
		{
			"personio", "northwind.jobs.personio.de", "northwind.jobs.personio.com",
			`<workzag-jobs><position><id>1</id><name>Keeper</name></position></workzag-jobs>`,
		},
	} {
		t.Run(tt.system, func(t *testing.T) {
			t.Parallel()
			at := tt.second
			var asked []string
			client := learning{memory: make(map[string]string), doerFunc: func(r *http.Request) (*http.Response, error) {
				asked = append(asked, r.URL.Host)
				if r.URL.Host == at {
					return exchange{Status: http.StatusOK}.response([]byte(tt.list), r), nil
				}
				away := exchange{Status: http.StatusTemporaryRedirect, Header: map[string]string{"Location": "https://www.vendor.example/"}}
				return away.response(nil, r), nil
			}}
			for _, step := range []struct {
				at    string
				asked []string
			}{
				{tt.second, []string{tt.first, tt.second}},
				{tt.second, []string{tt.second}},
				{tt.first, []string{tt.second, tt.first}},
				{tt.first, []string{tt.first}},
				{"nowhere.example", []string{tt.first, tt.second}},
				{tt.second, []string{tt.first, tt.second}},
			} {
				at, asked = step.at, nil
				reading, err := ats.Read(t.Context(), adapter(tt.system), client, "northwind")
				require.NoError(t, err)
				require.Equal(t, step.asked, asked)
				require.Equal(t, at == "nowhere.example", reading.Unknown, reading.Reason)
				if !reading.Unknown {
					require.Equal(t, boardwatch.HealthOK, reading.Health, reading.Reason)
					require.Len(t, reading.Postings, 1)
				}
			}
		})
	}
}
