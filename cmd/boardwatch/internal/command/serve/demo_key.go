package serve

import (
	"context"
	"fmt"
	"io"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
)

const demoKeyName = "demo"

// demoKey makes a key for the demo's account. The one of an earlier demo in the same directory goes: nobody knows its
// secret any more.
func demoKey(ctx context.Context, a *app.App) (secret string, err error) {
	owner, err := a.Accounts.Show(ctx, demoEmail)
	if err != nil {
		return "", err
	}
	old, err := a.Keys.List(ctx, owner)
	if err != nil {
		return "", err
	}
	for _, k := range old {
		if k.Name != demoKeyName {
			continue
		}
		if err := a.Keys.Delete(ctx, owner, k.ID); err != nil {
			return "", err
		}
	}
	_, secret, err = a.Keys.Create(ctx, owner, demoKeyName)
	return secret, err
}

// introduceDemoKey shows what to do with the key.
func introduceDemoKey(out io.Writer, url, secret string) error {
	_, err := fmt.Fprintf(out, `The REST interface is described at %[1]s/docs. The demo's API key is
  %[2]s
which makes these work:
  curl -H "Authorization: Bearer %[2]s" %[1]s/v1/status
  curl -H "Authorization: Bearer %[2]s" %[1]s/v1/boards
  curl -H "Authorization: Bearer %[2]s" "%[1]s/v1/jobs?search=engineer&limit=3"

`, url, secret)
	return err
}
