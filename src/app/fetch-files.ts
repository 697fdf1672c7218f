import { createWriteStream, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import { messageOf } from '../domain/errors.ts'
import { parseUrl } from '../domain/parse-url.ts'
import { version } from '../platform/package-paths.ts'
import { createResolve } from '../webhooks/resolve.ts'
import { openReply, type SendPorts } from '../webhooks/send.ts'

export interface FileRequest {
  /** Addresses by the paths of their files in the folder. */
  readonly urls: ReadonlyMap<string, string>
  readonly folder: string
  /** True to ask addresses of private networks. */
  readonly allowPrivate: boolean
  readonly onFetched: (done: number, total: number) => void
}

/** Reasons for files that are missing, by their paths. */
export type FetchFailures = ReadonlyMap<string, string>

/** Files that are loaded at the same time. */
const AT_ONCE = 4
const MAX_REDIRECTS = 5
const MAX_FILE_BYTES = 100 * 1024 * 1024
/** Limit of one run. A repeated run loads the rest. */
const MAX_BYTES = 8 * 1024 ** 3
const TIMEOUT_MS = 120_000

/** Loads files into a folder, over the network of this machine. Existing files stay: a run can be repeated. */
export async function fetchFiles({
  urls,
  folder,
  allowPrivate,
  onFetched,
}: FileRequest): Promise<FetchFailures> {
  const ports: SendPorts = {
    rules: { allowHttp: true, allowPrivate },
    resolve: createResolve({ isStrict: true }),
  }
  const failures = new Map<string, string>()
  const missing = [...urls].filter(([path]) => !isFile(join(folder, path)))
  const limit = pLimit(AT_ONCE)
  let bytes = 0
  let done = 0
  const load = async (path: string, url: string) => {
    const reason =
      bytes > MAX_BYTES
        ? 'This run has loaded 8 GiB. Run the command again for the rest.'
        : await fetchFile(url, join(folder, path), ports, (length) => {
            bytes += length
          })
    if (reason !== null) failures.set(path, reason)
    done += 1
    onFetched(done, missing.length)
  }
  await Promise.all(missing.map(([path, url]) => limit(() => load(path, url))))
  return failures
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Loads a file whole or not at all. @returns null, or the reason why it is missing. */
async function fetchFile(
  url: string,
  file: string,
  ports: SendPorts,
  onBytes: (length: number) => void,
): Promise<string | null> {
  const part = `${file}.part`
  try {
    const reply = await replyOf(url, ports)
    if (typeof reply === 'string') return reply
    await mkdir(dirname(file), { recursive: true })
    await pipeline(reply, bounded(onBytes), createWriteStream(part))
    await rename(part, file)
    return null
  } catch (error) {
    await rm(part, { force: true })
    return messageOf(error)
  }
}

/** The answer with a file, after redirects. A text says why there is none. */
async function replyOf(url: string, ports: SendPorts): Promise<IncomingMessage | string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let at = parseUrl(url)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    if (at === null || !/^https?:$/.test(at.protocol)) return 'It redirects to something that is no address.'
    const headers = { 'User-Agent': `quoin-convert/${version()}`, Accept: '*/*' }
    const reply = await openReply({ method: 'GET', url: at, headers, body: '' }, ports, signal)
    const { statusCode = 0, headers: answered } = reply
    if (statusCode === 200 && !/^text\/html\b/i.test(answered['content-type'] ?? '')) return reply
    reply.destroy()
    if (statusCode === 200) return 'A page was answered in place of the file.'
    if (statusCode < 300 || statusCode >= 400 || answered.location === undefined)
      return `The site answers ${statusCode}.`
    at = parseUrl(answered.location, at.href)
  }
  return `It redirects more than ${MAX_REDIRECTS} times.`
}

/** Passes on the bytes of a file, up to the limit. */
function bounded(onBytes: (length: number) => void): Transform {
  let length = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      length += chunk.length
      onBytes(chunk.length)
      if (length > MAX_FILE_BYTES) done(new Error('It is larger than 100 MiB.'))
      else done(null, chunk)
    },
  })
}
