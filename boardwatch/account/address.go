package account

import (
	"context"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/canonical"
)

// NormalizeEmail returns the form in which an e-mail address is stored and compared: ASCII letters in lower case, and the
// domain in punycode. If s is not an address, or has characters that may be mistaken for ASCII letters, it is an
// invalid_request error of the field "email".
func NormalizeEmail(s string) (string, error) {
	email, ok := canonical.Email(s)
	if !ok {
		return "", boardwatch.Invalid("email", "is not an e-mail address")
	}
	return email, nil
}

// longestStored is in bytes.
const longestStored = 254

// byAddress finds the account of an address as somebody writes it; otherwise it is a not_found error. The text itself
// comes first, because earlier versions stored addresses in forms that are refused today or belong to another account.
func byAddress(ctx context.Context, store Store, email string) (Account, error) {
	written := strings.TrimSpace(email)
	normal, ok := canonical.Email(written)
	if written != normal && len(written) <= longestStored {
		a, err := store.AccountByEmail(ctx, written)
		if boardwatch.CodeOf(err) != boardwatch.CodeNotFound || err == nil {
			return a, err
		}
	}
	if !ok {
		return Account{}, boardwatch.NotFound("account")
	}
	return store.AccountByEmail(ctx, normal)
}

// belongs reports whether an address as somebody writes it is the account's.
func belongs(email string, a Account) bool {
	normal, _ := canonical.Email(email)
	return email == a.Email || normal == a.Email
}
