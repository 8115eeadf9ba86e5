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
	baseSum  = "90995398d933c370905c50ba69736525d080c9cbde201678a6896b56ee0d2a84"
	textsSum = "27f6fe3670352ba0bcf6b092ce935b17e892d5eb1eab7a525b8ef462e33a5adf"
	listsSum = "9ac111e54224518064ee267088ae1615214ab25453be88d129a52f1bd96b3848"
	pagesSum = "7e85d00f0253f5546129757c106c890756999f31bf98f6f8fa65c7279bc71fb4" // of the pages that they were trained on
)

func TestTheTablesAreTheOnesThatWereTrained(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"base.bin": baseSum, "../../scraper/page/judge/texts.bin": textsSum, "../../scraper/page/judge/lists.json": listsSum} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		require.Equal(t, want, hex.EncodeToString(sum[:]), file)
	}
}

// Where the real pages are that the tables were trained on, training gives the tables that the program carries.
func TestTheTablesAreWhatTheToolMakes(t *testing.T) {
	t.Parallel()
	folders := namedFolders(nil)
	if len(folders) == 0 {
		t.Skipf("%s names no labelled pages", labelledPages)
	}
	l, err := readLesson("pages", folders)
	require.NoError(t, err)
	if l.digest() != pagesSum {
		t.Skip("the tables were trained on other pages")
	}
	m := l.model(everyFold)
	made, err := json.Marshal(m)
	require.NoError(t, err)
	for file, made := range map[string]string{"texts.bin": m.Texts, "lists.json": string(made) + "\n"} {
		carried, err := os.ReadFile("../../scraper/page/judge/" + file)
		require.NoError(t, err)
		require.Equal(t, string(carried), made, file)
	}
}

func TestTrainingTwiceGivesTheSame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("trains a table")
	}
	pages, err := readPages([]string{"pages/a"})
	require.NoError(t, err)
	l := newLesson(pages, nil)
	first, err := json.Marshal(trainLists(l.lists(everyFold)))
	require.NoError(t, err)
	second, err := json.Marshal(trainLists(l.lists(everyFold)))
	require.NoError(t, err)
	require.JSONEq(t, string(first), string(second))
	taught := l.textsOf(everyFold)
	require.Equal(t, taught, l.textsOf(everyFold))
	require.NotEqual(t, baseTexts, taught)

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
	pages, err := readPages([]string{"pages"})
	require.NoError(t, err)
	var train, test []*listExample
	for _, e := range newLesson(pages, nil).lists(everyFold) {
		if e.page.fold < 2 {
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

func TestTheInventedPagesAreRead(t *testing.T) {
	t.Parallel()
	pages, err := readPages([]string{"pages"})
	require.NoError(t, err)
	require.Len(t, pages, 150)
	one, two := &labelled{ID: "x", at: pages[0].at}, &labelled{ID: "y", at: pages[0].at}
	deal(append(pages, one, two))
	require.Equal(t, one.fold, two.fold, "pages of one site stay together")
	require.Equal(t, pages[0].fold, one.fold)
}

func TestCalibrationCountsEachListOnce(t *testing.T) {
	t.Parallel()
	roles := &listExample{page: &labelled{ID: "one", Language: "sv"}, roles: true}
	other := &listExample{page: &labelled{ID: "two", Language: "sv"}}
	text := string(calibrationOf([]verdict{{roles, 5}, {roles, 5}, {other, 5}, {&listExample{page: &labelled{ID: "three", Language: "fi"}, roles: true}, -5}}))
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
