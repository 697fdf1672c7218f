import type { OpenApiDocument } from '../../src/http/openapi/document.ts'
import type { Random } from '../support/random.ts'
import { HOSTILE_TEXTS } from './hostile-values.ts'
import { mutated, mutatedJson } from './mutations.ts'
import type { Kind, Pools } from './pools.ts'
import { createValueMaker, type Schema } from './values.ts'

export interface FuzzRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

interface Operation {
  readonly operationId: string
  readonly method: string
  readonly template: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly body: Schema | null
  readonly isUpload: boolean
}

/** Relative frequencies. Operations that create records for others are more frequent. */
const WEIGHTS: Readonly<Record<string, number>> = {
  createProject: 1,
  legacyCreateProject: 1,
  createPage: 8,
  uploadAsset: 3,
  deleteAsset: 0.5,
  legacyCreatePage: 4,
  updatePage: 8,
  publishPage: 4,
  listPages: 3,
  // Rare, because they remove records that others need.
  deletePage: 0.5,
  deleteProject: 0.5,
  updateProject: 2,
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

/** Generates valid and invalid requests from the document. */
export function createRequestGenerator(
  document: OpenApiDocument,
  random: Random,
  pools: Pools,
): () => FuzzRequest {
  const root = JSON.parse(JSON.stringify(document))
  const at = (ref: string) =>
    ref
      .slice(2)
      .split('/')
      .reduce((value, step) => value[step], root)
  const operations = operationsOf(root, at)
  const totalWeight = operations.reduce((sum, { operationId }) => sum + weightOf(operationId), 0)
  const { make, makeText } = createValueMaker({ random, resolve: at, someId: pools.someId })

  return () => {
    const operation = pickOperation()
    const isInvalid = random.chance(0.6)
    const body = bodyOf(operation, isInvalid)
    return {
      method: isInvalid && random.chance(0.04) ? random.pick(METHODS) : operation.method,
      path: `${pathOf(operation, isInvalid)}${queryOf(operation, isInvalid)}`,
      headers: headersOf(operation, body, isInvalid),
      body,
    }
  }

  function pickOperation(): Operation {
    let rest = (random.below(1_000_000) / 1_000_000) * totalWeight
    for (const operation of operations) {
      rest -= weightOf(operation.operationId)
      if (rest < 0) return operation
    }
    return random.pick(operations)
  }

  function pathOf({ template, parameters }: Operation, isInvalid: boolean): string {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (isInvalid && random.chance(0.08)) return oddPart()
      if (name === 'id') return encodeURIComponent(pools.someId(kindOf(template)))
      if (name === 'member_id') return encodeURIComponent(pools.someId('mem'))
      if (name === 'path') return pools.somePath()
      const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? {}
      return encodeURIComponent(makeText(schema, name).slice(0, 1000))
    })
    if (!isInvalid || random.chance(0.95)) return path
    return random.pick([`${path}/`, `/${path}`, path.toUpperCase(), `${path}/x`, `${path}%`, `${path}//..`])
  }

  function oddPart(): string {
    const text = random.pick(HOSTILE_TEXTS).slice(0, 500)
    return random.chance(0.5)
      ? encodeURIComponent(text)
      : random.pick(['%ff', '%', '%2e%2e', '%00', '..', 'page_', 'proj_x', '%E2%80%AE', ':id'])
  }

  function queryOf({ parameters }: Operation, isInvalid: boolean): string {
    const pairs = parameters
      .filter((parameter) => parameter.in === 'query' && (parameter.required || random.chance(0.2)))
      .map(({ name, schema }) => `${name}=${encodeURIComponent(makeText(schema, name).slice(0, 1000))}`)
    if (isInvalid && pairs.length > 0 && random.chance(0.3)) {
      const [name = ''] = random.pick(pairs).split('=')
      pairs.push(
        `${name}=${random.chance(0.5) ? '%ff%00' : encodeURIComponent(random.pick(HOSTILE_TEXTS).slice(0, 500))}`,
      )
    }
    if (isInvalid && random.chance(0.1)) pairs.splice(random.below(pairs.length + 1), 1)
    if (isInvalid && random.chance(0.05))
      pairs.push(random.pick(['&', '=', 'limit', 'offset=-1', '%', 'a[]=1', 'limit=1e2']))
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`
  }

  function bodyOf({ body: schema, operationId, isUpload }: Operation, isInvalid: boolean): Buffer | null {
    if (isUpload) return isInvalid && random.chance(0.1) ? null : fileOf(isInvalid)
    if (schema === null) return isInvalid && random.chance(0.1) ? Buffer.from('{"unexpected":1}') : null
    const isOptional = operationId === 'publishPage' || operationId === 'unpublishPage'
    if (random.chance(isOptional ? 0.7 : isInvalid ? 0.03 : 0)) return null
    let value = make(schema, '')
    if (isInvalid && random.chance(0.7))
      for (let n = random.below(3); n >= 0; n--) value = mutated(random, value)
    const json = JSON.stringify(value)
    if (isInvalid && random.chance(0.001)) return Buffer.from(json.padEnd(5 * 1024 * 1024 + 1))
    return isInvalid && random.chance(0.1) ? mutatedJson(random, json) : Buffer.from(json)
  }

  /** A file, or a form around one. */
  function fileOf(isInvalid: boolean): Buffer {
    const file = Buffer.concat([
      random.pick(FILE_STARTS),
      Buffer.alloc(random.below(3_000), random.below(256)),
    ])
    if (random.chance(0.6)) return file
    const part = (name: string, value: Buffer) =>
      Buffer.concat([
        Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
        value,
        Buffer.from('\r\n'),
      ])
    const form = Buffer.concat([
      ...(random.chance(0.5) ? [part('alt', Buffer.from('Alt'))] : []),
      part(`file"; filename="${random.pick(FILE_NAMES)}`, file),
      ...(random.chance(0.2) ? [part('focus', Buffer.from('{"x":0.5,"y":1}'))] : []),
      ...(isInvalid && random.chance(0.5)
        ? [part(random.pick(['file', 'alt', 'x', '']), Buffer.from(random.pick(HOSTILE_TEXTS)))]
        : []),
      Buffer.from(`--${BOUNDARY}--\r\n`),
    ])
    return isInvalid && random.chance(0.2) ? form.subarray(0, random.below(form.length) + 1) : form
  }

  function headersOf(
    { method, isUpload }: Operation,
    body: Buffer | null,
    isInvalid: boolean,
  ): Readonly<Record<string, string>> {
    const key = isInvalid && random.chance(0.15) ? pools.someOtherKey() : pools.key
    const odd = isInvalid && random.chance(0.3)
    return {
      ...(key !== null && { Authorization: key }),
      ...(body !== null && {
        'Content-Type':
          odd && random.chance(0.2)
            ? random.pick(CONTENT_TYPES)
            : isUpload
              ? uploadType(body)
              : 'application/json',
      }),
      // Requests without a known key are rate limited by address.
      'X-Forwarded-For': `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
      ...(method === 'POST' && random.chance(0.1) && { 'Idempotency-Key': `repeated-${random.below(300)}` }),
      ...(random.chance(0.3) && { Prefer: 'errors=fields' }),
      ...(random.chance(0.1) && { 'If-None-Match': pools.someTag() }),
      ...(random.chance(0.05) && { 'If-Match': pools.someTag() }),
      ...(odd && Object.fromEntries([random.pick(ODD_HEADERS)])),
    }
  }
}

const BOUNDARY = 'quoin-fuzz'

const FILE_STARTS = [
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff',
  'GIF89a',
  '%PDF-1.7',
  '<svg xmlns=',
  '<html>',
  'PK\x03\x04',
  'text',
  '',
].map((text) => Buffer.from(text, 'latin1'))
const FILE_NAMES = ['a.png', 'b c.pdf', '../x', '.hidden', 'ü.svg', 'no-extension', 'x'.repeat(300)]

function uploadType(body: Buffer): string {
  return body.subarray(0, 2).toString() === '--'
    ? `multipart/form-data; boundary=${BOUNDARY}`
    : 'application/octet-stream'
}

function kindOf(template: string): Kind {
  if (template.includes('/projects/')) return 'proj'
  return template.includes('/assets/') ? 'ast' : 'page'
}

function weightOf(operationId: string): number {
  return WEIGHTS[operationId] ?? 1
}

const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'multipart/form-data',
  'x',
  ';',
  'application/merge-patch+json',
]

const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ['service-version', '2026-11-01'],
  ['service-version', '1999-01-01'],
  ['service-version', 'latest'],
  ['X-Request-Id', 'my-own-id'],
  ['X-Request-Id', 'x'.repeat(200)],
  ['X-Request-Id', 'with space \u00e9'],
  ['Idempotency-Key', 'x'.repeat(300)],
  ['Idempotency-Key', 'é'],
  ['If-Match', '*'],
  ['If-Match', 'W/"1-x", "2-y'],
  ['If-Match', '"99999999999999999999-x"'],
  ['If-None-Match', '*'],
  ['Prefer', 'errors="fields"; q=1, wait=5'],
  ['Prefer', `errors="${'\\\\'.repeat(200)}`],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'br, gzip;q=0'],
  ['Content-Encoding', 'gzip'],
  ['Range', 'bytes=0-3'],
  ['Range', 'bytes=99999999-'],
  ['Range', 'bytes=-1,0-0'],
  ['X-Forwarded-Proto', 'http'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Origin', 'https://elsewhere.example'],
  ['Host', 'elsewhere.example'],
  ['Host', 'unknown.sites.quoin.test'],
  ['Host', 'a b'],
  ['Transfer-Encoding', 'chunked'],
]

interface Described {
  readonly operationId: string
  readonly parameters: readonly (Operation['parameters'][number] | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

function operationsOf(root: { paths: object }, at: (ref: string) => unknown): readonly Operation[] {
  return Object.entries(root.paths).flatMap(([template, methods]) =>
    Object.entries<Described>(methods).map(([method, { operationId, parameters, requestBody }]) => ({
      operationId,
      method: method.toUpperCase(),
      template,
      parameters: parameters.map((parameter) =>
        '$ref' in parameter ? (at(parameter.$ref) as Operation['parameters'][number]) : parameter,
      ),
      body: requestBody?.content['application/json']?.schema ?? null,
      isUpload: requestBody?.content['application/octet-stream'] !== undefined,
    })),
  )
}
