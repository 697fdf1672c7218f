// Baseline of attacks with large bodies: refuses each request with 429 before it reads the body, 20 requests a second,
// as the service does, and does nothing else. What others feel of it is the attacker's own client.
import { createServer } from 'node:http'

const EVERY_MS = 50
let nextAt = 0

const server = createServer((_, response) => {
  const now = performance.now()
  nextAt = Math.max(now, nextAt + EVERY_MS)
  setTimeout(() => response.writeHead(429, { connection: 'close' }).end('{}'), nextAt - now)
})
server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${server.address().port}`))
