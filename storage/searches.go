package storage

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// entryMark separates the entries of a list in one column, which contain no control characters.
const entryMark = "\n"

// joined returns a list as the text of one column.
func joined[T ~string](list []T) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = plain(string(v))
	}
	return strings.Join(texts, entryMark)
}

// parted is the reverse of joined.
func parted[T ~string](text string) []T {
	if text == "" {
		return nil
	}
	var list []T
	for entry := range strings.SplitSeq(text, entryMark) {
		list = append(list, T(entry))
	}
	return list
}

// searchRecord is a row of searches.
func searchRecord(s *boardwatch.Search) record {
	return newRecord("searches", "q",
		col("id", &s.ID), col("account_id", &s.AccountID), col("name", &s.Name), col("text", &s.Text), col("location", &s.Location),
		col("department", &s.Department), col("boards", entries(&s.Boards)), col("tags", entries(&s.Tags)), col("kinds", entries(&s.Kinds)),
		col("created_at", moment(&s.CreatedAt)), col("mode", &s.Mode), col("type", &s.Type), col("pay_from", &s.PayFrom), col("currency", &s.Currency),
		col("words", &s.Words),
	)
}

// freeName is an invalid_request error if another search of the account has the name.
func freeName(ctx context.Context, tx driver.Tx, q boardwatch.Search) error {
	others, err := searchesOf(ctx, tx, q.AccountID)
	if err != nil {
		return err
	}
	return q.Free(others)
}

func (s *Store) CreateSearch(ctx context.Context, q boardwatch.Search, limit int) error {
	return s.write(ctx, "create search", func(ctx context.Context, tx driver.Tx) error {
		if err := s.roomFor(ctx, tx, q.AccountID, "searches", "name", limit); err != nil {
			return err
		}
		if err := freeName(ctx, tx, q); err != nil {
			return err
		}
		_, err := insertRow(ctx, tx, searchRecord(&q), "")
		return err
	})
}

func (s *Store) ChangeSearch(ctx context.Context, q boardwatch.Search) error {
	return s.write(ctx, "change search", func(ctx context.Context, tx driver.Tx) error {
		if _, err := s.planOf(ctx, tx, plain(q.AccountID)); err != nil { // locks the account, so that no name is given twice
			return err
		}
		if err := freeName(ctx, tx, q); err != nil {
			return err
		}
		set, args := searchRecord(&q).set("name", "boards", "tags", "text", "location", "department", "kinds", "mode", "type", "pay_from", "currency", "words")
		return existing(ctx, tx, "search", "UPDATE searches SET "+set+" WHERE account_id = ? AND id = ?", append(args, plain(q.AccountID), plain(q.ID))...)
	})
}

func (s *Store) Searches(ctx context.Context, accountID string) ([]boardwatch.Search, error) {
	searches, err := searchesOf(ctx, s.db(), accountID)
	return searches, wrap("read searches", err)
}

func searchesOf(ctx context.Context, db bun.IDB, accountID string) ([]boardwatch.Search, error) {
	return readRows(ctx, db, searchRecord, "WHERE q.account_id = ? ORDER BY q.created_at, q.id", plain(accountID))
}

func (s *Store) DeleteSearch(ctx context.Context, accountID, id string) error {
	return s.change(ctx, "delete search", "search", "DELETE FROM searches WHERE account_id = ? AND id = ?", plain(accountID), plain(id))
}

func (s *Store) Tag(ctx context.Context, accountID, boardID string, add, remove []string) (track.TrackedBoard, error) {
	var tagged track.TrackedBoard
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) (err error) {
		if _, err = s.planOf(ctx, tx, accountID); err != nil { // also locks the account, so that nobody else changes the tags
			return err
		}
		if tagged, err = s.trackedBoard(ctx, tx, accountID, boardID); err != nil {
			return err
		}
		sub := &tagged.Subscription
		if sub.Tags, err = boardwatch.Retagged(sub.Tags, add, remove); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE subscriptions SET tags = ? WHERE seq = ?", joined(sub.Tags), sub.Seq)
		return err
	})
	return tagged, wrap("tag board", err)
}

// narrow leaves out the boards that the criteria do not cover, and returns the criteria folded for comparison.
func narrow(ctx context.Context, db bun.IDB, boards map[string]listedBoard, c boardwatch.Criteria) (boardwatch.Criteria, error) {
	if c.Empty() {
		return c, nil
	}
	if len(c.Boards) > 0 { // some may have merged into others
		var survivors []string
		if err := db.NewRaw("SELECT board_id FROM aliases WHERE id IN (?)", bun.List(c.Boards)).Scan(ctx, &survivors); err != nil {
			return c, wrap("read aliases of boards", err)
		}
		c.Boards = append(survivors, c.Boards...)
	}
	for id, b := range boards {
		if !c.Covers(b.sub) {
			delete(boards, id)
		}
	}
	return c.Folded(folded), nil
}

// roleCondition is the condition of folded criteria on the texts of a role.
type roleCondition struct {
	texts []string
	args  []any
}

// condition returns the SQL condition of criteria on the roles of these boards, the same rule as Criteria.Fits.
func (s *Store) condition(ctx context.Context, db bun.IDB, boardIDs []string, c boardwatch.Criteria) (roleCondition, error) {
	var r roleCondition
	add := func(text string, args ...any) { r.texts, r.args = append(r.texts, text), append(r.args, args...) }
	if c.Text != "" {
		add(s.dialect.Position+"(title_fold, ?) > 0", c.Text)
	}
	if c.Location != "" {
		add(s.dialect.Position+"(location_fold, ?) > 0", c.Location)
	}
	// Quotation marks inside a text are escaped, so only a fact of that name looks like this.
	if c.Mode != "" {
		add(s.dialect.Position+"(facts, ?) > 0", `"mode":"`+plain(string(c.Mode))+`"`)
	}
	if c.Type != "" {
		add(s.dialect.Position+"(facts, ?) > 0", `"type":"`+plain(string(c.Type))+`"`)
	}
	if c.Currency != "" {
		add(s.dialect.Position+"(facts, ?) > 0", `"currency":"`+plain(c.Currency)+`"`)
	}
	if c.PayFrom > 0 {
		add(payPerYear(s.dialect)+" >= ?", c.PayFrom)
	}
	if c.Words != "" {
		if words := wantedWords(plain(c.Words)); len(words) > 0 {
			add(s.dialect.HasWords, bun.List(boardIDs), wordQuery(s.dialect, words))
		} else {
			add("1 = 0")
		}
	}
	if c.Department != "" { // there are few departments, and their folded form is not stored
		names, err := departmentsLike(ctx, db, boardIDs, c)
		if err != nil {
			return r, err
		}
		if len(names) == 0 {
			add("1 = 0")
		} else {
			add("department IN (?)", bun.List(names))
		}
	}
	return r, nil
}

// payPerYear is Pay.PerYear in SQL.
func payPerYear(d driver.Dialect) string {
	var factors strings.Builder
	for _, p := range boardwatch.PayPeriods() {
		fmt.Fprintf(&factors, " WHEN '%s' THEN %d", p, p.InYear())
	}
	amount := func(name string) string { return "CAST(" + fmt.Sprintf(d.PayFact, name) + " AS DOUBLE PRECISION)" }
	return "CASE WHEN " + d.Position + `(facts, '"pay":{') > 0 THEN COALESCE(` + amount("max") + ", " + amount("min") + ", 0) * CASE " +
		fmt.Sprintf(d.PayFact, "period") + factors.String() + " ELSE 1 END ELSE 0 END"
}

func (r roleCondition) empty() bool { return len(r.texts) == 0 }

// with returns the conjunction of both conditions.
func (r roleCondition) with(o roleCondition) roleCondition {
	return roleCondition{slices.Concat(r.texts, o.texts), slices.Concat(r.args, o.args)}
}

// and returns the condition in a form that follows other conditions.
func (r roleCondition) and() string {
	if r.empty() {
		return ""
	}
	return " AND " + strings.Join(r.texts, " AND ")
}

func departmentsLike(ctx context.Context, db bun.IDB, boardIDs []string, c boardwatch.Criteria) ([]string, error) {
	var all, like []string
	if err := db.NewRaw("SELECT DISTINCT department FROM jobs WHERE board_id IN (?)", bun.List(boardIDs)).Scan(ctx, &all); err != nil {
		return nil, wrap("read departments", err)
	}
	only := boardwatch.Criteria{Department: c.Department}
	for _, name := range all {
		if only.Fits(boardwatch.Job{Department: name}, Fold, nil) {
			like = append(like, name)
		}
	}
	return like, nil
}

func (s *Store) Publish(ctx context.Context, accountID, searchID, token string) error {
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		return existing(ctx, tx, "search", `INSERT INTO published (search_id, token) SELECT id, ? FROM searches WHERE account_id = ? AND id = ?
			ON CONFLICT (search_id) DO UPDATE SET token = published.token`, plain(token), plain(accountID), plain(searchID))
	})
	return wrap("publish search", err)
}

func (s *Store) Unpublish(ctx context.Context, accountID, searchID string) error {
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM published WHERE search_id = (SELECT id FROM searches WHERE account_id = ? AND id = ?)",
			plain(accountID), plain(searchID))
		return err
	})
	return wrap("unpublish search", err)
}

func (s *Store) Published(ctx context.Context, accountID string) (map[string]string, error) {
	tokens := make(map[string]string)
	var id, token string
	err := queryRows(ctx, s.db(), []any{&id, &token}, func() error {
		tokens[id] = token
		return nil
	}, "SELECT p.search_id, p.token FROM searches AS q JOIN published AS p ON p.search_id = q.id WHERE q.account_id = ?", plain(accountID))
	return tokens, wrap("read published searches", err)
}

func (s *Store) PublishedSearch(ctx context.Context, token string) (boardwatch.Search, error) {
	q, err := readRow(ctx, s.db(), searchRecord, "WHERE q.id = (SELECT p.search_id FROM published AS p WHERE p.token = ?)", plain(token))
	return q, found("find published search", "list", err)
}
