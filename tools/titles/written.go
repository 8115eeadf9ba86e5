package main

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

// The folder written holds texts written for this project: files by language and kind with a text on each line, and, for
// languages of which no licensed lists were found, combined.titles and combined.others, whose lines are put together.
//
//go:embed written
var writtenFiles embed.FS

// writtenSource names the texts that were written for this project.
const writtenSource = "written"

// writtenTexts are the titles and other texts of the folder.
func writtenTexts() ([]*example, error) {
	titles, err := writtenLines("titles")
	if err != nil {
		return nil, err
	}
	others, err := writtenLines("others")
	if err != nil {
		return nil, err
	}
	all := make([]*example, 0, len(titles)+len(others))
	for _, l := range titles {
		all = append(all, written(l.language, l.text, true))
	}
	for _, l := range others {
		all = append(all, written(l.language, l.text, false))
	}
	for _, file := range [...]struct {
		name  string
		title bool
	}{{"written/combined.titles", true}, {"written/combined.others", false}} {
		data, err := writtenFiles.ReadFile(file.name)
		if err != nil {
			return nil, err
		}
		examples, err := parseCombined(string(data), file.title)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.name, err)
		}
		all = append(all, examples...)
	}
	return all, nil
}

// line is one text of a file.
type line struct{ language, text string }

// writtenLines are the lines of all files of a kind: titles or others.
func writtenLines(kind string) ([]line, error) {
	files, err := writtenFiles.ReadDir("written")
	if err != nil {
		return nil, err
	}
	var all []line
	for _, f := range files {
		language, found := strings.CutSuffix(f.Name(), "."+kind+".txt")
		if !found {
			continue
		}
		data, err := writtenFiles.ReadFile(path.Join("written", f.Name()))
		if err != nil {
			return nil, err
		}
		for text := range strings.Lines(string(data)) {
			if text = strings.TrimSpace(text); text != "" {
				all = append(all, line{language, text})
			}
		}
	}
	return all, nil
}

func parseCombined(data string, title bool) ([]*example, error) {
	texts, beside := make(map[string][]string), make(map[string][]string)
	var languages []string
	for line := range strings.Lines(data) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		language, rest, found := strings.Cut(line, " ")
		if !found {
			return nil, fmt.Errorf("%q: want a language and texts", line)
		}
		items := strings.Fields(rest)
		for i := range items {
			items[i] = strings.ReplaceAll(items[i], "_", " ")
		}
		if name, more := strings.CutPrefix(language, "+"); more {
			beside[name] = items
			continue
		}
		texts[language], languages = items, append(languages, language)
	}
	var all []*example
	for _, language := range languages {
		for i, text := range texts[language] {
			all = append(all, written(language, text, title))
			for j := range min(4, len(beside[language])) { // a few with each, not all with all
				other := beside[language][(i+j*5)%len(beside[language])]
				all = append(all, written(language, other+" "+text, title), written(language, text+" "+other, title), written(language, text+other, title))
			}
		}
	}
	return all, nil
}

func written(language, text string, title bool) *example {
	e := &example{title: title, language: language, source: writtenSource, text: text}
	return e.featured()
}
