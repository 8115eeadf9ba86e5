package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRenownOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]renown{
		"Berlin": knownName, "München": knownName, "Munich": knownName, "Lyon": knownName, "St. Gallen": knownName, "Kampala": knownName,
		"Deutschland": knownName, "Frankreich": knownName, "Ontario": knownName, "EMEA": knownName, "東京": knownName, "서울": knownName,
		"Новосибирск": knownName, "القاهرة": knownName, "Αθήνα": knownName, "กรุงเทพ": knownName, "Nice": knownName,
		"Best": ordinaryName, "Police": ordinaryName, "Man": ordinaryName,
		"": unknownName, "Xyzzy": unknownName, "Engineer": unknownName, "Sales": unknownName, "\n": unknownName, "\U0010ffff": unknownName,
	} {
		require.Equal(t, want, renownOf(Fold(name)), name)
	}
}

// Every name is found: they stand in order, each once, in the form in which they are compared.
func TestRenownOfFindsEveryName(t *testing.T) {
	t.Parallel()
	names := strings.Split(strings.TrimSuffix(placeNamesText(), "\n"), "\n")
	require.Greater(t, len(names), 50_000)
	for i, line := range names {
		name, ordinary := strings.CutSuffix(line, "?")
		want := knownName
		if ordinary {
			want = ordinaryName
		}
		require.Equal(t, want, renownOf(name), name)
		require.Equal(t, name, Fold(name))
		names[i] = name
	}
	require.True(t, slices.IsSorted(names))
	require.Len(t, slices.Compact(names), len(names))
	require.Less(t, len(placesFile), 350<<10, "the program carries it along")
}

func TestPlaceIn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Berlin": "Berlin", "Berlin | Vollzeit": "Berlin", "Vollzeit, Berlin": "Berlin", "Engineering · Berlin · Full-time": "Berlin",
		"Engineering, Lyon, France": "Lyon, France", "Toronto - ON": "Toronto - ON", "Jersey City - NJ": "Jersey City - NJ", "Berlin, DE": "Berlin, DE",
		"Smyrna, GA": "Smyrna, GA", "📍 Mayen, Landkreis Mayen-Koblenz": "Mayen, Landkreis Mayen-Koblenz", "Berlin (Mitte)": "Berlin (Mitte)", "Berlin (Vollzeit)": "Berlin",
		"Remote (Germany)": "Remote (Germany)", "Berlin / Remote": "Berlin / Remote", "Berlin | Hamburg": "Berlin | Hamburg", "80331 München": "80331 München",
		"Hybrid – Berlin": "Hybrid – Berlin", "CDI - Grenoble": "Grenoble", "営業部 ・ 東京": "東京", "Полная занятость, Казань": "Казань", "Berlin office": "Berlin office",
		"東京都渋谷区": "東京都渋谷区", "大阪市北区 / 正社員": "大阪市北区", "서울 강남구": "서울 강남구", "广东省深圳市": "广东省深圳市", "上海市": "上海市", "Zürich ZH": "Zürich ZH", "London E1": "London E1",
		"Berlin oder Hamburg": "Berlin oder Hamburg", "Angular (Remoto)": "Remoto", "Remote (CET)": "Remote (CET)", "Remote, EU": "Remote, EU", "Remote | Full-time": "Remote", "Garching (Germany)": "Garching (Germany)", "Based in Berlin": "Berlin", "г. Москва": "г. Москва", "الرياض، السعودية": "الرياض، السعودية", "bundesweit": "bundesweit", "Paris (75)": "Paris", "Musterstr. 12, 80331 München": "80331 München",
		"東京で働く": "", "連結会計システム": "", "연구": "", "Berlin Marketing": "",
		"Vollzeit": "", "Engineering": "", "Best": "", "Sales · Full-time": "", "Engineer": "", "From 60,000 € a year": "", "": "",
	} {
		require.Equal(t, want, (&phrase{text: text, folded: Fold(text)}).placeIn(), text)
	}
}

func TestPlaceAtEnd(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Engineer - Berlin": "Berlin", "Engineer – Berlin (m/w/d)": "Berlin", "Nurse, Oslo": "Oslo", "Cook in Lyon": "Lyon", "Koch (m/w/d) in München": "München",
		"Keycloak Engineer (UK - London)": "UK - London", "Engineer (Remote)": "Remote", "Sales Manager | Lyon, France | Full-time": "Lyon, France", "Engineer, Toronto, ON": "Toronto, ON",
		"Engineer": "", "Senior Engineer - Payments": "", "Berlin": "", "Berlin Marketing Manager": "", "Engineer, Data": "", "Expert in Best Practices": "",
	} {
		require.Equal(t, want, (&phrase{text: title, folded: Fold(title)}).placeAtEnd(), title)
	}
}

func TestPlaceInProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Wir suchen eine engagierte Kraft für unseren Standort in München.": "München", "You join our office in Kampala": "Kampala", "For our team in Lyon, France, we look for you": "Lyon, France",
		"Pour notre agence à Grenoble nous cherchons": "Grenoble", "Open positions in Berlin": "Berlin",
		"Offices in Berlin and teams in Hamburg": "", "Experience in Java": "", "You are fluent in English": "", "We met in May": "", "": "",
	} {
		require.Equal(t, want, placeInProse(text), text)
	}
}
