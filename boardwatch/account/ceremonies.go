package account

import (
	"context"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Begin saves what the second half of a sign-in needs, under a token made in the first half. The account is its owner;
// a zero account means that the person is not known yet.
func (i *Identities) Begin(ctx context.Context, kind boardwatch.CeremonyKind, token string, a boardwatch.Account, data []byte) error {
	c := boardwatch.Ceremony{
		Kind: kind, Hash: boardwatch.HashSecret(token), AccountID: a.ID, Data: data,
		ExpiresAt: boardwatch.Milli(i.o.Now()).Add(kind.Life()),
	}
	if err := i.store.CreateCeremony(ctx, c, boardwatch.MaxCeremonies); err != nil {
		return fmt.Errorf("begin sign-in: %w", err)
	}
	return nil
}

// Finish ends what was begun with the token, which works once. An expired or used token is a not_found error.
func (i *Identities) Finish(ctx context.Context, kind boardwatch.CeremonyKind, token string) (boardwatch.Ceremony, error) {
	if !boardwatch.ValidToken(token) {
		return boardwatch.Ceremony{}, boardwatch.NotFound("sign-in")
	}
	c, err := i.store.TakeCeremony(ctx, kind, boardwatch.HashSecret(token), i.o.Now())
	if err != nil {
		return boardwatch.Ceremony{}, fmt.Errorf("finish sign-in: %w", err)
	}
	return c, nil
}

// Provider returns the operator's settings for the people of the provider.
func (i *Identities) Provider() ProviderOptions { return i.o.Provider }
