package browser

import (
	"slices"

	"github.com/chromedp/chromedp"
)

// ownRequests is where Chromium's own requests are sent, so that only the site learns that a page is shown.
const ownRequests = "https://127.0.0.1:9"

// flags are the flags that Chromium is started with. It keeps nothing, shows nothing, and reaches the network through our
// proxy only: no name lookups of its own, no UDP, no exception for loopback. It runs in its own folder, and TMPDIR is relative
// to it, because Chromium does not start when the path of its socket is longer than 107 bytes.
func (b *Browser) flags(program, dir, proxy string) []chromedp.ExecAllocatorOption {
	options := slices.Clone(chromedp.DefaultExecAllocatorOptions[:])
	options = append(
		options,
		chromedp.ExecPath(program),
		chromedp.UserDataDir(dir),
		chromedp.NoInheritEnv, // the environment of this program holds secrets
		chromedp.Env("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME="+dir, "TMPDIR=.", "TEMP="+dir, "TMP="+dir, "LANG=C.UTF-8"),
		chromedp.WindowSize(1366, 2400), // high, so that content which renders when scrolled into view is rendered

		chromedp.ProxyServer("http://"+proxy),
		chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("force-webrtc-ip-handling-policy", "disable_non_proxied_udp"),
		chromedp.Flag("webrtc-ip-handling-policy", "disable_non_proxied_udp"),
		chromedp.Flag("dns-prefetch-disable", true),
		chromedp.Flag("no-pings", true),

		chromedp.Flag("blink-settings", "imagesEnabled=false"),
		chromedp.Flag("disable-remote-fonts", true),
		chromedp.Flag("mute-audio", true),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("block-new-web-contents", true),
		chromedp.Flag("deny-permission-prompts", true),
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("disable-notifications", true),
		chromedp.Flag("disable-speech-api", true),
		chromedp.Flag("component-updater", "url-source="+ownRequests),
		chromedp.Flag("gaia-url", ownRequests), // nobody is signed in
		chromedp.Flag("allow-browser-signin", "false"),
		chromedp.Flag("disable-features", "NetworkTimeServiceQuerying,Translate,BlinkGenPropertyTrees,MediaRouter,OptimizationHints,DialMediaRouteProvider,WebRtcHideLocalIpsWithMdns,AsyncDns,DnsOverHttps"),
		chromedp.Flag("disk-cache-size", "1"),
		chromedp.Flag("js-flags", "--max-old-space-size=512"),
	)
	if b.voucher != nil {
		options = append(options, chromedp.Flag("ignore-certificate-errors-spki-list", b.voucher.Pin()))
	}
	if b.o.NoSandbox {
		options = append(options, chromedp.NoSandbox)
	}
	return options
}
