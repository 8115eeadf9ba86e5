package scraper

import "github.com/boardwatch/boardwatch/internal/match"

type pattern = match.Pattern

func newPattern(expr string) *pattern { return match.New(expr) }
