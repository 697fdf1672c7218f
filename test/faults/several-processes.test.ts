import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAdministration } from '../../src/app/administration.ts'
import { readConfig } from '../../src/app/config.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { DEFAULT_PERMISSIONS } from '../../src/domain/caller.ts'
import { startCommand } from '../support/command.ts'
import { createSchema, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { RADOSGW_MISSING, startRadosgw } from '../support/radosgw.ts'
import { createRandom, type Random } from '../support/random.ts'
import { startS3Server } from '../support/s3-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'
import { LONG_TIMEOUT_MS, SEED } from './long-form.ts'

/** `QUOIN_FAULTS_SECONDS=600` runs the whole of it. */
const SECONDS = Number(process.env['QUOIN_FAULTS_SECONDS'] ?? 15)
const IS_LONG = SECONDS > 60
const WRITERS = IS_LONG ? 32 : 8
const APIS = IS_LONG ? 3 : 2
const WORKERS = 2
/** Between two faults. Longer than a process takes to start. */
const FAULT_MS = IS_LONG ? 8_000 : 5_000
/** Longer than it takes until a lease is taken over. */
const FROZEN_MS = 7_000
const REVOKED_MS = 5_000
/** Times that a process is started again when its start is refused. */
const STARTS = 5

const programs = postgresPrograms()

describe.skipIf(programs === null)('API processes and workers that are killed and frozen', () => {
  test(
    `lose no acknowledged write, keep limits and revocations, and agree with the store: ${SECONDS} s, seed ${SEED}`,
    () => run(createRandom(SEED)),
    LONG_TIMEOUT_MS,
  )
})

async function run(random: Random): Promise<void> {
  const postgres = await startPostgres(programs ?? '')
  onTestFinished(() => postgres.stop())
  const settings = {
    QUOIN_DATABASE_URL: await createSchema(postgres.url, 'several'),
    QUOIN_MASTER_KEY: MASTER_KEY,
    QUOIN_BASE_URL: 'http://quoin.test',
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_LOG_LEVEL: 'error',
    ...(await store()),
  }
  const admin = await openAdministration(readConfig({ ...settings, QUOIN_DATA: await temporaryFolder() }))
  onTestFinished(() => admin.close())
  const newKey = async (plan: 'enterprise' | 'free') =>
    admin.accounts.createKey({
      ...{ userId: null, projectScope: null, name: plan, permissions: DEFAULT_PERMISSIONS, expiresAt: null },
      plan,
    })
  const { key } = await newKey('enterprise')
  const apis = await Promise.all(Array.from({ length: APIS }, () => startProcess('serve', 'api', settings)))
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, () => startProcess('worker', 'worker', settings)),
  )
  const client = createClient(apis, key, random)

  const pages: Tracked[] = []
  for (let project = 0; project < 4; project++) {
    const { body } = await client.sure('POST', '/projects', { name: `Site ${project}` })
    for (let n = 0; n < WRITERS / 4; n++) pages.push(await client.create(body.data.id, `p${n}`))
  }

  const end = performance.now() + 1000 * SECONDS
  const isOver = () => performance.now() >= end
  const counts: Record<string, number> = {}
  const faults = breakProcesses([...apis, ...workers], random, isOver, counts)
  const limited = sendLimited(apis, await newKey('free'), random, isOver)
  const revoked = revokeKeys(apis, admin.accounts, () => newKey('enterprise'), isOver)
  await Promise.all(pages.map((page) => write(client, page, random, isOver, counts)))
  await faults
  const accepted = await limited
  const late = await revoked

  // What failed is put back before another publish goes live.
  for (const page of pages) await client.settle(page)
  for (const page of pages) expect(page.possible, page.slug).toContainEqual(await client.look(page))
  expect(late).toEqual([])
  // The plan allows 10 in 10 s and 60 in a minute.
  expect(accepted).toBeLessThanOrEqual(60 * Math.ceil(SECONDS / 60) + 60 + 1)
  expect(accepted).toBeGreaterThan(0)
  expect(await mostInBurst(settings.QUOIN_DATABASE_URL)).toBeLessThanOrEqual(10)
  await Promise.all([...apis, ...workers].map(({ stop }) => stop()))
  const { code, out, err } = await startCommand(['verify'], {
    ...settings,
    QUOIN_DATA: await temporaryFolder(),
  }).ended
  expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringContaining('agree') })
  console.info(`${SECONDS} s, ${WRITERS} writers, ${APIS} API processes, ${WORKERS} workers:`, counts, {
    limited: accepted,
  })
  expect(counts['publish 200'] ?? 0).toBeGreaterThan(0)
}

/** A real S3 server where it can run and the test is long, else one in this process. */
async function store(): Promise<Record<string, string>> {
  if (IS_LONG && RADOSGW_MISSING === null) {
    const server = await startRadosgw()
    onTestFinished(() => server.stop())
    const credentials = { accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey }
    const client = new S3Client({
      ...{ endpoint: server.endpoint, region: 'us-east-1', forcePathStyle: true, credentials },
    })
    await client.send(new CreateBucketCommand({ Bucket: 'quoin' }))
    client.destroy()
    return storeSettings(server.endpoint, server.accessKeyId, server.secretAccessKey)
  }
  const server = await startS3Server()
  onTestFinished(() => server.close())
  return storeSettings(server.endpoint, 'S3RVER', 'S3RVER')
}

function storeSettings(endpoint: string, id: string, secret: string): Record<string, string> {
  const url = (place: string) =>
    `s3://quoin/${place}?region=us-east-1&force_path_style=true&endpoint=${encodeURIComponent(endpoint)}`
  return {
    QUOIN_STORAGE_URL: url('sites'),
    QUOIN_MEDIA_URL: url('media'),
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  }
}

interface Process {
  readonly url: string
  /** Whether it answers, as far as this test has not broken it. */
  isRunning(): boolean
  /** Kills it and starts another one. */
  replace(): Promise<void>
  freeze(ms: number): Promise<void>
  stop(): Promise<void>
}

async function startProcess(
  command: 'serve' | 'worker',
  role: string,
  settings: Readonly<Record<string, string>>,
): Promise<Process> {
  const port = await freePort()
  const env = {
    ...settings,
    QUOIN_DATA: await temporaryFolder(),
    QUOIN_PORT: String(port),
    ...(command === 'serve' && { QUOIN_ROLE: role }),
  }
  let isRunning = false
  let child = startCommand([command], env)
  const ready = async () => {
    await child.line(/ready at/)
    isRunning = true
  }
  await ready()
  return {
    url: `http://127.0.0.1:${port}`,
    isRunning: () => isRunning,
    async replace() {
      isRunning = false
      child.kill('SIGKILL')
      await child.ended
      // As a supervisor does: a store that is too busy to answer refuses a start.
      for (let tries = 0; !isRunning; tries++) {
        child = startCommand([command], env)
        await ready().catch((error) => {
          if (tries === STARTS) throw error
        })
      }
    },
    async freeze(ms) {
      isRunning = false
      child.kill('SIGSTOP')
      await sleep(ms)
      child.kill('SIGCONT')
      isRunning = true
    },
    async stop() {
      child.kill('SIGTERM')
      await child.ended
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

/** Breaks one process after the other, and repairs it before the next. */
async function breakProcesses(
  processes: readonly Process[],
  random: Random,
  isOver: () => boolean,
  counts: Record<string, number>,
): Promise<void> {
  while (!isOver()) {
    await sleep(FAULT_MS)
    const victim = random.pick(processes)
    const isKill = random.below(2) === 0
    count(counts, isKill ? 'kills' : 'freezes')
    await (isKill ? victim.replace() : victim.freeze(FROZEN_MS))
  }
}

/** A page with one writer, and all states that its answers allow. */
interface Tracked {
  readonly id: string
  readonly project: string
  readonly slug: string
  possible: readonly State[]
}

interface State {
  readonly draft: string
  readonly live: string | null
}

type Operation = 'edit' | 'publish' | 'unpublish'

async function write(
  client: Client,
  page: Tracked,
  random: Random,
  isOver: () => boolean,
  counts: Record<string, number>,
): Promise<void> {
  while (!isOver()) {
    const operation = random.pick<Operation>(['edit', 'publish', 'publish', 'unpublish'])
    const status = await client.perform(page, operation)
    count(counts, `${operation} ${status ?? 'without an answer'}`)
    if (status === null || status >= 500) continue
    // Every process shows what any of them has acknowledged.
    const seen = await client.look(page).catch(() => null)
    if (seen !== null && !page.possible.some(({ draft }) => draft === seen.draft))
      expect.fail(`${page.slug} shows ${JSON.stringify(seen)}, not one of ${JSON.stringify(page.possible)}.`)
  }
}

type Client = ReturnType<typeof createClient>

function createClient(apis: readonly Process[], key: string, random: Random) {
  let marks = 0
  return { sure, create, perform, look, settle }

  async function call(method: string, path: string, body?: object, auth = true) {
    const running = apis.filter((api) => api.isRunning())
    const { url } = random.pick(running.length > 0 ? running : apis)
    const response = await fetch(url + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(auth && { Authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }

  /** Until it succeeds. */
  async function sure(method: string, path: string, body?: object) {
    for (let tries = 0; ; tries++) {
      const answer = await call(method, path, body).catch((error: unknown) => ({
        status: 0,
        body: String(error),
      }))
      if (answer.status > 0 && answer.status < 300) return answer
      if (tries === 60) expect.fail(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      await sleep(500)
    }
  }

  async function create(project: string, slug: string): Promise<Tracked> {
    const draft = newMark()
    const fields = { project_id: project, title: slug, slug, subroute: '', type: 'article' }
    const { body } = await sure('POST', '/pages', { ...fields, markdown_content: draft })
    return { id: body.data.id, project, slug, possible: [{ draft, live: null }] }
  }

  async function perform(page: Tracked, operation: Operation): Promise<number | null> {
    const mark = newMark()
    const former = page.possible
    const next = former.map((state) => after(state, operation, mark))
    const answer = await (operation === 'edit'
      ? call('PUT', `/pages/${page.id}`, { markdown_content: mark })
      : call('POST', `/pages/${page.id}/${operation}`)
    ).catch(() => null)
    if (answer === null || answer.status === 503) page.possible = distinct([...former, ...next])
    else if (answer.status < 300 && answer.status !== 202) page.possible = distinct(next)
    else if (answer.status === 202) page.possible = distinct([...former, ...next])
    else if (![409, 500].includes(answer.status))
      expect.fail(`${operation} of ${page.slug}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer?.status ?? null
  }

  async function look({ id, project, slug }: Tracked): Promise<State> {
    const page = await sure('GET', `/pages/${id}`)
    const site = await call('GET', `/public/${project}/${slug}/`, undefined, false)
    return {
      draft: /M\d+x/.exec(page.body.data.markdown_content)?.[0] ?? '',
      live: site.status === 200 ? (/M\d+x/.exec(site.body)?.[0] ?? '') : null,
    }
  }

  /** An answered publish of a page ends everything that was under way in it. */
  async function settle(page: Tracked): Promise<void> {
    await sure('POST', `/pages/${page.id}/publish`)
    page.possible = distinct(page.possible.map((state) => after(state, 'publish', '')))
  }

  function newMark(): string {
    marks += 1
    return `M${marks}x`
  }
}

function after(state: State, operation: Operation, mark: string): State {
  if (operation === 'edit') return { ...state, draft: mark }
  return { ...state, live: operation === 'publish' ? state.draft : null }
}

function distinct(states: readonly State[]): readonly State[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()]
}

/** Sends without a pause with a key that has limits. @returns how many were accepted. */
async function sendLimited(
  apis: readonly Process[],
  { key }: { readonly key: string },
  random: Random,
  isOver: () => boolean,
): Promise<number> {
  let accepted = 0
  const sender = async () => {
    while (!isOver()) {
      const answer = await get(random.pick(apis), key)
      if (answer === 200) accepted += 1
      await sleep(50)
    }
  }
  await Promise.all([sender(), sender(), sender()])
  return accepted
}

/** Revokes keys that every process has just accepted. @returns the processes that accepted one for too long. */
async function revokeKeys(
  apis: readonly Process[],
  accounts: { revokeKey(id: never): Promise<void> },
  newKey: () => Promise<{ readonly key: string; readonly record: { readonly id: string } }>,
  isOver: () => boolean,
): Promise<readonly string[]> {
  const late: string[] = []
  while (!isOver()) {
    const { key, record } = await newKey()
    await Promise.all(apis.map((api) => get(api, key)))
    await accounts.revokeKey(record.id as never)
    await sleep(REVOKED_MS)
    for (const api of apis) if ((await get(api, key)) === 200) late.push(api.url)
  }
  return late
}

async function get(api: Process, key: string): Promise<number | null> {
  const options = { headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(2_000) }
  return fetch(`${api.url}/users/me/usage`, options).then(
    async (answer) => {
      await answer.text()
      return answer.status
    },
    () => null,
  )
}

/** The most requests that were counted for one key in any ten seconds of the last minute. */
async function mostInBurst(url: string): Promise<number> {
  const { reader, close } = openPostgres(url)
  const rows: string[] = await reader('rate_accounts').whereNotNull('counted').pluck('counted')
  await close()
  const counts = rows.flatMap((counted) => {
    const { all }: { all: number[] } = JSON.parse(counted)
    return all.map((start) => all.filter((time) => time >= start && time < start + 10_000).length)
  })
  return Math.max(0, ...counts)
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}
