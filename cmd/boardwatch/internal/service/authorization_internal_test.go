package service

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Documents of programs are fetched from this machine only where nobody else could make the service do it.
func TestOwnAlone(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		listen, base string
		want         bool
	}{
		"a service on this machine":           {"127.0.0.1:8080", "http://127.0.0.1:8080", true},
		"one that is called by name":          {"localhost:8080", "http://localhost:8080", true},
		"one behind a proxy on this machine":  {"127.0.0.1:8080", "https://boards.example", false},
		"one on every address of the machine": {":8080", "http://localhost:8080", false},
		"one on the network":                  {"192.0.2.1:8080", "http://192.0.2.1:8080", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, ownAlone(tt.listen, tt.base))
		})
	}
}
