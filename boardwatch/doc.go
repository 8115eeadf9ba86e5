// Package boardwatch holds the nouns and the rules of watching careers pages. It needs nothing but the standard library
// and does no I/O: clocks, ids and readings are handed in, decisions come out.
//
// A Board is one careers page, shared by all who track it. A Source looks at it and returns a Reading: the Postings it
// saw and how far they can be trusted (Health). Decide compares the reading with the Jobs the board is known to have and
// returns everything that the check changes: what was found, closed and reopened (Change), what is owed to webhooks
// (Delivery), and when to look again (NextCheck). A Store saves that in one transaction.
//
// The three promises rest here. No role is closed by a sick read: Judge and Diff count an absence only in a healthy
// reading, and close only after several in a row. No change is lost: a change, its history and the deliveries it owes
// are one CheckResult, saved whole or not at all. Nobody gets in where they do not belong: PublicAddr, APIKey and
// Verify are the only judges of addresses, keys and signatures.
package boardwatch
