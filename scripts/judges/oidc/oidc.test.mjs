// What people see who sign in with a provider. All is as the provider really answers, but for the last test, which says so.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { Browser, Front, callback, serve } from './world.mjs'

const people = {
  newcomer: { email: 'newcomer@northwind.example', email_verified: true },
  ada: { email: 'ada@northwind.example', email_verified: true },
  eve: { email: 'ada@northwind.example', email_verified: false },
  stranger: { email: 'stranger@elsewhere.example', email_verified: true },
  bob: { email: 'bob@private.example', email_verified: false }
}
const invalid = 'The answer of Judge ID is not valid'

let front, service, misled
before(async () => {
  front = await Front.open()
  service = await serve(front.issuer)
  misled = await serve(front.issuer.replace('127.0.0.1', 'localhost')) // the provider calls itself otherwise
  await front.serve(people, [service.url, misled.url])
})
after(async () => {
  await service?.end()
  await misled?.end()
  front?.close()
})

const enter = (browser, as, options) => browser.go(new URL('/signin/oidc', service.url), { as, ...options })

async function refused(as, options, why, status = 403) {
  const browser = new Browser()
  const page = await enter(browser, as, options)
  assert.equal(page.status, status, page.html)
  assert.ok(page.html.includes(why), page.html)
  assert.equal(await browser.whose(service.url), undefined)
}

test('somebody of the organisation gets an account, signs out, and comes back into it', async () => {
  const browser = new Browser()
  const page = await browser.go(new URL('/signin/oidc?next=/roles', service.url), { as: 'newcomer' })
  assert.equal(page.at.pathname, '/roles', page.html)
  assert.deepEqual(browser.prompts, ['login', 'consent'])
  assert.equal(await browser.whose(service.url), 'newcomer@northwind.example')
  await browser.send(new URL('/signout', service.url), {})
  assert.equal(await browser.whose(service.url), undefined)
  await enter(browser, 'newcomer')
  assert.equal(await browser.whose(service.url), 'newcomer@northwind.example')
  assert.equal(browser.prompts.length, 2, 'the provider knows them')
})

test('an account that exists is found by its confirmed address, and stays found', async () => {
  for (let i = 0; i < 2; i++) {
    const browser = new Browser()
    await enter(browser, 'ada')
    assert.equal(await browser.whose(service.url), 'ada@northwind.example')
  }
})

test('an address that is not confirmed finds nobody', () => refused('eve', {}, 'does not say that your e-mail address is confirmed'))

test('an address of elsewhere gets no account', () => refused('stranger', {}, 'does not belong to an organisation that may sign in here'))

test('an answer for another nonce is refused: the address at the provider was changed', () =>
  refused('ada', { bend: (to) => (to.searchParams.has('nonce') && to.searchParams.set('nonce', 'another'), to) }, invalid))

test('a code for another challenge is refused', () =>
  refused('ada', { bend: (to) => (to.searchParams.has('code_challenge') && to.searchParams.set('code_challenge', 'x'.repeat(43)), to) }, invalid))

test('an answer that names another issuer is refused', () =>
  refused('ada', { bend: (to) => (to.pathname === callback && to.searchParams.set('iss', 'https://evil.example'), to) }, invalid))

test('a provider that calls itself otherwise is refused', async () => {
  const browser = new Browser()
  const page = await browser.go(new URL('/signin/oidc', misled.url), { as: 'ada' })
  assert.equal(page.status, 503, page.html)
  assert.ok(page.html.includes('Judge ID does not answer at the moment'))
  assert.match(misled.log(), /did not match/)
})

test('a way back is for the browser that went, and used once', async () => {
  let way
  const thief = new Browser()
  await enter(thief, 'newcomer', { bend: (to) => (to.pathname === callback ? ((way = to), new URL('/signin', service.url)) : to) })
  const refused = async (browser) => {
    const page = await browser.go(way)
    assert.equal(page.status, 403)
    assert.ok(page.html.includes('was begun in another browser, took too long, or was used before'))
  }
  const victim = new Browser()
  await refused(victim)
  assert.equal(await victim.whose(service.url), undefined)
  assert.equal((await thief.go(way)).status, 200)
  assert.notEqual(await thief.whose(service.url), undefined)
  await refused(thief)
})

test('an owner connects somebody, signs in as them, shows a fresh sign-in, and disconnects them', async () => {
  const owner = new Browser()
  await owner.send(new URL('/signin', service.url), { email: 'bob@northwind.example', password: process.env.PASSWORD })
  const led = await owner.send(new URL('/settings/signin/connect', service.url), { password: process.env.PASSWORD })
  const [, address] = led.html.match(new RegExp(`href="(${front.issuer}[^"]+)"`))
  const connected = await owner.go(address.replaceAll('&amp;', '&').replaceAll('&#43;', '+'), { as: 'bob' })
  assert.ok(connected.html.includes('as bob@private.example'), connected.html)

  const browser = new Browser()
  await enter(browser, 'bob')
  assert.equal(await browser.whose(service.url), 'bob@northwind.example')
  const again = await browser.go(new URL('/signin/oidc?again=1&next=/settings/signin', service.url), { as: 'bob' })
  assert.equal(again.at.pathname, '/settings/signin', again.html)
  assert.deepEqual(browser.prompts, ['login', 'consent', 'login'], 'the provider has them sign in again')

  const out = await owner.send(new URL('/settings/signin/disconnect', service.url), { subject: 'bob', password: process.env.PASSWORD })
  assert.ok(out.html.includes('no longer connected to Judge ID'), out.html)
  await refused('bob', {}, 'does not say that your e-mail address is confirmed')
})

test('an ID token that the proxy has altered, with the signature of the provider, is refused', async (t) => {
  t.after(() => (front.alter = undefined))
  const elsewhere = { nonce: 'another', iss: 'https://evil.example', aud: 'somebody', azp: 'somebody', exp: 1 }
  for (const [claim, value] of Object.entries(elsewhere)) {
    front.alter = (claims) => ({ ...claims, [claim]: value })
    await refused('ada', {}, invalid)
  }
  front.alter = (claims) => claims
  const browser = new Browser()
  await enter(browser, 'ada')
  assert.equal(await browser.whose(service.url), 'ada@northwind.example', 'the signature is not what was refused')
})
