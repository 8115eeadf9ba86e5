package main

import (
	"net/http"
	"net/url"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// newClient is the client that reads boards, as the settings say.
func newClient(cfg Config) *outbound.Client { return outbound.New(clientOptions(cfg)) }

// clientOptions are the settings in the words of the client.
func clientOptions(cfg Config) outbound.Options {
	o := outbound.Options{
		AllowPrivate:  cfg.HTTP.AllowPrivate,
		AllowLoopback: cfg.Dev,
		Pause:         cfg.HTTP.Pause,
		UserAgent:     cfg.HTTP.UserAgent,
		MaxBody:       int64(cfg.HTTP.MaxBody),
		Timeout:       min(outbound.DefaultTimeout, cfg.Checks.Timeout),
	}
	if o.Pause == 0 {
		o.Pause = -1 // a setting of 0 means none; an option of 0 means the default
	}
	if proxy, err := url.Parse(string(cfg.HTTP.Proxy)); err == nil && cfg.HTTP.Proxy != "" {
		o.Proxy = http.ProxyURL(proxy)
	}
	return o
}
