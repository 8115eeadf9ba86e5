package boardwatch

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Which parts of an address, or of an id, name a role, and which roles they join.

// byNumber joins roles whose title and address say something else now, but whose address keeps a number that no other role
// has; so do the ids of a hosted system that have all changed. Numbers say nothing where more than a few entries have none of
// their own, or where one has passed from role to role.
func (m *matching) byNumber() {
	if !m.page && !m.renamed || !m.shareNumbers() {
		return
	}
	numbers := make([][]string, len(m.listed))
	for i, p := range m.listed {
		numbers[i] = m.numbers(p)
	}
	owner := holders(m.all(), func(i int) []string { return numbers[i] })
	numbered := 0
	for i := range numbers {
		if slices.ContainsFunc(numbers[i], func(number string) bool { return owner[number] == i }) {
			numbered++
		}
	}
	if 10*numbered < 9*len(m.listed) {
		return
	}
	same := alone(m.open, func(i int) []string { return m.numbers(m.known[i].posting()) }, owner)
	for _, p := range m.pairs {
		if posting, ok := same[p.job]; ok && posting != p.posting {
			return
		}
	}
	m.join(func(job int) (int, bool) {
		posting, ok := same[job]
		return posting, ok
	})
}

// shareNumbers reports whether a role without a counterpart may have the number of an entry without one.
func (m *matching) shareNumbers() bool {
	if len(m.jobs) == 0 {
		return false
	}
	shown := make(map[string]bool)
	for _, i := range m.postings {
		for _, number := range m.numbers(m.listed[i]) {
			shown[number] = true
		}
	}
	return len(shown) > 0 && slices.ContainsFunc(m.jobs, func(i int) bool {
		return slices.ContainsFunc(m.numbers(m.known[i].posting()), func(number string) bool { return shown[number] })
	})
}

// numbers returns what may be the number of a role in its address, or in the id that a hosted system gave it.
func (m *matching) numbers(p Posting) []string {
	if !m.page {
		return addressNumbers(p.Key, p)
	}
	return addressNumbers(p.URL, p)
}

// year matches what is no number of a role though it often stands in an address.
var year = regexp.MustCompile(`^(?:19|20)\d\d$`)

// addressNumbers returns the words in the address of a posting that have a digit, begin or end a part, are not short, and are
// neither a year nor a word of title or place.
func addressNumbers(address string, p Posting) (numbers []string) {
	if _, path, hosted := strings.Cut(addressIdentity(address), "/"); hosted {
		address = path
	}
	said := words(p.Title + " " + p.Location)
	for part := range strings.FieldsFuncSeq(address, inAddress) {
		of := partWords(part, said)
		for i, word := range of {
			if (i == 0 || i == len(of)-1) && len(word) >= 3 && hasDigit(word) && !year.MatchString(word) &&
				!slices.Contains(said, word) && !slices.Contains(numbers, word) {
				numbers = append(numbers, word)
			}
		}
	}
	return numbers
}

// partWords returns the words of a part of an address, without a count behind a number: "R1600-1" is R1600 once more.
func partWords(part string, said []string) []string {
	of := words(part)
	if n := len(of); n > 1 && len(of[n-1]) < 3 && hasDigit(of[n-1]) && len(of[n-2]) >= 3 && hasDigit(of[n-2]) && !slices.Contains(said, of[n-2]) {
		return of[:n-1]
	}
	return of
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

func addressParts(address string) []string {
	return strings.FieldsFunc(addressIdentity(address), inAddress)
}

// inAddress reports whether a character parts an address.
func inAddress(r rune) bool { return strings.ContainsRune("/?&=;#", r) }

// isToken reports whether a part of an address looks as if a program had made it up.
func isToken(part string) bool {
	digits := strings.IndexFunc(part, unicode.IsDigit) >= 0
	letters := strings.IndexFunc(part, unicode.IsLetter) >= 0
	return len(part) >= 6 && digits && (letters || len(part) >= 9)
}
