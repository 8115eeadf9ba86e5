package account

import (
	"cmp"
	"context"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// SendVerification sends an account the link that confirms its address. If that was done too often, it is a
// rate_limited error. If the address is already confirmed, nothing happens.
func (i *Identities) SendVerification(ctx context.Context, a Account) error {
	if a.Verified {
		return nil
	}
	if wait := i.mayWrite("verify", a.Email); wait > 0 {
		return tooMany(wait)
	}
	return i.sendVerification(ctx, a)
}

func (i *Identities) sendVerification(ctx context.Context, a Account) error {
	l, token := NewLink(LinkVerify, i.o.Now())
	l.AccountID, l.Email = a.ID, a.Email
	if err := i.store.CreateLink(ctx, l); err != nil {
		return fmt.Errorf("send verification: %w", err)
	}
	i.send(ctx, verifyLetter(a.Email, i.address(VerifyPath, token)))
	return nil
}

// CheckVerification says which address a link of VerifyPath confirms, without using the link: a person who opens the
// page has not clicked its button yet. An invalid link is a not_found error.
func (i *Identities) CheckVerification(ctx context.Context, token string) (email string, signUp bool, err error) {
	for _, kind := range []LinkKind{LinkVerify, LinkMove} {
		l, err := i.goodLink(ctx, kind, token)
		if err == nil || boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
			return l.Email, false, err
		}
	}
	l, err := i.begun(ctx, token)
	return l.Email, err == nil, err
}

// begun returns the link of a sign-up, which is valid while anybody may sign up.
func (i *Identities) begun(ctx context.Context, token string) (Link, error) {
	if mode, err := i.Mode(ctx); err != nil || mode != SignUpOpen || i.o.NoPasswords {
		return Link{}, cmp.Or(err, errLink())
	}
	return i.goodLink(ctx, LinkSignUp, token)
}

// Verify uses a link of VerifyPath: it confirms the address of an account, gives an account its new address, or creates
// the account of a person who signed up. The last needs the password chosen at sign-up again, so that nobody who finds
// a link in their mail creates an account whose password a stranger knows. A wrong password is an invalid_request
// error, and the link stays valid. Verify signs nobody in; made reports a new account.
func (i *Identities) Verify(ctx context.Context, token, password string, v Visitor) (a Account, made bool, err error) {
	a, err = i.redeem(ctx, LinkVerify, token, func(Link) Outcome {
		return Outcome{Verified: true}
	})
	if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return a, false, err
	}
	a, err = i.move(ctx, token)
	if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return a, false, err
	}
	link, err := i.begun(ctx, token)
	if err != nil {
		return a, false, err
	}
	try, err := i.linkAttempt(ctx, link, v)
	if err != nil {
		return a, false, err
	}
	ok, err := try.matches(ctx, link.PasswordHash, password)
	if err == nil && !ok {
		err = boardwatch.Invalid("password", "this is not the password you chose when you signed up")
	}
	if err != nil {
		return a, false, err
	}
	a, err = i.redeem(ctx, LinkSignUp, token, func(l Link) Outcome {
		return Outcome{Create: &Account{
			ID: boardwatch.NewID(), Email: l.Email, Plan: l.Plan, Verified: true, PasswordHash: l.PasswordHash,
			CreatedAt: boardwatch.Milli(i.o.Now()),
		}}
	})
	return a, err == nil, err
}

// SendReset sends the owner of an address a link that sets a new password. The answer does not depend on whether there
// is an account; only a network that asks too often is refused.
func (i *Identities) SendReset(ctx context.Context, email string, v Visitor) error {
	address, err := NormalizeEmail(email)
	if err != nil {
		return err
	}
	if wait := i.senders.take(networkOf(v.Address), i.o.Now()); wait > 0 {
		return tooMany(wait)
	}
	if i.mayWrite("reset", address) > 0 {
		return nil
	}
	a, err := i.find(ctx, address)
	if err != nil {
		return fmt.Errorf("send reset: %w", err)
	}
	if !i.AllowsPassword(a) {
		a = Account{}
	}
	// A link for nobody is saved too, so that it takes as long. It cannot create an account.
	l, token := NewLink(LinkReset, i.o.Now())
	l.AccountID, l.Email = a.ID, address
	if err := i.store.CreateLink(ctx, l); err != nil {
		return fmt.Errorf("send reset: %w", err)
	}
	if a.ID != "" {
		i.send(ctx, resetLetter(address, i.address(ResetPath, token)))
	}
	return nil
}

// CheckReset says whose password a link sets, without using the link. An invalid link is a not_found error.
func (i *Identities) CheckReset(ctx context.Context, token string) (email string, err error) {
	l, err := i.goodLink(ctx, LinkReset, token)
	return l.Email, err
}

// Reset sets a new password. The address is confirmed, because the link was sent there, and the account belongs to the
// reader of that mailbox: all its sign-ins and connected apps end, its feeds get new addresses, and the person is
// signed in. Keys and webhooks stay. They may be somebody else's, so show them to the person. A bad password is an
// invalid_request error and does not use up the link.
func (i *Identities) Reset(ctx context.Context, token, password string, v Visitor) (Entered, error) {
	l, err := i.goodLink(ctx, LinkReset, token)
	if err != nil {
		return Entered{}, err
	}
	if owner, err := i.store.Account(ctx, l.AccountID); err != nil || !i.AllowsPassword(owner) {
		return Entered{}, cmp.Or(linkFault(err), errLink())
	}
	if err := i.mayHash(l, v); err != nil {
		return Entered{}, err
	}
	hash, err := i.newPassword(ctx, "password", password)
	if err != nil {
		return Entered{}, err
	}
	a, err := i.redeem(ctx, LinkReset, token, func(Link) Outcome {
		return Outcome{Verified: true, PasswordHash: hash}
	})
	if err != nil {
		return Entered{}, err
	}
	i.send(ctx, reclaimedLetter(a.Email, i.o.BaseURL))
	return i.enter(ctx, a, v)
}

// ChangePassword sets another password, or the first one, for a person who has proved that the account is theirs
// (Confirm). All their sign-ins end, and their current browser gets a new one. Wrong attempts count like those of a
// sign-in. A bad new password is an invalid_request error of the field "new".
func (i *Identities) ChangePassword(ctx context.Context, a Account, present Proof, password string, v Visitor) (Entered, error) {
	a, err := i.confirm(ctx, a, present, v)
	if err != nil {
		return Entered{}, err
	}
	if !i.AllowsPassword(a) {
		return Entered{}, boardwatch.Invalid("new", "cannot be set: people sign in without passwords here")
	}
	hash, err := i.newPassword(ctx, "new", password)
	if err != nil {
		return Entered{}, err
	}
	if err := i.store.SetPassword(ctx, a.ID, hash); err != nil {
		return Entered{}, fmt.Errorf("change password: %w", err)
	}
	a.PasswordHash = hash
	i.send(ctx, passwordLetter(a.Email, i.o.BaseURL))
	return i.enter(ctx, a, v)
}

// ChangeEmail sends a link to the new address that a person wants for their account; until the link is used, nothing
// changes. Only a person who has proved that the account is theirs may ask. The answer does not tell whether the
// address already has an account, whose owner is then told about the attempt, or whether another mail may be sent to
// it.
func (i *Identities) ChangeEmail(ctx context.Context, a Account, p Proof, email string, v Visitor) error {
	address, err := NormalizeEmail(email)
	if err != nil {
		return err
	}
	a, err = i.confirm(ctx, a, p, v)
	if err != nil || address == a.Email {
		return err
	}
	if wait := i.senders.take(networkOf(v.Address), i.o.Now()); wait > 0 {
		return tooMany(wait)
	}
	if i.mayWrite("move", address) > 0 {
		return nil
	}
	known, err := i.find(ctx, address)
	if err != nil {
		return fmt.Errorf("change address: %w", err)
	}
	// For an address that is taken the link is saved too, so that it takes as long, but it is sent to nobody.
	l, token := NewLink(LinkMove, i.o.Now())
	l.AccountID, l.Email = a.ID, address
	if err := i.store.CreateLink(ctx, l); err != nil {
		return fmt.Errorf("change address: %w", err)
	}
	if known.ID != "" {
		i.send(ctx, takenLetter(address, a.Email))
		return nil
	}
	i.send(ctx, moveLetter(address, a.Email, i.address(VerifyPath, token)))
	return nil
}

// move uses a link that was sent to an account's new address, and notifies the old address.
func (i *Identities) move(ctx context.Context, token string) (Account, error) {
	l, err := i.goodLink(ctx, LinkMove, token)
	if err != nil {
		return Account{}, err
	}
	before, err := i.store.Account(ctx, l.AccountID)
	if err != nil {
		return Account{}, linkFault(err)
	}
	a, err := i.redeem(ctx, LinkMove, token, func(Link) Outcome {
		return Outcome{Move: true}
	})
	if err != nil {
		return Account{}, err
	}
	i.send(ctx, movedLetter(before.Email, a.Email))
	return a, nil
}

// Delete removes the account of a person who has proved that it is theirs, with its keys, webhooks, sign-ins and list
// of boards. Boards and their history stay. The last operator is refused, as an invalid_request error of the field
// "account": nobody else could look after the installation.
func (i *Identities) Delete(ctx context.Context, a Account, p Proof, v Visitor) error {
	a, err := i.confirm(ctx, a, p, v)
	if err != nil {
		return err
	}
	if err := notLastOperator(ctx, i.store, a); err != nil {
		return fmt.Errorf("delete account: %w", err)
	}
	if err := i.store.DeleteAccount(ctx, a.ID); err != nil {
		return fmt.Errorf("delete account: %w", err)
	}
	i.send(ctx, goneLetter(a.Email))
	return nil
}
