package page

import (
	"embed"
	"path"
	"regexp"
	"strings"

	"github.com/boardwatch/boardwatch/internal/match"
)

// wordFiles hold the words of each language, folded as Fold does. A file has sections: a heading in brackets and what
// belongs to it. Names of roles are single words, and their stems and ends; parts of such names, in scripts that do not part
// words, are as they are written, one on a line. Of everything else each line is one expression, in which a
// name in braces stands for an earlier section of the same file; fillers are phrases with commas between them.
//
//go:embed words/*.txt
var wordFiles embed.FS

//nolint:gochecknoglobals // constant tables
var (
	// languages are the sections of each language.
	languages = readLanguages()

	// vocabulary is what all languages have in each section.
	vocabulary = allOf(languages)

	// sectionNames in braces stand for what an earlier section of the same language has: "{vacancy}".
	sectionNames = regexp.MustCompile(`\{[a-z]+\}`)
)

func readLanguages() (all []map[string][]string) {
	files, err := wordFiles.ReadDir("words")
	if err != nil {
		panic(err) // they are part of the program
	}
	for _, file := range files {
		text, err := wordFiles.ReadFile(path.Join("words", file.Name()))
		if err != nil {
			panic(err)
		}
		all = append(all, readSections(string(text)))
	}
	return all
}

func readSections(text string) map[string][]string {
	sections, section := make(map[string][]string), ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok && strings.HasSuffix(name, "]") {
			section = strings.TrimSuffix(name, "]")
		} else if line != "" {
			line = sectionNames.ReplaceAllStringFunc(line, func(name string) string {
				meant := sections[strings.Trim(name, "{}")]
				if len(meant) == 0 {
					panic("words: no section before this line is called " + name) // the files are part of the program
				}
				return "(?:" + strings.Join(meant, "|") + ")"
			})
			sections[section] = append(sections[section], line)
		}
	}
	return sections
}

func allOf(languages []map[string][]string) map[string][]string {
	all := make(map[string][]string)
	for _, sections := range languages {
		for name, lines := range sections {
			all[name] = append(all[name], lines...)
		}
	}
	return all
}

// sayings is the pattern that matches what any language has in a section.
func sayings(section string) *match.Pattern { return patternOf(vocabulary[section]) }

// patternOf matches what one of the expressions does, and nothing when there are none.
func patternOf(expressions []string) *match.Pattern {
	if len(expressions) == 0 {
		return match.New(`.^`)
	}
	return match.New(strings.Join(expressions, "|"))
}
