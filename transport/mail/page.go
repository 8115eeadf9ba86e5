package mail

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

//go:embed page.html
var pageHTML string

// pageTemplate is the page around the content of every message. Where a mail program drops its styles, headings, lists and links
// are left.
var pageTemplate = template.Must(template.New("page").Parse(pageHTML)) //nolint:gochecknoglobals // read once

// page is the HTML part of a message.
func page(m account.Mail) (string, error) {
	var text strings.Builder
	err := pageTemplate.Execute(&text, struct {
		Title   string
		Content template.HTML
	}{oneLine(m.Subject), template.HTML(m.HTML)}) //nolint:gosec // its writer has escaped what strangers wrote
	if err != nil {
		return "", fmt.Errorf("write the page of a message: %w", err)
	}
	return text.String(), nil
}
