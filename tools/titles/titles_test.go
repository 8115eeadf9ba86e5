package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// The tables that the program carries, so that none changes unseen. Whoever trains anew writes the new sums here.
const (
	textsSum = "90995398d933c370905c50ba69736525d080c9cbde201678a6896b56ee0d2a84"
	listsSum = "7cb498f9527dc6546298cbb2fa34e8b426a88101e260bd671afba30f610a5488"
)

func TestTheTablesAreTheOnesThatWereTrained(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"../../scraper/page/judge/texts.bin": textsSum, "../../scraper/page/judge/lists.json": listsSum} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		require.Equal(t, want, hex.EncodeToString(sum[:]), file)
	}
}

func TestTrainingTwiceGivesTheSame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("trains a table")
	}
	lists, err := readLists([]string{"pages/a"})
	require.NoError(t, err)
	first, err := json.Marshal(trainLists(lists))
	require.NoError(t, err)
	again, err := readLists([]string{"pages/a"})
	require.NoError(t, err)
	second, err := json.Marshal(trainLists(again))
	require.NoError(t, err)
	require.JSONEq(t, string(first), string(second))

	texts, err := writtenTexts()
	require.NoError(t, err)
	weigh(texts)
	once, twice := quantized(trainTexts(texts, 1)), quantized(trainTexts(texts, 1))
	require.Equal(t, once, twice)
}

// A table trained on nine tenths of the pages judges the other tenth: lists of roles above others, nearly always.
func TestPagesThatWereNotTrainedOnAreJudged(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("trains a table")
	}
	all, err := readLists([]string{"pages/a", "pages/b", "pages/c"})
	require.NoError(t, err)
	var train, test []*listExample
	for _, e := range all {
		if e.site%5 == 0 {
			test = append(test, e)
		} else {
			train = append(train, e)
		}
	}
	m := trainLists(train)
	right, roles, found := 0, 0, 0
	for _, e := range test {
		is := m.Score(&e.signs) > 0
		if is == e.roles {
			right++
		}
		if e.roles {
			roles++
			if is {
				found++
			}
		}
	}
	require.Greater(t, right*100, len(test)*94)
	require.Greater(t, found*100, roles*70)
}

func TestLabelsStandOnTheirPages(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"pages/a", "pages/b", "pages/c"} {
		pages, err := readLabels(folder)
		require.NoError(t, err)
		require.Len(t, pages, 50)
		for _, p := range pages {
			_, err := p.evidence(folder)
			require.NoError(t, err, p.ID)
		}
	}
}

func TestCalibrationCountsEachListOnce(t *testing.T) {
	t.Parallel()
	roles := &listExample{page: "one", language: "sv", roles: true}
	other := &listExample{page: "two", language: "sv"}
	text := string(calibrationOf([]verdict{{roles, 5}, {roles, 5}, {other, 5}, {&listExample{page: "three", language: "fi", roles: true}, -5}}))
	require.Contains(t, text, "| 90 to 100 % | 2 | 50 % |")
	require.Contains(t, text, "| 0 to 10 % | 1 | 100 % |")
	require.Contains(t, text, "| sv | 1 | 1 | 1 of 1 |")
	require.Contains(t, text, "| fi | 1 | 0 | 0 of 0 |")
}

func TestWrongDataIsRefused(t *testing.T) {
	t.Parallel()
	_, err := readTexts(bytes.NewBufferString("2\ten\tx\ty\tz\n"))
	require.ErrorContains(t, err, "line 1")
	_, err = readTexts(bytes.NewBufferString(""))
	require.ErrorContains(t, err, "no examples")
	_, err = readTexts(io.LimitReader(bytes.NewBufferString("1\ten\tsource\tgroup\tSoftware Engineer\n"), 40))
	require.NoError(t, err)
	require.Less(t, judge.SignCount, 100)
}
