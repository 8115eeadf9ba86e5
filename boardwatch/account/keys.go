package account

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// MaxKeyName is the longest name of a key, in characters.
const MaxKeyName = 60

// Keys manages the API keys of accounts. It may be used concurrently.
type Keys struct {
	store KeyStore
	plans Plans
	now   func() time.Time
}

// NewKeys returns a Keys.
func NewKeys(store KeyStore, o Options) *Keys {
	o = o.withDefaults()
	return &Keys{store: store, plans: o.Plans, now: o.Now}
}

// Create makes a key and returns its secret, which nobody can ask for again. It is a plan_required error if the
// account's plan has no REST API, and an invalid_request error if the account already has MaxKeys keys.
func (k *Keys) Create(ctx context.Context, a Account, name string) (key APIKey, secret string, err error) {
	name = strings.TrimSpace(name)
	if fault := nameFault(name); fault != "" {
		return APIKey{}, "", boardwatch.Invalid("name", fault)
	}
	if !k.plans[a.Plan].REST {
		return APIKey{}, "", &boardwatch.Error{
			Code:    boardwatch.CodePlanRequired,
			Message: "the plan " + string(a.Plan) + " has no REST API, and so no keys",
		}
	}
	key, secret = NewAPIKey(a.ID, name, k.now())
	if err := k.store.CreateKey(ctx, key, MaxKeys); err != nil {
		return APIKey{}, "", fmt.Errorf("create key: %w", err)
	}
	return key, secret, nil
}

// List returns the account's keys, regardless of its plan.
func (k *Keys) List(ctx context.Context, a Account) ([]APIKey, error) {
	keys, err := k.store.Keys(ctx, a.ID)
	return keys, boardwatch.Wrap("list keys", err)
}

// Delete makes a key invalid immediately and permanently. A key of another account is a not_found error.
func (k *Keys) Delete(ctx context.Context, a Account, id string) error {
	if !boardwatch.ValidID(id) {
		return boardwatch.NotFound("key")
	}
	return boardwatch.Wrap("delete key", k.store.DeleteKey(ctx, a.ID, id))
}

// nameFault says what is wrong with the name of a key or a webhook, or nothing.
func nameFault(name string) string {
	switch {
	case name == "":
		return "must not be empty"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "must be plain text without control characters"
	case utf8.RuneCountInString(name) > MaxKeyName:
		return "must be at most " + strconv.Itoa(MaxKeyName) + " characters"
	}
	return ""
}
