// Package receiver is for programs that receive boardwatch's webhooks. It imports only the standard library.
//
// A Receiver reads a delivery within limits of size and time, verifies its signature, drops deliveries that were already
// accepted, and passes on a typed Event: JobsFound, JobsArchived, BoardFailed, Ping, or Unknown for an event of a later
// version. Handler passes events to a function, Middleware to an http.Handler.
//
// Deliveries arrive at least once and in no guaranteed order. A Seen remembers which were accepted. NewMemory keeps that in
// memory. A program that must not handle an event twice after a restart stores it with its own data.
package receiver
