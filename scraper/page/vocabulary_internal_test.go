package page

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheFilesOfWordsHaveKnownSectionsOnly(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"all roles", "broken list", "chosen", "closed", "closings", "contrast", "crew", "department", "filler", "gap", "idle", "job", "lead", "limit", "load more", "maintenance",
		"missing", "none", "not", "open", "openings", "relocated", "role", "role end", "role part", "role stem", "sign in", "unsolicited", "until", "vacancy", "vacant",
	}, slices.Sorted(maps.Keys(vocabulary)))
	for _, section := range []string{"role", "role stem", "role end", "department"} {
		for _, text := range vocabulary[section] {
			require.Equal(t, Fold(text), text, "words are compared in folded form")
		}
	}
}
