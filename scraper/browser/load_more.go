package browser

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/boardwatch/boardwatch/scraper"
)

// lengthen makes the list on the page longer, if that is possible, and reports whether there is anything to wait for.
func (t *tab) lengthen(ctx context.Context, shown *scraper.Shown, more func(*scraper.Shown) (string, bool)) bool {
	label, ok := more(shown)
	if !ok {
		return false
	}
	quoted, err := json.Marshal(label)
	if err != nil {
		return false // a string can always be encoded
	}
	t.mu.Lock()
	t.since = time.Now()
	t.mu.Unlock()
	_, err = chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: moreScript + "(" + string(quoted) + ")", UserGesture: new(true)})
	return err == nil
}

// moreScript presses the button with a label, unless it is a link to another page. For an empty label it scrolls to the end of
// the page.
const moreScript = `(label => {
  const letters = s => (s || '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  let hit = null;
  if (label) for (const e of document.querySelectorAll('button, a, [role=button], input[type=button], input[type=submit]')) {
    const to = e.localName === 'a' ? e.getAttribute('href') || '' : '';
    if (e.disabled || e.getAttribute('aria-disabled') === 'true' || to && !/^(#|javascript:)/i.test(to)) continue;
    const said = letters(e.textContent || e.value);
    if (e.getClientRects().length && said.includes(letters(label)) && said.length <= 2 * label.length + 20) hit = e;
  }
  if (hit) { hit.scrollIntoView({ block: 'center' }); hit.click() }
  else window.scrollTo(0, document.documentElement.scrollHeight);
})`
