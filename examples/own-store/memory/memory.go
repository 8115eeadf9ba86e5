// Package memory is a boardwatch.Store that keeps everything in memory: what a database of one's own has to do, without
// a database. It passes the suite of package storagetest.
//
// It is made to be read. What it looks for, it looks for from one end to the other, and one lock is around it all; the
// slices in what it returns are its own and must not be changed.
package memory

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// atOnce is the NextCheckAt of a board that somebody asked for: before any scheduled one.
var atOnce = time.UnixMilli(1).UTC()

// Database is what several stores have in common, as several processes have a database server.
type Database struct {
	// writing is held by one write operation at a time, also while it decides; mu only while data is read or changed.
	// So readers never wait for a decision.
	writing sync.Mutex
	mu      sync.Mutex

	last      time.Time // the latest moment that the clock has shown
	stamp     time.Time // of the check that is being decided; zero: none is
	boards    map[string]*board
	aliases   map[string]string // ids of boards that merged into others, and those others
	addresses map[string]string // addresses that have led to a board
	added     int64             // subscriptions so far
	asked     int64             // demands so far
	accounts  map[string]*account
	links     map[string]boardwatch.Link // by hash
	guesses   map[string]time.Time       // when the turns of a key will have come back
	notices   map[string]*notice
	clients   map[string]*boardwatch.Client
	asks      map[string]boardwatch.Ask // by hash
	grants    map[string]*boardwatch.Grant
	tokens    map[string]*boardwatch.Token // by hash
	lessons   map[string]*lesson
	misreads  []boardwatch.Misread

	used map[string]time.Time // tokens that work once, by hash, and when they expire

	logins map[person]boardwatch.Login
	signUp string // who may make an account, as an operator has chosen
}

// New returns an empty database.
func New() *Database {
	return &Database{
		boards: map[string]*board{}, aliases: map[string]string{}, addresses: map[string]string{},
		accounts: map[string]*account{}, links: map[string]boardwatch.Link{}, guesses: map[string]time.Time{}, used: map[string]time.Time{}, notices: map[string]*notice{},
		clients: map[string]*boardwatch.Client{}, asks: map[string]boardwatch.Ask{}, grants: map[string]*boardwatch.Grant{},
		tokens: map[string]*boardwatch.Token{}, lessons: map[string]*lesson{}, logins: map[person]boardwatch.Login{},
	}
}

// Open returns a store on the database, which allows what the plans say; nil means boardwatch.DefaultPlans.
func (d *Database) Open(plans boardwatch.Plans) *Store {
	if plans == nil {
		plans = boardwatch.DefaultPlans()
	}
	return &Store{d, plans}
}

// Store is what one process sees of a Database. It may be used concurrently.
type Store struct {
	db    *Database
	plans boardwatch.Plans
}

var _ boardwatch.Store = (*Store)(nil)

// Close has nothing to end.
func (s *Store) Close() error { return nil }

// Now is the clock that every stamp comes from.
func (s *Store) Now(context.Context) (now time.Time, err error) {
	s.read(func(d *Database) { now = d.now() })
	return now, nil
}

// Horizon is a moment that is earlier than the stamp of everything that is saved from now on.
func (s *Store) Horizon(context.Context) (at time.Time, err error) {
	s.read(func(d *Database) { at = d.horizon() })
	return at, nil
}

// read runs f while nothing changes.
func (s *Store) read(f func(d *Database)) {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	f(s.db)
}

// write runs f alone. There is nothing that would undo what f has done: it looks before it changes anything.
func (s *Store) write(ctx context.Context, f func(d *Database) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.db.writing.Lock()
	defer s.db.writing.Unlock()
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	return f(s.db)
}

// now is the time, which never goes back.
func (d *Database) now() time.Time {
	if now := boardwatch.Milli(time.Now()); now.After(d.last) {
		d.last = now
	}
	return d.last
}

// horizon is earlier than every stamp to come, and than that of the check that is being decided: what a reader is
// promised has to hold for what it cannot see yet.
func (d *Database) horizon() time.Time {
	at := d.now()
	if !d.stamp.IsZero() && d.stamp.Before(at) {
		at = d.stamp
	}
	return at.Add(-time.Millisecond)
}

// clean is a text as databases take it.
func clean(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "") }
