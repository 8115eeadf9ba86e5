package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestBoardsAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.populate(w.account(ownerEmail, account.PlanUltra, true))
	b := w.signedIn(ownerEmail)
	for _, path := range []string{
		"/boards", "/boards?q=aster", "/boards?status=failed", "/boards?sort=open", "/roles", "/roles?search=engineer&location=berlin", "/roles?status=closed",
		"/changes", "/changes?kind=found", "/import", "/settings/account", "/settings/keys", "/settings/channels", "/settings/webhooks", "/settings/email", "/settings/data", "/admin",
	} {
		page := b.get(path)
		require.Equal(t, http.StatusOK, page.status, "%s: %s\n%s", path, page.text, w.log)
	}
	page := b.post("/settings/keys", url.Values{"name": {"Laptop"}})
	require.Contains(t, page.text, "bw_")
}
