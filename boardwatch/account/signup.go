package account

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// SetupPath and the others are the paths of links below the base URL. The token follows as ?token=.
const (
	SetupPath  = "/setup"
	SignUpPath = "/signup"
	VerifyPath = "/verify"
	ResetPath  = "/reset"
)

// ReviewPath is the page on which a person who has set a new password reviews what can still use the account.
const ReviewPath = "/settings/review"

// NeedsSetup reports whether there is no account yet, so that the first operator has to be created.
func (i *Identities) NeedsSetup(ctx context.Context) (bool, error) {
	some, err := i.store.HasAccounts(ctx)
	if err != nil {
		return false, fmt.Errorf("look for accounts: %w", err)
	}
	return !some, nil
}

// SetupLink returns the address of the page that creates the first operator. It is a secret for the person who runs
// this installation, and valid for half an hour. It is empty if there is an account already.
func (i *Identities) SetupLink(ctx context.Context) (string, error) {
	needed, err := i.NeedsSetup(ctx)
	if err != nil || !needed {
		return "", err
	}
	l, token := NewLink(LinkSetup, i.o.Now())
	if err := i.store.CreateLink(ctx, l); err != nil {
		return "", fmt.Errorf("make setup link: %w", err)
	}
	return i.address(SetupPath, token), nil
}

// CheckSetup returns a not_found error if a setup link is not valid.
func (i *Identities) CheckSetup(ctx context.Context, token string) error {
	_, err := i.goodLink(ctx, LinkSetup, token)
	return err
}

// SetUp creates the first operator and signs them in: on the largest plan, and with a confirmed address, because
// anybody who can read the log of this installation controls it anyway. The link is used up only if it succeeds.
func (i *Identities) SetUp(ctx context.Context, token, email, password string, v Visitor) (Entered, error) {
	l, err := i.goodLink(ctx, LinkSetup, token)
	if err != nil {
		return Entered{}, err
	}
	if err := i.mayHash(l, v); err != nil {
		return Entered{}, err
	}
	a, err := i.newAccount(ctx, email, password)
	if err != nil {
		return Entered{}, err
	}
	a.Plan, a.Verified, a.Admin = PlanUltra, true, true
	a, err = i.redeem(ctx, LinkSetup, token, func(Link) Outcome {
		return Outcome{Create: &a, First: true}
	})
	if err != nil {
		return Entered{}, err
	}
	return i.enter(ctx, a, v)
}

// CreateFirst creates the first operator like SetUp, but without a link; false means that there was an account already.
// It is for the person who runs this installation.
func (i *Identities) CreateFirst(ctx context.Context, email, password string) (Account, bool, error) {
	needed, err := i.NeedsSetup(ctx)
	if err != nil || !needed {
		return Account{}, false, err
	}
	a, err := i.newAccount(ctx, email, password)
	if err != nil {
		return Account{}, false, fmt.Errorf("make the first operator: %w", err)
	}
	a.Plan, a.Verified, a.Admin = PlanUltra, true, true
	l, token := NewLink(LinkSetup, i.o.Now())
	if err := i.store.CreateLink(ctx, l); err != nil {
		return Account{}, false, fmt.Errorf("make the first operator: %w", err)
	}
	made, err := i.redeem(ctx, LinkSetup, token, func(Link) Outcome {
		return Outcome{Create: &a, First: true}
	})
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound { // another process was faster
		return Account{}, false, nil
	}
	return made, err == nil, err
}

// newAccount returns an account with a password; every wrong field is named in one invalid_request error.
func (i *Identities) newAccount(ctx context.Context, email, password string) (Account, error) {
	var wrong []boardwatch.FieldError
	address, err := NormalizeEmail(email)
	if err != nil {
		wrong = append(wrong, boardwatch.FieldError{Field: "email", Message: "is not an e-mail address"})
	}
	if fault := passwordFault(password); fault != "" {
		wrong = append(wrong, boardwatch.FieldError{Field: "password", Message: fault})
	}
	if err := boardwatch.InvalidFields(wrong); err != nil {
		return Account{}, err
	}
	hash, err := i.hasher.Hash(ctx, password)
	if err != nil {
		return Account{}, err
	}
	return Account{
		ID: boardwatch.NewID(), Email: address, Plan: i.o.Plan, PasswordHash: hash, CreatedAt: boardwatch.Milli(i.o.Now()),
	}, nil
}

// SignUp begins an account if anybody may have one: it sends a link to the address, and using the link creates the
// account. The answer, and the time it takes, do not tell whether the address already has an account; if so, its owner
// is told about the attempt. The returned token is for SignUpAgain.
func (i *Identities) SignUp(ctx context.Context, email, password string, v Visitor) (again string, err error) {
	if err := i.maySignUp(ctx, v); err != nil {
		return "", err
	}
	a, err := i.newAccount(ctx, email, password)
	if err != nil {
		return "", err
	}
	if err := i.confirmFirst(ctx, a, v); err != nil {
		return "", err
	}
	waiting, err := json.Marshal(waitingSignUp{a.Email, a.Plan, a.PasswordHash})
	if err != nil {
		return "", fmt.Errorf("sign up: %w", err)
	}
	return i.Begin(CeremonySignUp, Account{}, waiting)
}

// waitingSignUp is an account that its owner has not confirmed yet.
type waitingSignUp struct {
	Email        string
	Plan         PlanName
	PasswordHash string
}

// SignUpAgain sends the link of a sign-up again, and returns the address it went to. A token that is not valid, or older than
// a day, is a not_found error.
func (i *Identities) SignUpAgain(ctx context.Context, token string, v Visitor) (email string, err error) {
	c, err := i.Open(CeremonySignUp, token)
	if err != nil {
		return "", err
	}
	var waiting waitingSignUp
	if err := json.Unmarshal(c.Data, &waiting); err != nil {
		return "", fmt.Errorf("sign up: %w", err)
	}
	if err := i.maySignUp(ctx, v); err != nil {
		return waiting.Email, err
	}
	return waiting.Email, i.confirmFirst(ctx, Account{Email: waiting.Email, Plan: waiting.Plan, PasswordHash: waiting.PasswordHash}, v)
}

// maySignUp says why a visitor cannot sign up now.
func (i *Identities) maySignUp(ctx context.Context, v Visitor) error {
	if mode, err := i.Mode(ctx); err != nil || mode != SignUpOpen || i.o.NoPasswords {
		return cmp.Or(err, closed())
	}
	if wait := i.senders.take(networkOf(v.Address), i.o.Now()); wait > 0 {
		return tooMany(wait)
	}
	return nil
}

// confirmFirst sends the link that creates the account to an address, unless too many mails were sent there: for this visitor's
// network, so that strangers do not take the turns of whose address it is, or for very many.
func (i *Identities) confirmFirst(ctx context.Context, a Account, v Visitor) error {
	if i.mayWrite("sign-up "+networkOf(v.Address), a.Email) > 0 || i.strangers.take(a.Email, i.o.Now()) > 0 {
		return nil
	}
	known, err := i.find(ctx, a.Email)
	if err != nil {
		return fmt.Errorf("sign up: %w", err)
	}
	l, token := NewLink(LinkSignUp, i.o.Now())
	l.Email, l.Plan, l.PasswordHash = a.Email, a.Plan, a.PasswordHash
	if err := i.store.CreateLink(ctx, l); err != nil {
		return fmt.Errorf("sign up: %w", err)
	}
	if known.ID != "" {
		i.send(ctx, knownLetter(a.Email, i.o.BaseURL))
		return nil
	}
	i.send(ctx, signUpLetter(a.Email, i.address(VerifyPath, token)))
	return nil
}

// Invitation is a new invitation, with its address, which is shown only once.
type Invitation struct {
	Link
	URL string
}

// Invite creates an invitation. With an address it is sent there, and the account created with it has that address
// confirmed; without one, anybody who gets the link can use it. An empty plan means the plan of new accounts. Only
// operators may invite, and not while sign-up is closed.
func (i *Identities) Invite(ctx context.Context, by Account, email string, plan PlanName) (Invitation, error) {
	if !by.Admin {
		return Invitation{}, boardwatch.NotFound("page")
	}
	if mode, err := i.Mode(ctx); err != nil || mode == SignUpClosed {
		return Invitation{}, cmp.Or(err, closed())
	}
	plan = cmp.Or(plan, i.o.Plan)
	if fault := plan.Fault(); fault != "" {
		return Invitation{}, boardwatch.Invalid("plan", fault)
	}
	l, token := NewLink(LinkInvite, i.o.Now())
	l.AccountID, l.Plan = by.ID, plan
	if email != "" {
		address, err := NormalizeEmail(email)
		if err != nil {
			return Invitation{}, err
		}
		l.Email = address
	}
	if err := i.store.CreateLink(ctx, l); err != nil {
		return Invitation{}, fmt.Errorf("invite: %w", err)
	}
	made := Invitation{Link: l, URL: i.address(SignUpPath, token)}
	if l.Email != "" {
		i.send(ctx, invitationLetter(l.Email, by.Email, made.URL))
	}
	return made, nil
}

// Invitations lists the valid invitations, newest first. Only operators may see them.
func (i *Identities) Invitations(ctx context.Context, by Account) ([]Link, error) {
	if !by.Admin {
		return nil, boardwatch.NotFound("page")
	}
	list, err := i.store.Invitations(ctx, i.o.Now())
	return list, boardwatch.Wrap("list invitations", err)
}

// Withdraw ends an invitation; an unknown one is a not_found error. Only operators may do this.
func (i *Identities) Withdraw(ctx context.Context, by Account, id string) error {
	if !by.Admin || !boardwatch.ValidID(id) {
		return boardwatch.NotFound("invitation")
	}
	return boardwatch.Wrap("withdraw invitation", i.store.DeleteInvitation(ctx, id))
}

// CheckInvitation returns the address that an invitation is for, or an empty one if it is for anybody. An invalid
// invitation is a not_found error.
func (i *Identities) CheckInvitation(ctx context.Context, token string) (email string, err error) {
	l, err := i.invitation(ctx, token)
	return l.Email, err
}

func (i *Identities) invitation(ctx context.Context, token string) (Link, error) {
	if mode, err := i.Mode(ctx); err != nil || mode == SignUpClosed {
		return Link{}, cmp.Or(err, errLink())
	}
	return i.goodLink(ctx, LinkInvite, token)
}

// Accept creates the account of an invited person and signs them in. An invitation sent to an address is for that
// address, which counts as confirmed; otherwise email has to be confirmed. The invitation is used up only if it
// succeeds.
func (i *Identities) Accept(ctx context.Context, token, email, password string, v Visitor) (Entered, error) {
	if i.o.NoPasswords {
		return Entered{}, closed()
	}
	if wait := i.senders.take(networkOf(v.Address), i.o.Now()); wait > 0 {
		return Entered{}, tooMany(wait)
	}
	l, err := i.invitation(ctx, token)
	if err != nil {
		return Entered{}, err
	}
	if err := i.mayHash(l, v); err != nil {
		return Entered{}, err
	}
	email = cmp.Or(l.Email, email)
	a, err := i.newAccount(ctx, email, password)
	if err != nil {
		return Entered{}, err
	}
	if l.Email == "" { // whoever has it could ask which addresses have an account
		if wait := i.open.take(l.Hash, i.o.Now()); wait > 0 {
			return Entered{}, tooMany(wait)
		}
	}
	a, err = i.redeem(ctx, LinkInvite, token, func(l Link) Outcome {
		a.Plan, a.Verified = l.Plan, l.Email != ""
		return Outcome{Create: &a}
	})
	if err != nil {
		return Entered{}, err
	}
	if !a.Verified {
		if err := i.sendVerification(ctx, a); err != nil {
			return Entered{}, err
		}
	}
	return i.enter(ctx, a, v)
}

// closed is the error for a person who may not create an account.
func closed() error {
	return &boardwatch.Error{Code: boardwatch.CodeNotFound, Message: "sign-up is closed here"}
}
