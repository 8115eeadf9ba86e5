package storage

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"
)

// A backup is compressed lines of JSON: a header, then each table as a line with its columns, an array for each row and
// their count, and a last line with the checksum of all lines before it. It is the same for all databases.

const (
	backupFormat  = "boardwatch-backup"
	backupVersion = 1
	// longestLine bounds what a broken file can make a reader hold in memory.
	longestLine = 256 << 20
)

// ErrBackup says that a file is not a backup, or not a complete one.
var ErrBackup = errors.New("the file is not a complete backup")

// Backup says what a backup holds.
type Backup struct {
	Schema    []string         // the steps of its schema, in order
	CreatedAt time.Time        // by the database's clock
	Key       string           // the fingerprint of the key that its secrets are encrypted under; empty if there are none
	Tables    map[string]int64 // rows by table
	SHA256    string           // of its lines

	mark int64 // every later stamp has to be after this moment; 0 in old backups
}

// Rows returns the number of rows in the backup.
func (b Backup) Rows() (n int64) {
	for _, rows := range b.Tables {
		n += rows
	}
	return n
}

// backupHeader is the first line.
type backupHeader struct {
	Format    string    `json:"format"`
	Version   int       `json:"version"`
	Schema    []string  `json:"schema"`
	CreatedAt time.Time `json:"createdAt"`
	Key       string    `json:"key"`
	Mark      int64     `json:"mark"`
}

// backupTable is the line that begins a table.
type backupTable struct {
	Table   string         `json:"table"`
	Columns []backupColumn `json:"columns"`
}

// backupColumn is a column and the kind of its values.
type backupColumn struct {
	Name string     `json:"name"`
	Kind columnKind `json:"kind"`
}

// columnKind is the type of a column's values, the same for every database.
type columnKind string

const (
	kindText  columnKind = "text"
	kindInt   columnKind = "int"
	kindBool  columnKind = "bool"
	kindBytes columnKind = "bytes"
)

// backupTail is the line that ends a table, or the file if it has a checksum.
type backupTail struct {
	Rows   int64  `json:"rows"`
	Tables int    `json:"tables,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// backupWriter writes the lines of a backup.
type backupWriter struct {
	gz     *gzip.Writer
	buf    *bufio.Writer
	sum    hash.Hash
	enc    *json.Encoder
	backup Backup
}

func newBackupWriter(w io.Writer, b Backup) (*backupWriter, error) {
	gz, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	b.Tables = map[string]int64{}
	out := &backupWriter{gz: gz, sum: sha256.New(), backup: b}
	out.buf = bufio.NewWriterSize(io.MultiWriter(gz, out.sum), 64<<10)
	out.enc = json.NewEncoder(out.buf)
	out.enc.SetEscapeHTML(false)
	return out, out.enc.Encode(backupHeader{
		Format: backupFormat, Version: backupVersion, Schema: b.Schema, CreatedAt: b.CreatedAt, Key: b.Key, Mark: b.mark,
	})
}

func (w *backupWriter) begin(t backupTable) error { return w.enc.Encode(t) }

func (w *backupWriter) row(values []any) error { return w.enc.Encode(values) }

func (w *backupWriter) end(table string, rows int64) error {
	w.backup.Tables[table] = rows
	return w.enc.Encode(backupTail{Rows: rows})
}

// close writes the checksum and flushes the buffers.
func (w *backupWriter) close() (Backup, error) {
	if err := w.buf.Flush(); err != nil {
		return Backup{}, err
	}
	w.backup.SHA256 = hex.EncodeToString(w.sum.Sum(nil))
	err := w.enc.Encode(backupTail{Rows: w.backup.Rows(), Tables: len(w.backup.Tables), SHA256: w.backup.SHA256})
	return w.backup, errors.Join(err, w.buf.Flush(), w.gz.Close())
}

// backupReader reads the lines of a backup.
type backupReader struct {
	lines  *bufio.Scanner
	sum    hash.Hash
	backup Backup
}

func newBackupReader(r io.Reader) (*backupReader, error) {
	gz, err := gzip.NewReader(bufio.NewReader(r))
	if err != nil {
		return nil, broken("it is not compressed the way backups are", nil)
	}
	in := &backupReader{lines: bufio.NewScanner(gz), sum: sha256.New()}
	in.lines.Buffer(make([]byte, 0, 64<<10), longestLine)
	line, err := in.next()
	if err != nil {
		return nil, err
	}
	var h backupHeader
	if err := json.Unmarshal(line, &h); err != nil || h.Format != backupFormat {
		return nil, broken("its first line does not say that it is one", nil)
	}
	if h.Version != backupVersion {
		return nil, broken(fmt.Sprintf("it has the format %d, this program reads %d; use a newer one", h.Version, backupVersion), nil)
	}
	in.backup = Backup{Schema: h.Schema, CreatedAt: h.CreatedAt, Key: h.Key, Tables: map[string]int64{}, mark: h.Mark}
	return in, nil
}

// broken returns ErrBackup with the details.
func broken(what string, cause error) error {
	if cause != nil {
		return fmt.Errorf("%w: %s: %w", ErrBackup, what, cause)
	}
	return fmt.Errorf("%w: %s", ErrBackup, what)
}

// next reads the next line and adds it to the checksum.
func (r *backupReader) next() ([]byte, error) {
	if !r.lines.Scan() {
		if err := r.lines.Err(); err != nil {
			return nil, broken("it breaks off or is damaged", err)
		}
		return nil, broken("its end is missing", nil)
	}
	line := r.lines.Bytes()
	r.sum.Write(line)
	r.sum.Write([]byte{'\n'})
	return line, nil
}

// tables passes each table to begin, which returns the function that handles its rows; nil skips them. The checksum is
// compared at the end.
func (r *backupReader) tables(begin func(backupTable) (row func([]any) error, err error)) (Backup, error) {
	for {
		so := hex.EncodeToString(r.sum.Sum(nil))
		line, err := r.next()
		if err != nil {
			return Backup{}, err
		}
		var head struct {
			backupTable
			backupTail
		}
		if err := json.Unmarshal(line, &head); err != nil {
			return Backup{}, broken("a line cannot be read", err)
		}
		if head.SHA256 != "" {
			return r.finish(head.backupTail, so)
		}
		_, twice := r.backup.Tables[head.Table]
		if head.Table == "" || len(head.Columns) == 0 || twice {
			return Backup{}, broken("a line does not begin a new table", nil)
		}
		row, err := begin(head.backupTable)
		if err != nil {
			return Backup{}, err
		}
		if r.backup.Tables[head.Table], err = r.rows(head.backupTable, row); err != nil {
			return Backup{}, err
		}
	}
}

// rows reads the rows of one table and the line that counts them.
func (r *backupReader) rows(t backupTable, row func([]any) error) (n int64, err error) {
	for ; ; n++ {
		line, err := r.next()
		if err != nil {
			return n, err
		}
		if len(line) > 0 && line[0] == '{' {
			var tail backupTail
			if err := json.Unmarshal(line, &tail); err != nil || tail.Rows != n {
				return n, broken("rows of "+t.Table+" are missing", nil)
			}
			return n, nil
		}
		values, err := t.values(line)
		if err != nil {
			return n, broken("a row of "+t.Table+" cannot be read", err)
		}
		if row != nil {
			if err := row(values); err != nil {
				return n, err
			}
		}
	}
}

func (r *backupReader) finish(tail backupTail, sum string) (Backup, error) {
	switch {
	case tail.SHA256 != sum:
		return Backup{}, broken("its checksum does not match: it was damaged or changed", nil)
	case tail.Rows != r.backup.Rows() || tail.Tables != len(r.backup.Tables):
		return Backup{}, broken("rows are missing", nil)
	case r.lines.Scan():
		return Backup{}, broken("something follows its end", nil)
	case r.lines.Err() != nil:
		return Backup{}, broken("it breaks off or is damaged", r.lines.Err())
	}
	r.backup.SHA256 = sum
	return r.backup, nil
}

// values converts a row to the values that a database takes.
func (t backupTable) values(line []byte) ([]any, error) {
	var texts []json.RawMessage
	if err := json.Unmarshal(line, &texts); err != nil {
		return nil, err
	}
	if len(texts) != len(t.Columns) {
		return nil, fmt.Errorf("%d values for %d columns", len(texts), len(t.Columns))
	}
	values := make([]any, len(texts))
	for i, c := range t.Columns {
		var err error
		if values[i], err = c.Kind.value(texts[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return values, nil
}

func (k columnKind) value(text json.RawMessage) (any, error) {
	if bytes.Equal(text, []byte("null")) {
		return nil, nil //nolint:nilnil // a value like any other
	}
	switch k {
	case kindText:
		return decoded[string](text)
	case kindInt:
		return decoded[int64](text)
	case kindBool:
		return decoded[bool](text)
	case kindBytes:
		return decoded[[]byte](text)
	default:
		return nil, fmt.Errorf("unknown kind of column %q", k)
	}
}

func decoded[T any](text []byte) (any, error) {
	var v T
	err := json.Unmarshal(text, &v)
	return v, err
}

// ReadBackup reads a backup to its end and describes it. A file that is not a complete backup is ErrBackup.
func ReadBackup(r io.Reader) (Backup, error) {
	in, err := newBackupReader(r)
	if err != nil {
		return Backup{}, err
	}
	return in.tables(func(backupTable) (func([]any) error, error) { return nil, nil })
}

// IsBackup reports whether a file begins like a backup.
func IsBackup(r io.Reader) bool {
	_, err := newBackupReader(r)
	return err == nil
}
