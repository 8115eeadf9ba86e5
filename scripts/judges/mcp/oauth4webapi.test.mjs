// oauth4webapi, which holds every answer against its RFC: discovery (8414, 9728), registration (7591), the code with PKCE
// (7636), iss (9207), resource indicators (8707), challenges (6750), refresh and revocation (7009).
import assert from 'node:assert/strict'
import { before, test } from 'node:test'

import * as oauth from 'oauth4webapi'

import { Person, service } from './person.mjs'

const http = { [oauth.allowInsecureRequests]: true } // on this machine only
const redirect = 'http://127.0.0.1:40123/callback'
const endpoint = new URL('/mcp', service)
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_boards', arguments: {} } })
const headers = () => new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })

let ada, as, client
before(async () => {
  ada = await Person.in(service, 'oauth4webapi@northwind.example')
  const issuer = new URL(service)
  as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...http }))
  client = await register(['authorization_code', 'refresh_token'])
})

async function register(grants) {
  const metadata = { client_name: 'Judge', redirect_uris: [redirect], grant_types: grants, token_endpoint_auth_method: 'none' }
  return oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(as, metadata, http))
}

/** ask sends the person to the service, and returns what the client is told. */
async function ask(change = {}, answer = (address) => ada.allow(address)) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(as.authorization_endpoint)
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirect,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: 'boards:read boards:write offline_access',
    resource: endpoint.href,
    state,
    ...change
  })
  return { verifier, state, told: await answer(address) }
}

async function connect(change, answer) {
  const { verifier, state, told } = await ask(change, answer)
  const parameters = oauth.validateAuthResponse(as, client, told, state)
  const response = await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, redirect, verifier, {
    additionalParameters: { resource: endpoint.href },
    ...http
  })
  return oauth.processAuthorizationCodeResponse(as, client, response)
}

const refresh = async (token, more = {}) =>
  oauth.processRefreshTokenResponse(as, client, await oauth.refreshTokenGrantRequest(as, client, oauth.None(), token, { additionalParameters: more, ...http }))

const call = (token, body = list) => oauth.protectedResourceRequest(token, 'POST', endpoint, headers(), body, http)

/** challenge is what a refused call says in its header. */
async function challenge(token, body) {
  const error = await call(token, body).then(
    (res) => assert.fail(`the call is answered ${res.status}`),
    (error) => error
  )
  assert.ok(error instanceof oauth.WWWAuthenticateChallengeError, String(error))
  return { status: error.status, scheme: error.cause[0].scheme, parameters: error.cause[0].parameters }
}

test('what the documents say holds together', async () => {
  const found = await oauth.resourceDiscoveryRequest(endpoint, http)
  const resource = await oauth.processResourceDiscoveryResponse(endpoint, found)
  assert.deepEqual(resource.authorization_servers, [as.issuer])
  assert.deepEqual(as.code_challenge_methods_supported, ['S256'])
  assert.equal(as.authorization_response_iss_parameter_supported, true)
})

test('a code becomes tokens, tokens open the door, and end when they are revoked', async () => {
  const tokens = await connect()
  assert.equal(tokens.scope, 'boards:read boards:write offline_access')
  assert.equal(tokens.token_type, 'bearer')
  assert.equal((await call(tokens.access_token)).status, 200)
  const next = await refresh(tokens.refresh_token, { resource: endpoint.href })
  assert.notEqual(next.refresh_token, tokens.refresh_token)
  const less = await refresh(next.refresh_token, { scope: 'boards:read' })
  assert.equal(less.scope, 'boards:read')
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, oauth.None(), less.refresh_token, http))
  assert.equal((await challenge(less.access_token)).parameters.error, 'invalid_token')
  await assert.rejects(refresh(less.refresh_token), { error: 'invalid_grant', status: 400 })
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, oauth.None(), 'of no form at all', http))
})

test('what a client is told of its faults can be understood', async () => {
  const told = async (change, answer = (address) => ada.back(address)) => {
    const { state, told } = await ask(change, answer)
    const error = await Promise.resolve()
      .then(() => oauth.validateAuthResponse(as, client, told, state))
      .catch((e) => e)
    assert.ok(error instanceof oauth.AuthorizationResponseError, `${error} ${told}`)
    return error.error
  }
  assert.equal(await told({}, (address) => ada.deny(address)), 'access_denied')
  assert.equal(await told({ resource: 'https://elsewhere.example/mcp' }), 'invalid_target')
  assert.equal(await told({ scope: 'admin' }), 'invalid_scope')
  assert.equal(await told({ code_challenge_method: 'plain' }), 'invalid_request')
  assert.equal(await told({ response_type: 'token' }), 'unsupported_response_type')
  const { verifier, state, told: answer } = await ask()
  const parameters = oauth.validateAuthResponse(as, client, answer, state)
  const redeem = async (v) =>
    oauth.processAuthorizationCodeResponse(as, client, await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, redirect, v, http))
  await assert.rejects(redeem(oauth.generateRandomCodeVerifier()), { error: 'invalid_grant', status: 400 })
  await assert.rejects(redeem(verifier), { error: 'invalid_grant' }, 'a wrong verifier uses the code up')
})

test('challenges can be understood', async () => {
  const res = await fetch(endpoint, { method: 'POST', headers: headers(), body: list })
  assert.match(res.headers.get('www-authenticate'), /^Bearer resource_metadata="[^"]+", scope="boards:read boards:write"$/)
  assert.deepEqual(await challenge('bwa_unknown').then((c) => [c.status, c.scheme, c.parameters.error]), [401, 'bearer', 'invalid_token'])
  const tokens = await connect({}, (address) => ada.allow(address, { without: ['boards:write'] }))
  const add = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add_board', arguments: { url: 'acme.example' } } })
  const { status, parameters } = await challenge(tokens.access_token, add)
  assert.equal(status, 403)
  assert.equal(parameters.error, 'insufficient_scope')
  assert.equal(parameters.scope, 'boards:read boards:write')
  assert.equal(parameters.resource_metadata, `${service}/.well-known/oauth-protected-resource/mcp`)
})

test('a client that cannot refresh gets nothing to refresh with', async () => {
  const before = client
  client = await register(['authorization_code'])
  const tokens = await connect()
  client = before
  assert.equal(tokens.refresh_token, undefined)
  assert.equal(tokens.scope, 'boards:read boards:write')
})
