package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/internal/foreign"
	"github.com/boardwatch/boardwatch/scraper/page"
)

// labelledPages names the variable with the folders of labelled pages, apart from one another as in PATH.
const labelledPages = "BOARDWATCH_LABELLED"

// inventedPages is the folder of the pages that were written for this project.
const inventedPages = "tools/titles/pages"

// folds is how many parts the pages are dealt into. Each part is judged by a model that was trained on the others.
const folds = 10

// labelled is one page of a pages.json, with its text.
type labelled struct {
	ID       string   `json:"id"`
	URL      string   `json:"url"`
	File     string   `json:"file"`
	Language string   `json:"lang"`
	Shape    string   `json:"shape"`
	Verdict  string   `json:"verdict"`
	Ignore   []string `json:"ignore"`
	Unsure   bool     `json:"unsure"`
	Roles    []struct {
		Titles []string `json:"titles"`
	} `json:"roles"`
	Source struct {
		Repo string `json:"repo"`
	} `json:"source"`

	text []byte
	at   *url.URL
	fold int
}

// readPages reads the labelled pages of the folders, and of those in them.
func readPages(folders []string) ([]*labelled, error) {
	var all []*labelled
	for _, root := range folders {
		found := 0
		for _, pattern := range [...]string{"pages.json", "*/pages.json"} {
			names, err := filepath.Glob(filepath.Join(root, pattern))
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				pages, err := readFile(name)
				if err != nil {
					return nil, err
				}
				all, found = append(all, pages...), found+1
			}
		}
		if found == 0 {
			return nil, fmt.Errorf("%s holds no pages.json", root)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no folder of labelled pages is named")
	}
	deal(all)
	return all, nil
}

func readFile(name string) ([]*labelled, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var pages []*labelled
	if err := json.Unmarshal(data, &pages); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	folder := filepath.Dir(name)
	pages = slices.DeleteFunc(pages, func(p *labelled) bool { return p.Unsure || p.File == "" })
	for _, p := range pages {
		text, err := os.ReadFile(filepath.Join(folder, p.File))
		if err != nil {
			return nil, err
		}
		p.text = foreign.UTF8(text, "text/html")
		if p.at, err = url.Parse(p.URL); err != nil {
			return nil, fmt.Errorf("%s: %w", p.ID, err)
		}
	}
	return pages, nil
}

// deal deals the pages into folds. Pages of one organisation, by their site or by where they were found, stay together.
func deal(all []*labelled) {
	first, above := make(map[string]*labelled), make(map[*labelled]*labelled)
	top := func(p *labelled) *labelled {
		for above[p] != nil {
			p = above[p]
		}
		return p
	}
	for _, p := range all {
		keys := []string{"site " + page.Site(p.at.Hostname())}
		if owner, _, ok := strings.Cut(p.Source.Repo, "/"); ok {
			keys = append(keys, "owner "+strings.ToLower(owner))
		}
		for _, key := range keys {
			switch o := first[key]; {
			case o == nil:
				first[key] = p
			case top(o) != top(p):
				above[top(p)] = top(o)
			}
		}
	}
	parts := make(map[*labelled][]*labelled)
	var tops []*labelled
	for _, p := range all {
		t := top(p)
		if parts[t] == nil {
			tops = append(tops, t)
		}
		parts[t] = append(parts[t], p)
	}
	slices.SortStableFunc(tops, func(a, b *labelled) int { return len(parts[b]) - len(parts[a]) })
	var sizes [folds]int
	for _, t := range tops {
		least := slices.Index(sizes[:], slices.Min(sizes[:]))
		sizes[least] += len(parts[t])
		for _, p := range parts[t] {
			p.fold = least
		}
	}
}
