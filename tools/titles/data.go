package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/boardwatch/boardwatch/internal/foreign"
)

// labelledPages names the variable with the folders of labelled pages, apart from one another as in PATH.
const labelledPages = "BOARDWATCH_LABELLED"

// labelledPage is a page with its labels and its text.
type labelledPage struct {
	labelled

	Shape string `json:"shape"`

	folder string
	text   []byte
	at     *url.URL
}

// readPages reads the labelled pages of the folders, and of those in them.
func readPages(folders []string) ([]*labelledPage, error) {
	var all []*labelledPage
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
	return all, nil
}

func readFile(name string) ([]*labelledPage, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var pages []*labelledPage
	if err := json.Unmarshal(data, &pages); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	folder := filepath.Dir(name)
	pages = slices.DeleteFunc(pages, func(p *labelledPage) bool { return p.Unsure || p.File == "" })
	for _, p := range pages {
		p.folder = folder
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
