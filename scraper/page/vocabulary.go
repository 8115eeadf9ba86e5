package page

import (
	"embed"
	"path"
	"strings"

	"github.com/boardwatch/boardwatch/internal/match"
)

// wordFiles hold the words of each language, folded as Fold does. A file has sections: a heading in brackets and what
// belongs to it. Names of roles are single words, and their stems and ends; parts of such names, in scripts that do not part
// words, are as they are written, one on a line. Of everything else each line is one expression.
//
//go:embed words/*.txt
var wordFiles embed.FS

// vocabulary is what all languages have in each section.
//
//nolint:gochecknoglobals // a constant table
var vocabulary = readVocabulary()

func readVocabulary() map[string][]string {
	all := make(map[string][]string)
	files, err := wordFiles.ReadDir("words")
	if err != nil {
		panic(err) // they are part of the program
	}
	for _, file := range files {
		text, err := wordFiles.ReadFile(path.Join("words", file.Name()))
		if err != nil {
			panic(err)
		}
		section := ""
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if name, ok := strings.CutPrefix(line, "["); ok && strings.HasSuffix(name, "]") {
				section = strings.TrimSuffix(name, "]")
			} else if line != "" {
				all[section] = append(all[section], line)
			}
		}
	}
	return all
}

// sayings is the pattern that matches what any language has in a section.
func sayings(section string) *match.Pattern {
	return match.New(abbreviations.Replace(strings.Join(vocabulary[section], "|")))
}

// abbreviations are parts that several English expressions have in common: what may stand before "jobs", and what there may
// be none of.
//
//nolint:gochecknoglobals // a constant table
var abbreviations = strings.NewReplacer(
	"{idle}", `(current|currently|open|available|job|active|actively|new|vacant|suitable|live|published|further|immediate|present|presently|employment|career|advertised|posted|listed|full.?time|part.?time|permanent|specific|public|external|vacancies or|jobs or|at (this time|the moment|present)|right now)`,
	"{vacant}", `(positions|vacanc(y|ies)|openings|jobs|roles|opportunities|postings|requisitions|hiring needs|vacant posts)`,
)
