// Package outbound is the HTTP client that reads careers pages. It reaches public hosts only, and it never waits, reads
// or follows without a limit.
//
// A Client judges every address twice: as it is written, before anything is sent (Client.Check), and as it is dialled,
// after the name was looked up, because names may change their answer in between. Do sends one request and follows no
// redirect; Get fetches a page and judges every hop anew. Both return bodies that are decoded, limited and already in
// memory. Requests to one host and port run one at a time with a pause between them, what is transient is tried again,
// and a host that asked to be left alone is.
//
// Whatever goes wrong is an *Error: its Kind is for code, its sentence for the person whose board could not be read.
//
// An Archive plays recorded exchanges (HAR 1.2) in place of the network, and a Recorder writes them.
package outbound
