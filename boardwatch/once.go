package boardwatch

import (
	"slices"
	"strconv"
	"strings"
)

// Once decides what people are told once: roles of one board with the same title and text are one line, which names their
// places. Roles without a known text are told one by one, as are those whose change differs in words. The line is the first of
// its items; others are the further roles that it stands for.
func Once[T any](items []T, role func(*T) *Job, change func(T) string) (lines []T, others [][]Job) {
	at := make(map[string]int, len(items))
	for _, item := range items {
		if j := role(&item); j.TextHash != "" {
			key := strings.Join([]string{j.BoardID, j.TextHash, j.Title, change(item)}, "\x00")
			if i, known := at[key]; known {
				others[i] = append(others[i], *j)
				continue
			}
			at[key] = len(lines)
		}
		lines, others = append(lines, item), append(others, nil)
	}
	for i, more := range others {
		if len(more) > 0 {
			j := role(&lines[i])
			*j = j.together(more)
		}
	}
	return lines, others
}

// together returns the role with the places of all, and what else all of them have.
func (j Job) together(others []Job) Job {
	places := make(map[string]bool)
	var names []string
	for _, o := range append([]Job{j}, others...) {
		for place := range strings.SplitSeq(o.Location, placeMark) {
			if place != "" && !places[place] {
				places[place], names = true, append(names, place)
			}
		}
		if o.Department != j.Department {
			j.Department = ""
		}
		if o.Facts.Mode != j.Facts.Mode {
			j.Facts.Mode = ""
		}
		if o.Facts.Type != j.Facts.Type || o.Facts.TypeText != j.Facts.TypeText {
			j.Facts.Type, j.Facts.TypeText = "", ""
		}
		if o.Facts.Pay != j.Facts.Pay {
			j.Facts.Pay = Pay{}
		}
	}
	if len(names) > 1 {
		j.Location = inPlaces(names)
	} else {
		j.Location = strings.Join(append(names, strconv.Itoa(1+len(others))+" times"), ", ")
	}
	return j
}

// namedPlaces is how long the names of places may be on one line, in bytes.
const namedPlaces = 90

// inPlaces says in how many places a role is, and names the first ones.
func inPlaces(names []string) string {
	text := "in " + strconv.Itoa(len(names)) + " places: "
	slices.Sort(names)
	for i, name := range names {
		if i > 0 && len(text)+len(name) > namedPlaces {
			return text + "…"
		}
		if text += name; i < len(names)-1 {
			text += placeMark
		}
	}
	return text
}

// toldNews is the changes of roles as people are told them.
type toldNews struct {
	lines  []News
	others [][]Job
	total  int // roles
}

func newsOnce(news []News) toldNews {
	lines, others := Once(news, func(n *News) *Job { return &n.Job }, func(n News) string { return string(n.Kind) + InWords(n.Fields) })
	return toldNews{lines, others, len(news)}
}
