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
	textsSum  = "90995398d933c370905c50ba69736525d080c9cbde201678a6896b56ee0d2a84"
	listsSum  = "c9dd0722a275a583d66fa506ec798bd7a4df4214f2cd3f2b6012cd8b08b489b2"
	listsData = "a40c5c7ee5118e936f92a4b9fd75c90fc0484985aa29d37ef450afcc0c059bfb" // of the pages that it was trained on
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

// Where the real pages are that the table was trained on, training gives the table that the program carries.
func TestTheTableOfListsIsWhatTheToolMakes(t *testing.T) {
	t.Parallel()
	folders := namedFolders(nil)
	if len(folders) == 0 {
		t.Skipf("%s names no labelled pages", labelledPages)
	}
	pages, err := readPages(append([]string{"pages"}, folders...))
	require.NoError(t, err)
	if digestOf(pages) != listsData {
		t.Skip("the table was trained on other pages")
	}
	made, err := json.Marshal(trainLists(readLists(pages)))
	require.NoError(t, err)
	carried, err := os.ReadFile("../../scraper/page/judge/lists.json")
	require.NoError(t, err)
	require.Equal(t, string(carried), string(made)+"\n")
}

func TestTrainingTwiceGivesTheSame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("trains a table")
	}
	pages, err := readPages([]string{"pages/a"})
	require.NoError(t, err)
	first, err := json.Marshal(trainLists(readLists(pages)))
	require.NoError(t, err)
	second, err := json.Marshal(trainLists(readLists(pages)))
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
	pages, err := readPages([]string{"pages"})
	require.NoError(t, err)
	var train, test []*listExample
	for _, e := range readLists(pages) {
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
