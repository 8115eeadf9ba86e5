// openid-client, certified by the OpenID Foundation, as a plain OAuth client: it finds everything by itself from the issuer.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as client from 'openid-client'

import { Person, service } from './person.mjs'

const redirect = 'http://localhost:40124/callback'

test('it registers, is allowed, calls a tool, refreshes and disconnects', async () => {
  const ada = await Person.in(service, 'openid-client@northwind.example')
  const config = await client.dynamicClientRegistration(
    new URL(service),
    { client_name: 'Judge', redirect_uris: [redirect], grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
    client.None(),
    { algorithm: 'oauth2', execute: [client.allowInsecureRequests] }
  )
  assert.ok(config.serverMetadata().supportsPKCE())
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: 'boards:read offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: `${service}/mcp`,
    state
  })
  const answer = await ada.allow(address)
  const tokens = await client.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state }, { resource: `${service}/mcp` })
  assert.equal(tokens.scope, 'boards:read offline_access')
  assert.ok(tokens.expiresIn() > 3500)
  const next = await client.refreshTokenGrant(config, tokens.refresh_token)
  const res = await client.fetchProtectedResource(
    config,
    next.access_token,
    new URL('/mcp', service),
    'POST',
    JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'list_boards', arguments: {} } }),
    new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  )
  assert.deepEqual((await res.json()).result.structuredContent, { boards: [], total: 0 })
  await client.tokenRevocation(config, next.refresh_token)
  await assert.rejects(client.refreshTokenGrant(config, next.refresh_token), { error: 'invalid_grant' })
  await assert.rejects(client.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state }), { error: 'invalid_grant' })
})
