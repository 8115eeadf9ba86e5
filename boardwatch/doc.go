// Package boardwatch holds the types and rules of watching careers pages. It imports nothing but the standard library
// and does no I/O. Clocks, ids and readings are passed in, and decisions come out.
//
// A Board is one careers page, shared by everyone who tracks it. A Source reads it and returns a Reading: the Postings it
// saw and how far they can be trusted (Health). Decide compares the reading with the Jobs that the board is known to have.
// It returns everything that the check changes: the roles found, closed and reopened (Change), the deliveries owed to
// webhooks (Delivery), and the time of the next check (NextCheck). A CheckStore saves all of it in one transaction.
//
// The three promises are kept here. No role is closed by a sick read, because Decide counts an absence only in a healthy
// reading, and closes a role only after several absences in a row. No change is lost, because a change, its history and
// its deliveries are one CheckResult, saved completely or not at all. Nobody gets in where they do not belong:
// PublicAddr and Verify are the only code that checks addresses and signatures.
//
// Accounts are in package account, and their lists of boards in package track.
package boardwatch
