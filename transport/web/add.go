package web

import (
	"html/template"
	"net/http"
	"strings"
)

// addPage asks whether to watch the page that a person has come from. Opening it adds nothing.
type addPage struct{ Address string }

func (a *App) showAdd(w http.ResponseWriter, r *http.Request, c *caller) error {
	p := addPage{strings.TrimSpace(r.URL.Query().Get("url"))}
	return a.show(w, r, c, http.StatusOK, "add", view{Title: "Add a board", Section: "Boards", Narrow: true, Page: p})
}

// bookmarklet opens the page that asks, with the address of the page that the person is on.
func (a *App) bookmarklet() template.URL {
	return template.URL("javascript:location.href='" + template.JSEscapeString(a.address("/add")) + "?url='+encodeURIComponent(location.href)") //nolint:gosec // our own address, escaped
}
