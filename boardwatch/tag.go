package boardwatch

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of tags. Lengths are in characters.
const (
	MaxTags = 20 // of one board, or one search
	MaxTag  = 40
)

// tagRule is the rule for a list of tags, in words.
var tagRule = "must be at most " + strconv.Itoa(MaxTags) + " tags of at most " + strconv.Itoa(MaxTag) + " characters, without commas" //nolint:gochecknoglobals // a constant text

// Tagged reports whether the account has given the board this tag, ignoring case.
func (s Subscription) Tagged(tag string) bool { return hasTag(s.Tags, tag) }

func hasTag(tags []string, tag string) bool {
	return slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(t, tag) })
}

// Retagged returns a list of tags after some were added and others removed, in alphabetical order. Tags that differ
// only in case are the same, and the first spelling stays. An invalid tag is an invalid_request error.
func Retagged(tags, add, remove []string) ([]string, error) {
	var out []string
	for _, tag := range slices.Concat(tags, add) {
		tag = strings.Join(strings.Fields(tag), " ")
		if !validTag(tag) {
			return nil, Invalid("tags", tagRule)
		}
		if !hasTag(out, tag) {
			out = append(out, tag)
		}
	}
	for _, tag := range remove {
		out = slices.DeleteFunc(out, func(t string) bool { return strings.EqualFold(t, strings.TrimSpace(tag)) })
	}
	if len(out) > MaxTags {
		return nil, Invalid("tags", tagRule)
	}
	slices.SortFunc(out, byLetters)
	return out, nil
}

// MergedTags returns the tags of two boards that have become one, up to the limit.
func MergedTags(older, younger []string) []string {
	out := slices.Clone(older)
	for _, tag := range younger {
		if len(out) < MaxTags && !hasTag(out, tag) {
			out = append(out, tag)
		}
	}
	slices.SortFunc(out, byLetters)
	return out
}

func byLetters(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

func validTag(tag string) bool {
	return tag != "" && utf8.ValidString(tag) && utf8.RuneCountInString(tag) <= MaxTag && !strings.Contains(tag, ",") &&
		!strings.ContainsFunc(tag, isControl)
}
