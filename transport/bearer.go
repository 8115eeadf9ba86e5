package transport

import (
	"net/http"
	"strings"
)

// Bearer takes the secret of a caller out of the one header that may carry it. It is false when the header is missing,
// given twice, or of another form than "Bearer <secret>"; the scheme is read in any case.
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
