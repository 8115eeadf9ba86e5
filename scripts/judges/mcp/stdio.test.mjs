// An agent on the same machine: both official TypeScript SDKs and the command line of the MCP Inspector start the program
// themselves, list its tools and call each, while the service runs on the same database.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Client as Client2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'

const [command, ...prefix] = process.env.BOARDWATCH.split(' ')
const args = [...prefix, 'mcp', '--account', 'stdio@northwind.example']

const clients = {
  'SDK 1': { client: () => new Client1({ name: 'judge', version: '1' }), Transport: Stdio1 },
  'SDK 2, modern': { client: () => new Client2({ name: 'judge', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), Transport: Stdio2 },
  'SDK 2, auto': { client: () => new Client2({ name: 'judge', version: '1' }, { versionNegotiation: { mode: 'auto' } }), Transport: Stdio2 },
  'SDK 2, legacy': { client: () => new Client2({ name: 'judge', version: '1' }, { versionNegotiation: { mode: 'legacy' } }), Transport: Stdio2 }
}

for (const [name, { client: make, Transport }] of Object.entries(clients)) {
  test(`${name}: lists and calls every tool`, async () => {
    const faults = []
    const transport = new Transport({ command, args, stderr: 'pipe' })
    const client = make()
    client.onerror = (fault) => faults.push(fault)
    await client.connect(transport)
    const { tools } = await client.listTools()
    assert.equal(tools.length, 5)
    const url = `https://boards.greenhouse.io/stdio${name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()}`
    const added = await client.callTool({ name: 'add_board', arguments: { url } })
    assert.equal(added.structuredContent.locked, false)
    const list = await client.callTool({ name: 'list_boards', arguments: {} })
    assert.deepEqual(JSON.parse(list.content[0].text), list.structuredContent)
    for (const tool of ['search_jobs', 'list_updates']) {
      const found = await client.callTool({ name: tool, arguments: { limit: 3 } })
      assert.deepEqual(found.structuredContent.jobs, [], tool)
    }
    const wrong = await client.callTool({ name: 'search_jobs', arguments: { limit: 0 } })
    assert.equal(wrong.isError, true)
    const calls = Array.from({ length: 10 }, () => client.callTool({ name: 'list_boards', arguments: {} }))
    for (const answer of await Promise.all(calls)) assert.equal(answer.isError ?? false, false)
    const removed = await client.callTool({ name: 'remove_board', arguments: { boardId: added.structuredContent.board.id } })
    assert.equal(removed.structuredContent.removed, true)
    await client.close()
    assert.deepEqual(faults, [], 'standard output carries nothing but messages')
  })
}

test('read-only: three tools', async () => {
  const client = clients['SDK 1'].client()
  await client.connect(new Stdio1({ command, args: [...args, '--read-only'], stderr: 'pipe' }))
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map((t) => t.name).sort(), ['list_boards', 'list_updates', 'search_jobs'])
  await client.close()
})

const inspector = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'

let home
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'judge-'))
})
after(() => rm(home, { recursive: true }))

/** inspect runs the Inspector once. */
async function inspect(...more) {
  const child = spawn(process.execPath, [inspector, '--cli', command, ...args, '--format', 'json', ...more], {
    env: { HOME: home, PATH: process.env.PATH, BROWSER: 'none', MCP_INSPECTOR_SECRET_STORE: 'file' },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let out = ''
  let said = ''
  child.stdout.on('data', (data) => (out += data))
  child.stderr.on('data', (data) => (said += data))
  const code = await new Promise((done) => child.on('close', done))
  assert.equal(code, 0, said + out)
  return JSON.parse(out).result
}

for (const era of ['legacy', 'modern']) {
  test(`Inspector, ${era}: lists and calls every tool`, async () => {
    const era_ = ['--protocol-era', era]
    const { tools } = await inspect(...era_, '--method', 'tools/list', '--strict')
    assert.equal(tools.length, 5)
    const call = (...more) => inspect(...era_, '--method', 'tools/call', '--tool-name', ...more)
    const added = await call('add_board', '--tool-arg', `url=https://boards.greenhouse.io/inspectorstdio${era}`)
    for (const tool of ['list_boards', 'search_jobs', 'list_updates']) assert.ok((await call(tool)).structuredContent, tool)
    const removed = await call('remove_board', '--tool-arg', `boardId=${added.structuredContent.board.id}`)
    assert.equal(removed.structuredContent.removed, true)
  })
}
