// The command line of the MCP Inspector in both eras of the protocol: it signs in, finds nothing wrong with the schemas of
// the tools, calls them, refreshes, and signs in anew.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { Person, hasty, lifeAtHasty, service, wait } from './person.mjs'

const program = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'

let home
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'judge-'))
})
after(() => rm(home, { recursive: true }))

/** inspect runs the Inspector once. The person answers what it asks, if there is one. */
async function inspect(base, person, ...args) {
  const child = spawn(process.execPath, [program, '--cli', `${base}/mcp`, '--transport', 'http', '--format', 'json', ...args], {
    env: { HOME: home, PATH: '/nowhere', BROWSER: 'none', MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let out = ''
  let said = ''
  let asked
  child.stdout.on('data', (data) => (out += data))
  child.stderr.on('data', (data) => {
    said += data
    const address = said.match(/http:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/)?.[0]
    if (address && !asked && person) {
      asked = new URL(address)
      person.allow(address).then((answer) => fetch(answer))
    }
  })
  const code = await new Promise((done) => child.on('close', done))
  return { code, out, said, asked, result: () => JSON.parse(out).result }
}

test('it signs in, and finds nothing wrong with the tools', async () => {
  const person = await Person.in(service, 'inspector@northwind.example')
  const first = await inspect(service, person, '--protocol-era', 'legacy', '--method', 'tools/list', '--strict')
  assert.equal(first.code, 0, first.said)
  assert.ok(first.asked, first.said)
  assert.equal(first.asked.searchParams.get('scope'), 'boards:read boards:write offline_access')
  assert.equal(first.result().tools.length, 5)
  const second = await inspect(service, null, '--protocol-era', 'modern', '--method', 'tools/list', '--strict', '--stored-auth-only')
  assert.equal(second.code, 0, second.said)
  assert.equal(second.result().tools.length, 5)
})

for (const era of ['legacy', 'auto', 'modern']) {
  test(`${era}: it calls tools`, async () => {
    const call = (...args) => inspect(service, null, '--protocol-era', era, '--stored-auth-only', '--method', 'tools/call', '--tool-name', ...args)
    const added = await call('add_board', '--tool-arg', `url=https://boards.greenhouse.io/inspector${era}`)
    assert.equal(added.code, 0, added.said)
    assert.equal(added.result().structuredContent.locked, false)
    const found = await call('search_jobs', '--tool-args-json', '{"limit":3,"status":"all"}')
    assert.equal(found.code, 0, found.said)
    assert.deepEqual(found.result().structuredContent.jobs, [])
    const wrong = await call('search_jobs', '--tool-args-json', '{"status":"gone"}')
    assert.match(wrong.out + wrong.said, /invalid_request/)
  })
}

test('it signs in anew when it is told to', async () => {
  const person = await Person.in(service, 'inspector@northwind.example')
  const again = await inspect(service, person, '--relogin', '--method', 'tools/list')
  assert.equal(again.code, 0, again.said)
  assert.ok(again.asked, again.said)
  assert.equal(again.result().tools.length, 5)
})

test('a token that has run out is refreshed without asking the person', async () => {
  const person = await Person.in(hasty, 'inspector@northwind.example')
  const first = await inspect(hasty, person, '--method', 'tools/list')
  assert.equal(first.code, 0, first.said)
  await wait(lifeAtHasty + 500)
  const second = await inspect(hasty, person, '--protocol-era', 'modern', '--method', 'tools/list')
  assert.equal(second.code, 0, second.said)
  assert.equal(second.asked, undefined, second.said)
  assert.equal(second.result().tools.length, 5)
})
