// Stands before the service and gives every request a token, for judges that cannot sign in. All else passes as it is. It
// prints its address.
import { createServer, request } from 'node:http'

import { connected } from './connect.mjs'
import { Person, service } from './person.mjs'

const { access_token: token } = await connected(service, await Person.in(service, 'conformance@northwind.example'))
const { hostname, port } = new URL(service)

const server = createServer((req, res) => {
  const headers = req.rawHeaders.concat('Authorization', `Bearer ${token}`)
  const up = request({ hostname, port, method: req.method, path: req.url, headers }, (answer) => {
    res.writeHead(answer.statusCode, answer.rawHeaders)
    answer.pipe(res)
  })
  up.on('error', () => res.destroy())
  req.pipe(up)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
