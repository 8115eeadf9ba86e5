// A provider on loopback with the people whom it knows, the services that ask it, and a person's browser.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, request } from 'node:http'

import { SignJWT, decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

export const callback = '/signin/oidc/callback'
const client = { client_id: 'boardwatch', client_secret: 's3cret+of the/judge%' }

/** listening is the server once it listens on a port of this machine. */
const listening = (server) => new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))

/** Front is where the provider is reached. It passes everything on, and alters ID tokens if it is told to. */
export class Front {
  /** alter changes the claims of ID tokens from now on; undefined: they stay as the provider signed them. */
  alter

  static async open() {
    const f = new Front()
    f.server = await listening(createServer((req, res) => f.#pass(req, res)))
    f.issuer = `http://127.0.0.1:${f.server.address().port}`
    return f
  }

  /** serve puts the provider behind the front: it knows the people by the name they sign in with, and these services. */
  async serve(people, services) {
    const keys = await generateKeyPair('RS256', { extractable: true })
    this.key = keys.privateKey
    const provider = new Provider(this.issuer, {
      clients: [{ ...client, redirect_uris: services.map((s) => s + callback), grant_types: ['authorization_code'], response_types: ['code'] }],
      jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), alg: 'RS256', use: 'sig', kid: 'judge' }] },
      claims: { email: ['email', 'email_verified'] },
      pkce: { required: () => true },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      findAccount: (_, name) => people[name] && { accountId: name, claims: () => ({ sub: name, ...people[name] }) }
    })
    this.inner = await listening(createServer(provider.callback()))
  }

  async #pass(req, res) {
    const up = request({ host: '127.0.0.1', port: this.inner.address().port, method: req.method, path: req.url, headers: req.headers }, async (answer) => {
      const chunks = []
      for await (const chunk of answer) chunks.push(chunk)
      let body = Buffer.concat(chunks)
      if (this.alter && req.url === '/token' && answer.statusCode === 200) body = await this.#altered(body)
      const headers = { ...answer.headers, 'content-length': body.length }
      delete headers['transfer-encoding']
      res.writeHead(answer.statusCode, headers).end(body)
    })
    up.on('error', () => res.destroy())
    req.pipe(up)
  }

  async #altered(body) {
    const answer = JSON.parse(body)
    const claims = this.alter(decodeJwt(answer.id_token))
    answer.id_token = await new SignJWT(claims).setProtectedHeader(decodeProtectedHeader(answer.id_token)).sign(this.key)
    return Buffer.from(JSON.stringify(answer))
  }

  close() {
    for (const server of [this.server, this.inner]) {
      server?.closeAllConnections()
      server?.close()
    }
  }
}

/** serve starts the program with a provider, and returns its address and how to end it. */
export async function serve(issuer) {
  const [command, ...prefix] = process.env.BOARDWATCH.split(' ')
  const child = spawn(command, [...prefix, 'serve', '--role', 'api', '--log-level', 'warn', '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      BOARDWATCH_OIDC_ISSUER: issuer,
      BOARDWATCH_OIDC_CLIENT_ID: client.client_id,
      BOARDWATCH_OIDC_CLIENT_SECRET: client.client_secret,
      BOARDWATCH_OIDC_NAME: 'Judge ID',
      BOARDWATCH_OIDC_ALLOWED_DOMAINS: 'northwind.example',
      BOARDWATCH_OIDC_CREATE: 'true'
    }
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const url = await new Promise((done, fail) => {
    let out = ''
    child.stdout.on('data', (chunk) => {
      const found = (out += chunk).match(/http:\/\/127\.0\.0\.1:\d+/)
      if (found) done(found[0])
    })
    child.on('exit', () => fail(new Error(`the service ended: ${said}`)))
  })
  return { url, log: () => said, end: () => new Promise((done) => child.on('exit', done).kill()) }
}

/** Browser is a person's browser: it keeps cookies, and follows where it is led. */
export class Browser {
  #jar = new Map()

  /** go opens an address. At the provider, it signs in and agrees. bend changes addresses that it is led to. */
  async go(address, { as, bend = (to) => to } = {}) {
    let res = await this.#ask(address)
    for (let steps = 0; steps < 20; steps++) {
      const at = new URL(res.url)
      if (res.status >= 300 && res.status < 400) {
        res = await this.#ask(bend(new URL(res.headers.get('location'), at)))
        continue
      }
      const html = await res.text()
      const form = html.match(/<form[^>]* action="([^"]+)"/)
      if (!at.pathname.startsWith('/interaction/') || !form) return { status: res.status, at, html }
      const prompt = html.match(/name="prompt" value="([^"]+)"/)[1]
      this.prompts.push(prompt)
      res = await this.#ask(new URL(form[1].replaceAll('&amp;', '&'), at), { prompt, login: as, password: 'any' })
    }
    assert.fail('led around in circles')
  }

  /** prompts are what the provider asked the person. */
  prompts = []

  /** send sends a form of the service. */
  async send(address, form) {
    const res = await this.#ask(address, form)
    const to = res.headers.get('location')
    return to ? this.go(new URL(to, address)) : { status: res.status, at: new URL(address), html: await res.text() }
  }

  /** whose is the address of the account that the browser is signed in to; undefined: none. */
  async whose(service) {
    const { html } = await this.go(new URL('/settings/account', service))
    return html.match(/<dt>E-mail<\/dt><dd>(\S+)/)?.[1]
  }

  async #ask(address, form) {
    const { origin } = new URL(address)
    const jar = this.#jar.get(origin) ?? this.#jar.set(origin, new Map()).get(origin)
    const res = await fetch(address, {
      method: form ? 'POST' : 'GET',
      body: form && new URLSearchParams(form),
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; '), ...(form && { origin, 'sec-fetch-site': 'same-origin' }) },
      redirect: 'manual'
    })
    for (const line of res.headers.getSetCookie()) {
      const [, name, value] = line.match(/^([^=]+)=([^;]*)/)
      if (value === '' || /max-age=(0|-)/i.test(line) || /expires=thu, 01 jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return res
  }
}
