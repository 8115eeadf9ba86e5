// Package docs is the documentation, as part of the program.
package docs

import "embed"

// Files are the pages, in Markdown.
//
//go:embed *.md
var Files embed.FS
