package storagetest

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
)

func backupCases() cases {
	return cases{
		"a backup holds everything, and a restored database backs up to the same": func(t *testing.T, w *world) {
			fill(w)
			first, b := w.backUp()
			require.Greater(t, b.Rows(), int64(40))
			for table, rows := range b.Tables {
				require.NotZero(t, rows, "the test fills %s", table)
			}
			require.NotEmpty(t, b.Key)
			targets := []*storage.Store{w.empty(t), SQLite(t)(t, storage.Options{NoMigrate: true})}
			if os.Getenv(PostgresEnv) != "" {
				targets = append(targets, Postgres(t)(t, storage.Options{NoMigrate: true}))
			}
			for _, o := range targets {
				restored, err := o.Restore(t.Context(), bytes.NewReader(first), false)
				require.NoError(t, err)
				require.Equal(t, b, restored)
				require.Equal(t, contents(t, first), contents(t, backUp(t, o)))
			}
		},
		"a restored database goes on working": func(t *testing.T, w *world) {
			a := fill(w)
			page := w.jobs(a, track.JobFilter{Limit: 50})
			file, _ := w.backUp()
			open := w.place(t)
			target := prepared(t, open)
			_, err := target.Restore(t.Context(), bytes.NewReader(file), false)
			require.NoError(t, err)
			require.NoError(t, target.Close())
			o := &world{Store: open(t, options()), t: t, open: open, place: w.place}
			again := o.jobs(a, track.JobFilter{Limit: 50})
			require.Equal(t, page.Jobs, again.Jobs)
			id := again.Jobs[0].BoardID
			result := o.check(id, roles(append(titles(o.known(id)), "New")...))
			require.True(t, result.Check.At.After(page.PolledAt))
			news := o.jobs(a, track.JobFilter{AddedAfter: page.PolledAt, Limit: 50})
			require.NotZero(t, news.Total)
			o.track(a, "newly")
			list, err := o.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.NotEmpty(t, list)
		},
		"a backup with nothing encrypted belongs to the next key": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			w.track(a, "plain")
			file, b := w.backUp()
			require.NotEmpty(t, b.Key)
			require.True(t, opensWithAnother(t, w, file))
			w.webhook(a)
			file, _ = w.backUp()
			require.False(t, opensWithAnother(t, w, file))
		},
		"a backup does not hold up writers": func(t *testing.T, w *world) {
			fill(w)
			a := w.account(account.PlanUltra)
			b := w.track(a, "busy").Board
			stop, done := make(chan struct{}), make(chan int)
			go func() {
				n := 0
				for {
					select {
					case <-stop:
						done <- n
						return
					default:
						n++
						w.check(b.ID, roles(many(n)...))
					}
				}
			}()
			for range 5 {
				file, _ := w.backUp()
				_, err := storage.ReadBackup(bytes.NewReader(file))
				require.NoError(t, err)
			}
			close(stop)
			require.NotZero(t, <-done)
		},
		"a database that is not empty is replaced only by force": func(t *testing.T, w *world) {
			fill(w)
			file, _ := w.backUp()
			o := newWorld(t, w.place)
			o.track(o.account(account.PlanPro), "other")
			target := o.open(t, storage.Options{NoMigrate: true})
			before := contents(t, backUp(t, target))
			require.NoError(t, o.Close())
			_, err := target.Restore(t.Context(), bytes.NewReader(file), false)
			require.ErrorIs(t, err, storage.ErrNotEmpty)
			require.Equal(t, before, contents(t, backUp(t, target)))
			require.NoError(t, target.Close())
			target = o.open(t, storage.Options{NoMigrate: true})
			_, err = target.Restore(t.Context(), bytes.NewReader(file), true)
			require.NoError(t, err)
			require.Equal(t, contents(t, file), contents(t, backUp(t, target)))
		},
		"a database that others have open is not restored": func(t *testing.T, w *world) {
			fill(w)
			file, _ := w.backUp()
			open := w.place(t)
			other := open(t, options())
			target := open(t, storage.Options{NoMigrate: true})
			for _, force := range []bool{false, true} {
				_, err := target.Restore(t.Context(), bytes.NewReader(file), force)
				require.ErrorIs(t, err, storage.ErrInUse)
			}
			require.NoError(t, other.CreateAccount(t.Context(), account.Account{
				ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanFree,
			}), "the other one goes on")
			require.NoError(t, other.Close())
			_, err := target.Restore(t.Context(), bytes.NewReader(file), false)
			require.ErrorIs(t, err, storage.ErrNotEmpty)
			_, err = target.Restore(t.Context(), bytes.NewReader(file), true)
			require.NoError(t, err)
			require.Equal(t, contents(t, file), contents(t, backUp(t, target)))
		},
		"an incomplete file changes nothing": func(t *testing.T, w *world) {
			fill(w)
			file, _ := w.backUp()
			all := broken(t, file)
			for o, some := range map[*storage.Store][][]byte{w.prepared(t): all, w.empty(t): all[len(all)-1:]} {
				for _, damaged := range some {
					_, err := storage.ReadBackup(bytes.NewReader(damaged))
					require.ErrorIs(t, err, storage.ErrBackup)
					_, err = o.Restore(t.Context(), bytes.NewReader(damaged), false)
					require.ErrorIs(t, err, storage.ErrBackup)
				}
				_, err := o.Restore(t.Context(), bytes.NewReader(file), false)
				require.NoError(t, err, "there is still nothing in the database")
			}
		},
		"a backup of a newer version is refused": func(t *testing.T, w *world) {
			file, _ := w.backUp()
			lines := bytes.Replace(unpack(t, file), []byte(`"0001",`), []byte(`"0001","9999",`), 1)
			_, err := w.empty(t).Restore(t.Context(), bytes.NewReader(pack(t, lines)), false)
			require.ErrorIs(t, err, storage.ErrNewerSchema)
		},
	}
}

// empty returns a store on a database of the same kind that nothing was ever written to.
func (w *world) empty(tb testing.TB) *storage.Store {
	tb.Helper()
	return w.place(tb)(tb, storage.Options{NoMigrate: true})
}

// prepared is a store on a database of the same kind, in the state after a first start. A restore finds the schema there.
func (w *world) prepared(tb testing.TB) *storage.Store {
	tb.Helper()
	return prepared(tb, w.place(tb))
}

func prepared(tb testing.TB, open Database) *storage.Store {
	tb.Helper()
	require.NoError(tb, open(tb, options()).Close())
	return open(tb, storage.Options{NoMigrate: true})
}

// fill writes something into every table that a backup holds.
func fill(w *world) account.Account {
	w.t.Helper()
	ctx := w.t.Context()
	a := w.account(account.PlanUltra)
	w.webhook(a)
	owing := w.owe(a, "northwind", 3)
	page := w.pending(a, "https://contoso.example/careers")
	w.track(a, "contoso")
	_, merged, err := w.Resolve(ctx, w.claim(page.ID), hosted("contoso"))
	require.NoError(w.t, err)
	require.True(w.t, merged)
	w.check(w.track(a, "ending").Board.ID, roles("Cook"))
	w.merge(w.boardOf(a, "greenhouse:ending"), hosted("contoso"))
	strange := w.track(a, "odd").Board
	w.check(strange.ID, roles("Ingénieur \u2028 \"quoted\" \\ 😀", "<b>&amp;</b>", "Cook"))
	w.check(strange.ID, roles("Cook"))
	w.check(strange.ID, roles("Cook"))
	require.NotEmpty(w.t, owing.ID)
	require.NoError(w.t, w.SetRecipe(ctx, strange.ID, `{"version":1,"entry":"li.job"}`))
	require.NoError(w.t, w.AskLesson(ctx, boardwatch.Lesson{BoardID: strange.ID, Like: []string{"Cook"}}))
	require.NoError(w.t, w.SaveMisread(ctx, account.Misread{BoardID: strange.ID, AccountID: a.ID, Text: "odd", Titles: []string{"Cook", "Baker"}}))
	w.check(strange.ID, stating("Cook", facts(), "# Cook\n\nSoup."))
	w.check(strange.ID, stating("Cook", facts(), "# Cook\n\nStew."))
	w.search(a, "Cooks", boardwatch.Criteria{Text: "cook", Boards: []string{strange.ID}})
	require.NoError(w.t, w.AnswerMisreads(ctx, strange.ID, "It is odd."))
	require.NoError(w.t, w.Publish(ctx, a.ID, w.search(a, "Shared", boardwatch.Criteria{}).ID, account.NewToken()))
	w.mark(track.Mark{AccountID: a.ID, JobID: w.jobs(a, track.JobFilter{BoardID: strange.ID}).Jobs[0].ID, Starred: true, Note: "in June"})
	fillAccess(w, a)
	return a
}

// fillAccess adds rows as signing in and connecting do.
func fillAccess(w *world, a account.Account) {
	w.t.Helper()
	ctx, now := w.t.Context(), w.now()
	w.login(a, "backup")
	w.passkey(a, "Phone")
	w.session(a, now)
	w.link(account.LinkVerify, a)
	g, _ := w.granted(a, w.client(now).ID, now)
	require.NoError(w.t, w.CreateAsk(ctx, account.Ask{
		Hash: account.HashSecret("ask"), AccountID: a.ID, Client: w.client(now), RedirectURI: appURL,
		Resource: g.Resource, Scopes: g.Scopes, ExpiresAt: now.Add(time.Hour),
	}))
	p, err := w.Preferences(ctx, a.ID)
	require.NoError(w.t, err)
	p.Digest = true
	require.NoError(w.t, w.SavePreferences(ctx, p))
	require.NoError(w.t, w.SetFeedToken(ctx, a.ID, "feed-token"))
	key, _ := account.NewAPIKey(a.ID, "Key", now)
	require.NoError(w.t, w.CreateKey(ctx, key, 5))
	_, err = w.BeginNotice(ctx, track.Notice{ID: "notice", Account: a, Since: now}, now, time.Minute)
	require.NoError(w.t, err)
}

// backUp returns the file of a backup.
func (w *world) backUp() ([]byte, storage.Backup) {
	w.t.Helper()
	var file bytes.Buffer
	b, err := w.Backup(w.t.Context(), &file)
	require.NoError(w.t, err)
	read, err := storage.ReadBackup(bytes.NewReader(file.Bytes()))
	require.NoError(w.t, err)
	require.Equal(w.t, b, read)
	return file.Bytes(), b
}

func backUp(tb testing.TB, s *storage.Store) []byte {
	tb.Helper()
	var file bytes.Buffer
	_, err := s.Backup(tb.Context(), &file)
	require.NoError(tb, err)
	return file.Bytes()
}

// contents returns the rows of a backup, sorted, without the lines that say when and where it was made.
func contents(tb testing.TB, file []byte) []string {
	tb.Helper()
	lines := strings.Split(strings.TrimSpace(string(unpack(tb, file))), "\n")
	var rows []string
	table := ""
	for _, line := range lines[1 : len(lines)-1] {
		if strings.HasPrefix(line, `{"table"`) {
			table, _, _ = strings.Cut(line, `,"columns"`)
			continue
		}
		rows = append(rows, table+line)
	}
	slices.Sort(rows)
	return rows
}

func unpack(tb testing.TB, file []byte) []byte {
	tb.Helper()
	gz, err := gzip.NewReader(bytes.NewReader(file))
	require.NoError(tb, err)
	lines, err := io.ReadAll(gz)
	require.NoError(tb, err)
	return lines
}

func pack(tb testing.TB, lines []byte) []byte {
	tb.Helper()
	var file bytes.Buffer
	gz := gzip.NewWriter(&file)
	_, err := gz.Write(lines)
	require.NoError(tb, err)
	require.NoError(tb, gz.Close())
	return file.Bytes()
}

// broken returns the file damaged in different ways.
func broken(tb testing.TB, file []byte) [][]byte {
	tb.Helper()
	lines := unpack(tb, file)
	last := bytes.LastIndexByte(bytes.TrimSpace(lines), '\n')
	row := bytes.Index(lines, []byte("\n["))
	end := row + 1 + bytes.IndexByte(lines[row+1:], '\n')
	return [][]byte{
		nil,
		[]byte("no backup"),
		file[:len(file)/2],
		file[:len(file)-9],
		append(slices.Clip(file), pack(tb, []byte("{}\n"))...),
		pack(tb, lines[:last+1]),                                              // without its last line
		pack(tb, append(slices.Clone(lines[:row]), lines[end:]...)),           // without a row
		pack(tb, bytes.Replace(lines, []byte("Cook"), []byte("Book"), 1)),     // with another title
		pack(tb, bytes.Replace(lines, []byte(`"jobs"`), []byte(`"jabs"`), 1)), // with another table
		pack(tb, append(slices.Clone(lines), "{}\n"...)),
	}
}

// opensWithAnother restores a backup into a new database and reports whether that takes a key of its own.
func opensWithAnother(t *testing.T, w *world, file []byte) bool {
	t.Helper()
	o := w.prepared(t)
	_, err := o.Restore(t.Context(), bytes.NewReader(file), false)
	require.NoError(t, err)
	opens, err := o.OpensWith(t.Context(), bytes.Repeat([]byte{9}, 32))
	require.NoError(t, err)
	return opens
}
