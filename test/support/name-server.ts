import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Texts of TXT records by name. `silent` never answers; `broken` answers that the server failed. */
export type Zone = Map<string, readonly string[] | 'silent' | 'broken'>

export interface NameServer {
  /** For `Resolver.setServers`. */
  readonly address: string
  readonly zone: Zone
  /** Names that were looked up, oldest first. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

const TXT = 16
const NO_ERROR = 0
const SERVER_FAILURE = 2
const NO_SUCH_NAME = 3

/** A DNS server on loopback that answers questions for TXT records over UDP. */
export async function startNameServer(): Promise<NameServer> {
  const zone: Zone = new Map()
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, end } = readName(query)
    asked.push(name)
    const found = zone.get(name)
    if (found === 'silent') return
    const question = query.subarray(12, end + 4)
    const isTxt = query.readUInt16BE(end) === TXT
    const answers = isTxt && Array.isArray(found) ? found.map(txtAnswer) : []
    const code = found === 'broken' ? SERVER_FAILURE : found === undefined ? NO_SUCH_NAME : NO_ERROR
    const reply = Buffer.concat([header(query.readUInt16BE(0), code, answers.length), question, ...answers])
    socket.send(reply, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

/** The name in the question, in lower case, and the offset after it. */
function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function header(id: number, code: number, answers: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt16BE(id, 0)
  // An answer, recursion desired and available.
  bytes.writeUInt16BE(0x8180 | code, 2)
  bytes.writeUInt16BE(1, 4)
  bytes.writeUInt16BE(answers, 6)
  return bytes
}

/** One record in chunks of at most 255 bytes, as name servers send long texts. */
function txtAnswer(text: string): Buffer {
  const bytes = Buffer.from(text)
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length || at === 0; at += 255) {
    const chunk = bytes.subarray(at, at + 255)
    chunks.push(Buffer.from([chunk.length]), chunk)
  }
  const data = Buffer.concat(chunks)
  const fixed = Buffer.alloc(12)
  // A pointer to the name in the question.
  fixed.writeUInt16BE(0xc00c, 0)
  fixed.writeUInt16BE(TXT, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt16BE(data.length, 10)
  return Buffer.concat([fixed, data])
}
