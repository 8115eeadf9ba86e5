package judge_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

func TestTitlesScoreAboveOtherTexts(t *testing.T) {
	t.Parallel()
	titles := []string{
		"Software Engineer", "Head Chef", "Elektroniker für Betriebstechnik", "Infirmière de nuit", "Técnico de mantenimiento",
		"Magazziniere", "Księgowa", "Lastbilschaufför", "Vrachtwagenchauffeur", "Kierowca kat. C", "Účetní", "Gépészmérnök",
		"Бухгалтер", "Водитель погрузчика", "Інженер-проєктувальник", "介護福祉士", "法人営業", "백엔드 개발자", "销售经理", "Kaynakçı", "محاسب", "מהנדס תוכנה",
		"kế toán tổng hợp", "Staf Gudang", "Λογιστής",
	}
	others := []string{
		"About us", "Our values", "Free fruit and coffee", "Privacy policy", "Unsere Leistungen", "Das bieten wir dir", "Nos engagements",
		"Nuestros clientes", "Chi siamo", "O nas", "Om oss", "Over ons", "Kontakt", "Rólunk", "О компании", "Про нас", "会社概要", "福利厚生", "회사소개", "公司简介",
		"Hakkımızda", "من نحن", "צור קשר", "giới thiệu", "Tentang kami", "Σχετικά με εμάς",
	}
	for _, title := range titles {
		require.Positive(t, judge.Text(title), title)
	}
	for _, other := range others {
		require.Negative(t, judge.Text(other), other)
	}
}

// The table was trained on these features, in this order: others would need another table.
func TestFeaturesAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint64{
		"Senior Backend Engineer (m/f/d), Berlin": 7389599668816419047,
		"Żołnierz-kierowca C++ 100 %":             9110878754811922475,
		"介護福祉士（正社員）":                              10061154651700017581,
		"🙂 à":                                     9613820070470083841,
		"":                                        15797237318729877278,
	} {
		sum := fnv.New64a()
		for _, bucket := range judge.AppendTextFeatures(nil, text) {
			_, _ = fmt.Fprintln(sum, bucket)
		}
		require.Equal(t, want, sum.Sum64(), text)
	}
}

func TestTextTakesAnything(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " ", "\x00\xff\xfe", "…", "1", strings.Repeat("long ", 10_000), "🙂🙂", "\u0301\u0301"} {
		require.False(t, math.IsNaN(judge.Text(text)), "%.20q", text)
	}
}

func TestCaseSaysNothing(t *testing.T) {
	t.Parallel()
	require.InDelta(t, judge.Text("Software Engineer"), judge.Text("SOFTWARE ENGINEER"), 0)
}

func TestAListOfTitlesIsLikelierThanOneOfOtherTexts(t *testing.T) {
	t.Parallel()
	var s judge.Signs
	s[judge.Mean], s[judge.Median], s[judge.Least], s[judge.AboveZero], s[judge.AboveTwo], s[judge.Known] = 5, 5, 4, 1, 1, 1
	s[judge.Size], s[judge.Distinct], s[judge.Heading], s[judge.Terms], s[judge.SaysMore], s[judge.CardLength] = 2, 1, 1, 1, 1, 6
	s[judge.Words], s[judge.Length], s[judge.Rules], s[judge.Accepted], s[judge.AboutJobs], s[judge.Rivals] = 3, 4, 5, 1, 0.5, -8
	require.Greater(t, judge.Probability(judge.Shipped().Score(&s)), 0.8)
	other := s
	other[judge.Mean], other[judge.Median], other[judge.Least], other[judge.AboveZero], other[judge.AboveTwo], other[judge.Known] = -5, -5, -6, 0, 0, 0
	other[judge.Terms], other[judge.Rules], other[judge.Accepted], other[judge.Rivals] = 0, 0, 0, 2
	require.Less(t, judge.Probability(judge.Shipped().Score(&other)), 0.1)
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"Software Engineer", "法人営業", "\xff", "a-b/c (d)", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		score := judge.Text(text)
		require.False(t, math.IsNaN(score) || math.IsInf(score, 0))
		require.InDelta(t, score, judge.Text(text), 0)
	})
}

func BenchmarkText(b *testing.B) {
	for b.Loop() {
		judge.Text("Senior Backend Engineer (m/f/d), Berlin")
	}
}
