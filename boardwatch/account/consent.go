package account

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// askLife is how long a person has to answer.
const askLife = 10 * time.Minute

// codeLife is how long a client has to redeem a code.
const codeLife = time.Minute

// Question is the question a person is asked before a client gets a grant.
type Question struct {
	Ask

	Token string // the answer has to contain it
	Host  string // where the answer goes: a host, or the URL scheme of an app on the person's device
}

// Register saves a client under a new id. If there are too many clients without consent, the oldest are removed.
func (g *Grants) Register(ctx context.Context, c Client) (Client, error) {
	c.ID, c.CreatedAt, c.LastUsedAt = boardwatch.NewID(), boardwatch.Milli(g.o.Now()), time.Time{}
	if err := g.store.CreateClient(ctx, c, MaxUnusedClients); err != nil {
		return Client{}, fmt.Errorf("register client: %w", err)
	}
	return c, nil
}

// Client finds a registered client; otherwise it is a not_found error.
func (g *Grants) Client(ctx context.Context, id string) (Client, error) {
	if !boardwatch.ValidID(id) {
		return Client{}, boardwatch.NotFound("client")
	}
	c, err := g.store.Client(ctx, id)
	return c, boardwatch.Wrap("find client", err)
}

// Ask saves a question to the account's owner. Only the owner can answer it, once, with its token.
func (g *Grants) Ask(ctx context.Context, a Account, ask Ask) (token string, err error) {
	token = NewToken()
	ask.Hash, ask.AccountID = HashSecret(token), a.ID
	ask.ExpiresAt = boardwatch.Milli(g.o.Now()).Add(askLife)
	if err := g.store.CreateAsk(ctx, ask); err != nil {
		return "", fmt.Errorf("ask for consent: %w", err)
	}
	return token, nil
}

// Answered ends a question that the account's owner has answered, and returns it. A question that is not theirs, was
// answered before or has expired is a not_found error.
func (g *Grants) Answered(ctx context.Context, a Account, token string) (Ask, error) {
	if !ValidToken(token) {
		return Ask{}, boardwatch.NotFound("question")
	}
	ask, err := g.store.TakeAsk(ctx, a.ID, HashSecret(token), boardwatch.Milli(g.o.Now()))
	return ask, boardwatch.Wrap("answer question", err)
}

// Allow creates a grant and its code for those requested scopes that the person selected. Earlier grants to the same
// client stay, because they belong to the person's other devices.
func (g *Grants) Allow(ctx context.Context, ask Ask, host string, ticked []Scope) (code string, err error) {
	now := boardwatch.Milli(g.o.Now())
	grant := Grant{
		ID: boardwatch.NewID(), AccountID: ask.AccountID, ClientID: ask.Client.ID, ClientName: ask.Client.Name, Host: host,
		Resource: ask.Resource, CreatedAt: now, ExpiresAt: now.Add(g.o.Life),
	}
	for _, s := range ask.Scopes {
		if slices.Contains(ticked, s) {
			grant.Scopes = append(grant.Scopes, s)
		}
	}
	code = NewTokenOf(TokenCode)
	err = g.store.CreateGrant(ctx, grant, Token{
		Hash: HashSecret(code), Kind: TokenCode, GrantID: grant.ID, Scopes: grant.Scopes, CreatedAt: now,
		ExpiresAt: now.Add(codeLife), RedirectURI: ask.RedirectURI, Challenge: ask.Challenge,
	})
	if err != nil {
		return "", fmt.Errorf("allow client: %w", err)
	}
	return code, nil
}
