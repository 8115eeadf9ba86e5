package config

import "strings"

// Sample is a settings file in YAML in which everything is a comment.
func Sample() string {
	var b strings.Builder
	b.WriteString("# Settings of boardwatch. What is commented out has the value shown; to change it, take the first # of its line away,\n" +
		"# and that of the line that names its section (checks:).\n" +
		"# Every setting is also an environment variable: checks.close_after is BOARDWATCH_CHECKS_CLOSE_AFTER.\n")
	var open []string
	for _, s := range Listed() {
		path := strings.Split(s.Key, ".")
		for depth, section := range path[:len(path)-1] {
			if len(open) > depth && open[depth] == section {
				continue
			}
			if depth == 0 {
				b.WriteByte('\n')
			}
			b.WriteString("#" + strings.Repeat("  ", depth) + section + ":\n")
			open = append(open[:min(depth, len(open))], section)
		}
		if len(path) == 1 {
			b.WriteByte('\n')
		}
		indent := strings.Repeat("  ", len(path)-1)
		note := "# "
		if indent != "" {
			note = "#" + indent + "# "
		}
		for _, line := range wrap(strings.ReplaceAll(s.Doc, "`", ""), 100) {
			b.WriteString(note + line + "\n")
		}
		b.WriteString("#" + indent + path[len(path)-1] + ": " + yamlValue(s) + "\n")
	}
	return b.String()
}

// yamlValue is a setting's default in YAML.
func yamlValue(s Setting) string {
	switch s.field(&Config{}).(type) {
	case *[]string, *SecretList:
		return "[" + s.Default + "]"
	default:
		if s.Default == "" {
			return `""`
		}
		return s.Default
	}
}

// wrap breaks a text into lines of at most width letters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
