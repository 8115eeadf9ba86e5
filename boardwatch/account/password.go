package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/boardwatch/boardwatch/internal/turn"
)

// The limits of a password: no rules about its characters, and room for any passphrase.
const (
	minPassword = 12   // characters
	MaxPassword = 1000 // bytes
)

// The parameters of argon2id, as the OWASP password storage cheat sheet has them for 19 MiB.
const (
	hashMemory  = 19 * 1024 // KiB
	hashTime    = 2
	hashThreads = 1
	hashSalt    = 16
	hashKey     = 32
)

// ErrBusy means that too many passwords are waiting to be hashed. That passes quickly.
var ErrBusy = errors.New("too many people are signing in at this moment; try again in a few seconds")

// waitingEach is how many hashes may wait per running one: about a second's work.
const waitingEach = 16

// errForeignHash says that a stored hash was not made by a Hasher.
var errForeignHash = errors.New("the stored password hash has a form that is not known")

// longestTurn is how long a hash waits for other long work, such as reading a large page. After that it begins anyway,
// because a person is waiting to be signed in.
const longestTurn = 100 * time.Millisecond

// Hasher hashes passwords, at most one per two processors at a time. A hash takes 19 MiB and a whole processor, and
// people who guess passwords must not take away the processors that other requests need. A few more hashes may wait for
// their turn; beyond that the error is ErrBusy.
type Hasher struct {
	queue  chan struct{} // waiting and running hashes
	slots  chan struct{} // running hashes
	memory uint32        // KiB
}

// NewHasher returns a Hasher. It may be used concurrently.
func NewHasher() *Hasher { return NewHasherOf(hashMemory) }

// NewHasherOf returns a Hasher whose hashes take that much memory, in KiB. Less than NewHasher uses is only for tests
// that are not about passwords: Outdated reports such hashes, and a service renews them at the next sign-in.
func NewHasherOf(memory uint32) *Hasher {
	slots := max(1, runtime.GOMAXPROCS(0)/2)
	return &Hasher{queue: make(chan struct{}, slots*(1+waitingEach)), slots: make(chan struct{}, slots), memory: memory}
}

// apart returns a Hasher that takes turns with h but has its own, shorter queue, so that callers waiting for h cannot
// fill it.
func (h *Hasher) apart() *Hasher {
	return &Hasher{queue: make(chan struct{}, cap(h.queue)/4), slots: h.slots, memory: h.memory}
}

// Hash is the password's argon2id hash in PHC form, with a fresh salt. The error is the context's, or ErrBusy.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	var salt [hashSalt]byte
	_, _ = rand.Read(salt[:]) // never fails: it aborts the program instead
	key, err := h.derive(ctx, password, salt[:], hashTime, h.memory, hashThreads)
	if err != nil {
		return "", err
	}
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, hashTime, hashThreads,
		b64.EncodeToString(salt[:]), b64.EncodeToString(key)), nil
}

// Matches reports whether the hash was made from the password. An empty hash matches nothing, after as much work as any
// other, so that the time taken does not tell whether an account has a password.
func (h *Hasher) Matches(ctx context.Context, hash, password string) (bool, error) {
	if hash == "" {
		_, err := h.Hash(ctx, password)
		return false, err
	}
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errForeignHash
	}
	var version int
	var memory, passes uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return false, errForeignHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &threads); err != nil || passes == 0 || threads == 0 {
		return false, errForeignHash
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false, errForeignHash
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(want) != hashKey {
		return false, errForeignHash
	}
	got, err := h.derive(ctx, password, salt, passes, memory, threads)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// Outdated reports whether a hash was made with other parameters than new hashes. An empty hash is not outdated.
func Outdated(hash string) bool {
	want := fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, hashMemory, hashTime, hashThreads)
	return hash != "" && !strings.HasPrefix(hash, want)
}

func (h *Hasher) derive(ctx context.Context, password string, salt []byte, passes, memory uint32, threads uint8) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("hash password: %w", err)
	}
	select {
	case h.queue <- struct{}{}:
		defer func() { <-h.queue }()
	default:
		return nil, ErrBusy
	}
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, fmt.Errorf("hash password: %w", ctx.Err())
	}
	timer := time.NewTimer(longestTurn)
	defer timer.Stop()
	select {
	case turn.Long <- struct{}{}:
		defer func() { <-turn.Long }()
	case <-timer.C:
	}
	return argon2.IDKey([]byte(password), salt, passes, memory, threads, hashKey), nil
}

// passwordFault says what is wrong with a new password, or nothing.
func passwordFault(p string) string {
	switch {
	case !utf8.ValidString(p):
		return "is not valid UTF-8"
	case utf8.RuneCountInString(p) < minPassword:
		return fmt.Sprintf("must be at least %d characters", minPassword)
	case len(p) > MaxPassword:
		return fmt.Sprintf("must be at most %d bytes", MaxPassword)
	}
	return ""
}
