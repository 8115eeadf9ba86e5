// Package receiver is for programs that receive boardwatch's webhooks. It needs the standard library only.
//
// A Receiver reads a delivery without exceeding a limit of size or time, verifies its signature, leaves out what was taken
// before, and hands on a typed Event: JobsFound, JobsArchived, BoardFailed, Ping, or Unknown for what a later version
// may send. Handler gives the events to a function, Middleware to an http.Handler.
//
// Deliveries come at least once and in no promised order: a Seen says which came already. NewMemory keeps that in
// memory; a program that must not act twice after a restart keeps it beside its own data.
package receiver
