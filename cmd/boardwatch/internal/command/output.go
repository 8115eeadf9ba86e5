package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/dustin/go-humanize/english"
	"github.com/mattn/go-runewidth"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// The output formats.
const (
	OutputTable  = "table"
	OutputJSON   = "json"
	OutputNDJSON = "ndjson"
	OutputCSV    = "csv"
)

// CheckOutput complains of a format that is none; an empty one is the usual one.
func CheckOutput(format string) error {
	formats := []string{OutputTable, OutputJSON, OutputNDJSON, OutputCSV}
	if format == "" || slices.Contains(formats, format) {
		return nil
	}
	return fmt.Errorf("--output %q is not one of %s", format, strings.Join(formats, ", "))
}

// Format is how results are printed: as -o says, else a table on a terminal and JSON for a program.
func (c *CLI) Format() string {
	switch {
	case c.Output != "":
		return c.Output
	case c.OutTerm.Is:
		return OutputTable
	default:
		return OutputJSON
	}
}

// Column is one column of a table.
type Column[T any] struct {
	Head string
	Cell func(T) string
}

// Col is a column with that head.
func Col[T any](head string, cell func(T) string) Column[T] { return Column[T]{Head: head, Cell: cell} }

// PrintList prints items in the chosen format: a bare array, one object per line, CSV or a table.
func PrintList[T any](c *CLI, items []T, columns ...Column[T]) error {
	if c.Format() != OutputJSON {
		return printRows(c, items, columns)
	}
	if items == nil {
		items = []T{}
	}
	return WriteJSON(c.Out, items)
}

// PrintItem prints one item: a bare object instead of an array, otherwise like a list of one.
func PrintItem[T any](c *CLI, item T, columns ...Column[T]) error {
	if c.Format() != OutputJSON {
		return printRows(c, []T{item}, columns)
	}
	return WriteJSON(c.Out, item)
}

func printRows[T any](c *CLI, items []T, columns []Column[T]) error {
	switch c.Format() {
	case OutputNDJSON:
		return WriteNDJSON(c.Out, items)
	case OutputCSV:
		return WriteCSV(c.Out, items)
	}
	head := make([]string, len(columns))
	for i, col := range columns {
		head[i] = col.Head
	}
	rows := make([][]string, len(items))
	for i, item := range items {
		rows[i] = make([]string, len(columns))
		for j, col := range columns {
			rows[i][j] = col.Cell(item)
		}
	}
	left, err := writeTable(c.Out, head, rows, c.OutTerm.Width)
	if len(left) > 0 && c.ErrTerm.Is {
		c.Note("left out, as the terminal is narrow: %s; -o csv or json shows everything", strings.ToLower(strings.Join(left, ", ")))
	}
	return err
}

// WriteJSON writes an indented value. Addresses stay readable: & is not escaped.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// WriteNDJSON writes one object per line.
func WriteNDJSON[T any](w io.Writer, items []T) error {
	buf := bufio.NewWriter(w)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	for _, item := range items {
		if err := enc.Encode(item); err != nil {
			return err
		}
	}
	return buf.Flush()
}

// columnGap stands between two columns of a table.
const columnGap = "  "

// writeTable writes aligned columns. With a width, every row fits on one line: what the next command needs stays whole, titles
// are cut last, and columns on the right are left out when nothing else helps. It returns the heads of those.
func writeTable(w io.Writer, head []string, rows [][]string, width int) (left []string, err error) {
	all := append([][]string{head}, rows...)
	widths := make([]int, len(head))
	for _, row := range all {
		for i, cell := range row {
			row[i] = Plain(cell)
			widths[i] = max(widths[i], runewidth.StringWidth(row[i]))
		}
	}
	shown := fit(head, rows, widths, width)
	buf := bufio.NewWriter(w)
	for _, row := range all {
		var line strings.Builder
		for n, i := range shown {
			if n > 0 {
				line.WriteString(columnGap)
			}
			line.WriteString(runewidth.FillRight(runewidth.Truncate(row[i], widths[i], "…"), widths[i]))
		}
		if _, err := fmt.Fprintln(buf, strings.TrimRight(line.String(), " ")); err != nil {
			return nil, err
		}
	}
	for i, name := range head {
		if !slices.Contains(shown, i) {
			left = append(left, name)
		}
	}
	return left, buf.Flush()
}

// How narrow columns may become, and how wide the cells of one are that is never narrowed.
const (
	minColumn   = 8
	minTitle    = 16
	shortColumn = 12
)

// fit narrows columns to a width, and returns which of them are shown; a width of 0 or less is none.
func fit(head []string, rows [][]string, widths []int, width int) (shown []int) {
	least := make([]int, len(head))
	for i := range head {
		shown = append(shown, i)
		least[i] = leastWidth(head[i], rows, i, widths[i])
	}
	if width <= 0 {
		return shown
	}
	total := func(widths []int) int {
		sum := len(columnGap) * (len(shown) - 1)
		for _, i := range shown {
			sum += widths[i]
		}
		return sum
	}
	for total(least) > width {
		n := len(shown) - 1
		for n >= 0 && (needed(head[shown[n]]) || head[shown[n]] == "TITLE") {
			n--
		}
		if n < 0 || len(shown) == 1 {
			break
		}
		shown = slices.Delete(shown, n, n+1)
	}
	for _, titles := range []bool{false, true} {
		for total(widths) > width {
			widest := -1
			for _, i := range shown {
				if (head[i] == "TITLE") == titles && widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				break
			}
			widths[widest]--
		}
	}
	return shown
}

// needed reports whether a column holds what the next command needs, or what is never shown again.
func needed(head string) bool {
	return head == "ID" || head == "BOARD ID" || head == "EMAIL" || head == "SECRET"
}

// leastWidth is how narrow a column may become.
func leastWidth(head string, rows [][]string, column, width int) int {
	isTime := len(rows) > 0
	for _, row := range rows {
		_, err := time.Parse(boardwatch.TimeFormat, row[column])
		isTime = isTime && (err == nil || row[column] == "")
	}
	switch {
	case needed(head) || width <= shortColumn || isTime: // half a time tells nothing
		return width
	case head == "TITLE":
		return min(width, minTitle)
	default:
		return minColumn
	}
}

// Plain makes foreign text harmless on a terminal: one line, no escape codes, nothing that reorders what is read.
func Plain(s string) string {
	harmful := func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
	}
	if !strings.ContainsFunc(s, harmful) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case harmful(r):
			return -1
		default:
			return r
		}
	}, s)
}

// Stamp is an instant as the interface shows it; empty for none.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(boardwatch.TimeFormat)
}

// Optional is a value, or null when there is none.
func Optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// Text is a value as text, or empty for null.
func Text[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

// Joined are words with something between them.
func Joined[T ~string](words []T, between string) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, between)
}

// Count is a number with its noun.
func Count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, english.PluralWord(n, noun, ""))
}
