package storage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ in, want string }{
		"nothing":                  {"", ""},
		"lower case stays":         {"engineer (m/f/d)", "engineer (m/f/d)"},
		"upper case":               {"Senior ENGINEER", "senior engineer"},
		"accents":                  {"INGÉNIEUR", "ingénieur"},
		"decomposed accents":       {"Inge\u0301nieur", "ingénieur"},
		"sharp s":                  {"Straße", "strasse"},
		"capital sharp s":          {"STRAẞE", "strasse"},
		"final sigma":              {"ΟΔΥΣΣΕΎΣ", "οδυσσεύσ"},
		"ligature":                 {"ﬁeld", "field"},
		"wide letters":             {"ＪＡＶＡ", "java"},
		"dotted capital i":         {"İzmir", "i\u0307zmir"},
		"no-break space":           {"New\u00a0York", "new york"},
		"nothing is lost to bytes": {"日本語エンジニア", "日本語エンジニア"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, storage.Fold(tt.in))
			require.Equal(t, storage.Fold(tt.in), storage.Fold(storage.Fold(tt.in)))
		})
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"Senior ENGINEER", "Inge\u0301nieur", "ﬁ", "\u0345\u0399", "ΐ", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := storage.Fold(s)
		require.Equal(t, once, storage.Fold(once), "folding twice changes nothing")
	})
}
