// Opens connections to a page, each from another address of this machine and with one answer, and leaves them idle.
// Usage: node idle-connections.mjs <URL of the page> <connections>
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { forEachConcurrently } from './bulk.mjs'

const [, , url, count] = process.argv
const ADDRESSES_PER_NETWORK = 250
const agent = new Agent({ keepAlive: true, maxFreeSockets: Infinity })

await forEachConcurrently(
  Array.from({ length: Number(count) }, (_, n) => n),
  async (n) => {
    const localAddress = `127.1.${Math.floor(n / ADDRESSES_PER_NETWORK)}.${1 + (n % ADDRESSES_PER_NETWORK)}`
    // The agent never shares a connection between addresses.
    const sent = request(url, { agent, localAddress, headers: { 'accept-encoding': 'gzip' } })
    sent.end()
    const [response] = await once(sent, 'response')
    if (response.statusCode !== 200) throw new Error(`${url} returned ${response.statusCode}`)
    await once(response.resume(), 'end')
  },
)
// Idle connections alone would not keep the process alive.
setInterval(() => {}, 60_000)
console.log(`ready at ${url}`)
