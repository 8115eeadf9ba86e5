package account

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Passkeys lets people register passkeys and sign in with them. It may be used concurrently.
type Passkeys struct {
	i       *Identities
	checker *webauthn.WebAuthn
}

// PasskeysWork reports whether browsers allow passkeys at a base URL: it must be https or this machine, and a host
// name, not an IP address.
func PasskeysWork(base *url.URL) bool {
	host := base.Hostname()
	return net.ParseIP(host) == nil && (base.Scheme == "https" || host == "localhost" || strings.HasSuffix(host, ".localhost"))
}

// NewPasskeys returns Passkeys for the app at a base URL for which PasskeysWork is true.
func NewPasskeys(i *Identities, base *url.URL) (*Passkeys, error) {
	checker, err := webauthn.New(&webauthn.Config{
		RPID: base.Hostname(), RPDisplayName: "Boardwatch", RPOrigins: []string{base.Scheme + "://" + base.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("set up passkeys: %w", err)
	}
	return &Passkeys{i, checker}, nil
}

// holder is an account in the form the library needs. Devices store its id, which reveals nothing about the person.
type holder struct {
	account  Account
	passkeys []Passkey
	known    []webauthn.Credential
}

func (h holder) WebAuthnID() []byte                         { return []byte(h.account.ID) }
func (h holder) WebAuthnName() string                       { return h.account.Email }
func (h holder) WebAuthnDisplayName() string                { return h.account.Email }
func (h holder) WebAuthnCredentials() []webauthn.Credential { return h.known }

func (p *Passkeys) holder(ctx context.Context, a Account) (holder, error) {
	h := holder{account: a}
	var err error
	if h.passkeys, err = p.List(ctx, a); err != nil {
		return h, err
	}
	for _, k := range h.passkeys {
		var c webauthn.Credential
		if err := json.Unmarshal(k.Credential, &c); err != nil {
			return h, fmt.Errorf("read passkey %s: %w", k.ID, err)
		}
		h.known = append(h.known, c)
	}
	return h, nil
}

// Challenge is what a browser has to answer. The token identifies it, and Options are for the browser's passkey
// interface.
type Challenge struct {
	Token   string `json:"token"`
	Options any    `json:"options"`
}

// begun is what is remembered about a challenge.
type begun struct {
	Session webauthn.SessionData `json:"session"`
	Name    string               `json:"name,omitempty"`
}

func (p *Passkeys) challenge(kind CeremonyKind, a Account, b begun, options any) (Challenge, error) {
	data, err := json.Marshal(b)
	if err != nil {
		return Challenge{}, fmt.Errorf("begin passkey: %w", err)
	}
	token, err := p.i.Begin(kind, a, data)
	return Challenge{token, options}, err
}

// opened returns the challenge that was answered; one that is not valid or has expired is an unauthorized error.
func (p *Passkeys) opened(kind CeremonyKind, token string) (begun, Ceremony, error) {
	c, err := p.i.Open(kind, token)
	if err != nil {
		return begun{}, c, errLate()
	}
	var b begun
	if err := json.Unmarshal(c.Data, &b); err != nil {
		return begun{}, c, fmt.Errorf("read challenge: %w", err)
	}
	return b, c, nil
}

// finish uses up a challenge whose answer is right; one that was used before is an unauthorized error.
func (p *Passkeys) finish(ctx context.Context, c Ceremony) error {
	err := p.i.Finish(ctx, c)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return errLate()
	}
	return err
}

func errLate() error { return refusedKey("this took too long, or was used before: begin again") }

func refusedKey(why string) error {
	return &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: why}
}

// List returns the account's passkeys, oldest first.
func (p *Passkeys) List(ctx context.Context, a Account) ([]Passkey, error) {
	list, err := p.i.store.Passkeys(ctx, a.ID)
	return list, boardwatch.Wrap("list passkeys", err)
}

// BeginRegistration begins to add a passkey to the account of a person who has proved that it is theirs
// (Identities.Confirm).
func (p *Passkeys) BeginRegistration(ctx context.Context, a Account, name string, proof Proof, v Visitor) (Challenge, error) {
	name, err := passkeyName(name)
	if err != nil {
		return Challenge{}, err
	}
	if a, err = p.i.confirm(ctx, a, proof, v); err != nil {
		return Challenge{}, err
	}
	h, err := p.holder(ctx, a)
	if err != nil {
		return Challenge{}, err
	}
	if len(h.known) >= MaxPasskeys {
		return Challenge{}, boardwatch.Invalid("passkey", "this account has as many as it may have; delete one first")
	}
	options, session, err := p.checker.BeginRegistration(h, webauthn.WithExclusions(webauthn.Credentials(h.known).CredentialDescriptors()))
	if err != nil {
		return Challenge{}, fmt.Errorf("begin passkey: %w", err)
	}
	return p.challenge(CeremonyRegister, a, begun{*session, name}, options.Response)
}

// FinishRegistration adds the passkey that a device has created.
func (p *Passkeys) FinishRegistration(ctx context.Context, a Account, token string, answer []byte) error {
	b, c, err := p.opened(CeremonyRegister, token)
	if err != nil {
		return err
	}
	if c.AccountID != a.ID {
		return refusedKey("this passkey was begun for another account")
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return boardwatch.Invalid("passkey", "the answer of the device cannot be read")
	}
	made, err := p.checker.CreateCredential(holder{account: a}, b.Session, parsed)
	if err != nil {
		return boardwatch.Invalid("passkey", "the answer of the device is not valid")
	}
	if err := p.finish(ctx, c); err != nil {
		return err
	}
	data, err := json.Marshal(made)
	if err != nil {
		return fmt.Errorf("add passkey: %w", err)
	}
	k := Passkey{
		ID: boardwatch.NewID(), AccountID: a.ID, CredentialID: base64.RawURLEncoding.EncodeToString(made.ID), Name: b.Name,
		Credential: data, Uses: made.Authenticator.SignCount, CreatedAt: boardwatch.Milli(p.i.o.Now()),
	}
	if err := p.i.store.CreatePasskey(ctx, k, MaxPasskeys); err != nil {
		return fmt.Errorf("add passkey: %w", err)
	}
	p.i.send(ctx, passkeyLetter(a.Email, p.i.o.BaseURL))
	return nil
}

// BeginSignIn asks for any passkey that the device has for this app.
func (p *Passkeys) BeginSignIn() (Challenge, error) {
	options, session, err := p.checker.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return Challenge{}, fmt.Errorf("begin sign-in: %w", err)
	}
	return p.challenge(CeremonyPasskey, Account{}, begun{Session: *session}, options.Response)
}

// FinishSignIn signs in the person whose device has answered. If only is set, nobody but that account's owner gets in.
// Every refusal is an unauthorized error.
func (p *Passkeys) FinishSignIn(ctx context.Context, token string, answer []byte, only Account, v Visitor) (Entered, error) {
	b, c, err := p.opened(CeremonyPasskey, token)
	if err != nil {
		return Entered{}, err
	}
	h, made, err := p.check(ctx, b, answer)
	if err != nil {
		return Entered{}, err
	}
	if only.ID != "" && only.ID != h.account.ID {
		return Entered{}, refusedKey("this passkey belongs to another account")
	}
	if err := p.finish(ctx, c); err != nil {
		return Entered{}, err
	}
	k, err := p.use(ctx, h, made)
	if err != nil {
		return Entered{}, err
	}
	in, err := p.i.enterBy(ctx, h.account, WayPasskey, k.LastUsedAt, v)
	if err != nil {
		return Entered{}, err
	}
	return in, p.confirmStill(ctx, in, k)
}

// check finds whose passkey has answered.
func (p *Passkeys) check(ctx context.Context, b begun, answer []byte) (holder, *webauthn.Credential, error) {
	const unknown = "this passkey is not known here, or its answer is not valid"
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return holder{}, nil, refusedKey(unknown)
	}
	var h holder
	var broken error
	made, err := p.checker.ValidateDiscoverableLogin(func(_, handle []byte) (webauthn.User, error) {
		if !boardwatch.ValidID(string(handle)) {
			return nil, refusedKey(unknown)
		}
		a, err := p.i.store.Account(ctx, string(handle))
		if err == nil {
			h, err = p.holder(ctx, a)
		}
		if err != nil && boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
			broken = err
		}
		return h, err
	}, b.Session, parsed)
	if broken != nil {
		return h, nil, fmt.Errorf("find passkey: %w", broken)
	}
	if err != nil {
		return h, nil, refusedKey(unknown)
	}
	return h, made, nil
}

// use records that a passkey was used. Of two answers with the same count the second is refused.
func (p *Passkeys) use(ctx context.Context, h holder, made *webauthn.Credential) (Passkey, error) {
	if made.Authenticator.CloneWarning {
		p.i.o.Log.WarnContext(ctx, "a passkey that may have been copied was refused", slog.String("account_id", h.account.ID))
		return Passkey{}, refusedKey("this passkey may have been copied: its counter went back. Sign in another way and delete it")
	}
	id := base64.RawURLEncoding.EncodeToString(made.ID)
	at := slices.IndexFunc(h.passkeys, func(k Passkey) bool {
		return subtle.ConstantTimeCompare([]byte(k.CredentialID), []byte(id)) == 1
	})
	if at < 0 {
		return Passkey{}, refusedKey("this passkey is not known here")
	}
	k := h.passkeys[at]
	read := k.Uses
	data, err := json.Marshal(made)
	if err != nil {
		return k, fmt.Errorf("use passkey: %w", err)
	}
	k.Credential, k.Uses, k.LastUsedAt = data, made.Authenticator.SignCount, boardwatch.Milli(p.i.o.Now())
	err = p.i.store.UsePasskey(ctx, k, read)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound && err != nil {
		return k, refusedKey("this passkey was used at the same moment: begin again")
	}
	if err != nil {
		return k, fmt.Errorf("use passkey: %w", err)
	}
	return k, nil
}

// confirmStill ends a sign-in whose passkey was removed while it was checked.
func (p *Passkeys) confirmStill(ctx context.Context, in Entered, k Passkey) error {
	list, err := p.List(ctx, in.Account)
	if err == nil && slices.ContainsFunc(list, func(o Passkey) bool { return o.ID == k.ID }) {
		return nil
	}
	if gone := p.i.sessions.End(ctx, in.Account, in.Session.ID); gone != nil && boardwatch.CodeOf(gone) != boardwatch.CodeNotFound {
		return gone
	}
	if err != nil {
		return err
	}
	return refusedKey("this passkey is not known here")
}

// Rename names one of the account's passkeys; another account's is a not_found error.
func (p *Passkeys) Rename(ctx context.Context, a Account, id, name string) error {
	name, err := passkeyName(name)
	if err != nil {
		return err
	}
	if !boardwatch.ValidID(id) {
		return boardwatch.NotFound("passkey")
	}
	return boardwatch.Wrap("rename passkey", p.i.store.RenamePasskey(ctx, a.ID, id, name))
}

// Delete removes one of the account's passkeys, if there is another way to sign in, for a person who has proved that
// the account is theirs. Another account's is a not_found error.
func (p *Passkeys) Delete(ctx context.Context, a Account, id string, proof Proof, v Visitor) error {
	a, err := p.i.confirm(ctx, a, proof, v)
	if err != nil {
		return err
	}
	if !boardwatch.ValidID(id) {
		return boardwatch.NotFound("passkey")
	}
	if err := p.i.store.DropPasskey(ctx, a.ID, id, p.i.otherWays(a)); err != nil {
		return fmt.Errorf("delete passkey: %w", err)
	}
	p.i.send(ctx, passkeyGoneLetter(a.Email, p.i.o.BaseURL))
	return nil
}

// longestPasskeyName is in characters.
const longestPasskeyName = 60

func passkeyName(name string) (string, error) {
	name = strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " ")
	if name == "" {
		name = "Passkey"
	}
	if utf8.RuneCountInString(name) > longestPasskeyName {
		return "", boardwatch.Invalid("name", fmt.Sprintf("must be at most %d characters", longestPasskeyName))
	}
	return name, nil
}
