#!/usr/bin/env node
// Puts Prism before the program at the address given, prints its own address, and ends in good order when told to.
//
// A request goes to the program as it is. If it is for a published operation, it also goes through Prism, whose upstream
// is this program's answer: Prism changes requests on their way (it mends bytes that are no UTF-8, and asks for a key
// itself), which must not hide what the program says of them. An answer that the description does not allow is replaced
// by Prism's error.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createServer as createListener } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = process.argv[2]
const folder = mkdtempSync(join(tmpdir(), 'prism-'))
const file = join(folder, 'openapi.json')
const description = await (await fetch(program + '/openapi.json')).json()
writeFileSync(file, JSON.stringify(description))

const operations = Object.entries(description.paths).flatMap(([path, item]) => {
  const shape = new RegExp('^' + path.replace(/\{[^}]+\}/g, '[^/]+') + '$')
  return Object.keys(item).map((method) => ({ method: method.toUpperCase(), shape }))
})
const published = (method, url) => operations.some((o) => o.method === method && o.shape.test(url.split('?')[0]))

const body = async (stream) => {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function ask (to, method, path, headers, data) {
  return new Promise((resolve, reject) => {
    const out = request(to, { method, path, headers }, async (answer) => {
      try {
        resolve({ status: answer.statusCode, headers: answer.headers, data: await body(answer) })
      } catch (e) {
        reject(e)
      }
    })
    out.on('error', reject)
    out.end(data)
  })
}

// The program's answers, for Prism to fetch by their number.
const answers = new Map()
const upstream = createServer((req, res) => {
  const { status, headers, data } = answers.get(req.headers['x-answer'])
  res.writeHead(status, { ...headers, connection: 'close' })
  res.end(data)
})
const listening = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
const probe = createListener()
const port = await listening(probe)
await new Promise((resolve) => probe.close(resolve))
const upstreamPort = await listening(upstream)
const prism = spawn(join(dirname(fileURLToPath(import.meta.url)), 'node_modules/.bin/prism'), [
  'proxy', file, `http://127.0.0.1:${upstreamPort}`, '--errors', '--validate-request=false', '--port', String(port), '--verboseLevel', 'error',
], { stdio: ['ignore', 'ignore', 'inherit'] })

let judged = 0
async function judge (method, url, answer) {
  const number = String(++judged)
  answers.set(number, answer)
  try {
    const path = url.split('?')[0]
    const headers = { 'x-answer': number, authorization: 'Bearer judge', accept: '*/*' }
    if (method === 'POST') headers['content-type'] = 'application/json'
    const verdict = await ask(`http://127.0.0.1:${port}`, method, path, headers, method === 'POST' ? '{"url":"northwind.example"}' : '')
    return verdict.headers['content-type']?.startsWith('application/problem+json') ? verdict : answer
  } finally {
    answers.delete(number)
  }
}

// The parser that takes what it is given: whether bytes in an address are well encoded is for the program to say.
const server = createServer({ insecureHTTPParser: true }, async (req, res) => {
  try {
    let answer = await ask(program, req.method, req.url, req.rawHeaders, await body(req))
    if (published(req.method, req.url)) answer = await judge(req.method, req.url, answer)
    res.writeHead(answer.status, answer.headers)
    res.end(answer.data)
  } catch {
    res.destroy()
  }
})

function stop () {
  console.error(`prism judged ${judged} answers`)
  prism.kill()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

for (;;) { // until Prism answers
  try {
    await fetch(`http://127.0.0.1:${port}/`)
    break
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
console.log(`http://127.0.0.1:${await listening(server)}`)
