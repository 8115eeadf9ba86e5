package transport_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport"
)

func TestBearer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		values []string
		want   string
	}{
		"as it is written":       {[]string{"Bearer s3cret"}, "s3cret"},
		"the scheme in any case": {[]string{"bEARER s3cret"}, "s3cret"},
		"more blanks":            {[]string{"Bearer   s3cret"}, "s3cret"},
		"none":                   {nil, ""},
		"two":                    {[]string{"Bearer s3cret", "Bearer s3cret"}, ""},
		"two in one":             {[]string{"Bearer s3cret, Bearer other"}, ""},
		"another scheme":         {[]string{"Basic s3cret"}, ""},
		"no scheme":              {[]string{"s3cret"}, ""},
		"nothing after it":       {[]string{"Bearer "}, ""},
		"a tab":                  {[]string{"Bearer\ts3cret"}, ""},
		"one word too many":      {[]string{"Bearer s3cret other"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := transport.Bearer(http.Header{"Authorization": tt.values})
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.want != "", ok)
		})
	}
}
