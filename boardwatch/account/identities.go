package account

import (
	"cmp"
	"context"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/canonical"
)

// SignUpMode says who may sign up.
type SignUpMode string

// The modes of sign-up.
const (
	SignUpClosed SignUpMode = "closed" // nobody, after there is an operator
	SignUpInvite SignUpMode = "invite" // those with an invitation
	SignUpOpen   SignUpMode = "open"   // anybody
)

// IdentityStore is what Identities needs from a store.
type IdentityStore interface {
	Store
	LinkStore
	SessionStore
	GuessStore
	SignInStore
}

// IdentityOptions are the settings of Identities. The zero value works, for an installation with closed sign-up.
type IdentityOptions struct {
	Mode    SignUpMode // used until an operator chooses another; empty means SignUpClosed
	Plan    PlanName   // of new accounts; empty means free
	BaseURL string     // the beginning of links in mail, without a slash at the end
	// Key signs the cookies of known browsers, and encrypts sign-ins that wait for their second half; share it among
	// processes that serve the same people. Nil: a new key is created, which other and later processes do not know.
	Key      []byte
	Provider ProviderOptions // lets people in without a password
	Passkeys bool            // whether people can sign in with passkeys
	// NoPasswords lets only operators sign in with a password.
	NoPasswords bool
	Log         *slog.Logger     // nil: silent
	Now         func() time.Time // the clock; nil means time.Now
}

// Identities is how people get an account and prove that it is theirs: sign-up, sign-in, the confirmation of addresses,
// new passwords, and the first operator. Its answers, and the time they take, do not tell whether an address has an
// account. It may be used concurrently. Wrong passwords are counted by the store, for all processes. The limits on mail
// and on work are per process.
type Identities struct {
	store    IdentityStore
	hasher   *Hasher
	known    *Hasher // for known browsers
	mailer   Mailer
	sessions *Sessions
	o        IdentityOptions

	browsers   browsers
	ceremonies cipher.AEAD
	work       *limiter // password hashes per network, including those of right passwords
	links      *limiter // password hashes per link
	letters    *limiter // mails of one kind per recipient
	strangers  *limiter // mails about sign-ups per recipient, for all networks together
	senders    *limiter // mails caused per network
	open       *limiter // uses of an invitation that names nobody
}

// NewIdentities returns Identities. The mailer should accept messages at once and deliver them later, because the time
// it takes could tell who has an account.
func NewIdentities(store IdentityStore, hasher *Hasher, mailer Mailer, o IdentityOptions) *Identities {
	o.Mode = cmp.Or(o.Mode, SignUpClosed)
	o.Plan = cmp.Or(o.Plan, PlanFree)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	if len(o.Key) == 0 {
		o.Key = make([]byte, sha256.Size)
		_, _ = rand.Read(o.Key) // never fails: it aborts the program instead
	}
	return &Identities{
		store: store, hasher: hasher, known: hasher.apart(), mailer: mailer, o: o,
		sessions: NewSessions(store, Options{Now: o.Now}), browsers: browsers{o.Key}, ceremonies: newSeal(o.Key),
		work: newLimiter(60, time.Second), links: newLimiter(5, 30*time.Second),
		letters: newLimiter(3, 10*time.Minute), strangers: newLimiter(9, 10*time.Minute), senders: newLimiter(10, time.Minute),
		open: newLimiter(5, 24*time.Hour),
	}
}

// DefaultMode is who may create an account while no operator has chosen otherwise.
func (i *Identities) DefaultMode() SignUpMode { return i.o.Mode }

// Mode says who may create an account: the operator's choice, or else the settings.
func (i *Identities) Mode(ctx context.Context) (SignUpMode, error) {
	chosen, err := i.store.SignUpMode(ctx)
	if err != nil {
		return "", fmt.Errorf("read who may sign up: %w", err)
	}
	return cmp.Or(SignUpMode(chosen), i.DefaultMode()), nil
}

// ChosenMode is the operator's choice; empty if the settings decide.
func (i *Identities) ChosenMode(ctx context.Context) (SignUpMode, error) {
	chosen, err := i.store.SignUpMode(ctx)
	return SignUpMode(chosen), err
}

// SetMode saves an operator's choice of who may create an account; the empty mode returns to the settings.
func (i *Identities) SetMode(ctx context.Context, by Account, mode SignUpMode) error {
	if !by.Admin {
		return boardwatch.NotFound("page")
	}
	switch mode {
	case "", SignUpClosed, SignUpInvite, SignUpOpen:
	default:
		return boardwatch.Invalid("mode", "must be closed, invite or open")
	}
	return boardwatch.Wrap("choose who may sign up", i.store.SetSignUpMode(ctx, string(mode)))
}

// Sessions returns the service for sign-ins.
func (i *Identities) Sessions() *Sessions { return i.sessions }

// Visitor is the browser that a request came from.
type Visitor struct {
	Address   string // its network address, with or without a port
	UserAgent string
	Browser   string // the text it was given at an earlier sign-in; see Entered
}

// Entered is a person who has just signed in. Only their browser learns the token, which keeps them signed in, and the
// text by which the browser is known next time.
type Entered struct {
	Account Account
	Session Session
	Token   string
	Browser string
}

// errWrong is the answer to every failed sign-in.
func errWrong() error {
	return &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: "the e-mail address or the password is wrong"}
}

// errLink is the answer to every invalid link.
func errLink() error {
	return &boardwatch.Error{Code: boardwatch.CodeNotFound, Message: "this link has been used, has expired or never existed"}
}

// tooMany is the error for a person who has to wait.
func tooMany(wait time.Duration) error {
	wait = max(wait.Truncate(time.Second)+time.Second, time.Second)
	return &boardwatch.Error{
		Code: boardwatch.CodeRateLimited, RetryAfter: wait,
		Message: "too many attempts; wait " + waiting(wait) + " and try again",
	}
}

func waiting(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%d seconds", int(d/time.Second))
	}
	return fmt.Sprintf("%d minutes", int((d+time.Minute-1)/time.Minute))
}

// SignIn signs in a person who knows the password. Every refusal is the same unauthorized error, after the same work;
// too many wrong attempts for one account or from one network are a rate_limited error, unless the browser is known for
// the account. If too many passwords wait to be hashed, it is ErrBusy. Accounts with an unconfirmed address are signed
// in too; the interfaces decide what they may do.
func (i *Identities) SignIn(ctx context.Context, email, password string, v Visitor) (Entered, error) {
	a, err := i.check(ctx, email, password, v)
	if err != nil {
		return Entered{}, err
	}
	in, err := i.enter(ctx, a, v)
	if err != nil {
		return Entered{}, err
	}
	if err := i.confirmStill(ctx, in, password); err != nil {
		return Entered{}, err
	}
	return in, nil
}

// confirmStill ends a sign-in whose password was replaced while it was checked: a new password ends the existing
// sessions, and this one may have been created just afterwards.
func (i *Identities) confirmStill(ctx context.Context, in Entered, password string) error {
	a, err := i.store.Account(ctx, in.Account.ID)
	if err == nil && a.PasswordHash == in.Account.PasswordHash {
		return nil
	}
	ok := false
	if err == nil { // the same password may have been rehashed
		ok, err = i.hasher.Matches(ctx, a.PasswordHash, password)
	}
	if ok {
		return nil
	}
	if gone := i.sessions.End(ctx, in.Account, in.Session.ID); gone != nil && boardwatch.CodeOf(gone) != boardwatch.CodeNotFound {
		return gone
	}
	if err != nil && boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return fmt.Errorf("sign in: %w", err)
	}
	return errWrong()
}

// check finds the account of an address and a password.
func (i *Identities) check(ctx context.Context, email, password string, v Visitor) (Account, error) {
	a, err := byAddress(ctx, i.store, email)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		a, err = Account{}, nil
		a.Email, _ = canonical.Email(email) // empty for everything that is not an address, however long
	}
	if err != nil {
		return Account{}, fmt.Errorf("sign in: %w", err)
	}
	return i.checkPassword(ctx, a, password, v)
}

// checkPassword returns the account if the password is its own. Without an id it is nobody's, and takes as long.
func (i *Identities) checkPassword(ctx context.Context, a Account, password string, v Visitor) (Account, error) {
	try, err := i.attempt(ctx, a, v)
	if err != nil {
		return Account{}, err
	}
	ok, err := try.matches(ctx, a.PasswordHash, password)
	if err != nil {
		return Account{}, fmt.Errorf("sign in: %w", err)
	}
	if !ok || !i.AllowsPassword(a) {
		return Account{}, errWrong()
	}
	return i.renewHash(ctx, a, password), nil
}

// find returns the account with the normalised address, or an account without an id.
func (i *Identities) find(ctx context.Context, email string) (Account, error) {
	a, err := i.store.AccountByEmail(ctx, email)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return Account{}, nil
	}
	return a, err
}

// renewHash updates a password's hash to the current parameters, and returns the updated account.
func (i *Identities) renewHash(ctx context.Context, a Account, password string) Account {
	if !Outdated(a.PasswordHash) {
		return a
	}
	hash, err := i.hasher.Hash(ctx, password)
	if err == nil {
		err = i.store.RehashPassword(ctx, a.ID, a.PasswordHash, hash)
	}
	if err != nil {
		i.o.Log.WarnContext(ctx, "a password hash was not renewed", slog.String("account_id", a.ID), slog.Any("error", err))
		return a
	}
	a.PasswordHash = hash
	return a
}

func (i *Identities) enter(ctx context.Context, a Account, v Visitor) (Entered, error) {
	return i.enterBy(ctx, a, WayPassword, boardwatch.Milli(i.o.Now()), v)
}

func (i *Identities) enterBy(ctx context.Context, a Account, way Way, proven time.Time, v Visitor) (Entered, error) {
	s, token, err := i.sessions.start(ctx, a, way, proven, v)
	if err != nil {
		return Entered{}, err
	}
	return Entered{Account: a, Session: s, Token: token, Browser: i.browsers.vouch(a, i.o.Now())}, nil
}

// newPassword hashes a new password; an unacceptable one is an invalid_request error of that field.
func (i *Identities) newPassword(ctx context.Context, field, password string) (string, error) {
	if fault := passwordFault(password); fault != "" {
		return "", boardwatch.Invalid(field, fault)
	}
	return i.hasher.Hash(ctx, password)
}

// send passes a message to the mailer. A failure is logged for the operator and hidden from the caller.
func (i *Identities) send(ctx context.Context, m Mail) {
	if err := i.mailer.Send(ctx, m); err != nil {
		i.o.Log.ErrorContext(ctx, "mail was not sent", slog.String("subject", m.Subject), slog.Any("error", err))
	}
}

// goodLink finds a link by its token.
func (i *Identities) goodLink(ctx context.Context, kind LinkKind, token string) (Link, error) {
	if !ValidToken(token) {
		return Link{}, errLink()
	}
	l, err := i.store.Link(ctx, kind, HashSecret(token), i.o.Now())
	return l, linkFault(err)
}

func (i *Identities) redeem(
	ctx context.Context, kind LinkKind, token string, decide func(Link) Outcome,
) (Account, error) {
	if !ValidToken(token) {
		return Account{}, errLink()
	}
	a, err := i.store.Redeem(ctx, kind, HashSecret(token), i.o.Now(), decide)
	return a, linkFault(err)
}

func linkFault(err error) error {
	switch {
	case err == nil:
		return nil
	case boardwatch.CodeOf(err) == boardwatch.CodeNotFound:
		return errLink()
	default:
		return fmt.Errorf("use link: %w", err)
	}
}
