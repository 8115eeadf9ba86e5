package receiver

import "net/http"

// answer settles the outcome of a delivery before the first byte of a final answer is sent, so that the sender is never
// told that a delivery was accepted which Seen has not recorded as accepted.
type answer struct {
	http.ResponseWriter

	end      func(taken bool) error
	reserved bool // its outcome is not settled yet
	failed   bool // Seen could not record it, so this package answers
}

// WriteHeader ends the reservation with the first final status.
func (a *answer) WriteHeader(status int) {
	if status < http.StatusOK || !a.reserved {
		if !a.failed && status < http.StatusOK {
			a.ResponseWriter.WriteHeader(status)
		}
		return
	}
	if err := a.end(status <= 299); err != nil && status <= 299 {
		a.failed = true
		http.Error(a.ResponseWriter, "the delivery may come again", http.StatusServiceUnavailable)
		return
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write writes the answer's body, after a status of 200 if there was none.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.failed {
		return len(p), nil
	}
	return a.ResponseWriter.Write(p)
}

// Unwrap makes the server's own writer available to http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
