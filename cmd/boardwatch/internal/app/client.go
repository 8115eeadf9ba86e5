package app

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/scraper/teacher"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// NewClient is the client that reads boards, as the settings say.
func NewClient(cfg config.Config) *outbound.Client { return outbound.New(ClientOptions(cfg)) }

// ClientOptions are the settings in the words of the client.
func ClientOptions(cfg config.Config) outbound.Options {
	o := outbound.Options{
		AllowPrivate:  cfg.HTTP.AllowPrivate,
		AllowLoopback: cfg.Dev,
		Pause:         cfg.HTTP.Pause,
		Paces:         cfg.HTTP.Paces(),
		UserAgent:     cfg.HTTP.UserAgent,
		MaxBody:       int64(cfg.HTTP.MaxBody),
		Timeout:       min(outbound.DefaultTimeout, cfg.Checks.Timeout),
	}
	if o.UserAgent == "" {
		o.UserAgent = userAgent(build.Version())
	}
	if o.Pause == 0 {
		o.Pause = -1 // a setting of 0 means none; an option of 0 means the default
	}
	if proxy, err := url.Parse(string(cfg.HTTP.Proxy)); err == nil && cfg.HTTP.Proxy != "" {
		o.Proxy = http.ProxyURL(proxy)
	}
	return o
}

// userAgent is what a version of the program calls itself when it reads boards: its name, and where to learn about it.
func userAgent(version string) string {
	version = strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f && !strings.ContainsRune("();,/", r) {
			return r
		}
		return -1
	}, version)
	return strings.Replace(outbound.DefaultUserAgent, "Boardwatch;", "Boardwatch/"+version+";", 1)
}

// ScraperOptions are the settings in the words of the scraper. The browser may be nil.
func ScraperOptions(cfg config.Config, chromium *browser.Browser) scraper.Options {
	o := scraper.Options{
		MaxPages:     cfg.Checks.MaxPages,
		IgnoreRobots: !cfg.HTTP.ObeyRobots, ParseMemory: int64(cfg.HTTP.ParseMemory), Version: build.Version(), BrowserMode: scraper.BrowserMode(cfg.Browser.Mode),
	}
	if chromium != nil {
		o.Browser = chromium
	}
	return o
}

// NewTeacher is who is asked about pages that are not understood; nil where the settings name nobody.
func NewTeacher(cfg config.Config, log *slog.Logger) scraper.Teacher {
	if cfg.Teacher.URL == "" {
		return nil
	}
	return teacher.New(teacher.Options{
		URL: cfg.Teacher.URL, Model: cfg.Teacher.Model, Key: string(cfg.Teacher.Key), DailyLimit: cfg.Teacher.DailyLimit, Log: log,
	})
}

// DevOpens is what the setting dev stands for, as a warning.
const DevOpens = "boards and webhooks may be on this machine; not for a service that others can reach"

// WayIn says how addresses could be read that are refused because they are not public; empty when none is.
func WayIn(cfg config.Config, addresses []string) string {
	machine, network := cfg, cfg
	machine.Dev, network.HTTP.AllowPrivate = true, true
	var next []string
	say := func(sentence string) {
		if !slices.Contains(next, sentence) {
			next = append(next, sentence)
		}
	}
	for _, address := range addresses {
		switch {
		case allowed(cfg, address):
		case allowed(machine, address):
			say("Boards on this machine are read with --dev, or with the setting http.allow_private.")
		case allowed(network, address):
			say("Boards on private addresses are read with the setting http.allow_private.")
		}
	}
	return strings.Join(next, " ")
}

// allowed reports whether an address may be asked under some settings.
func allowed(cfg config.Config, address string) bool {
	client := NewClient(cfg)
	defer client.CloseIdleConnections()
	_, err := scraper.New(client, scraper.Options{}).Recognize(address)
	return err == nil
}
