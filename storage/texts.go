package storage

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// Both may be used concurrently.
//
//nolint:gochecknoglobals // made once, and never changed
var (
	packer = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false))
	})
	unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(8*boardwatch.MaxText))
	})
)

// packedText is a text in the form in which it is stored.
type packedText struct {
	body  []byte
	words string
}

// packedTexts are the texts of one check by their hashes, so that none is packed twice.
type packedTexts map[string]packedText

func (p packedTexts) pack(hash, text string) (packedText, error) {
	packed, ok := p[hash]
	if ok {
		return packed, nil
	}
	z, err := packer()
	if err != nil {
		return packed, err
	}
	packed = packedText{z.EncodeAll([]byte(text), nil), joinedWords(text)}
	p[hash] = packed
	return packed, nil
}

func joinedWords(text string) string { return strings.Join(wordsOf(text), " ") }

// packAhead packs the texts of a claim that are new to its board before the check is saved, because others wait for the
// transaction. What the account has no room for anyway is left.
func (s *Store) packAhead(ctx context.Context, c boardwatch.Claim) (packedTexts, error) {
	packed := packedTexts{}
	if c.Unchanged || len(c.Texts) == 0 {
		return packed, nil
	}
	var hashes []string
	if err := s.db().NewRaw("SELECT text_hash FROM jobs WHERE board_id = ? AND text_hash <> ''", c.Board.ID).Scan(ctx, &hashes); err != nil {
		return packed, fmt.Errorf("read hashes of texts: %w", err)
	}
	known := make(map[string]bool, len(hashes))
	for _, hash := range hashes {
		known[hash] = true
	}
	room := s.growth
	for _, text := range c.Texts {
		hash := boardwatch.TextHash(text)
		if known[hash] {
			continue
		}
		p, err := packed.pack(hash, text)
		if err != nil {
			return packed, fmt.Errorf("pack text: %w", err)
		}
		if room -= p.weight(); s.growth > 0 && room < 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return packed, err
		}
	}
	return packed, nil
}

// has reports whether each of these beginnings of words begins a word of the text.
func (p packedText) has(beginnings []string) bool {
	words := " " + p.words
	return len(beginnings) > 0 && !slices.ContainsFunc(beginnings, func(b string) bool { return !strings.Contains(words, " "+b) })
}

// textReader looks for words in texts of roles while a check or a merge is decided. A text that the reading did not bring is read
// from the database, so that the work is that of the roles somebody is told of, and not that of all texts that have the words.
type textReader struct {
	ask    driver.Asker
	packed packedTexts
	err    error // why a text could not be read
}

func (t *textReader) hasWords(ctx context.Context, j boardwatch.Job, words string) bool {
	if t.err != nil || j.TextHash == "" {
		return false
	}
	p, known := t.packed[j.TextHash]
	if !known {
		if p, t.err = t.read(ctx, j); t.err != nil {
			return false
		}
		t.packed[j.TextHash] = p
	}
	return p.has(wantedWords(words))
}

func (t *textReader) read(ctx context.Context, j boardwatch.Job) (p packedText, err error) {
	if j.Text != "" {
		return t.packed.pack(j.TextHash, j.Text)
	}
	err = t.ask.Ask(ctx, []driver.Question{driver.Ask("SELECT body FROM texts WHERE hash = ?", []any{j.TextHash}, func() error {
		p.words = joinedWords(unpackText(p.body))
		return nil
	}, &p.body)})
	return p, wrap("read text of role "+j.ID, err)
}

// weigh returns how much a text takes: its body, its words, and their places in the indexes.
func (p packedTexts) weigh(text string) int {
	packed, err := p.pack(boardwatch.TextHash(text), text)
	if err != nil {
		return 3 * len(text)
	}
	return packed.weight()
}

func (p packedText) weight() int {
	return len(p.body) + 2*len(p.words) + 8*strings.Count(p.words, " ") + 200
}

// unpackText returns a text as it was; empty if it is none.
func unpackText(body []byte) string {
	z, err := unpacker()
	if err != nil {
		return ""
	}
	text, err := z.DecodeAll(body, nil)
	if err != nil {
		return "" // not written by this program
	}
	return string(text)
}

// factsText returns facts as they are stored: JSON, or nothing.
func factsText(f boardwatch.Facts) string {
	if f.IsZero() {
		return ""
	}
	return string(f.JSON())
}

func parseFacts(text string) (f boardwatch.Facts, err error) {
	if text == "" {
		return f, nil
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return f, fmt.Errorf("read facts of a role: %w", err)
	}
	return f, nil
}

// saveStated writes what the check has learned about roles besides their fields. Rows of new roles have it already, but not
// their texts.
func (s *Store) saveStated(todo *script, known []boardwatch.Job, r boardwatch.CheckResult, packed packedTexts) error {
	before := make(map[string]boardwatch.Job, len(known))
	for _, j := range known {
		before[j.ID] = j
	}
	texts := make(map[string]string)
	var said []boardwatch.Job
	at := millis(r.Check.At)
	for _, j := range slices.Concat(r.Change.Found, r.Change.Reopened, r.Change.Updated, r.Change.Touched) {
		if j.Text != "" {
			texts[j.TextHash], said = j.Text, append(said, j)
		}
		was, met := before[j.ID]
		if !met || was.TextHash == j.TextHash && was.Facts.Equal(j.Facts) {
			continue
		}
		set := "UPDATE jobs SET facts = ?, text_hash = ? WHERE id = ?"
		args := []any{factsText(j.Facts), j.TextHash, j.ID}
		replaced := slices.ContainsFunc(r.Change.Fields[j.ID], func(f boardwatch.FieldChange) bool { return f.Field.Stated() })
		if replaced {
			todo.keepVersion(j.ID)
		}
		if replaced || was.TextHash == "" && was.Facts.IsZero() {
			set, args = "UPDATE jobs SET facts = ?, text_hash = ?, stated_at = ? WHERE id = ?", slices.Insert(args, 2, any(at))
		}
		todo.add(set, args...)
	}
	// All processes write texts in the same order, so that they never wait for each other in a circle.
	var rows [][]any
	for _, hash := range keysOf(texts) {
		p, err := packed.pack(hash, texts[hash])
		if err != nil {
			return fmt.Errorf("pack text: %w", err)
		}
		rows = append(rows, []any{hash, p.body, at})
	}
	todo.inBatches(rows, "(?, ?, ?)", "INSERT INTO texts (hash, body, at) VALUES ", " ON CONFLICT (hash) DO UPDATE SET at = excluded.at")
	slices.SortStableFunc(said, func(a, b boardwatch.Job) int { return strings.Compare(a.TextHash, b.TextHash) })
	for _, j := range said {
		todo.add(s.dialect.SaveWords, packed[j.TextHash].words, j.ID)
	}
	return nil
}

// since is when what a role's source states now was first stated.
const since = "CASE WHEN stated_at = 0 THEN first_seen_at ELSE stated_at END"

// keepVersion keeps what is stated about a role until now: the first version, and the last ones.
func (s *script) keepVersion(jobID string) {
	s.add("INSERT INTO versions (job_id, at, facts, text_hash) SELECT id, "+since+", facts, text_hash FROM jobs WHERE id = ? ON CONFLICT DO NOTHING", jobID)
	s.add(`DELETE FROM versions WHERE job_id = ? AND at = (SELECT at FROM versions WHERE job_id = ? ORDER BY at LIMIT 1 OFFSET 1)
		AND (SELECT count(*) FROM versions WHERE job_id = ?) >= ?`, jobID, jobID, jobID, track.MaxVersions)
}

func (s *Store) Versions(ctx context.Context, jobID string) ([]track.Version, error) {
	var versions []track.Version
	var v track.Version
	var facts string
	err := queryRows(ctx, s.db(), []any{moment(&v.At), &facts, &v.TextHash}, func() (err error) {
		if v.Facts, err = parseFacts(facts); err == nil && (v.TextHash != "" || !v.Facts.IsZero()) {
			versions = append(versions, v)
		}
		return err
	}, `SELECT at, facts, text_hash FROM versions WHERE job_id = ?0
		UNION ALL SELECT `+since+`, facts, text_hash FROM jobs WHERE id = ?0 ORDER BY 1`, plain(jobID))
	return versions, wrap("read versions of role", err)
}

func (s *Store) Texts(ctx context.Context, hashes ...string) (map[string]string, error) {
	texts := make(map[string]string, len(hashes))
	for some := range slices.Chunk(hashes, 500) {
		var hash string
		var body []byte
		err := queryRows(ctx, s.db(), []any{&hash, &body}, func() error {
			texts[hash] = unpackText(body)
			return nil
		}, "SELECT hash, body FROM texts WHERE hash IN (?)", bun.List(valuesOf(some, plain)))
		if err != nil {
			return nil, wrap("read texts of roles", err)
		}
	}
	return texts, nil
}

func (s *Store) EarlierPosting(ctx context.Context, j boardwatch.Job) (id string, closedAt time.Time, err error) {
	if j.TextHash == "" {
		return "", time.Time{}, nil
	}
	var at int64
	err = s.db().QueryRowContext(ctx, `SELECT o.id, o.closed_at FROM jobs AS o JOIN jobs AS j ON j.board_id = o.board_id AND j.title_fold = o.title_fold
		WHERE j.id = ? AND o.text_hash = ? AND o.text_hash <> '' AND o.status = 1 AND o.closed_at <= j.first_seen_at AND o.id <> j.id
		ORDER BY o.closed_at DESC, o.id LIMIT 1`, plain(j.ID), plain(j.TextHash)).Scan(&id, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return "", time.Time{}, nil
	}
	return id, instant(at), wrap("find earlier posting", err)
}

// indexTexts indexes the words of all texts, after a restore.
func (s *Store) indexTexts(ctx context.Context, tx bun.Tx) error {
	for last, n := "", textsAtOnce; n == textsAtOnce; {
		var rows []struct {
			ID   string `bun:"id"`
			Body []byte `bun:"body"`
		}
		err := tx.NewRaw("SELECT j.id, t.body FROM jobs AS j JOIN texts AS t ON t.hash = j.text_hash WHERE j.id > ? ORDER BY j.id LIMIT ?", last, textsAtOnce).
			Scan(ctx, &rows)
		if err != nil {
			return fmt.Errorf("index texts: %w", err)
		}
		for _, r := range rows {
			last = r.ID
			if _, err := tx.ExecContext(ctx, s.dialect.SaveWords, strings.Join(wordsOf(unpackText(r.Body)), " "), r.ID); err != nil {
				return fmt.Errorf("index texts: %w", err)
			}
		}
		n = len(rows)
	}
	return nil
}

// textsAtOnce is how many texts are in memory while they are indexed.
const textsAtOnce = 200

// forgetTexts takes the texts from roles that may not have them any more, a limited number in each run, and deletes some of
// those that no role has.
func (s *Store) forgetTexts(ctx context.Context, now time.Time, r Retention) error {
	which, args := "status = 1 AND closed_at <= ?", []any{millis(now.Add(-r.Texts))}
	switch {
	case r.TextRule == boardwatch.TextsOff:
		which, args = "text_hash > ''", nil
	case r.TextRule == boardwatch.TextsOpen:
		args = []any{millis(now)}
	case r.Texts == 0:
		which = ""
	}
	for range mostRuns {
		if which == "" {
			break
		}
		n := 0
		err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
			var ids []string
			err := tx.NewRaw("SELECT id FROM jobs WHERE text_hash <> '' AND "+which+" LIMIT ?", append(slices.Clip(args), mostAtOnce)...).Scan(ctx, &ids)
			if n = len(ids); err != nil || n == 0 {
				return err
			}
			if _, err := tx.ExecContext(ctx, "UPDATE versions SET text_hash = '' WHERE job_id IN (?)", bun.List(ids)); err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, "UPDATE jobs SET text_hash = '' WHERE id IN (?)", bun.List(ids))
			return err
		})
		if err != nil {
			return wrap("forget texts", err)
		}
		if n < mostAtOnce {
			break
		}
	}
	return wrap("delete texts", s.sweepTexts(ctx, millis(now.Add(-cmp.Or(r.Sweep, 24*time.Hour)))+1))
}

// mostRuns limits what one run does, in steps of mostAtOnce.
const mostRuns = 20

// sweepTexts deletes texts from before a moment. It goes on where it stopped the last time.
func (s *Store) sweepTexts(ctx context.Context, before int64) error {
	var from string
	err := s.db().QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'texts_swept'").Scan(&from)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	for range mostRuns {
		var n int
		var to string
		err := s.db().QueryRowContext(ctx, "SELECT count(*), COALESCE(max(hash), '') FROM (SELECT hash FROM texts WHERE hash > ? ORDER BY hash LIMIT ?) AS next",
			from, mostAtOnce).Scan(&n, &to)
		if err != nil || n == 0 && from == "" {
			return err
		}
		err = s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
			_, err := tx.ExecContext(ctx, `DELETE FROM texts WHERE hash > ? AND hash <= ? AND at < ?
				AND NOT EXISTS (SELECT 1 FROM jobs WHERE text_hash <> '' AND text_hash = texts.hash)
				AND NOT EXISTS (SELECT 1 FROM versions WHERE text_hash <> '' AND text_hash = texts.hash)`, from, to, before)
			if err != nil {
				return err
			}
			if from = to; n < mostAtOnce {
				from = ""
			}
			_, err = tx.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES ('texts_swept', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", from)
			return err
		})
		if err != nil || from == "" {
			return err
		}
	}
	return nil
}
