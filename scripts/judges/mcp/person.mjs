// A person at their browser: signs in, and answers the consent page by the forms that the service shows, as a browser
// would send them. Nothing is asked of the service that a person could not ask.
import assert from 'node:assert/strict'

export const service = process.env.SERVICE // tokens hold for an hour
export const hasty = process.env.HASTY // tokens hold for three seconds
export const lifeAtHasty = 3000

/** until waits a moment, or until something is true. */
export async function until(what, milliseconds = 20000) {
  const end = Date.now() + milliseconds
  for (;;) {
    const is = await what()
    if (is) return is
    assert.ok(Date.now() < end, `${what} did not happen`)
    await wait(50)
  }
}

export const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))

export class Person {
  #cookie = ''

  /** in signs a person in at a service. */
  static async in(base, email) {
    const p = new Person()
    const res = await p.#send(new URL('/signin', base), { email, password: process.env.PASSWORD })
    assert.equal(res.status, 303, `${email} cannot sign in: ${await res.text()}`)
    p.#cookie = res.headers.getSetCookie().map((c) => c.split(';')[0]).join('; ')
    return p
  }

  /** see opens an address, and returns the page or where it leads. */
  async see(address) {
    return fetch(address, { headers: { cookie: this.#cookie }, redirect: 'manual' })
  }

  /** back opens an address that asks for what cannot be done, and returns where the page's link leads. */
  async back(address) {
    const page = await this.see(address)
    const html = await page.text()
    assert.equal(page.status, 400, `the page answers ${page.status}: ${page.headers.get('location')} ${html.slice(-1500)}`)
    const [, link] = html.match(/class="button main" href="([^"]+)"/)
    return new URL(link.replaceAll('&#43;', '+').replaceAll('&amp;', '&'))
  }

  /** allow answers the question of a program at an authorization address, and returns where the answer goes. */
  async allow(address, { without = [] } = {}) {
    return this.#answer(address, (scopes) => scopes.filter((s) => !without.includes(s)).map((s) => ['scope', s]))
  }

  /** deny refuses a program. */
  async deny(address) {
    return this.#answer(address, () => [['deny', '1']])
  }

  async #answer(address, fields) {
    const page = await this.see(address)
    const html = await page.text()
    assert.equal(page.status, 200, `the consent page answers ${page.status}: ${page.headers.get('location')} ${html.slice(-1500)}`)
    this.asked = [...html.matchAll(/name="scope" value="([^"]+)"/g)].map((m) => m[1])
    const [, request] = html.match(/name="request" value="([^"]+)"/)
    const res = await this.#send(new URL('/oauth/consent', address), [['request', request], ...fields(this.asked)])
    assert.equal(res.status, 303, await res.text())
    return new URL(res.headers.get('location'))
  }

  #send(address, form) {
    return fetch(address, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { cookie: this.#cookie, origin: new URL(address).origin, 'sec-fetch-site': 'same-origin' },
      redirect: 'manual'
    })
  }
}
