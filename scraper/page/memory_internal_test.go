package page

import (
	"bytes"
	"fmt"
	"net/url"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/boardwatch/boardwatch/internal/turn"
)

// treeMemory is what the tree of a page takes, and our list of its elements.
func treeMemory(root *html.Node) (need int64) {
	for n := range root.Descendants() {
		switch n.Type {
		case html.ElementNode:
			need += elementMemory + int64(len(n.Attr))*attrMemory/2
		default:
			need += textMemory + int64(len(n.Data))
		}
	}
	return need
}

// hostilePages make much of little.
func hostilePages(n int) map[string]string {
	fill := func(part string) string { return strings.Repeat(part, n/len(part)+1)[:n] }
	attributes := func() string {
		var b strings.Builder
		b.WriteString("<p ")
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "%x ", i)
		}
		return b.String()
	}
	var bold strings.Builder
	for i := range min(400, 10+n/10) {
		fmt.Fprintf(&bold, "<b id=%d>", i)
	}
	formats := bold.String()
	return map[string]string{
		"items":                      fill("<li>x"),
		"paragraphs":                 fill("<p>"),
		"ends":                       fill("</p>"),
		"ends of nothing":            fill("</b>"),
		"comments":                   fill("<!---->"),
		"cells":                      "<table>" + fill("<td>x"),
		"tables":                     fill("<table><td>"),
		"nested formatting":          formats + fill("<p>x"),
		"repeated formatting":        "<div>" + formats + "</div>" + fill("<p>x"),
		"formatting in cells":        "<table><td>" + formats + "<td>" + fill("x<p>"),
		"formatting ended far away":  fill("<a><div><div><p>x</a>"),
		"formatting left by blocks":  fill("<div><b id=1><tr></div>x<div><i></div>"),
		"links in links":             fill("<a href=x><div>"),
		"misnested":                  fill("<b><i><u><p></b></i></u>x"),
		"attributes":                 attributes(),
		"attributes of many":         fill("<i a b c d e f g h>"),
		"attributes in a style":      "<svg><style>" + attributes(),
		"markup in a style":          "<svg><style><a b=\"</style><!--\">" + fill("<b>x"),
		"markup after CDATA":         "<svg><![CDATA[ > <!-- ]]>" + fill("<b>x"),
		"a script in SVG":            "<svg><foreignObject><script><!--</script>" + fill("<b>x"),
		"one text":                   fill("word "),
		"one script":                 "<script>" + fill("<b>"),
		"data of objects":            `<script type="application/json">[` + fill("{},"),
		"data of lists":              `<script type="application/json">[` + fill("[],"),
		"data of numbers":            `<script type="application/json">[` + fill("1,"),
		"data that refers to itself": `<script type="application/ld+json">{"@id":"#a","@type":"JobPosting","title":"x","k":[` + fill(`{"@id":"#a"},`) + "1]}",
		"data that says it is jobs":  `<script type="application/ld+json">[` + fill(`{"@type":"JobPosting","title":"x"},`) + "1]",
		"state":                      `<script>window.__STATE__={"jobs":[` + fill(`{"title":"x"},`) + "1]}",
		"data in attributes":         fill(`<p data-x='[{"title":"x"},{"title":"y"}]'>`),
		"one attribute of data":      `<p data-x='[` + fill(`{"title":"x"},`) + `1]'>`,
		"deep":                       fill("<div>"),
		"entities":                   fill("&lt;<i>"),
		"options":                    "<select>" + fill("<option>x"),
		"headings and links":         fill("<h2>Engineer</h2><a href=/x>more</a>"),
		"links":                      fill("<li><a href=/jobs/1>Engineer</a>"),
		"one role again and again":   "<ul>" + fill(`<li><a href="/jobs/1">Engineer</a> Hamburg`),
	}
}

// longPage is a page of an employer with many elements, as generators write it.
func longPage(roles int) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html><head><title>Careers</title></head><body><main><h1>Open roles</h1><ul>\n")
	for i := range roles {
		fmt.Fprintf(&b, "<li><div><a href=/j/%d><b>Engineer %d</b><i>Ulm</i></a></div></li>\n", i, i)
	}
	b.WriteString("</ul></main></body></html>")
	return b.String()
}

// readWhole does with a page what readers do.
func readWhole(body []byte) *Document {
	_, d := readCounting(body)
	return d
}

// readCounting is readWhole that says how many steps it took.
func readCounting(body []byte) (steps int, _ *Document) {
	at := &url.URL{Scheme: "https", Host: "northwind.example", Path: "/careers"}
	work := new(turn.Work)
	d := ParseAs(work, body, at)
	_ = d.Candidates(at).Verdict(Visit{Asked: at, At: at, Text: body})
	_ = d.Structured()
	_ = d.CareersLinks()
	return work.Steps(), d
}

// TestNoPageTakesMoreThanItMay reads of each kind of hostile page as much as is let through. It is alone with the heap,
// because it measures it.
func TestNoPageTakesMoreThanItMay(t *testing.T) { //nolint:paralleltest // see above
	if testing.Short() {
		t.Skip("reads many large pages")
	}
	pages := hostilePages(hostileSize)
	pages["many roles"] = longPage(hostileSize / 256)
	readWhole([]byte(longPage(10))) // patterns and names of places are unpacked once in the life of a program
	for _, p := range patterns() {
		p.MatchString("no") // those that no page above needs, too
	}
	for name, whole := range pages { //nolint:paralleltest // the heap is measured
		t.Run(name, func(t *testing.T) {
			body := []byte(whole)
			work := new(turn.Work)
			need, err := Memory(work, body)
			for ; err != nil && len(body) > 4096; need, err = Memory(work, body) {
				require.ErrorIs(t, err, ErrTooLarge)
				body, work = body[:len(body)*9/10], new(turn.Work)
			}
			if err != nil {
				return // none of it is let through
			}
			bound := min(int64(MaxMemory)+4<<20, max(need, 4<<20)*5/4)
			steps := 0
			peak := peakOf(func() { steps, _ = readCounting(body) })
			for range 2 { // where others use the processors, the collector may be late
				if peak > bound {
					peak = min(peak, peakOf(func() { readWhole(body) }))
				}
			}
			t.Logf("%d bytes: need %d MB, take %d MB and %d steps, measured in %d", len(body), need>>20, peak>>20, steps, work.Steps())
			require.LessOrEqual(t, peak, bound, "an honest estimate, and what the collector has not seen to yet")
			require.Less(t, steps+work.Steps(), mostSteps)
		})
	}
}

// mostSteps is what the work on a page of any kind may come to: about two seconds.
const mostSteps = 8 << 20

func TestLargeRealPagesAreRead(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html><head><title>Careers</title></head><body><main><h1>Open roles</h1><ul class="roles">`)
	for i := range 1000 {
		fmt.Fprintf(&b, `<li class="role"><a href="/jobs/%d"><span class="title">Engineer %d</span></a></li>`+"\n", i, i)
	}
	b.WriteString("</ul></main><footer>")
	for i := range 48_500 {
		fmt.Fprintf(&b, `<div class="c%d"><i>%d</i></div>`+"\n", i%50, i)
	}
	b.WriteString("</footer></body></html>")
	body := []byte(b.String() + strings.Repeat(" ", max(0, 2<<20-b.Len())))
	_, err := Memory(new(turn.Work), body)
	require.NoError(t, err)
	d := readWhole(body)
	require.GreaterOrEqual(t, len(d.elements), 100_000)
	require.False(t, d.capped)
}

// BenchmarkMemory says how far the estimate is from what reading a page takes.
func BenchmarkMemory(b *testing.B) {
	for name, text := range map[string]string{
		"roles": longPage(10_000), "items": strings.Repeat("<li>x", 100_000), "text": strings.Repeat("word ", 500_000),
	} {
		b.Run(name, func(b *testing.B) {
			body := []byte(text)
			b.SetBytes(int64(len(body)))
			var need int64
			for b.Loop() {
				var err error
				need, err = Memory(new(turn.Work), body)
				require.NoError(b, err)
			}
			peak := peakOf(func() { readWhole(body) })
			b.ReportMetric(float64(need)/1e6, "MB-estimated")
			b.ReportMetric(float64(peak)/1e6, "MB-taken")
		})
	}
}

// peakOf is how much memory f takes at most, nearly without garbage, and how long.
func peakOf(f func()) int64 {
	runtime.GC()
	old := debug.SetGCPercent(5)
	defer debug.SetGCPercent(old)
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			peak.Store(max(peak.Load(), int64(now.HeapAlloc)-int64(before.HeapAlloc)))
		}
	}()
	f()
	close(stop)
	<-stopped
	return peak.Load()
}

func FuzzMemory(f *testing.F) {
	for _, p := range hostilePages(300) {
		f.Add([]byte(p))
	}
	f.Add([]byte(longPage(3)))
	f.Fuzz(func(t *testing.T, body []byte) {
		need, err := Memory(new(turn.Work), body)
		root, parseErr := html.ParseWithOptions(bytes.NewReader(body), html.ParseOptionEnableScripting(true))
		if err != nil || parseErr != nil {
			return
		}
		const always = 4 * elementMemory // what an empty page has: html, head and body
		require.GreaterOrEqual(t, need+always, treeMemory(root), "%q", body)
	})
}

// FuzzLargePages repeats a part until the page is as large as a page may be, and reads as much of it as is let through. Small
// pages are quick and small whatever is in them; what an element costs shows when there are many.
func FuzzLargePages(f *testing.F) {
	if testing.Short() {
		f.Skip("reads large pages")
	}
	f.Add([]byte("<!doctype html><ul>"), []byte(`<li><a href="/jobs/1">Engineer</a> Hamburg`))
	f.Add([]byte("<div><b><i>"), []byte("<p>x</i></div>"))
	f.Add([]byte(`<script type="application/ld+json">[`), []byte(`{"@type":"JobPosting","title":"x"},`))
	f.Fuzz(func(t *testing.T, head, part []byte) {
		if len(part) == 0 || len(head) > hostileSize {
			return
		}
		body := slices.Concat(head, bytes.Repeat(part, (hostileSize-len(head))/len(part)))
		for _, err := Memory(new(turn.Work), body); err != nil; _, err = Memory(new(turn.Work), body) {
			if body = body[:len(body)/2]; len(body) < 4096 {
				return // none of it is let through
			}
		}
		steps := 0
		peak := peakOf(func() { steps, _ = readCounting(body) })
		require.LessOrEqual(t, peak, int64(MaxMemory)+4<<20, "%q and then %q, %d bytes", head, part, len(body))
		require.Less(t, steps, mostSteps, "%q and then %q, %d bytes", head, part, len(body))
	})
}
