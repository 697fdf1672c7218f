import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, type SettingName } from '../../src/app/config.ts'
import type { ServiceOverrides } from '../../src/app/service.ts'
import { startServer } from '../../src/cli/server.ts'
import { DEFAULT_PERMISSIONS, type Permission } from '../../src/domain/caller.ts'
import type { ProjectId, UserId } from '../../src/domain/ids.ts'
import { createApiDocument } from '../../src/http/openapi/api-document.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { createAnswerCheck } from './answer-check.ts'
import { putNewDatabase } from './new-database.ts'
import { databaseSettings } from './test-database.ts'

export interface ServiceOptions extends ServiceOverrides {
  readonly data?: string
  /** Additional environment variables. */
  readonly env?: Readonly<Partial<Record<SettingName, string>>>
}

/** Settings of a service whose tests are about the SQLite file in its folder, on any database of the run. */
export const SQLITE = { QUOIN_DATABASE_URL: '' } as const

/** An answer of the API. The body is parsed if it is JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  readonly body: any
}

export interface CallOptions {
  /** Null sends no Authorization header. Absent, the key of the service is sent. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends a request. Text and bytes are sent as they are, anything else as JSON. Rejects when the answer does not
 * match the OpenAPI document, so that every test over HTTP also tests the document.
 */
export type Call = (method: string, path: string, body?: unknown, options?: CallOptions) => Promise<Answer>

/** Starts a real service on a free loopback port, with a data folder that is removed when it closes. */
export interface TestService {
  readonly url: string
  readonly data: string
  readonly key: string
  readonly userId: UserId
  readonly call: Call
  /** Creates a key of the first user or of another one. */
  newKey(wanted?: {
    user?: UserId
    project?: ProjectId
    permissions?: readonly Permission[]
    expires?: string
  }): Promise<string>
  newUser(wanted?: { canCreateProjects?: boolean }): Promise<UserId>
  /** Creates a project of the first user. @returns its prefixed id. */
  newProject(name?: string): Promise<string>
  readonly server: Awaited<ReturnType<typeof startServer>>
  close(): Promise<void>
}

const answerCheck = createAnswerCheck(
  createApiDocument({ themes: ['dark', 'default', 'minimal'], baseUrl: 'http://127.0.0.1' }),
)

export async function startService({
  data,
  env = {},
  renderer = createInProcessRenderer,
  images = createInProcessImages(null),
  ...adapters
}: ServiceOptions = {}): Promise<TestService> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), 'quoin-service-')))
  const config = readConfig({
    QUOIN_DATA: folder,
    QUOIN_PORT: '0',
    QUOIN_ALLOW_HTTP: 'true',
    QUOIN_SITES_DOMAIN: 'sites.quoin.test',
    // Domains that exist in tests only cannot be proved. Tests of proofs switch them on.
    QUOIN_DOMAIN_PROOF: 'off',
    QUOIN_LOG_LEVEL: 'silent',
    // A test that names a database wants that one, and a master key of its own. Empty is the SQLite file.
    ...(env.QUOIN_DATABASE_URL === undefined && (await databaseSettings(folder))),
    ...env,
  })
  if (config.database.kind === 'sqlite' && !env.QUOIN_DATABASE_URL) await putNewDatabase(config.database.file)
  const server = await startServer(config, { renderer, images, ...adapters })
  const { accounts } = server.service
  const owner = await accounts.firstUser()
  let users = 0

  const newKey: TestService['newKey'] = async ({ user, project, permissions, expires } = {}) => {
    const { key } = await accounts.createKey({
      userId: user ?? owner.id,
      projectScope: project ?? null,
      name: 'test',
      plan: 'enterprise',
      permissions: permissions ?? DEFAULT_PERMISSIONS,
      expiresAt: expires ?? null,
    })
    return key
  }
  const key = await newKey()

  const call: Call = async (method, path, body, { key: given = key, headers = {} } = {}) => {
    const response = await fetch(server.address + path, {
      method,
      headers: {
        ...(given !== null && { Authorization: `Bearer ${given}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: serialised(body) }),
      redirect: 'manual',
    })
    const text = await response.text()
    const unlike = answerCheck({
      method,
      path: resolved(server.baseUrl + path),
      status: response.status,
      headers: response.headers,
      text,
    })
    if (unlike.length > 0)
      throw new Error(`${method} ${path} is answered as its description does not say: ${unlike.join('; ')}.`)
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    }
  }

  return {
    url: server.baseUrl,
    data: folder,
    key,
    userId: owner.id,
    call,
    newKey,
    newUser: async ({ canCreateProjects = true } = {}) =>
      (await accounts.createUser(`user${++users}@example.com`, canCreateProjects)).id,
    newProject: async (name = 'Site') => (await call('POST', '/projects', { name })).body.data.id,
    server,
    async close() {
      await server.stop()
      if (data === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

function serialised(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string'
    ? body
    : body instanceof Uint8Array
      ? new Uint8Array(body)
      : JSON.stringify(body)
}

/** The smallest body that creates a page. */
export function pageBody(project: string, fields: object = {}): object {
  return { project_id: project, title: 'A page', slug: 'a-page', subroute: '', type: 'article', ...fields }
}

/** Path and query as `fetch` sends them, with dots resolved and without a slash at the end of the path. */
function resolved(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname.replace(/(.)\/+$/, '$1') + search
}
