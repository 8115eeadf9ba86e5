package channel

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	mostTitle = 150 // bytes of the title of a role or of a letter
	mostPlace = 120 // bytes of anything else about a role
	mostLink  = 500 // bytes of a link; a longer one would push out other roles
)

// letter is a message before it is formatted for a place. Each text is one line of printable characters, and nothing is
// escaped yet.
type letter struct {
	id     string // of the delivery
	title  string
	note   string // below the title; may be empty
	roles  []role
	more   int    // roles that the letter leaves out
	link   string // to the board in the app, or to the app; may be empty
	urgent bool   // needs attention
}

// role is a line of a letter.
type role struct {
	what    string // what happened to it
	title   string
	link    string // may be empty
	details string // may be empty
	others  int    // further roles that the line stands for
}

// letter puts a message into words.
func (s *Sender) letter(m boardwatch.Message) letter {
	company := cut(clean(m.Company), mostPlace)
	if company == "" {
		company = "A board"
		if u, err := url.Parse(m.Careers); err == nil && u.Host != "" {
			company = cut(clean(u.Host), mostPlace)
		}
	}
	l := letter{id: m.ID, more: m.More, link: s.o.BaseURL}
	switch m.Type {
	case boardwatch.EventPing:
		l.title, l.note = "boardwatch can reach this channel", "This is a test. Nothing has happened to any role."
		return l
	case boardwatch.EventBoardFailed:
		l.title, l.note, l.urgent = company+" cannot be read", cut(clean(m.Reason), 2*mostTitle), true
	default:
		l.title = company + ": " + counted(m)
		if len(m.Searches) > 0 {
			l.note = "Found by " + cut(clean(strings.Join(m.Searches, ", ")), 2*mostTitle)
		}
	}
	if s.o.BaseURL != "" && m.BoardID != "" {
		l.link = s.o.BaseURL + "/boards/" + m.BoardID
	}
	for _, r := range m.Roles {
		l.roles = append(l.roles, s.role(r))
	}
	return l
}

func (s *Sender) role(r boardwatch.ToldRole) role {
	var details []string
	for _, text := range []string{r.Location, r.Department, r.Facts, r.Changed} {
		if text = cut(clean(text), mostPlace); text != "" {
			details = append(details, text)
		}
	}
	link := safe(r.URL)
	if link == "" && s.o.BaseURL != "" && r.ID != "" {
		link = s.o.BaseURL + "/roles/" + r.ID
	}
	return role{what: happened(r.Kind), title: cut(clean(r.Title), mostTitle), link: link, details: strings.Join(details, " · "), others: r.Others}
}

// happened returns the word for a kind of change.
func happened(kind boardwatch.ChangeKind) string {
	switch kind {
	case boardwatch.ChangeFound:
		return "New"
	case boardwatch.ChangeReopened:
		return "Reopened"
	case boardwatch.ChangeUpdated:
		return "Changed"
	case boardwatch.ChangeClosed:
		return "Closed"
	default:
		return string(kind)
	}
}

// counted says how many roles of which kind a message is about.
func counted(m boardwatch.Message) string {
	total := m.More
	kinds := make(map[boardwatch.ChangeKind]int)
	for _, r := range m.Roles {
		kinds[r.Kind] += 1 + r.Others
		total += 1 + r.Others
	}
	noun := "roles"
	if total == 1 {
		noun = "role"
	}
	if m.More > 0 && len(kinds) != 1 {
		return fmt.Sprintf("%d changed roles", total)
	}
	var parts []string
	for _, kind := range []boardwatch.ChangeKind{
		boardwatch.ChangeFound, boardwatch.ChangeReopened, boardwatch.ChangeUpdated, boardwatch.ChangeClosed,
	} {
		switch n := kinds[kind]; {
		case n == 0:
		case len(kinds) == 1:
			parts = append(parts, fmt.Sprintf("%d %s %s", total, strings.ToLower(happened(kind)), noun))
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ToLower(happened(kind))))
		}
	}
	return strings.Join(parts, ", ")
}

// rest says how many roles a letter leaves out. hidden is the number of roles that did not fit.
func (l letter) rest(hidden int) string {
	switch n := l.more + hidden; n {
	case 0:
		return ""
	case 1:
		return "and 1 more role"
	default:
		return fmt.Sprintf("and %d more roles", n)
	}
}

// linkText returns the text of a link to the app.
func (l letter) linkText(hidden int) string {
	if rest := l.rest(hidden); rest != "" {
		return "Show all, " + rest
	}
	return "Open in boardwatch"
}

// markup is the markup language of a place.
type markup struct {
	escape func(text string) string
	link   func(text, to string) string // of an escaped text
	bold   func(text string) string     // of an escaped text
}

// line formats a role as one line.
func (m markup) line(r role) string {
	line := m.bold(m.escape(r.what)+":") + " " + m.title(r)
	if r.details != "" {
		line += " (" + m.escape(r.details) + ")"
	}
	return line
}

// title is the title of a role, as a link where it has one.
func (m markup) title(r role) string {
	title := m.escape(r.title)
	if r.link != "" {
		title = m.link(title, r.link)
	}
	return title
}

// lines formats as many roles of a letter as fit into that many bytes, counting each by size plus a byte for the
// separator. hidden is the number of the others.
func (m markup) lines(l letter, room int, size func(string) int) (lines []string, hidden int) {
	for i, r := range l.roles {
		line := m.line(r)
		if room -= size(line) + 1; room < 0 {
			for _, r := range l.roles[i:] {
				hidden += 1 + r.others
			}
			return lines, hidden
		}
		lines = append(lines, line)
	}
	return lines, 0
}

func byteCount(text string) int { return len(text) }

// clean turns foreign text into one line of printable characters.
func clean(text string) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
	return strings.Join(words, " ")
}

// inert returns a text of which a chat makes no mention (@name), command (/start), tag (#jobs, $ACME) or link
// (example.com): an invisible blank follows each character that begins or joins one.
func inert(text string) string {
	const invisible = '\u200b'
	var out strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		out.WriteString(text[:size])
		text = text[size:]
		next, _ := utf8.DecodeRuneInString(text)
		if strings.ContainsRune("@/#$.", r) && (unicode.IsLetter(next) || unicode.IsDigit(next) || next == '_' || next == '/') {
			out.WriteRune(invisible)
		}
	}
	return out.String()
}

// cut shortens a text to at most that many bytes.
func cut(text string, most int) string {
	const dots = "…"
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len(dots)], "") + dots
}

// safe returns a link in a form that every markup accepts; empty if it should not be followed or is too long.
func safe(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return ""
	}
	text := strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "|", "%7C", `"`, "%22", "'", "%27", "`", "%60", "*", "%2A",
		" ", "%20", "\\", "%5C", "[", "%5B", "]", "%5D").Replace(u.String())
	if len(text) > mostLink {
		return ""
	}
	return text
}
