package page

import (
	"embed"
	"path"
	"strings"
	"sync"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
	"github.com/boardwatch/boardwatch/internal/match"
)

// wordFiles hold the words of each language. A file has sections: a heading in brackets and the lines that belong to it.
// What a section is for is said where the code reads it. There are three kinds:
//   - words with spaces between them (wordsIn), or phrases with commas between them (phrasesIn);
//   - expressions in the syntax of package regexp, one on a line (sayings, patternOf, oneOf), in which a name in braces
//     stands for an earlier section of the same file;
//   - parts of names of roles, in scripts without spaces, one on a line.
//
// Texts are folded (see Fold) before they are compared, except in the sections "in", "inside a place", "further places",
// "place noun" and "and", which are looked for in names of places as they are written.
//
//go:embed words/*.txt
var wordFiles embed.FS

var (
	// languages are the sections of each language, read when they are first needed.
	languages = sync.OnceValue(readLanguages)

	// vocabulary is what all languages have in each section.
	vocabulary = sync.OnceValue(func() map[string][]string { return allOf(languages()) })

	// sectionNames in braces stand for what an earlier section of the same language has: "{vacancy}".
	sectionNames = lazyregexp.New(`\{[a-z]+\}`)
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

// linesOf is what all languages have in the sections.
func linesOf(sections []string) (lines []string) {
	for _, section := range sections {
		if len(vocabulary()[section]) == 0 {
			panic("words: no language has a section called " + section) // the files are part of the program
		}
		lines = append(lines, vocabulary()[section]...)
	}
	return lines
}

// wordsIn is the set of the words that any language has in the sections. It is made when it is first needed.
func wordsIn(sections ...string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool { return set(strings.Join(linesOf(sections), " ")) })
}

// wordList is the words that any language has in a section, in their order.
func wordList(section string) []string {
	return strings.Fields(strings.Join(vocabulary()[section], " "))
}

// phrasesIn is the set of the phrases in lines of phrases with commas between them.
func phrasesIn(lines []string) map[string]bool {
	phrases := make(map[string]bool)
	for _, line := range lines {
		for phrase := range strings.SplitSeq(line, ",") {
			phrases[strings.TrimSpace(phrase)] = true
		}
	}
	return phrases
}

// oneOf is the expression that matches what any language has in the sections. It can be part of a longer one.
func oneOf(sections ...string) string { return "(?:" + strings.Join(linesOf(sections), "|") + ")" }

// sayings is the pattern that matches what any language has in a section.
func sayings(section string) *match.Pattern {
	return match.Of(func() string { return anyOf(linesOf([]string{section})) })
}

// patternOf matches what one of the expressions does, and nothing when there are none.
func patternOf(expressions []string) *match.Pattern { return match.New(anyOf(expressions)) }

func anyOf(expressions []string) string {
	if len(expressions) == 0 {
		return `.^`
	}
	return strings.Join(expressions, "|")
}
