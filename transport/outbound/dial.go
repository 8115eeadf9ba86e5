package outbound

import (
	"context"
	"net/http"
	"net/url"
	"syscall"
)

// Judged is the ControlContext of a net.Dialer that connects to the public Internet only, and to this machine if
// loopback is set. It judges the very address that is dialled, after names are looked up.
func Judged(loopback bool) func(ctx context.Context, network, address string, conn syscall.RawConn) error {
	return Policy{Loopback: loopback}.control
}

// proxyAnswered is the OnProxyConnectResponse of a transport whose errors are explained: it says what a proxy that refuses a
// connection answered.
func proxyAnswered(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return &proxyError{status: answer.StatusCode}
	}
	return nil
}
