package robots

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzParse(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*a%2f$\nAllow: /", "/jobs/%41?x=%")
	f.Fuzz(func(t *testing.T, file, path string) {
		u, err := url.Parse("https://northwind.example/" + strings.TrimPrefix(path, "/"))
		if err != nil {
			return
		}
		Parse([]byte(file), "boardwatch").Allows(u)
		require.Equal(t, normalize(path, ""), normalize(normalize(path, ""), ""), "written once and for all")
	})
}
