package browser_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// leaks tries every way out of a page that is known: %[1]d is a TCP port of this machine, %[2]d a UDP port.
const leaks = `<!doctype html><html><head><title>Careers</title>
<link rel="dns-prefetch" href="//leak-by-prefetch.example"><link rel="preconnect" href="http://127.0.0.1:%[1]d">
<link rel="stylesheet" href="http://127.0.0.1:%[1]d/style.css"><link rel="prefetch" href="http://localhost:%[1]d/x"></head>
<body><div id="root"></div><iframe src="http://127.0.0.1:%[1]d/frame"></iframe><img src="http://[::1]:%[1]d/x.png">
<object data="http://127.0.0.1:%[1]d/object"></object><script src="http://2130706433:%[1]d/x.js"></script>
<iframe srcdoc="<script>try{new RTCPeerConnection({iceServers:[{urls:'stun:127.0.0.1:%[2]d'}]}).createDataChannel('x')}catch{}</script>"></iframe>
<script>
const tried = [];
const attempt = async (name, f) => { try { await f(); tried.push(name) } catch (e) { tried.push(name + ' refused') } };
const stun = () => { const p = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:%[2]d'}]}); p.createDataChannel('x'); return p.createOffer().then(o => p.setLocalDescription(o)) };
(async () => {
  await attempt('fetch', () => fetch('http://127.0.0.1:%[1]d/secret', {mode: 'no-cors'}));
  await attempt('metadata', () => fetch('http://169.254.169.254/latest/meta-data', {mode: 'no-cors'}));
  await attempt('socket', () => new Promise((yes, no) => { const w = new WebSocket('ws://127.0.0.1:%[1]d/'); w.onopen = yes; w.onerror = no }));
  await attempt('secure socket', () => new Promise((yes, no) => { const w = new WebSocket('wss://127.0.0.1:%[1]d/'); w.onopen = yes; w.onerror = no }));
  await attempt('events', () => new Promise((yes, no) => { const w = new EventSource('http://127.0.0.1:%[1]d/'); w.onopen = yes; w.onerror = no }));
  await attempt('beacon', () => navigator.sendBeacon('http://127.0.0.1:%[1]d/beacon', 'x'));
  await attempt('rtc', stun);
  await attempt('transport', () => new WebTransport('https://127.0.0.1:%[2]d/').ready);
  await attempt('worker', () => new Promise((yes, no) => {
    const w = new Worker(URL.createObjectURL(new Blob(["(async()=>{try{await fetch('http://127.0.0.1:%[1]d/worker',{mode:'no-cors'})}catch{}try{await new WebTransport('https://127.0.0.1:%[2]d/').ready}catch{}postMessage(1)})()"])));
    w.onmessage = yes; w.onerror = no; setTimeout(no, 3000) }));
  window.open('http://127.0.0.1:%[1]d/popup');
  document.getElementById('root').textContent = 'tried: ' + tried.join(', ');
})();
</script></body></html>`

// A page reaches the network through our proxy or not at all.
func TestBrowserReachesNothingPrivate(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	var mu sync.Mutex
	var leaked, asked []string
	var listening sync.WaitGroup
	listening.Go(func() {
		for {
			c, err := tcp.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			leaked = append(leaked, "tcp")
			mu.Unlock()
			_ = c.Close()
		}
	})
	listening.Go(func() {
		for {
			if _, _, err := udp.ReadFrom(make([]byte, 1500)); err != nil {
				return
			}
			mu.Lock()
			leaked = append(leaked, "udp")
			mu.Unlock()
		}
	})
	page := fmt.Sprintf(leaks, tcp.Addr().(*net.TCPAddr).Port, udp.LocalAddr().(*net.UDPAddr).Port)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.Method+" "+r.URL.String())
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(upstream.Close)
	way, err := url.Parse(upstream.URL)
	require.NoError(t, err)

	b := browser.New(browser.Options{Outbound: outbound.Options{Proxy: http.ProxyURL(way)}, TempDir: t.TempDir(), MaxPages: 1})
	shown, err := b.Show(t.Context(), scraper.View{Address: "http://careers.example/list", Enough: func(s *scraper.Shown) scraper.Patience {
		if strings.Contains(string(s.HTML), ">tried: ") {
			return scraper.Enough
		}
		return scraper.WaitBegin
	}})
	require.NoError(t, err)
	require.Contains(t, string(shown.HTML), "tried: fetch", "the page tried everything")
	require.Contains(t, string(shown.HTML), "rtc refused")
	require.Contains(t, string(shown.HTML), "transport refused")
	<-time.After(300 * time.Millisecond) // what was on its way would be here by now
	require.NoError(t, b.Close())
	require.NoError(t, tcp.Close())
	require.NoError(t, udp.Close())
	listening.Wait()
	mu.Lock()
	defer mu.Unlock()
	require.Empty(t, leaked)
	asked = slices.DeleteFunc(asked, func(request string) bool { return request == "GET http://careers.example/favicon.ico" }) // of full Chromium
	require.Equal(t, []string{"GET http://careers.example/list"}, asked)
}
