package track

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ListFormat is the format of a list of boards.
type ListFormat string

// The formats of a list. Each entry has an address and may have a name for the company.
const (
	ListAuto  ListFormat = ""      // detected from the beginning of the list
	ListLines ListFormat = "lines" // an address per line, optionally followed by a comma and a name; empty lines and lines that begin with # are skipped
	ListCSV   ListFormat = "csv"   // columns url or careersUrl, companyName or company, and tags, separated by commas; without a header the first two in this order
	ListJSON  ListFormat = "json"  // strings, or objects with the names of the columns: in an array, or one after the other
	ListOPML  ListFormat = "opml"  // feeds, in the exchange format of feed readers
)

// The limits of a list.
const (
	MaxListBytes   = 8 << 20
	MaxListEntries = 10_000
)

// Entry is one entry of a list.
type Entry struct {
	Line  int // its line, counted from 1; in JSON, the number of the entry
	Board NewBoard
	Tags  []string // words for the board on the list
	Fault string   // why it cannot be read; empty if it can
}

// ReadList reads a list of boards. An entry that cannot be read is among the entries, with its fault. The error is one
// plain sentence about a list that cannot be read at all.
func ReadList(r io.Reader, f ListFormat) ([]Entry, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxListBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read list: %w", err)
	case len(text) > MaxListBytes:
		return nil, fmt.Errorf("the list is longer than %d MiB", MaxListBytes>>20)
	case bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")):
		return nil, errors.New("the list is in UTF-16; it has to be in UTF-8")
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if f == ListAuto {
		f = guessFormat(text)
	}
	var entries []Entry
	switch f {
	case ListLines:
		entries = readLines(text)
	case ListCSV:
		entries, err = readCSV(text)
	case ListJSON:
		entries, err = readJSON(text)
	case ListOPML:
		entries, err = readOPML(text)
	default:
		return nil, fmt.Errorf("a list cannot be in %q; it can be in lines, csv, json or opml", string(f))
	}
	switch {
	case err != nil:
		return nil, err
	case len(entries) > MaxListEntries:
		return nil, fmt.Errorf("the list has more than %d entries", MaxListEntries)
	}
	return entries, nil
}

func guessFormat(text []byte) ListFormat {
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) > 0 && strings.ContainsRune(`[{"`, rune(start[0])) {
		if _, err := readJSON(text); err == nil || start[0] != '"' {
			return ListJSON
		}
	}
	if len(start) > 0 && start[0] == '<' {
		return ListOPML
	}
	first, _, _ := bytes.Cut(start, []byte("\n"))
	if row, err := csvReader(first).Read(); err == nil && slices.ContainsFunc(row, isURLColumn) {
		return ListCSV
	}
	return ListLines
}

func readLines(text []byte) []Entry {
	var entries []Entry
	n := 0
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\r\n", "\n")) {
		n++
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			entries = append(entries, Entry{Line: n, Board: lineBoard(line)})
		}
	}
	return entries
}

// lineBoard splits a line into an address and, after a comma, the company's name. Addresses may contain commas
// themselves: the one before the name is followed by a space, or follows the host.
func lineBoard(line string) NewBoard {
	for i := range len(line) {
		if line[i] != ',' {
			continue
		}
		address, name := line[:i], line[i+1:]
		_, host, found := strings.Cut(address, "://")
		if !found {
			host = address
		}
		if strings.HasPrefix(name, " ") || strings.HasPrefix(name, "\t") || !strings.ContainsAny(host, "/?#") {
			return NewBoard{URL: strings.TrimSpace(address), CompanyName: unguarded(strings.Trim(name, " \t\""))}
		}
	}
	return NewBoard{URL: line}
}

// csvReader reads rows of any length, with the separator of the first line: some spreadsheets write semicolons.
func csvReader(text []byte) *csv.Reader {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	first, _, _ := bytes.Cut(text, []byte("\n"))
	for _, separator := range ";\t" {
		if bytes.ContainsRune(first, separator) && !bytes.ContainsRune(first, ',') {
			r.Comma = separator
		}
	}
	return r
}

func isURLColumn(name string) bool     { return isColumn(name, "url", "careersurl") }
func isTagsColumn(name string) bool    { return isColumn(name, "tags") }
func isCompanyColumn(name string) bool { return isColumn(name, "companyname", "company") }

func isColumn(name string, known ...string) bool {
	return slices.Contains(known, strings.NewReplacer("_", "", " ", "").Replace(strings.ToLower(strings.TrimSpace(name))))
}

func readCSV(text []byte) ([]Entry, error) {
	r := csvReader(text)
	address, company, tags := 0, 1, -1
	var entries []Entry
	for first := true; ; first = false {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if fault, ok := errors.AsType[*csv.ParseError](err); ok {
			entries = append(entries, Entry{Line: fault.StartLine, Fault: "is not CSV: " + fault.Err.Error()})
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read list: %w", err)
		}
		if first && slices.ContainsFunc(row, isURLColumn) {
			address, company = slices.IndexFunc(row, isURLColumn), slices.IndexFunc(row, isCompanyColumn)
			tags = slices.IndexFunc(row, isTagsColumn)
			continue
		}
		line, _ := r.FieldPos(0)
		e := Entry{Line: line, Board: NewBoard{URL: cell(row, address), CompanyName: unguarded(cell(row, company))}}
		for tag := range strings.SplitSeq(unguarded(cell(row, tags)), ",") {
			if tag = strings.TrimSpace(tag); tag != "" {
				e.Tags = append(e.Tags, tag)
			}
		}
		entries = append(entries, e)
	}
}

func cell(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return strings.TrimSpace(row[column])
}

// Guarded keeps a spreadsheet from treating a text as a formula, because most of the texts were written by strangers. A
// program that separates by semicolons or tabs, as is common outside English, may begin a cell in the middle of a text,
// and one that ignores quotes may begin a row there. So each of these positions is guarded, not only the first.
func Guarded(s string) string {
	var b strings.Builder
	for cell := range cells(s) {
		if formula(cell) || b.Len() == 0 && strings.ContainsRune("\t\r\n", rune(s[0])) {
			b.WriteByte('\'')
		}
		b.WriteString(cell)
	}
	return b.String()
}

// unguarded removes the marks that Guarded has added.
func unguarded(s string) string {
	var b strings.Builder
	for cell := range cells(s) {
		if rest, ok := strings.CutPrefix(cell, "'"); ok && formula(rest) {
			cell = rest
		}
		b.WriteString(cell)
	}
	return b.String()
}

// cellEnds are the separators of cells and rows in various programs, except the comma, because a text with a comma is
// quoted.
const cellEnds = ";\t\r\n"

// cells returns the parts of a text that a program may treat as cells, each with its separator.
func cells(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" {
			end := strings.IndexAny(s, cellEnds) + 1
			if end == 0 {
				end = len(s)
			}
			if !yield(s[:end]) {
				return
			}
			s = s[end:]
		}
	}
}

// formula reports whether a cell would be a formula, including in programs that accept full-width forms of its first
// character.
func formula(cell string) bool {
	start := strings.TrimLeftFunc(cell, func(r rune) bool { return r == '"' || unicode.IsSpace(r) })
	first, _ := utf8.DecodeRuneInString(start)
	return strings.ContainsRune("=+-@＝＋－＠", first)
}

// readJSON reads values one after the other. An array counts as its elements, and so does an answer of listBoards.
func readJSON(text []byte) ([]Entry, error) {
	var entries []Entry
	for in := json.NewDecoder(bytes.NewReader(text)); ; {
		var value json.RawMessage
		err := in.Decode(&value)
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the list is not JSON: %w", err)
		}
		for _, v := range elements(value) {
			e := Entry{Line: len(entries) + 1}
			if e.Board, err = boardOf(v); err != nil {
				e.Fault = err.Error()
			}
			entries = append(entries, e)
		}
	}
}

func elements(value json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil && list != nil {
		return list
	}
	var answer struct{ Boards []json.RawMessage }
	if json.Unmarshal(value, &answer) == nil && answer.Boards != nil {
		return answer.Boards
	}
	return []json.RawMessage{value}
}

func boardOf(value json.RawMessage) (NewBoard, error) {
	var b NewBoard
	if json.Unmarshal(value, &b.URL) == nil && value[0] == '"' {
		return b, nil
	}
	var object struct {
		URL, CareersURL, CompanyName, Company *string
	}
	if err := json.Unmarshal(value, &object); err != nil || value[0] != '{' {
		return b, errors.New("is neither a text nor an object with the texts url and companyName")
	}
	for _, field := range []struct {
		to    *string
		names [2]*string
	}{{&b.URL, [2]*string{object.URL, object.CareersURL}}, {&b.CompanyName, [2]*string{object.CompanyName, object.Company}}} {
		for _, text := range field.names {
			if *field.to == "" && text != nil {
				*field.to = *text
			}
		}
	}
	return b, nil
}
