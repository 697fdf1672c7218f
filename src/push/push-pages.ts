import { ApiError, type ApiErrorName } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { BodyOf, DataOf } from '../client/routes.ts'
import { unstatedFeedGuid } from '../content-folder/feed-guid.ts'
import type { Site, SitePage } from '../content-folder/site.ts'
import { isSamePath } from '../domain/redirect-path.ts'
import type { Addressed } from '../domain/route.ts'
import type { FieldDigests } from '../domain/source.ts'
import { resolvedFields } from '../page-text/derive.ts'
import { digestsOfFields, hasSameFields } from '../page-text/field-digests.ts'
import { pageDigests } from '../page-text/page-digests.ts'
import { decide } from './decide.ts'
import type { ListedPage } from './list-pages.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import { createBody, differentFields, storedDigests, updateBody } from './page-body.ts'
import type { PushedPage, PushedState } from './pushed-state.ts'

/** The result of pushing the page of one file. */
export interface PageOutcome {
  /** The file, relative to the folder. */
  readonly file: string
  /** `adopted`: only the file of the page was recorded. `kept`: the page was edited on the server alone. */
  readonly action: 'created' | 'updated' | 'adopted' | 'unchanged' | 'kept' | 'conflict' | 'failed'
  /** The id of the page. Null when it was not created. */
  readonly id: string | null
  /** Describes a conflict or a failure. Null otherwise. */
  readonly message: string | null
  /** The field that the server refused, e.g. `config.theme`. Null when it names none. */
  readonly field: string | null
  /** The fields of a page that was changed in both places, for the server to show. Null otherwise. */
  readonly differing: DifferingFields | null
}

/** The fields of a file with other values than its page. */
export interface DifferingFields {
  /** The first 16 hex digits of the digest of each; null for a field that the file does not have. */
  readonly digests: Readonly<Record<string, string | null>>
  /** The values in the form of `PUT /pages/:id`. */
  readonly values: BodyOf<'PUT /pages/{id}'>
}

export interface PagePushPorts {
  readonly api: Client
  readonly project: string
  /** The identity of the folder; null when the server is not told what it pushed. */
  readonly folder: string | null
  /** The site, for the ids of articles in the feeds of its builds; new articles get the same ids. */
  readonly site: Pick<Site, 'origin' | 'settings'>
  /** Replace pages that were edited on the server. */
  readonly overwrite: Overwrite
  readonly dryRun: boolean
  /** Called after each page. */
  readonly onPage: (outcome: PageOutcome) => void
}

/** Errors that concern one page. The other pages are still sent. */
const ONE_PAGE_ERRORS: readonly ApiErrorName[] = [
  'validation_error',
  'missing_required_field',
  'conflict',
  'payload_too_large',
]

/** Attempts to push a page that is edited on the server during the push. */
const MAX_ATTEMPTS = 3

/** A page on the server that belongs to a file. */
interface FoundPage {
  readonly id: string
  readonly type: string
  readonly url: string
  /** The record of the last push by the folder. Null for a page of others. */
  readonly pushed: PushedPage | null
}

/**
 * Creates or updates each page whose file differs from the server, parents first.
 *
 * @param listed all pages of the project; needed only if a file was not pushed before.
 */
export async function pushPages(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  state: PushedState,
  ports: PagePushPorts,
): Promise<void> {
  const found = findPages(pages, listed, state)
  const ids = new Map<string, string>()
  for (const page of pages) {
    const parent = page.parent === null ? null : (ids.get(addressOf(page.parent)) ?? null)
    const outcome = await pushPage(page, found.get(page.source) ?? null, parent, ports)
    if (outcome.id !== null) ids.set(addressOf(page), outcome.id)
    ports.onPage(outcome)
  }
}

/** Reports whether the list of all pages is needed to match the pages of some files. */
export function needsListing(pages: readonly SitePage[], state: PushedState): boolean {
  return pages.some(({ source }) => !state.pages.has(source))
}

/**
 * The page on the server of each file: the page pushed from it. A new file has the page at its address, or the page of
 * a removed file that was probably renamed: the new file names its path in `redirect_from`, or had the same content.
 */
function findPages(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  state: PushedState,
): ReadonlyMap<string, FoundPage> {
  const found = new Map<string, FoundPage>()
  const byAddress = new Map(listed.map((item) => [addressOf(item), item]))
  const byId = new Map([...state.pages.values()].map((pushed) => [pushed.id, pushed]))
  const sources = new Set(pages.map(({ source }) => source))
  for (const { source } of pages) {
    const pushed = state.pages.get(source)
    if (pushed !== undefined) found.set(source, { ...pushed, pushed })
  }
  const taken = new Set([...found.values()].map(({ id }) => id))
  const take = (source: string, page: FoundPage) => {
    found.set(source, page)
    taken.add(page.id)
  }
  const remaining = pages.filter(({ source }) => !found.has(source))
  for (const page of remaining) {
    const item = byAddress.get(addressOf(page))
    if (item !== undefined && !taken.has(item.id))
      take(page.source, { ...item, pushed: byId.get(item.id) ?? null })
  }
  const removed = () =>
    [...state.pages].filter(([file, { id }]) => !sources.has(file) && !taken.has(id)).map(([, page]) => page)
  const moved = (matches: (page: SitePage, pushed: PushedPage) => boolean) => {
    for (const page of remaining) {
      if (found.has(page.source)) continue
      const pushed = removed().find((candidate) => candidate.type === page.type && matches(page, candidate))
      if (pushed !== undefined) take(page.source, { ...pushed, pushed })
    }
  }
  moved((page, { url }) => redirectsOf(page).some((path) => isSamePath(path, url)))
  moved((page, { fields }) => hasSameFields(withoutAddress(digestsOf(page)), withoutAddress({ fields })))
  return found
}

function redirectsOf(page: SitePage): readonly string[] {
  return resolvedFields({ ...page, firstPublishedAt: null }).redirectFrom
}

/** The fields that a file changes when it moves. */
function withoutAddress({ fields }: Pick<FieldDigests, 'fields'>): Pick<FieldDigests, 'fields'> {
  const { slug: _, subroute: __, parent_page: ___, ...others } = fields
  return { fields: others }
}

function digestsOf(page: SitePage): FieldDigests {
  return pageDigests(page, page.parent)
}

type PageFields = BodyOf<'PUT /pages/{id}'>

/** The id of a page that a dry run would create. */
const NEW_PAGE = ''

async function pushPage(
  page: SitePage,
  found: FoundPage | null,
  parent: string | null,
  { api, project, folder, site, overwrite, dryRun }: PagePushPorts,
): Promise<PageOutcome> {
  const body = updateBody(page, parent)
  const file = digestsOf(page)
  const source = folder === null ? undefined : { folder, path: page.source }
  // Said again for a page that an earlier version of the command created.
  const known = source && found?.pushed?.created ? { ...source, created: true } : source
  const isForced = mayOverwrite(overwrite, page.source)
  try {
    if (found === null) return await create()
    if (found.type !== page.type) return outcomeOf('failed', typeMismatch(found, page))
    for (let attempt = 1; ; attempt++) {
      try {
        return await (attempt === 1 ? decideByDigests(found) : decideByContent(found))
      } catch (error) {
        if (!isEditedMeanwhile(error)) throw error
        if (attempt === MAX_ATTEMPTS)
          return outcomeOf('conflict', 'The page was edited on the server during this push. Push again.')
      }
    }
  } catch (error) {
    if (!(error instanceof ApiError) || !ONE_PAGE_ERRORS.includes(error.name)) throw error
    return outcomeOf('failed', error.message, error.errors[0]?.field)
  }

  /** Reads nothing where the server has told enough. */
  async function decideByDigests(found: FoundPage): Promise<PageOutcome> {
    const { pushed } = found
    if (pushed === null) return decideByContent(found)
    const isFileUnchanged = hasSameFields(file, pushed)
    const isEdited = pushed.current !== pushed.digest
    if (isFileUnchanged && !isEdited) return outcomeOf('unchanged')
    if (!isEdited) return update(body, pushed.etag)
    if (isFileUnchanged && !isForced) return outcomeOf('kept')
    if (pushed.current === file.digest) return adopt(pushed.etag)
    return decideByContent(found)
  }

  async function decideByContent({ id, pushed }: FoundPage): Promise<PageOutcome> {
    const { headers, body: answer } = await api.send('GET /pages/{id}', { path: { id } })
    const etag = headers.get('etag') ?? ''
    const different = differentFields(body, page, answer.data)
    if (different.length === 0) return source === undefined ? outcomeOf('unchanged') : adopt(etag)
    if (pushed === null)
      return isForced
        ? update(body, etag)
        : conflictOf(fieldNames(different), `${foreignPage(answer.data)} ${differenceText(different, page)}`)
    const stored = await storedDigests(answer.data, file, addressOfPage)
    const decision = decide(file.fields, pushed.fields, stored.fields, isForced)
    if (decision.action === 'unchanged') return outcomeOf('unchanged')
    if (decision.action === 'keep') return outcomeOf('kept')
    if (decision.action === 'adopt') return adopt(etag)
    if (decision.action === 'send') return update(fieldsOf(body, decision.fields), etag)
    return conflictOf(decision.fields, `${editedSince(id)} ${differenceText(decision.fields, page)}`)
  }

  function conflictOf(fields: readonly string[], message: string): PageOutcome {
    const differing = { digests: digestsOfFields(file, fields), values: fieldsOf(body, fields) }
    return { ...outcomeOf('conflict', message), differing }
  }

  async function addressOfPage(id: string): Promise<Addressed> {
    return api.pages.get(id, { include_sections: false, include_markdown: false })
  }

  async function create(): Promise<PageOutcome> {
    if (dryRun) return { ...outcomeOf('created'), id: NEW_PAGE }
    const { id } = await sendNew()
    return { ...outcomeOf('created'), id }
  }

  /**
   * The article keeps its id in builds of the folder, wherever it moves, unless a moved article has it. An import gives
   * none, because an exported article that was never published has none yet.
   */
  async function sendNew() {
    const body = {
      ...createBody(page, parent),
      type: page.type,
      project_id: project,
      ...(source && { source }),
    }
    const given = folder === null || body.feed_guid != null ? null : unstatedFeedGuid(page, site)
    if (given === null) return api.pages.create(body)
    try {
      return await api.pages.create({ ...body, feed_guid: given })
    } catch (error) {
      const isTaken = error instanceof ApiError && error.errors.some(({ field }) => field === 'feed_guid')
      if (!isTaken) throw error
      return api.pages.create(body)
    }
  }

  async function update(fields: PageFields, ifMatch: string): Promise<PageOutcome> {
    if (!dryRun) await put({ ...fields, ...(known && { source: known }) }, ifMatch)
    return outcomeOf('updated')
  }

  /** Records the stored page as pushed. */
  async function adopt(ifMatch: string): Promise<PageOutcome> {
    if (!dryRun && known !== undefined) await put({ source: known }, ifMatch)
    return outcomeOf('adopted')
  }

  async function put(fields: PageFields, ifMatch: string) {
    const id = found?.id ?? NEW_PAGE
    await api.send('PUT /pages/{id}', { path: { id }, body: fields, ifMatch })
  }

  function outcomeOf(
    action: PageOutcome['action'],
    message: string | null = null,
    field: string | null = null,
  ): PageOutcome {
    const id = found?.id ?? null
    return { file: page.source, action, id, message, field: field || null, differing: null }
  }
}

function isEditedMeanwhile(error: unknown): boolean {
  return error instanceof ApiError && error.name === 'precondition_failed'
}

function fieldsOf(body: PageFields, names: readonly string[]): PageFields {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)))
}

/** The names of the fields of a body that these paths are in, such as `config.sections`. */
function fieldNames(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => path.split('.', 1)[0] ?? path))]
}

function typeMismatch({ id, type }: FoundPage, page: SitePage): string {
  return `The page ${id} on the server has the type ${type}, not ${page.type}, and a type cannot change. Delete the page on the server and push again.`
}

function foreignPage({ id, url }: DataOf<'GET /pages/{id}'>): string {
  return `Another page exists at ${url} on the server (${id}). No push of this folder created it.`
}

function editedSince(id: string): string {
  return `The page ${id} was edited on the server since the last push.`
}

function differenceText(fields: readonly string[], { source }: SitePage): string {
  return `These fields differ: ${fields.join(', ')}. Replace the page with --force ${source}.`
}

function addressOf({ subroute, slug }: Addressed): string {
  return `${subroute}/${slug}`
}
