// The official TypeScript SDK 2.x, in both eras of the protocol: from the first 401 to the result of a tool, the step to more
// scopes, and refresh.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'

import { Person, hasty, lifeAtHasty, service, wait } from './person.mjs'
import { Provider } from './provider.mjs'

const eras = [
  { era: 'modern', negotiation: { mode: { pin: '2026-07-28' } } },
  { era: 'modern', negotiation: { mode: 'auto' } },
  { era: 'legacy', negotiation: { mode: 'legacy' } }
]

let ada
before(async () => {
  ada = await Person.in(service, 'sdk2@northwind.example')
})

/** connect goes through the authorization once, and returns a client that is connected. */
async function connect(base, provider, negotiation) {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', base), { authProvider: provider })
  await assert.rejects(make(negotiation).connect(transport), UnauthorizedError)
  await transport.finishAuth(provider.answer.searchParams) // checks iss
  return open(base, provider, negotiation)
}

const make = (versionNegotiation) => new Client({ name: 'judge', version: '1' }, { versionNegotiation })

async function open(base, provider, negotiation) {
  const client = make(negotiation)
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', base), { authProvider: provider })
  await client.connect(transport)
  return { client, transport }
}

for (const { era, negotiation } of eras) {
  const how = typeof negotiation.mode === 'string' ? negotiation.mode : negotiation.mode.pin
  const slug = 'sdktwo' + how.replaceAll(/[^a-z]/g, '') + how.length

  test(`${how}: a person allows a program, and it works with their list`, async () => {
    const provider = new Provider(ada)
    const { client } = await connect(service, provider, negotiation)
    assert.equal(client.getProtocolEra(), era)
    assert.equal(provider.asked[0].searchParams.get('scope'), 'boards:read boards:write offline_access')
    assert.equal(provider.kept.scope, 'boards:read boards:write offline_access')
    const { tools } = await client.listTools()
    assert.equal(tools.length, 5)
    const added = await client.callTool({ name: 'add_board', arguments: { url: `https://boards.greenhouse.io/${slug}` } })
    assert.equal(added.structuredContent.locked, false)
    const list = await client.callTool({ name: 'list_boards', arguments: {} })
    assert.deepEqual(JSON.parse(list.content[0].text), list.structuredContent)
    for (const name of ['search_jobs', 'list_updates']) {
      const found = await client.callTool({ name, arguments: { limit: 3 } })
      assert.deepEqual(found.structuredContent.jobs, [], name)
    }
    const wrong = await client.callTool({ name: 'search_jobs', arguments: { limit: 0, boardId: 'x' } })
    assert.equal(wrong.isError, true)
    assert.deepEqual(JSON.parse(wrong.content[0].text).error.details.map((d) => d.field).sort(), ['boardId', 'limit'])
    const removed = await client.callTool({ name: 'remove_board', arguments: { boardId: added.structuredContent.board.id } })
    assert.equal(removed.structuredContent.removed, true)
    await client.close()
  })

  test(`${how}: a tool that was not allowed asks for more, and what was allowed stays`, async () => {
    const provider = new Provider(ada)
    provider.without = ['boards:write']
    const { client, transport } = await connect(service, provider, negotiation)
    assert.equal(provider.kept.scope, 'boards:read offline_access')
    const add = { name: 'add_board', arguments: { url: `https://boards.greenhouse.io/${slug}more` } }
    provider.without = []
    await assert.rejects(client.callTool(add), UnauthorizedError)
    assert.deepEqual(provider.asked.at(-1).searchParams.get('scope').split(' ').sort(), ['boards:read', 'boards:write', 'offline_access'])
    await transport.finishAuth(provider.answer.searchParams)
    assert.equal((await client.callTool(add)).structuredContent.locked, false)
    assert.ok((await client.callTool({ name: 'list_boards', arguments: {} })).structuredContent.total > 0)
    await client.close()
  })

  test(`${how}: a token that has run out is refreshed without asking the person`, async () => {
    const person = await Person.in(hasty, 'sdk2@northwind.example')
    const provider = new Provider(person)
    const { client } = await connect(hasty, provider, negotiation)
    const first = provider.kept
    await wait(lifeAtHasty + 500)
    const results = await Promise.all(Array.from({ length: 5 }, () => client.callTool({ name: 'list_boards', arguments: {} })))
    assert.ok(results.every((r) => r.structuredContent))
    await wait(lifeAtHasty + 500)
    assert.equal((await client.callTool({ name: 'list_boards', arguments: {} })).isError ?? false, false)
    assert.notEqual(provider.kept.refresh_token, first.refresh_token)
    assert.equal(provider.asked.length, 1)
    assert.deepEqual(provider.forgotten, [])
    await client.close()
  })
}

test('an answer of another issuer is refused by the program', async () => {
  const provider = new Provider(ada)
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', service), { authProvider: provider })
  await assert.rejects(make({ mode: 'auto' }).connect(transport), UnauthorizedError)
  provider.answer.searchParams.set('iss', 'https://elsewhere.example')
  await assert.rejects(transport.finishAuth(provider.answer.searchParams), /iss/i)
})
