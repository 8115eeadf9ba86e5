package scraper_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func wallPage(head, body string) string {
	return "<!doctype html><html><head>" + head + "</head><body>" + body + "</body></html>"
}

// Every wall is named by the page it shows, whatever status it comes with and whoever else's headers are on it.
func TestReadWalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		status int
		header map[string]any
		body   string
		vendor string
		wants  string
	}{
		{"Cloudflare's challenge under a title of the site's own", 403, nil, wallPage(`<title>Fabrikam</title>`, `<div id="root"></div><script>window._cf_chl_opt={cType:'managed'}</script>`), "Cloudflare", "asks for a browser"},
		{"Cloudflare's challenge with the status of a page", 200, nil, wallPage(`<title>Just a moment...</title>`, `<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script><noscript><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></noscript>`), "Cloudflare", "asks for a browser"},
		{"a rule of Cloudflare's", 403, nil, wallPage(`<title>Access denied | careers.example used Cloudflare to restrict access</title>`, `<div id="cf-error-details"><h1>Error <span class="cf-error-code">1020</span></h1></div>`), "Cloudflare", "does not let requests"},
		{"Cloudflare's limit", 429, nil, wallPage(`<title>Access denied | careers.example used Cloudflare to restrict access</title>`, `<div id="cf-error-details">Error 1015: you are being rate limited</div>`), "Cloudflare", "too many requests"},
		{"Akamai's refusal in entities", 403, nil, `<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don't have permission to access "x" on this server.<P>Reference&#32;&#35;18&#46;1a</BODY></HTML>`, "Akamai", "does not let requests"},
		{"Akamai's newer refusal", 403, nil, wallPage(`<title>Access Denied</title>`, `<h1>Access Denied</h1>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18`), "Akamai", "does not let requests"},
		{"Akamai's interstitial with the status of a page", 200, nil, wallPage(``, `<div id="sec-if-cpt-container"></div><script src="/_sec/cp_challenge/crypto_message-4-3.js"></script>`), "Akamai", "asks for a browser"},
		{"DataDome behind Cloudflare", 403, map[string]any{"Server": "cloudflare", "CF-RAY": "1", "X-DataDome": "protected"}, wallPage(`<title>careers.example</title>`, `<p id="cmsg">Please enable JS</p><script>var dd={'rt':'c','cid':'x','t':'fe'}</script><script src="https://ct.captcha-delivery.com/c.js"></script>`), "DataDome", "shows a captcha"},
		{"DataDome's interstitial behind Imperva", 403, map[string]any{"X-CDN": "Imperva"}, wallPage(``, `<script>var dd={'rt':'i','cid':'x','t':'fe'}</script><script src="https://ct.captcha-delivery.com/i.js"></script>`), "DataDome", "asks for a browser"},
		{"DataDome's ban", 403, nil, wallPage(``, `<script>var dd={'rt':'c','cid':'x','t':'bv'}</script><script src="https://ct.captcha-delivery.com/c.js"></script>`), "DataDome", "does not let requests"},
		{"PerimeterX", 403, nil, wallPage(`<title>Access to this page has been denied</title>`, `<script>window._pxUuid='x';window._pxHostUrl='/x';</script><p>Press &amp; Hold</p>`), "PerimeterX", "shows a captcha"},
		{"Imperva with the status of a page", 200, nil, wallPage(``, `<iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=27&incident_id=1-2">Request unsuccessful. Incapsula incident ID: 1-2</iframe>`), "Imperva", "does not let requests"},
		{"Imperva of the Distil kind", 200, nil, wallPage(`<title>Pardon Our Interruption</title>`, `<h1>Pardon Our Interruption</h1><p>As you were browsing something made us think you were a bot.</p>`), "Imperva", "shows a captcha"},
		{"AWS WAF by its header", 202, map[string]any{"x-amzn-waf-action": "challenge"}, "", "AWS WAF", "asks for a browser"},
		{"AWS WAF by its page", 405, nil, wallPage(`<title>Human Verification</title>`, `<script>window.awsWafCookieDomainList=[];window.gokuProps={}</script><div id="captcha-container"></div>`), "AWS WAF", "shows a captcha"},
		{"CloudFront", 403, map[string]any{"X-Cache": "Error from cloudfront"}, wallPage(`<title>ERROR: The request could not be satisfied</title>`, `<h1>403 ERROR</h1><h2>The request could not be satisfied.</h2>Request blocked.`), "CloudFront", "does not let requests"},
		{"something on CloudFront that does not say what", 403, map[string]any{"X-Cache": "Error from cloudfront", "Content-Type": "text/plain"}, "Forbidden", "", "does not let requests"},
		{"Kasada", 429, map[string]any{"x-kpsdk-ct": "x"}, wallPage(``, `<script>window.KPSDK={}</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js"></script>`), "Kasada", "does not let requests"},
		{"Sucuri's redirect", 307, nil, `<html><title>You are being redirected...</title><script>var s={},sucuri_cloudproxy_js='';</script></html>`, "Sucuri", "asks for a browser"},
		{"Sucuri's refusal", 403, nil, wallPage(`<title>Sucuri WebSite Firewall - Access Denied</title>`, `<h1>Access Denied</h1>`), "Sucuri", "does not let requests"},
		{"F5", 200, nil, wallPage(`<title>Request Rejected</title>`, `The requested URL was rejected. Please consult with your administrator.<br>Your support ID is: 12`), "F5", "does not let requests"},
		{"Radware", 200, nil, wallPage(`<title>Radware Captcha Page</title>`, `<script src="https://captcha.perfdrive.com/x.js"></script>`), "Radware", "shows a captcha"},
		{"Reblaze", 200, nil, wallPage(``, `<script>window.rbzns={};winsocks();</script>`), "Reblaze", "asks for a browser"},
		{"Vercel", 429, map[string]any{"x-vercel-mitigated": "challenge"}, wallPage(`<title>Vercel Security Checkpoint</title>`, ``), "Vercel", "asks for a browser"},
		{"SiteGround", 202, nil, `<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F&y=ipc"></head></html>`, "SiteGround", "asks for a browser"},
		{"Anubis with the status of a page", 200, nil, wallPage(`<title>Making sure you&#39;re not a bot!</title>`, `<script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script>`), "Anubis", "asks for a browser"},
		{"DDoS-Guard", 403, map[string]any{"Server": "ddos-guard"}, wallPage(`<title>DDoS-Guard</title>`, `<script src="/.well-known/ddos-guard/check"></script>`), "DDoS-Guard", "asks for a browser"},
		{"Google", 429, nil, wallPage(``, `<form id="captcha-form"><div class="g-recaptcha"></div></form>`), "Google", "shows a captcha"},
		{"LinkedIn", 999, map[string]any{"X-Li-Pop": "x"}, "", "LinkedIn", "asks to sign in"},
		{"nobody who says who", 403, nil, wallPage(`<title>One more step</title>`, `<h1>Verify you are human</h1>`), "", "shows a captcha"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := read(t, site{listAddress: {Status: tt.status, Header: tt.header, Body: []byte(tt.body)}}, listAddress)
			require.Equal(t, boardwatch.HealthBlocked, r.Health, r.Reason)
			require.Equal(t, tt.vendor, r.BlockedBy)
			require.Contains(t, r.Reason, tt.wants)
		})
	}
}

// A protected site carries its vendor's sensors on every page, and pages write about walls.
func TestReadSensorsAreNoWalls(t *testing.T) {
	t.Parallel()
	sensors := map[string]string{
		"Imperva's script":      `<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3"></script>`,
		"PerimeterX's id":       `<script>window._pxAppId='PX1';</script>`,
		"Cloudflare's script":   `<script>(function(){window.__CF$cv$params={r:'1'};var s='/cdn-cgi/challenge-platform/scripts/jsd/main.js'})()</script>`,
		"a Turnstile widget":    `<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`,
		"DataDome's tag":        `<script>window.ddjskey='1';</script><script src="https://js.datadome.co/tags.js"></script>`,
		"reCAPTCHA on a form":   `<script src="https://www.google.com/recaptcha/api.js"></script><form id="apply"><div class="g-recaptcha"></div></form>`,
		"the SDK of AWS WAF":    `<script src="https://a.b.us-east-1.sdk.awswaf.com/a/b/challenge.js"></script>`,
		"Kasada's script":       `<script>window.KPSDK={}</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js"></script>`,
		"words about captchas":  `<script>var i18n={captcha:"Verify you are human",denied:"Access Denied"}</script>`,
		"a comment with a wall": `<!-- <div id="px-captcha"></div> Just a moment... -->`,
	}
	empty := wallPage("%", `<h1>Careers</h1><p>`+strings.Repeat("We build bridges that last. ", 12)+`</p><p>There are no open positions at the moment.</p>`)
	for name, sensor := range sensors {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := map[string]any{"X-DataDome": "protected", "Server": "cloudflare", "X-Iinfo": "1"}
			full := strings.Replace(goodPage, "</head>", sensor+"</head>", 1)
			r := read(t, site{listAddress: {Header: header, Body: []byte(full)}}, listAddress)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Len(t, r.Postings, 2)
			r = read(t, site{listAddress: {Header: header, Body: []byte(strings.Replace(empty, "%", sensor, 1))}}, listAddress)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Empty(t, r.Postings)
		})
	}

	t.Run("trouble behind Cloudflare", func(t *testing.T) {
		t.Parallel()
		body := wallPage(`<title>careers.example | 522: Connection timed out</title>`, `<div id="cf-error-details">Error code 522</div>`)
		r := read(t, site{listAddress: {Status: 522, Header: map[string]any{"Server": "cloudflare"}, Body: []byte(body)}}, listAddress)
		require.Equal(t, boardwatch.HealthFailed, r.Health)
		require.Empty(t, r.BlockedBy)
	})
}
