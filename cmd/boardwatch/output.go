package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// The output formats.
const (
	outputTable  = "table"
	outputJSON   = "json"
	outputNDJSON = "ndjson"
	outputCSV    = "csv"
)

func checkOutput(format string) error {
	formats := []string{outputTable, outputJSON, outputNDJSON, outputCSV}
	if format == "" || slices.Contains(formats, format) {
		return nil
	}
	return fmt.Errorf("--output %q is not one of %s", format, strings.Join(formats, ", "))
}

// format is how results are printed: as -o says, else a table on a terminal and JSON for a program.
func (c *cli) format() string {
	switch {
	case c.output != "":
		return c.output
	case c.OutTerm.Is:
		return outputTable
	default:
		return outputJSON
	}
}

// column is one column of a table.
type column[T any] struct {
	Head string
	Cell func(T) string
}

// printList prints items in the chosen format: a bare array, one object per line, CSV or a table.
func printList[T any](c *cli, items []T, columns ...column[T]) error {
	if c.format() != outputJSON {
		return printRows(c, items, columns)
	}
	if items == nil {
		items = []T{}
	}
	return writeJSON(c.Out, items)
}

// printItem prints one item: a bare object instead of an array, otherwise like a list of one.
func printItem[T any](c *cli, item T, columns ...column[T]) error {
	if c.format() != outputJSON {
		return printRows(c, []T{item}, columns)
	}
	return writeJSON(c.Out, item)
}

func printRows[T any](c *cli, items []T, columns []column[T]) error {
	switch c.format() {
	case outputNDJSON:
		return writeNDJSON(c.Out, items)
	case outputCSV:
		return writeCSV(c.Out, items)
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
	return writeTable(c.Out, head, rows, c.OutTerm.Width)
}

// writeJSON writes an indented value. Addresses stay readable: & is not escaped.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func writeNDJSON[T any](w io.Writer, items []T) error {
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

// writeTable writes aligned columns. With a width, the widest columns give way so that every row fits on one line.
func writeTable(w io.Writer, head []string, rows [][]string, width int) error {
	all := append([][]string{head}, rows...)
	widths := make([]int, len(head))
	for _, row := range all {
		for i, cell := range row {
			row[i] = plain(cell)
			widths[i] = max(widths[i], runewidth.StringWidth(row[i]))
		}
	}
	shrink(widths, width-len(columnGap)*(len(head)-1))

	buf := bufio.NewWriter(w)
	for _, row := range all {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString(columnGap)
			}
			line.WriteString(runewidth.FillRight(runewidth.Truncate(cell, widths[i], "…"), widths[i]))
		}
		if _, err := fmt.Fprintln(buf, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return buf.Flush()
}

// minColumn is the width below which a column is not narrowed.
const minColumn = 8

// shrink takes from the widest columns until all fit into the width; a width of 0 or less is none.
func shrink(widths []int, width int) {
	total := 0
	for _, w := range widths {
		total += w
	}
	for width > 0 && total > width {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= minColumn {
			return
		}
		widths[widest]--
		total--
	}
}

// plain makes foreign text harmless on a terminal: one line, no escape codes, nothing that reorders what is read.
func plain(s string) string {
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
