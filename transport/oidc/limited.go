package oidc

import (
	"errors"
	"io"
	"net/http"
)

// longestAnswer is the most bytes of an answer that are read.
const longestAnswer = 1 << 20

// errTooLong says that an answer is longer than any provider's.
var errTooLong = errors.New("the answer is longer than 1 MiB")

// limited refuses long answers.
type limited struct{ next http.RoundTripper }

// RoundTrip sends the request.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &limitedBody{ReadCloser: answer.Body, left: longestAnswer}
	return answer, nil
}

// limitedBody returns an error at the limit, where io.LimitReader would pretend that the body ends.
type limitedBody struct {
	io.ReadCloser

	left int
}

// Read reads on, up to the limit.
func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
