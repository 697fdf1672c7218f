import { ANY_PAGE } from '../../db/repositories/pages.ts'
import type { Home } from '../../db/repositories/projects.ts'
import type { Attempt, Repositories } from '../../db/repositories.ts'
import type { Caller, IdempotentRequest } from '../../domain/caller.ts'
import { type ErrorName, ServiceError, UnavailableError } from '../../domain/errors.ts'
import { fieldFailure, MAX_REPORTED } from '../../domain/field-errors.ts'
import { type PageId, prefixed } from '../../domain/ids.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import type { Page } from '../../domain/page.ts'
import { siteOrigin } from '../../domain/project.ts'
import { type Addressed, publicUrlPath } from '../../domain/route.ts'
import { leftToWait } from '../../platform/answer-time.ts'
import { accessPage, accessProject, assertWritable, type PageInProject } from '../access.ts'
import type { ServiceContext } from '../context.ts'
import { assertSameRequest } from '../idempotency.ts'
import { type PageDetails, type PageService, type ShownFields, shownBefore } from './pages.ts'
import { createPageWriter, type NewPage, type PageChange, type WrittenPage } from './write-page.ts'

/** One write of a request with many. */
export interface BulkItem {
  readonly op: 'create' | 'update' | 'upsert'
  /** The name by which later items refer to the page. */
  readonly ref: string | null
  /** The id of the page of an `update`, as the client sent it. */
  readonly target: string | null
  /** The version that an `update` is based on; null for any. */
  readonly version: number | null
  /** The fields of the page. */
  readonly body: JsonObject
}

/** Readers of the fields of a page in an item, as a request of its own would read them. */
export interface BulkReaders {
  readonly create: (body: JsonObject, home: Home) => NewPage
  /** Reads the change of a page in the project of `home`. */
  readonly update: (body: JsonObject, page: Page, shown: ShownFields, home: Home) => PageChange
  /** The address in the fields; null for one that is absent or invalid. */
  readonly address: (body: JsonObject, home: Home) => Addressed | null
}

export interface BulkWrite {
  /** True when all items are one transaction, which one invalid item undoes. */
  readonly isAtomic: boolean
  /** Items, with an error in place of an item whose form is invalid; its paths begin with `items[i]`. */
  readonly items: readonly (BulkItem | ServiceError)[]
}

/** Effect of an item. */
export interface WrittenItem {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly id: PageId
  readonly version: number
  /** The absolute public URL. */
  readonly url: string
}

export type BulkResult = WrittenItem | ServiceError

export type BulkPageService = ReturnType<typeof createBulkPageService>

export function createBulkPageService(context: ServiceContext & { readonly pages: PageService }) {
  const { db, addresses, pages, now } = context
  const writer = createPageWriter(context)

  return {
    /**
     * Creates and updates pages in the order of the items. Each item sees those before it.
     *
     * With an idempotency key the transaction of an item stores its result: a repeated request takes the results that
     * exist, and writes the other items. Items share transactions as long as none is refused.
     *
     * @param project the id as the client sent it.
     * @throws {ServiceError} for the request as a whole; with `isAtomic` the first error of all items, in the order in
     *   which errors of a request are answered.
     * @throws {UnavailableError} when the time of the request is over. Items that are written stay written.
     */
    async write(
      caller: Caller,
      project: string,
      { isAtomic, items }: BulkWrite,
      readers: BulkReaders,
    ): Promise<readonly BulkResult[]> {
      const work = { caller, project, items, readers }
      await accessHome(db.read, work)
      return isAtomic ? writeAll(work) : writeEach(work)
    },

    /** The page of an item as it is now. Null when it was deleted since, and when the time of the request is over. */
    async written(caller: Caller, id: string): Promise<PageDetails | null> {
      if (leftToWait() === 0) return null
      try {
        return await pages.get(caller, id)
      } catch (error) {
        if (error instanceof ServiceError && error.name === 'not_found') return null
        throw error
      }
    },
  }

  async function writeEach(work: Work): Promise<readonly BulkResult[]> {
    const results: BulkResult[] = []
    while (results.length < work.items.length) {
      if (leftToWait() === 0) throw tooLate(results.length, work.items.length)
      const together = await unlessRefused(results.length, () => writeTogether(work, results, CHUNK))
      if (!(together instanceof ServiceError)) results.push(...together)
      else await writeSingly(work, results)
    }
    return results
  }

  /** Writes the items of a chunk one by one, after one of them was refused. */
  async function writeSingly(work: Work, results: BulkResult[]): Promise<void> {
    const end = Math.min(results.length + CHUNK, work.items.length)
    while (results.length < end) {
      if (leftToWait() === 0) throw tooLate(results.length, work.items.length)
      const alone = await unlessRefused(results.length, () => writeTogether(work, results, 1))
      results.push(...(alone instanceof ServiceError ? [alone] : alone))
    }
  }

  /**
   * Writes the next items in a transaction of their own.
   *
   * @throws {Refusal} when one of several is refused.
   */
  function writeTogether(
    work: Work,
    results: readonly BulkResult[],
    count: number,
  ): Promise<readonly BulkResult[]> {
    return db.write(async (repositories) => {
      const home = await accessHome(repositories, work)
      const next = writeNext(repositories, home, work, results, count)
      const { items, pages, stored } = await (count === 1 ? next : next.catch(refuseAll))
      await writer.assertWithinLimits(repositories, home.project.id, pages)
      await storeResults(repositories, work.caller, stored)
      return items
    })
  }

  async function writeAll(work: Work): Promise<readonly BulkResult[]> {
    try {
      return withoutErrors(await writeTogether(work, [], work.items.length))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
    // The first error in the order of errors is the answer, so all items are checked.
    return withoutErrors(await errorsOfAll(work))
  }

  /** Writes what can be written, and undoes it. @returns the results, with an error for each item that is refused. */
  async function errorsOfAll(work: Work): Promise<readonly BulkResult[]> {
    const results: BulkResult[] = []
    const find = async (repositories: Repositories, attempt: Attempt) => {
      results.length = 0
      const home = await accessHome(repositories, work)
      while (results.length < work.items.length) {
        const write = () => writeNext(repositories, home, work, results, 1)
        const next = await unlessRefused(results.length, () => attempt(write))
        results.push(...(next instanceof ServiceError ? [next] : next.items))
      }
      throw new Refusal()
    }
    await db.write(find).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
    return results
  }

  /**
   * Writes the next items, in the transaction of the caller.
   *
   * @param before results of the items before them.
   * @throws {ServiceError} when one is refused.
   */
  async function writeNext(
    repositories: Repositories,
    home: Home,
    { caller, items, readers }: Work,
    before: readonly BulkResult[],
    count: number,
  ): Promise<NextItems> {
    const results = [...before]
    const earlier = await earlierResults(repositories, caller, results.length, count)
    const pages: (Page | WrittenPage)[] = []
    const stored = new Map<number, WrittenItem>()
    for (const item of items.slice(before.length, before.length + count)) {
      const index = results.length
      if (item instanceof ServiceError) {
        results.push(item)
        continue
      }
      const known = earlier.get(index)
      if (known !== undefined) {
        results.push(known)
        continue
      }
      const body = withParent(item.body, items, results)
      const page = await applied(repositories, home, caller, { ...item, body }, readers)
      pages.push(page)
      stored.set(index, resultOf(page, home))
      results.push(resultOf(page, home))
    }
    return { items: results.slice(before.length), pages, stored }
  }

  /** Results that an earlier request with the same key has stored, by the index of their items. */
  async function earlierResults(
    { idempotency }: Repositories,
    caller: Caller,
    start: number,
    count: number,
  ): Promise<ReadonlyMap<number, WrittenItem>> {
    const { idempotentRequest } = caller
    const found = new Map<number, WrittenItem>()
    if (idempotentRequest === null) return found
    const indexes = Array.from({ length: count }, (_, index) => start + index)
    const paths = new Map(indexes.map((index) => [partOf(idempotentRequest, index).path, index]))
    const records = await idempotency.findParts(idempotentRequest, [...paths.keys()], now())
    for (const [path, record] of records) {
      assertSameRequest(idempotentRequest, record)
      const index = paths.get(path)
      if (index !== undefined && record.answer !== null) found.set(index, JSON.parse(record.answer.body))
    }
    return found
  }

  async function storeResults(
    { idempotency }: Repositories,
    { idempotentRequest }: Caller,
    written: ReadonlyMap<number, WrittenItem>,
  ): Promise<void> {
    if (idempotentRequest === null || written.size === 0) return
    const answers = [...written].map(
      ([index, result]) => [partOf(idempotentRequest, index), JSON.stringify(result)] as const,
    )
    await idempotency.insertParts(answers, now())
  }

  async function applied(
    repositories: Repositories,
    home: Home,
    caller: Caller,
    item: BulkItem,
    readers: BulkReaders,
  ): Promise<Page | WrittenPage> {
    const found = await pageOf(repositories, home, caller, item, readers)
    if (found === null) return writer.insert(repositories, caller, home, readers.create(item.body, home))
    const { page } = found
    assertVersion(page, item.version)
    const shown = await shownBefore(repositories, page)
    // An upsert may spell the address in another way.
    const stated = item.op === 'upsert' ? { slug: page.slug, subroute: page.subroute } : {}
    const change = readers.update({ ...item.body, ...stated }, page, shown, home)
    return writer.update(repositories, caller, found, change, 'skipped')
  }

  function resultOf(written: Page | WrittenPage, { project, siteRoutes }: Home): WrittenItem {
    const [outcome, page] =
      'before' in written
        ? ([written.stored === written.before ? 'unchanged' : 'updated', written.stored] as const)
        : (['created', written] as const)
    const url = siteOrigin(project, addresses) + publicUrlPath(page, siteRoutes)
    return { outcome, id: page.id, version: page.version, url }
  }
}

/** Items that one transaction writes. If one of them is refused, each is written by itself. */
const CHUNK = 25

/** Items as they were written. */
interface NextItems {
  readonly items: readonly BulkResult[]
  readonly pages: readonly (Page | WrittenPage)[]
  /** Results to store, by the index of their items. */
  readonly stored: ReadonlyMap<number, WrittenItem>
}

/**
 * Undoes a transaction of several items of which one is refused. Without a cause: a transaction that ends with a
 * violated index is repeated.
 */
class Refusal extends ServiceError {
  constructor() {
    super('validation_error', 'One of the items is refused.')
  }
}

function refuseAll(error: unknown): never {
  if (!(error instanceof ServiceError) || error instanceof UnavailableError) throw error
  throw new Refusal()
}

interface Work extends Pick<BulkWrite, 'items'> {
  readonly caller: Caller
  readonly project: string
  readonly readers: BulkReaders
}

async function accessHome(repositories: Repositories, { caller, project }: Work): Promise<Home> {
  const home = await accessProject(repositories, caller, project, ['write'])
  assertWritable(home.project)
  return home
}

/** The page that an item changes; null for one that it creates. */
async function pageOf(
  repositories: Repositories,
  home: Home,
  caller: Caller,
  { op, target, body }: BulkItem,
  readers: BulkReaders,
): Promise<PageInProject | null> {
  if (op === 'create') return null
  const id = op === 'update' ? target : await idAt(repositories, home, readers.address(body, home))
  if (id === null) return null
  const found = await accessPage(repositories, caller, id, ['write'])
  if (found.page.projectId === home.project.id) return found
  throw new ServiceError('not_found', `No page of the project has the id ${JSON.stringify(id.slice(0, 64))}.`)
}

async function idAt(
  { pages }: Repositories,
  { project }: Home,
  address: Addressed | null,
): Promise<PageId | null> {
  if (address === null) return null
  const [id = null] = await pages.ids({ ...ANY_PAGE, ...address, projectId: project.id })
  return id
}

function assertVersion({ version }: Page, wanted: number | null): void {
  if (wanted === null || wanted === version) return
  throw new ServiceError(
    'precondition_failed',
    `The page has version ${version}, not ${wanted}: it has changed since you read it. Read it again, then repeat your change.`,
  )
}

/** An item in the table of requests. No path of a request has a `#`. */
function partOf(request: IdempotentRequest, index: number): IdempotentRequest {
  return { ...request, path: `${request.path}#${index}` }
}

/**
 * The fields of an item with the id of the page that `parent_page` refers to by name.
 *
 * @param results of the items before it.
 * @throws {ServiceError} `validation_error` when no earlier item with this name wrote a page.
 */
function withParent(
  body: JsonObject,
  items: readonly (BulkItem | ServiceError)[],
  results: readonly BulkResult[],
): JsonObject {
  const parent = body['parent_page']
  if (!isJsonObject(parent)) return body
  const { ref, ...others } = parent
  if (typeof ref !== 'string' || Object.keys(others).length > 0)
    throw invalidParent('must be the id of a page, or an object with the `ref` of an earlier item.')
  const index = items.findIndex((item) => !(item instanceof ServiceError) && item.ref === ref)
  const result = results[index]
  if (result === undefined) throw invalidParent('must be the `ref` of an earlier item.')
  if (result instanceof ServiceError) throw new FailedReference()
  return { ...body, parent_page: prefixed('page', result.id) }
}

function invalidParent(message: string): ServiceError {
  return fieldFailure('validation_error', [{ path: 'parent_page', message }])
}

/** The error of an item follows from that of an earlier one. */
class FailedReference extends ServiceError {
  constructor() {
    const path = 'parent_page'
    const message = 'refers to an item that failed.'
    super('validation_error', `${path}: ${message}`, { fields: [{ path, message }] })
  }
}

/** Invalid fields in the error of one item, so that many items with many errors fit into an answer. */
export const MAX_ITEM_FIELDS = 10

/** @returns what `write` returns, or the error that refuses the item, with paths such as `items[3].page.title`. */
async function unlessRefused<Written>(
  index: number,
  write: () => Promise<Written>,
): Promise<Written | ServiceError> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof ServiceError) || error instanceof UnavailableError) throw error
    return inItem(index, error)
  }
}

/** The error of an item, whose fields are those of its page. */
function inItem(index: number, error: ServiceError): ServiceError {
  const { name, message, fields } = error
  const cause = error
  if (fields.length === 0) return new ServiceError(name, `items[${index}]: ${message}`, { cause })
  const named = fields.map((field) => ({ ...field, path: `items[${index}].page.${field.path}` }))
  return fieldFailure(name, named.slice(0, MAX_ITEM_FIELDS), { total: named.length, cause })
}

/** Errors of items in the order of a request's errors. Others follow. */
const ORDER: readonly ErrorName[] = [
  'not_found',
  'project_scope_violation',
  'forbidden',
  'precondition_failed',
  'missing_required_field',
  'validation_error',
  'conflict',
]
const OF_FIELDS: readonly ErrorName[] = ['missing_required_field', 'validation_error']

/** @throws {ServiceError} the first error of all items, in the order of errors. Errors of fields are one, as always. */
function withoutErrors(results: readonly BulkResult[]): readonly BulkResult[] {
  const errors = results.filter((result) => result instanceof ServiceError)
  const own = errors.filter(({ cause }) => !(cause instanceof FailedReference))
  const rankOf = ({ name }: ServiceError) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  const [first] = own.toSorted((one, other) => rankOf(one) - rankOf(other))
  if (first === undefined) return results
  if (!OF_FIELDS.includes(first.name)) throw first
  const fields = own.filter(({ name }) => OF_FIELDS.includes(name)).flatMap((error) => error.fields)
  throw fieldFailure(first.name, fields.slice(0, MAX_REPORTED), { total: fields.length })
}

function tooLate(written: number, items: number): UnavailableError {
  return new UnavailableError(
    `The time of the request is over: ${written} of ${items} items were handled. Repeat it with the same Idempotency-Key to get their results and to write the others.`,
    1,
  )
}
