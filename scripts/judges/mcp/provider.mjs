// What a program keeps of its authorization, in memory, and a person who answers at once. Both generations of the SDK ask
// for the same things.
import { randomUUID } from 'node:crypto'

export class Provider {
  /** asked are the addresses that the person was sent to, forgotten what the SDK threw away. */
  asked = []
  forgotten = []
  without = []

  constructor(person, redirectUrl = 'http://127.0.0.1:33418/callback') {
    this.person = person
    this.redirectUrl = redirectUrl
    this.clientMetadata = {
      client_name: 'Judge',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none'
    }
  }

  state() {
    return (this.lastState = randomUUID())
  }
  clientInformation() {
    return this.client
  }
  saveClientInformation(client) {
    this.client = client
  }
  tokens() {
    return this.kept
  }
  saveTokens(tokens) {
    this.kept = tokens
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier
  }
  codeVerifier() {
    return this.verifier
  }
  saveDiscoveryState(found) {
    this.found = found
  }
  discoveryState() {
    return this.found
  }
  invalidateCredentials(scope) {
    this.forgotten.push(scope)
    if (scope === 'all' || scope === 'client') this.client = undefined
    if (scope === 'all' || scope === 'tokens') this.kept = undefined
  }
  async redirectToAuthorization(address) {
    this.asked.push(address)
    this.answer = await this.person.allow(address, { without: this.without })
  }
}
