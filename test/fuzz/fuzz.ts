import { PERMISSIONS } from '../../src/domain/caller.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { ROLES, type Role } from '../../src/domain/roles.ts'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { createAnswerCheck } from '../support/answer-check.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { createRandom, type Random } from '../support/random.ts'
import { acceptOffers } from '../support/offers.ts'
import { startService, type TestService } from '../support/service.ts'
import { createPools, type Pools } from './pools.ts'
import { createRequestGenerator, type FuzzRequest } from './random-requests.ts'
import { createSender, type FuzzAnswer } from './send.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
  /** Number of parallel requests. */
  readonly concurrency: number
  /** Called every `PROGRESS_EVERY` requests. */
  readonly progress?: (done: number) => void
}

export interface Finding {
  readonly violation: string
  /** The first request that caused it. */
  readonly request: string
  readonly answer: string
  readonly times: number
}

export interface FuzzReport {
  readonly seconds: number
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>
  readonly findings: readonly Finding[]
}

const PROGRESS_EVERY = 5000

/**
 * Sends requests generated from the API's description to a new service on loopback. A finding is a 5xx response, a
 * response that does not match the description, or a missing response.
 */
export async function fuzz({
  seed,
  requests,
  concurrency,
  progress = () => {},
}: FuzzOptions): Promise<FuzzReport> {
  const storage = createMemoryStorage()
  // `QUOIN_LOG_LEVEL=error` logs the cause of a 500.
  const env = { QUOIN_TRUST_PROXY: '127.0.0.1', QUOIN_LOG_LEVEL: process.env['QUOIN_LOG_LEVEL'] ?? 'silent' }
  const service = await startService({ storage, env, resolve: async () => [] })
  const document = createApiDocument({ themes: ['dark', 'default', 'minimal'], baseUrl: service.url })
  const check = createAnswerCheck(document)
  const random = createRandom(seed)
  const pools = await startPools(service, random)
  const nextRequest = createRequestGenerator(document, random, pools)
  const sender = createSender(service.url, concurrency)
  const findings = createFindings()
  const statuses: Record<number, number> = {}
  const started = performance.now()
  let sent = 0

  const worker = async () => {
    while (sent < requests) {
      sent += 1
      if (sent % PROGRESS_EVERY === 0) progress(sent)
      const request = nextRequest()
      try {
        const answer = await sender.send(request)
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        for (const violation of violationsOf(request, answer)) findings.add(violation, request, answer)
        pools.learn({ body: jsonOf(answer), etag: answer.headers.get('etag') })
      } catch (error) {
        findings.add(`no response: ${String(error)}`, request, null)
      }
      storage.log.length = 0
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, worker))
    const alive = await service.call('GET', '/readyz', undefined, { key: null })
    if (alive.status !== 200) throw new Error('The service is not ready after the run.')
  } finally {
    sender.close()
    await service.close()
  }
  return { seconds: (performance.now() - started) / 1000, statuses, findings: findings.all() }

  function violationsOf(
    { method, path, headers: { Host: host } }: FuzzRequest,
    { status, headers, text }: FuzzAnswer,
  ): readonly string[] {
    // A busy machine is not ready while its disk takes longer than the check waits, and says so.
    const isBusy = status === 503 && template(path) === '/readyz'
    if (status >= 500 && !isBusy) return [`${method} ${template(path)}: status ${status}`]
    // Another host serves a site or nothing, but not the API.
    if (host !== undefined) return []
    return check({ method, path, status, headers, text }).map(
      (violation) => `${method} ${template(path)}: ${violation}`,
    )
  }
}

/** Creates a project and keys of every kind. */
async function startPools(service: TestService, random: Random): Promise<Pools> {
  const project = await service.newProject('Fuzzed')
  const bearer = (key: string) => `Bearer ${key}`
  const other = await service.newUser()
  const limited = await service.newUser({ canCreateProjects: false })
  const manager = await service.newKey({ permissions: PERMISSIONS })
  const members = await Promise.all(ROLES.map((role) => newMember(service, project, manager, role)))
  return createPools(random, bearer(manager), [
    null,
    '',
    'Basic dXNlcjpwYXNz',
    'Bearer',
    bearer('qn_live_00000000000000000000000000000000000000'),
    bearer(service.key.slice(0, -1)),
    bearer('ü'.repeat(50)),
    bearer(service.key),
    ...members.map(bearer),
    bearer(await service.newKey({ permissions: ['read'] })),
    bearer(await service.newKey({ permissions: ['publish'] })),
    bearer(await service.newKey({ project: project.slice('proj_'.length) as ProjectId })),
    bearer(await service.newKey({ user: other })),
    bearer(await service.newKey({ user: limited })),
    bearer(await service.newKey({ expires: '2020-01-01T00:00:00.000Z' })),
  ])
}

/** @returns a key of a member with this role. */
async function newMember(
  service: TestService,
  project: string,
  manager: string,
  role: Role,
): Promise<string> {
  const email = `${role}@example.net`
  const { id } = await service.server.service.accounts.createUser(email, false)
  await service.call('POST', `/projects/${project}/members`, { email, role }, { key: manager })
  await acceptOffers(service, id)
  return service.newKey({ user: id, permissions: PERMISSIONS })
}

function createFindings() {
  const found = new Map<string, Finding>()
  return {
    add(violation: string, request: FuzzRequest, answer: FuzzAnswer | null) {
      const earlier = found.get(violation)
      found.set(violation, {
        violation,
        request: earlier?.request ?? shown(request),
        answer: earlier?.answer ?? `${answer?.status} ${answer?.text.slice(0, 300)}`,
        times: (earlier?.times ?? 0) + 1,
      })
    },
    all: () => [...found.values()],
  }
}

function shown({ method, path, headers, body }: FuzzRequest): string {
  return `${method} ${path.slice(0, 500)} ${JSON.stringify(headers)} ${body?.toString('utf8').slice(0, 1000) ?? ''}`
}

/** The path with ids replaced, to group findings. */
function template(path: string): string {
  const [pathname = ''] = path.split('?')
  return pathname
    .replace(/\/(proj|page)s?\/[^/]+/, '/$1s/{id}')
    .replace(/[a-z2-9]{16}/g, '…')
    .slice(0, 80)
}

/** Null for a body that is not JSON, such as a range. */
function jsonOf({ status, headers, text }: FuzzAnswer): unknown {
  const isJson = (status !== 206 && headers.get('content-type')?.startsWith('application/json')) ?? false
  return isJson && text !== '' ? JSON.parse(text) : null
}
