// Package outbound is the HTTP client that reads careers pages. It only reaches public hosts, and everything it does has a
// limit.
//
// A Client checks every address twice: as it is written, before anything is sent (Client.Check), and when connecting, after
// the name was resolved, because a name may resolve differently in between. Do sends one request and follows no redirect.
// Get fetches a page and checks every redirect. Both return bodies that are decoded, limited and already in memory.
// Requests to one host and port run one at a time with a pause between them, or at the pace of the hosted system whose board
// is read. Several processes can share the pace through a store. Temporary errors are retried, a host that refuses requests
// is asked less often, and one that asked for a pause gets it.
//
// Every failure is an *Error. Its Kind is for code, its sentence for the person whose board could not be read.
//
// An Archive plays back recorded requests (HAR 1.2) instead of using the network, and a Recorder writes them.
package outbound
