package channel

import "strings"

// markdown is the markup of all places that are not listed separately.
func markdown() markup {
	return markup{
		escape: escapeMarkdown,
		link:   func(text, to string) string { return "[" + text + "](" + to + ")" },
		bold:   func(text string) string { return "**" + text + "**" },
	}
}

// escapeMarkdown makes every character literal.
func escapeMarkdown(text string) string {
	var out strings.Builder
	for _, r := range inert(text) {
		if strings.ContainsRune("\\`*_{}[]()<>#+-!|~>&", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// inMarkdown formats a letter without its title as one text of at most that many bytes.
func inMarkdown(l letter, room int) string {
	m := markdown()
	var parts []string
	if l.note != "" {
		parts = append(parts, m.escape(l.note))
	}
	const footer = 100 // bytes that the link needs besides its address
	room -= len(strings.Join(parts, "")) + len(l.link) + footer
	lines, hidden := m.lines(l, room, func(line string) int { return len("- ") + len(line) })
	if len(lines) > 0 {
		parts = append(parts, "- "+strings.Join(lines, "\n- "))
	}
	switch {
	case l.link != "":
		parts = append(parts, m.link(m.escape(l.linkText(hidden)), l.link))
	case l.rest(hidden) != "":
		parts = append(parts, m.escape(l.rest(hidden)))
	}
	return strings.Join(parts, "\n\n")
}
