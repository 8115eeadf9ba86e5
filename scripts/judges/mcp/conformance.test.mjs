// The official conformance suite: its server scenarios that fit a product, in each revision of the protocol that it knows and
// we speak, and its scenarios for authorization servers. left-out.mjs says what is left out and why.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { registered } from './connect.mjs'
import * as leftOut from './left-out.mjs'
import { Person, service } from './person.mjs'

let work, lender, door
before(async () => {
  work = await mkdtemp(join(tmpdir(), 'judge-'))
  lender = spawn(process.execPath, ['lend.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
  door = await new Promise((found) => lender.stdout.once('data', (data) => found(String(data).trim())))
})
after(async () => {
  lender.kill()
  await rm(work, { recursive: true })
})

/** run lets the suite look, hands on what it says, and returns the checks of each scenario. */
async function run(args, heard = () => {}) {
  const out = await mkdtemp(join(work, 'run-'))
  const child = spawn(process.execPath, ['node_modules/@modelcontextprotocol/conformance/dist/index.js', ...args, '-o', out], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => heard((said += data)))
  await new Promise((done) => child.on('close', done))
  const found = {}
  for (const folder of await readdir(out)) {
    const scenario = folder.replace(/^(server|authorization-server)-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    found[scenario] = JSON.parse(await readFile(join(out, folder, 'checks.json')))
  }
  assert.ok(Object.keys(found).length > 0, said)
  return found
}

/** faults are the checks that failed and may not. */
const faults = (found) =>
  Object.entries(found).flatMap(([scenario, checks]) =>
    scenario in leftOut.scenarios
      ? []
      : checks
          .filter((c) => c.status === 'FAILURE' && !(c.id in leftOut.checks))
          .map((c) => `${scenario}: ${c.id}: ${c.errorMessage}`)
  )

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => found(port))
    })
  })

const passed = (found) => Object.values(found).flat().filter((c) => c.status === 'SUCCESS').length

for (const version of ['2025-06-18', '2025-11-25', '2026-07-28']) {
  test(`server scenarios of ${version}`, async (t) => {
    const found = await run(['server', '--url', `${door}/mcp`, '--suite', 'all', '--spec-version', version])
    assert.deepEqual(faults(found), [])
    const judged = Object.keys(found).filter((scenario) => !(scenario in leftOut.scenarios))
    t.diagnostic(`${judged.length} of ${Object.keys(found).length} scenarios, ${passed(Object.fromEntries(judged.map((s) => [s, found[s]])))} checks passed`)
    t.diagnostic(judged.join(', '))
  })
}

test('what is left out is known to the suite, and would fail', async () => {
  const found = await run(['server', '--url', `${door}/mcp`, '--suite', 'all'])
  for (const scenario of Object.keys(leftOut.scenarios)) {
    assert.ok(found[scenario]?.some((c) => c.status === 'FAILURE'), `${scenario} need not be left out`)
  }
  for (const id of Object.keys(leftOut.checks)) {
    assert.ok(Object.values(found).flat().some((c) => c.id === id && c.status === 'FAILURE'), `${id} need not be left out`)
  }
})

test('authorization server scenarios', async (t) => {
  const ada = await Person.in(service, 'conformance@northwind.example')
  const port = await freePort()
  const { client_id } = await registered(service, `http://127.0.0.1:${port}/callback`)
  let asked
  const found = await run(
    ['authorization', '--url', service, '--client-id', client_id, '--resource', `${service}/mcp`, '-p', String(port)],
    (said) => {
      const address = said.match(/http:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/)?.[0]
      if (!address || asked || !said.includes('Callback server started')) return
      asked = ada.allow(address).then((answer) => fetch(answer))
    }
  )
  assert.deepEqual(Object.keys(found).sort(), ['authorization-code-grant', 'authorization-server-metadata-endpoint'])
  assert.deepEqual(faults(found), [])
  t.diagnostic(`${passed(found)} checks passed`)
})
