// mcp-remote, which lets clients that know local programs only reach the service: in both ways of speaking to it, from the
// first 401 to refresh.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

import { Person, hasty, lifeAtHasty, service, wait } from './person.mjs'

/** connect starts mcp-remote. What it asks of the person comes at its standard error output. */
async function connect(t, base, home, person, more = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['node_modules/mcp-remote/dist/proxy.js', `${base}/mcp`, '--transport', 'http-only', '--auth-timeout', '60', ...more],
    env: { HOME: home, MCP_REMOTE_CONFIG_DIR: home, PATH: '/nowhere', BROWSER: 'none' },
    stderr: 'pipe'
  })
  let said = ''
  const asked = []
  transport.stderr.on('data', (data) => {
    said += data
    const address = said.match(/http:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/)?.[0]
    if (address && !asked.includes(address)) {
      asked.push(address)
      person.allow(address).then((answer) => fetch(answer)) // as the browser would be led to it
    }
  })
  const client = new Client({ name: 'judge', version: '1' })
  t.after(() => client.close())
  await client.connect(transport, { timeout: 30000 }).catch((error) => {
    throw new Error(`${error}\n${said}`)
  })
  return { client, asked, said: () => said }
}

const homes = async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'judge-'))
  t.after(() => rm(home, { recursive: true }))
  return home
}

for (const protocol of ['legacy', 'auto']) {
  test(`${protocol}: a person allows a program, and it works with their list`, async (t) => {
    const home = await homes(t)
    const person = await Person.in(service, 'remote@northwind.example')
    const { client, asked } = await connect(t, service, home, person, ['--protocol', protocol])
    assert.equal(asked.length, 1)
    assert.ok(asked[0].includes('offline_access'))
    assert.equal((await client.listTools()).tools.length, 5)
    const added = await client.callTool({ name: 'add_board', arguments: { url: `https://boards.greenhouse.io/remote${protocol}` } })
    assert.equal(added.structuredContent.locked, false)
    assert.ok((await client.callTool({ name: 'list_boards', arguments: {} })).structuredContent.total > 0)
  })
}

test('a token that has run out is refreshed, in one run and in the next', async (t) => {
  const home = await homes(t)
  const person = await Person.in(hasty, 'remote@northwind.example')
  const first = await connect(t, hasty, home, person)
  for (let i = 0; i < 2; i++) {
    await wait(lifeAtHasty + 500)
    assert.equal((await first.client.listTools()).tools.length, 5)
  }
  await first.client.close()
  await wait(lifeAtHasty + 500)
  const second = await connect(t, hasty, home, person)
  const result = await second.client.callTool({ name: 'list_boards', arguments: {} })
  assert.ok(result.structuredContent, second.said())
  assert.equal(first.asked.length + second.asked.length, 1, second.said())
})
