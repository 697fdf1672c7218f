import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { verifyWebhook, type WebhookEvent } from '../client/verify-webhook.ts'
import { messageOf } from '../domain/errors.ts'
import { isJsonObject } from '../domain/json.ts'
import { readSecret } from './secret.ts'

const SECRET = 'QUOIN_WEBHOOK_SECRET'
/** Webhook messages of Quoin are never larger. */
const MAX_BODY_BYTES = 2 ** 20

interface ListenOptions {
  readonly port: string
  readonly keyFile?: string
  readonly answer: string
  readonly json: boolean
}

export function webhooksCommand(): Command {
  const listen = new Command('listen')
    .description('receive, verify and print webhooks on this machine until stopped')
    .option('--port <number>', 'port to listen on; 0 for any free port', '9000')
    .option('--key-file <file>', `file with the webhook secret, instead of the variable ${SECRET}`)
    .option('--answer <status>', 'status to answer with, to test failures', '204')
    .option('--json', 'print one JSON object for each message', false)
    .addHelpText(
      'after',
      `
Listens on 127.0.0.1. A server on the same machine reaches it with QUOIN_WEBHOOK_ALLOW_PRIVATE=true
and QUOIN_ALLOW_HTTP=true. Without a secret, messages are not verified.

Example:
  quoin webhooks listen --port 9000
`,
    )
    .action(listenUntilStopped)

  return new Command('webhooks')
    .description('test receivers of webhooks')
    .addHelpText('after', '\nExample:\n  quoin webhooks listen\n')
    .addCommand(listen)
}

async function listenUntilStopped(options: ListenOptions): Promise<void> {
  const port = readNumber('--port', options.port, 0, 65_535)
  const answer = readNumber('--answer', options.answer, 200, 599)
  const secret = readWebhookSecret(options.keyFile)
  const server = createServer((request, response) => {
    void receive(request, secret).then((received) => {
      print(received, options.json)
      respond(response, received.error === null ? answer : 401)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ConfigError(`--port: ${messageOf(error)}.`)))
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  console.error(
    `Listening at http://127.0.0.1:${taken}/${secret === '' ? ' (messages are not verified)' : ''}`,
  )
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  server.closeAllConnections()
  server.close()
}

/** A received message. `error` says why it is not valid. */
interface Received {
  readonly id: string | null
  readonly event: WebhookEvent | null
  readonly verified: boolean
  readonly error: string | null
}

async function receive(request: IncomingMessage, secret: string): Promise<Received> {
  const id = request.headers['webhook-id']
  const about = { id: typeof id === 'string' ? id : null, verified: false }
  try {
    const body = await readBody(request)
    const event = secret === '' ? readEvent(body) : await verifyWebhook(secret, request.headers, body)
    return { ...about, event, verified: secret !== '', error: null }
  } catch (error) {
    return { ...about, event: null, error: messageOf(error) }
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > MAX_BODY_BYTES) throw new Error('The body is larger than 1 MB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function readEvent(body: Buffer): WebhookEvent {
  const event: unknown = JSON.parse(body.toString())
  if (!isJsonObject(event) || typeof event['type'] !== 'string') throw new Error('The body is not an event.')
  return event as unknown as WebhookEvent
}

function print({ id, event, verified, error }: Received, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ id, verified, error, event }))
    return
  }
  if (event === null) {
    console.log(`✗ ${id ?? 'no id'}  ${error}`)
    return
  }
  const { url, page_id: page, events } = event.data
  const what = Array.isArray(events) ? `${events.length} events` : String(url ?? page ?? '')
  console.log(
    `${verified ? '✓' : '?'} ${id ?? 'no id'}  ${event.timestamp}  ${event.type}  ${what}`.trimEnd(),
  )
}

function respond(response: ServerResponse, status: number): void {
  response.writeHead(status).end()
}

/** Empty without a secret. @throws {ConfigError} when it has another format. */
function readWebhookSecret(file: string | undefined): string {
  const secret = readSecret(file, SECRET)
  if (secret === '' || /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret
  throw new ConfigError(`${SECRET}: must be the secret of a webhook, which begins with whsec_.`)
}

function readNumber(flag: string, text: string, least: number, most: number): number {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number >= least && number <= most) return number
  throw new ConfigError(`${flag}: must be a number from ${least} to ${most}.`)
}
