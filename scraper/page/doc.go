// Package page reads a page: bytes and an address go in, and evidence, candidates and a verdict come out. It is pure. It has
// no context, no network, no clock and no log. What else it needs to know is in a Visit.
//
// It works in four steps:
//
//  1. Evidence: what the page says. Parse makes a Document of it (parse.go, document.go, classes.go, sections.go). Beside
//     what it shows to people stand what it says to machines (jsonld.go, microdata.go, feed.go) and the state of the application behind it
//     (state.go, state_script.go, state_flattened.go).
//  2. Candidates: texts that may be titles of roles, in groups of those that are written alike (candidates.go, signature.go,
//     groups.go, peers.go, cards.go, table.go).
//  3. Judgement: which groups are roles (cards.go, closed.go), what was overlooked (overlooked.go), and what the other
//     sources add to them (merge.go).
//  4. Verdict: how far the list can be trusted (list.go, verdict.go, rendered.go), and whether it goes on (pagination.go,
//     extent.go).
//
// Document.Candidates does the first three steps, Candidates.Verdict the fourth. The words of each language are data: they
// are in words/<language>.txt, which vocabulary.go reads. Names that programmers choose (classes, keys of data, parts of
// addresses) are with the code that uses them, unless they are words of several languages.
package page
