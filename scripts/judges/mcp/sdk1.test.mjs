// The official TypeScript SDK 1.x: from the first 401 to the result of a tool, the step to more scopes, and refresh.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'

import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

import { Person, hasty, lifeAtHasty, service, wait } from './person.mjs'
import { Provider } from './provider.mjs'

let ada
before(async () => {
  ada = await Person.in(service, 'sdk1@northwind.example')
})

/** connect goes through the authorization once, and returns a client that is connected. */
async function connect(base, provider) {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', base), { authProvider: provider })
  await assert.rejects(new Client({ name: 'judge', version: '1' }).connect(transport), UnauthorizedError)
  assert.equal(provider.answer.searchParams.get('state'), provider.lastState)
  await transport.finishAuth(provider.answer.searchParams.get('code'))
  return open(base, provider)
}

async function open(base, provider) {
  const client = new Client({ name: 'judge', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', base), { authProvider: provider })
  await client.connect(transport)
  return { client, transport }
}

test('a person allows a program, and it works with their list', async () => {
  const provider = new Provider(ada)
  const { client } = await connect(service, provider)
  assert.equal(provider.kept.scope, 'boards:read boards:write offline_access')
  assert.deepEqual(provider.forgotten, [])
  assert.equal(client.getServerVersion().name, 'io.github.boardwatch/boardwatch')
  const { tools } = await client.listTools()
  assert.equal(tools.length, 5)
  const added = await client.callTool({ name: 'add_board', arguments: { url: 'https://boards.greenhouse.io/sdkone' } })
  assert.equal(added.structuredContent.locked, false)
  const list = await client.callTool({ name: 'list_boards', arguments: {} })
  assert.equal(list.structuredContent.total, 1)
  assert.deepEqual(JSON.parse(list.content[0].text), list.structuredContent)
  for (const name of ['search_jobs', 'list_updates']) {
    const found = await client.callTool({ name, arguments: { limit: 3 } })
    assert.deepEqual(found.structuredContent.jobs, [], name)
  }
  const twice = await client.callTool({ name: 'add_board', arguments: { url: 'https://boards.greenhouse.io/sdkone' } })
  assert.equal(twice.isError, true)
  assert.equal(JSON.parse(twice.content[0].text).error.code, 'already_tracked')
  const removed = await client.callTool({ name: 'remove_board', arguments: { boardId: added.structuredContent.board.id } })
  assert.equal(removed.structuredContent.removed, true)
  await client.close()
})

test('a tool that was not allowed asks for more, and what was allowed stays', async () => {
  const provider = new Provider(ada)
  provider.without = ['boards:write', 'offline_access']
  const { client, transport } = await connect(service, provider)
  assert.equal(provider.kept.scope, 'boards:read')
  assert.equal(provider.kept.refresh_token, undefined)
  const add = { name: 'add_board', arguments: { url: 'https://boards.greenhouse.io/sdkonemore' } }
  provider.without = []
  await assert.rejects(client.callTool(add), UnauthorizedError)
  assert.equal(provider.asked.at(-1).searchParams.get('scope'), 'boards:read boards:write')
  await transport.finishAuth(provider.answer.searchParams.get('code'))
  assert.equal((await client.callTool(add)).structuredContent.locked, false)
  assert.ok((await client.callTool({ name: 'list_boards', arguments: {} })).structuredContent.total > 0)
  await client.close()
})

// This generation refreshes when it is told that a scope is missing, which cannot widen anything, and gives up after that.
test('a program that stays connected is refused what was not allowed, and goes on reading', async () => {
  const provider = new Provider(ada)
  provider.without = ['boards:write']
  const { client } = await connect(service, provider)
  const remove = { name: 'remove_board', arguments: { boardId: '0123456789abcdef01234567' } }
  await assert.rejects(client.callTool(remove), /403/)
  assert.ok((await client.callTool({ name: 'list_boards', arguments: {} })).structuredContent)
  assert.equal(provider.asked.length, 1)
  await client.close()
})

test('a token that has run out is refreshed without asking the person', async () => {
  const person = await Person.in(hasty, 'sdk1@northwind.example')
  const provider = new Provider(person)
  const { client } = await connect(hasty, provider)
  const first = provider.kept
  for (let i = 0; i < 2; i++) {
    await wait(lifeAtHasty + 500)
    assert.equal((await client.listTools()).tools.length, 5)
  }
  assert.notEqual(provider.kept.refresh_token, first.refresh_token)
  assert.equal(provider.asked.length, 1)
  assert.deepEqual(provider.forgotten, [])
  await client.close()
})

test('many calls at once with a token that has run out end no connection', async () => {
  const person = await Person.in(hasty, 'sdk1@northwind.example')
  const provider = new Provider(person)
  const { client } = await connect(hasty, provider)
  await wait(lifeAtHasty + 500)
  const results = await Promise.all(Array.from({ length: 10 }, () => client.callTool({ name: 'list_boards', arguments: {} })))
  assert.ok(results.every((r) => r.structuredContent))
  assert.equal(provider.asked.length, 1)
  assert.deepEqual(provider.forgotten, [])
  await wait(lifeAtHasty + 500)
  assert.equal((await client.listTools()).tools.length, 5)
  await client.close()
})

test('a program that the person has disconnected asks them again', async () => {
  const provider = new Provider(ada)
  const { client } = await connect(service, provider)
  const revoked = await fetch(new URL('/oauth/revoke', service), {
    method: 'POST',
    body: new URLSearchParams({ client_id: provider.client.client_id, token: provider.kept.refresh_token })
  })
  assert.equal(revoked.status, 200)
  await assert.rejects(client.listTools(), UnauthorizedError)
  assert.deepEqual(provider.forgotten, ['tokens'])
  assert.equal(provider.asked.length, 2)
  await client.close()
})
