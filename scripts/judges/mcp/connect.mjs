// A program that a person has connected, by plain requests: registration, consent, the code, tokens.
import { createHash, randomBytes } from 'node:crypto'

/** post sends a form or JSON, and returns what is answered. */
async function post(address, body) {
  const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const res = await fetch(address, { method: 'POST', headers, body })
  const answer = await res.json()
  if (!res.ok) throw new Error(`${address} answers ${res.status}: ${JSON.stringify(answer)}`)
  return answer
}

/** registered is a client that takes its answers at an address. */
export async function registered(base, redirect) {
  const metadata = { client_name: 'Judge', redirect_uris: [redirect], grant_types: ['authorization_code', 'refresh_token'] }
  return post(new URL('/oauth/register', base), JSON.stringify(metadata))
}

/** connected are the tokens that a person has allowed a new client. */
export async function connected(base, person) {
  const redirect = 'http://127.0.0.1/callback'
  const { client_id } = await registered(base, redirect)
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const address = new URL('/oauth/authorize', base)
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirect,
    code_challenge,
    code_challenge_method: 'S256',
    scope: 'boards:read boards:write'
  })
  const answer = await person.allow(address)
  return post(
    new URL('/oauth/token', base),
    new URLSearchParams({
      grant_type: 'authorization_code',
      client_id,
      code: answer.searchParams.get('code'),
      redirect_uri: redirect,
      code_verifier: verifier
    })
  )
}
