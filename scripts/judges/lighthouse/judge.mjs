// Lighthouse judges pages of the app: LIGHTHOUSE_SITE, LIGHTHOUSE_COOKIES (a list of Name and Value), and their paths as arguments. Prints
// what is below 100 and why, one line a page, and ends with 1 if anything is, or if a page led elsewhere. Other work on the machine only
// ever makes a page look slower, so the best of three looks counts.
import lighthouse, { desktopConfig } from 'lighthouse'
import puppeteer from 'puppeteer-core'

const site = process.env.LIGHTHOUSE_SITE
const cookies = JSON.parse(process.env.LIGHTHOUSE_COOKIES)
const browser = await puppeteer.launch({ executablePath: process.env.LIGHTHOUSE_BROWSER, args: ['--no-sandbox', '--proxy-server=direct://'] })
let below = 0
for (const path of process.argv.slice(2)) {
  let best
  for (let tries = 0; tries < 3 && !(best?.sum === 400); tries++) {
    const context = await browser.createBrowserContext()
    await context.setCookie(...cookies.map((c) => ({ name: c.Name, value: c.Value, domain: new URL(site).hostname, path: '/' })))
    const page = await context.newPage()
    const flags = { onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'], disableStorageReset: true, logLevel: 'silent' }
    const { lhr } = await lighthouse(site + path, flags, process.env.LIGHTHOUSE_FORM === 'desktop' ? desktopConfig : undefined, page)
    const scores = Object.values(lhr.categories).map((c) => Math.round(100 * c.score))
    const sum = scores.reduce((a, b) => a + b)
    if (!best || sum > best.sum) best = { lhr, scores, sum }
    await context.close()
  }
  const { lhr, scores } = best
  const low = Object.values(lhr.categories).flatMap((c) => c.score === 1 ? [] : c.auditRefs
    .filter((r) => r.weight > 0 && lhr.audits[r.id].score !== null && lhr.audits[r.id].score < 1)
    .map((r) => `${r.id} ${lhr.audits[r.id].displayValue ?? ''}`))
  console.log([scores.join(' '), path, lhr.finalDisplayedUrl === site + path ? '' : `led to ${lhr.finalDisplayedUrl}`, ...low].join('  '))
  if (scores.some((s) => s < 100) || lhr.finalDisplayedUrl !== site + path) below++
}
await browser.close()
process.exit(below > 0 ? 1 : 0)
