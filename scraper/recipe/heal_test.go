package recipe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/recipe"
)

const anew = `<section class="openings"><article><h4>Balloon Pilot</h4></article><article><h4>Rope Whisperer</h4></article>
	<article><h4>Cloud Painter</h4></article></section>`

func TestHeal(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body  string
		known []string
		want  []string // nil where it cannot be healed
	}{
		"half of the known roles in one other list": {
			anew,
			[]string{"Balloon Pilot", "Rope Whisperer", "Weather Archivist", "Kite Tester"},
			[]string{"Balloon Pilot", "Rope Whisperer", "Cloud Painter"},
		},
		"less than half": {anew, []string{"Balloon Pilot", "Rope Whisperer", "Weather Archivist", "Kite Tester", "Sky Mender"}, nil},
		"one title only": {anew, []string{"Balloon Pilot"}, nil},
		"two lists that both have them": {
			anew + `<table><tr><td>Balloon Pilot</td></tr><tr><td>Rope Whisperer</td></tr></table>`,
			[]string{"Balloon Pilot", "Rope Whisperer"},
			nil,
		},
		"no list, but texts here and there": {
			`<p>Our <b>Balloon Pilot</b> flies.</p><footer><i>Rope Whisperer</i></footer>`, []string{"Balloon Pilot", "Rope Whisperer"}, nil,
		},
		"nothing known": {anew, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old, err := recipe.Parse([]byte(`{"version":1,"entry":"div.job","title":"h3"}`))
			require.NoError(t, err)
			d, v := parse(t, surroundings+"<main><h1>Careers</h1>"+tt.body+"</main>")
			healed, l, ok := old.Heal(d, v, tt.known)
			require.Equal(t, tt.want != nil, ok)
			if !ok {
				return
			}
			require.Equal(t, tt.want, titles(l.Reading))
			require.NotEqual(t, old, healed)
			require.NoError(t, healed.Validate())
		})
	}
}

func TestHealKeepsWhatWasSaidToBeNoRole(t *testing.T) {
	t.Parallel()
	old, err := recipe.Parse([]byte(`{"version":1,"entry":"div.job","title":"h3","not":["Cloud Painter"]}`))
	require.NoError(t, err)
	d, v := parse(t, anew)
	_, l, ok := old.Heal(d, v, []string{"Balloon Pilot", "Rope Whisperer"})
	require.True(t, ok)
	require.Equal(t, []string{"Balloon Pilot", "Rope Whisperer"}, titles(l.Reading))
}

func TestUnseenAreTheKnownRolesThatTheRecipeLacks(t *testing.T) {
	t.Parallel()
	r, err := recipe.Parse([]byte(`{"version":1,"entry":"article","title":"h4","not":["Our values"]}`))
	require.NoError(t, err)
	d, v := parse(t, anew)
	require.Equal(t, []string{"Weather Archivist"},
		r.Unseen([]string{"Balloon Pilot", "Weather Archivist", "our values"}, r.Read(d, v).Reading))
}
