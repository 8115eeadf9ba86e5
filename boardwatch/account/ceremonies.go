package account

import (
	"context"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Begin keeps what the second half of a sign-in needs under a token of its first half. The account is whose it is; a zero
// one means that nobody is known.
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

// Finish ends what was begun with the token, which works once. One that has expired or was used is a not_found error.
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

// Provider is what the operator has decided about the people of the provider.
func (i *Identities) Provider() ProviderOptions { return i.o.Provider }
