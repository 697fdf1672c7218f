import { createHash } from 'node:crypto'
import { ApiError, type ApiErrorName } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { SitePage } from '../content-folder/site.ts'
import type { Addressed } from '../domain/route.ts'
import type { ListedPage } from './list-pages.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import { createBody, differentFields, type UpdateBody, updateBody } from './page-body.ts'
import type { PushedPage, PushState } from './push-state.ts'

/** The result of pushing the page of one file. */
export interface PageOutcome {
  /** The file, relative to the folder. */
  readonly file: string
  readonly action: 'created' | 'updated' | 'unchanged' | 'conflict' | 'failed'
  /** Null when the page was not created. */
  readonly id: string | null
  /** Describes a conflict or a failure. Null otherwise. */
  readonly message: string | null
  /** The field that the server refused, e.g. `config.theme`. Null when it names none. */
  readonly field: string | null
}

/** The pages of the push state, by file. */
export type PushedPages = ReadonlyMap<string, PushedPage>

export interface PagePushPorts {
  readonly api: Client
  readonly project: string
  /** Replace pages that were edited on the server. */
  readonly overwrite: Overwrite
  readonly dryRun: boolean
  /** Called after each page with the pages of the push state. */
  readonly onPage: (outcome: PageOutcome, pushed: PushedPages) => Promise<void>
}

/** Errors that concern one page. The other pages are still sent. */
const ONE_PAGE_ERRORS: readonly ApiErrorName[] = [
  'validation_error',
  'missing_required_field',
  'conflict',
  'payload_too_large',
]

/**
 * Creates or updates each page whose file differs from the server, parents first.
 *
 * @param listed all pages of the project.
 * @returns the pages of the next push state, including those that the folder no longer has.
 */
export async function pushPages(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  state: PushState,
  ports: PagePushPorts,
): Promise<PushedPages> {
  const find = finder(pages, listed, state)
  const pushed = new Map(Object.entries(state.pages))
  const fileOf = new Map([...pushed].map(([file, { id }]) => [id, file]))
  const ids = new Map<string, string>()
  for (const page of pages) {
    const { item, stored } = find(page)
    const parent = page.parent === null ? null : (ids.get(addressOf(page.parent)) ?? null)
    const { outcome, next } = await pushPage(page, { item, stored, parent }, state, ports)
    if (outcome.id !== null) ids.set(addressOf(page), outcome.id)
    if (next !== null) {
      // A renamed file keeps its page.
      pushed.delete(fileOf.get(next.id) ?? page.source)
      pushed.set(page.source, next)
      fileOf.set(next.id, page.source)
    }
    await ports.onPage(outcome, pushed)
  }
  return pushed
}

/** The addresses of pages that do not exist on the server. */
export function addressesToCreate(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  state: PushState,
): readonly string[] {
  const find = finder(pages, listed, state)
  return pages.filter((page) => find(page).item === null).map(addressOf)
}

/**
 * Finds the page on the server that belongs to a file: by the push state, else by its address, else the page of a
 * removed file that had the same content, since the file was probably renamed.
 */
function finder(pages: readonly SitePage[], listed: readonly ListedPage[], state: Pick<PushState, 'pages'>) {
  const byId = new Map(listed.map((item) => [item.id, item]))
  const byAddress = new Map(listed.map((item) => [addressOf(item), item]))
  const storedById = new Map(Object.values(state.pages).map((stored) => [stored.id, stored]))
  const named = (page: SitePage): ListedPage | null => {
    const own = Object.hasOwn(state.pages, page.source) ? state.pages[page.source] : undefined
    return (own && byId.get(own.id)) ?? byAddress.get(addressOf(page)) ?? null
  }
  const found = new Set(pages.flatMap((page) => named(page)?.id ?? []))
  const removed = new Map<string, ListedPage[]>()
  for (const { id, content } of Object.values(state.pages)) {
    const item = byId.get(id)
    if (item !== undefined && !found.has(id)) removed.set(content, [...(removed.get(content) ?? []), item])
  }
  const renamed = new Map(
    pages.flatMap((page) => {
      if (removed.size === 0 || named(page) !== null) return []
      const item = removed.get(contentDigest(page))?.shift()
      return item === undefined ? [] : [[page.source, item] as const]
    }),
  )
  return (page: SitePage): { item: ListedPage | null; stored: PushedPage | null } => {
    const item = named(page) ?? renamed.get(page.source) ?? null
    return { item, stored: item === null ? null : (storedById.get(item.id) ?? null) }
  }
}

/** The id of a page that a dry run would create. */
const NEW_PAGE = ''

/** A page on the server and in the push state. */
interface PageState {
  readonly item: ListedPage | null
  /** The page in the push state. */
  readonly stored: PushedPage | null
  /** The id of the parent page. */
  readonly parent: string | null
}

interface PushResult {
  readonly outcome: PageOutcome
  /** The next push state of the page. Null when there is none. */
  readonly next: PushedPage | null
}

async function pushPage(
  page: SitePage,
  { item, stored, parent }: PageState,
  { making }: PushState,
  { api, project, overwrite, dryRun }: PagePushPorts,
): Promise<PushResult> {
  const body = updateBody(page, parent)
  const sent = { digest: digestOf(body), content: contentDigest(page) }
  const { digest } = sent
  try {
    if (item === null) return await create()
    if (item.type !== page.type) return keepState('failed', typeMismatch(item, page))
    const made = stored?.made ?? making.includes(addressOf(page))
    if (stored?.updatedAt === item.updated_at)
      return stored.digest === digest ? keepState('unchanged') : await update(item.id, stored.etag, made)

    // The page was edited on the server, or an interrupted push did not save its state.
    const { headers, body: answer } = await api.send('GET /pages/{id}', { path: { id: item.id } })
    const etag = headers.get('etag') ?? ''
    const different = differentFields(body, page, answer.data)
    if (different.length === 0) {
      const next = { id: item.id, ...sent, updatedAt: answer.data.updated_at, etag, made }
      return { outcome: outcomeOf('unchanged'), next }
    }
    if (mayOverwrite(overwrite, page.source) || isOfInterruptedPush(item))
      return await update(item.id, etag, made)
    return keepState(
      'conflict',
      `${stored === null ? foreignPage(item) : editedSince(item)} ${differenceText(different, page)}`,
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.name === 'precondition_failed')
      return keepState('conflict', 'The page was edited on the server during this push. Push again.')
    if (ONE_PAGE_ERRORS.includes(error.name))
      return keepState('failed', error.message, error.errors[0]?.field)
    throw error
  }

  /** A push created the page and lost the answer. Without an edit since, only the file has changed. */
  function isOfInterruptedPush({ created_at, updated_at }: ListedPage): boolean {
    return stored === null && making.includes(addressOf(page)) && created_at === updated_at
  }

  async function create(): Promise<PushResult> {
    if (dryRun) return { outcome: { ...outcomeOf('created'), id: NEW_PAGE }, next: null }
    const { headers, body: answer } = await api.send('POST /pages', {
      body: { ...createBody(page, parent), type: page.type, project_id: project },
    })
    const { id, updated_at: updatedAt } = answer.data
    const next = { id, ...sent, updatedAt, etag: headers.get('etag') ?? '', made: true }
    return { outcome: { ...outcomeOf('created'), id }, next }
  }

  async function update(id: string, ifMatch: string, made: boolean): Promise<PushResult> {
    if (dryRun) return keepState('updated')
    const { headers, body: answer } = await api.send('PUT /pages/{id}', { path: { id }, body, ifMatch })
    const next = { id, ...sent, updatedAt: answer.data.updated_at, etag: headers.get('etag') ?? '', made }
    return { outcome: outcomeOf('updated'), next }
  }

  /** Keeps the push state of the page, under the current name of its file. */
  function keepState(action: PageOutcome['action'], message?: string, field?: string): PushResult {
    return { outcome: outcomeOf(action, message, field), next: stored }
  }

  function outcomeOf(
    action: PageOutcome['action'],
    message: string | null = null,
    field: string | null = null,
  ): PageOutcome {
    return { file: page.source, action, id: item?.id ?? null, message, field: field || null }
  }
}

function typeMismatch({ id, type }: ListedPage, page: SitePage): string {
  return `The page ${id} on the server has the type ${type}, not ${page.type}, and a type cannot change. Delete the page on the server and push again.`
}

function foreignPage({ id, url }: ListedPage): string {
  return `Another page exists at ${url} on the server (${id}). No push of this folder created it.`
}

function editedSince({ id }: ListedPage): string {
  return `The page ${id} was edited on the server since the last push.`
}

function differenceText(fields: readonly string[], { source }: SitePage): string {
  return `These fields differ: ${fields.join(', ')}. Replace the page with --force ${source}.`
}

/** A digest of the content without the address, to recognize a renamed file. */
function contentDigest(page: SitePage): string {
  return digestOf({ ...updateBody(page, null), type: page.type, slug: '', subroute: '', parent_page: null })
}

function digestOf(body: UpdateBody & { readonly type?: string }): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url')
}

function addressOf({ subroute, slug }: Addressed): string {
  return `${subroute}/${slug}`
}
