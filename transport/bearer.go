package transport

import (
	"net/http"
	"strings"
)

// Bearer returns a caller's secret from the only header that may carry it. It is false if the header is missing, given
// twice, or not of the form "Bearer <secret>". The case of the scheme does not matter.
func Bearer(h http.Header) (secret string, ok bool) {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, secret, _ := strings.Cut(values[0], " ")
	secret = strings.TrimLeft(secret, " ")
	if !strings.EqualFold(scheme, "Bearer") || secret == "" || strings.ContainsAny(secret, " \t,") {
		return "", false
	}
	return secret, true
}
