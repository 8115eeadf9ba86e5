package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestAPageIsAddedFromWhereOneIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	const path = "/add?url=https%3A%2F%2Fcontoso.example%2Fcareers%3Fa%3D1%26b%3D%3Cscript%3E"

	stranger := w.browser()
	page := stranger.get(path)
	require.Equal(t, "/signin", page.path)
	page = stranger.post("/signin?next="+url.QueryEscape(path), url.Values{"email": {ownerEmail}, "password": {password}, "next": {path}})
	require.Equal(t, "/add", page.path, "who signs in comes back to it")
	require.Contains(t, page.text, `value="https://contoso.example/careers?a=1&amp;b=&lt;script&gt;"`)
	tracked, _, err := w.store.Places(t.Context(), a.ID)
	require.NoError(t, err)
	require.Zero(t, tracked, "looking at the page adds nothing")

	b := w.signedIn(ownerEmail)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.site.URL+"/boards", strings.NewReader("url=contoso.example"))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", "https://elsewhere.example")
	require.Equal(t, http.StatusForbidden, b.do(request).status, "another site's form adds nothing")
	tracked, _, err = w.store.Places(t.Context(), a.ID)
	require.NoError(t, err)
	require.Zero(t, tracked)
	require.Contains(t, b.post("/boards", url.Values{"url": {"https://contoso.example/careers"}}).text, "is on your list")

	require.Equal(t, http.StatusOK, b.get("/add").status)
	require.Contains(t, b.get("/settings/data").text, `href="javascript:location.href=%27`+w.site.URL+`/add?url=%27&#43;encodeURIComponent%28location.href%29"`)
}

func TestFeedsOfBoardsAreExported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	w.account("eve@northwind.example", account.PlanUltra, false)
	id := w.engineering(a)
	b := w.signedIn(ownerEmail)
	file := b.get("/export?format=opml")
	require.Contains(t, file.header.Get("Content-Disposition"), ".opml")
	require.Contains(t, file.text, `text="Aster Robotics"`)
	address := feedAddress.FindString(file.text)
	require.NotEmpty(t, address)
	require.Contains(t, file.text, w.site.URL+address+"/"+id)
	require.Contains(t, w.browser().get(address+"/"+id).text, "watching ")

	eve := w.signedIn("eve@northwind.example")
	require.NotContains(t, eve.get("/export?format=opml").text, id)
	imported := eve.post("/import", url.Values{"text": {file.text}})
	require.Contains(t, imported.text, "1 entry: 1 added")
	list, err := w.store.Accounts(t.Context())
	require.NoError(t, err)
	for _, other := range list {
		boards, err := w.store.Tracked(t.Context(), other.ID, "")
		require.NoError(t, err)
		require.Len(t, boards, 1)
		require.Equal(t, id, boards[0].Board.ID)
	}
}
