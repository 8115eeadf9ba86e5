// Package client is for programs that use boardwatch's REST interface. It imports only the standard library.
//
// A Client makes the five requests of /v1. It waits when the rate limit is reached, and retries after failures of the
// service. Everything else that the service refuses is an *Error with a stable code.
//
// AllJobs goes through every page of a list. A Poll hands out roles as the service finds them: each at least once, and
// usually exactly once.
//
// The events that webhooks bring have their types in the package receiver.
package client
