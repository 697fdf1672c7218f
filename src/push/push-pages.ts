import { createHash } from 'node:crypto'
import { ApiError, type ApiErrorName } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { SitePage } from '../content-folder/site.ts'
import type { Addressed } from '../domain/route.ts'
import type { ListedPage } from './list-pages.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import { createBody, differentFields, type UpdateBody, updateBody } from './page-body.ts'
import type { PushedPage, PushState } from './push-state.ts'

/** What became of the page of one file. */
export interface PageOutcome {
  /** The file, relative to the folder. */
  readonly file: string
  readonly action: 'created' | 'updated' | 'unchanged' | 'conflict' | 'failed'
  /** Null where there is no such page. */
  readonly id: string | null
  /** What is to be said of a conflict or a failure. */
  readonly message: string | null
}

/** What is known of pages, by the file each was written in. */
export type KnownPages = ReadonlyMap<string, PushedPage>

export interface PagePushPorts {
  readonly api: Client
  readonly project: string
  /** Write also over what somebody else has written. */
  readonly overwrite: Overwrite
  readonly dryRun: boolean
  /** Called after each page, with what is known now. */
  readonly onPage: (outcome: PageOutcome, known: KnownPages) => Promise<void>
}

/** Answers that are about one page, and leave the others to be sent. */
const ONE_PAGE_ERRORS: readonly ApiErrorName[] = [
  'validation_error',
  'missing_required_field',
  'conflict',
  'payload_too_large',
]

/**
 * Make and update each page that is not on the server as its file says, parents first.
 *
 * @param listed every page of the project.
 * @returns what is known of the pages of the folder, and of those that it no longer has.
 */
export async function pushPages(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  before: PushState,
  ports: PagePushPorts,
): Promise<KnownPages> {
  const find = finder(pages, listed, before)
  const known = new Map(Object.entries(before.pages))
  const fileOf = new Map([...known].map(([file, { id }]) => [id, file]))
  const ids = new Map<string, string>()
  for (const page of pages) {
    const { item, was } = find(page)
    const parent = page.parent === null ? null : (ids.get(addressOf(page.parent)) ?? null)
    const { outcome, now } = await pushPage(page, { item, was, parent }, before, ports)
    if (outcome.id !== null) ids.set(addressOf(page), outcome.id)
    if (now !== null) {
      // A file that was renamed is the same page.
      known.delete(fileOf.get(now.id) ?? page.source)
      known.set(page.source, now)
      fileOf.set(now.id, page.source)
    }
    await ports.onPage(outcome, known)
  }
  return known
}

/** The addresses of the pages that are not there yet. */
export function addressesToCreate(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  before: PushState,
): readonly string[] {
  const find = finder(pages, listed, before)
  return pages.filter((page) => find(page).item === null).map(addressOf)
}

/**
 * The page on the server that belongs to a file: by what earlier pushes know, else by its address, else the one
 * of a file that is gone, if it was sent with the very same content.
 */
function finder(pages: readonly SitePage[], listed: readonly ListedPage[], before: Pick<PushState, 'pages'>) {
  const byId = new Map(listed.map((item) => [item.id, item]))
  const byAddress = new Map(listed.map((item) => [addressOf(item), item]))
  const wasById = new Map(Object.values(before.pages).map((was) => [was.id, was]))
  const named = (page: SitePage): ListedPage | null => {
    const own = Object.hasOwn(before.pages, page.source) ? before.pages[page.source] : undefined
    return (own && byId.get(own.id)) ?? byAddress.get(addressOf(page)) ?? null
  }
  const found = new Set(pages.flatMap((page) => named(page)?.id ?? []))
  const gone = new Map<string, ListedPage[]>()
  for (const { id, content } of Object.values(before.pages)) {
    const item = byId.get(id)
    if (item !== undefined && !found.has(id)) gone.set(content, [...(gone.get(content) ?? []), item])
  }
  const renamed = new Map(
    pages.flatMap((page) => {
      if (gone.size === 0 || named(page) !== null) return []
      const item = gone.get(contentDigest(page))?.shift()
      return item === undefined ? [] : [[page.source, item] as const]
    }),
  )
  return (page: SitePage): { item: ListedPage | null; was: PushedPage | null } => {
    const item = named(page) ?? renamed.get(page.source) ?? null
    return { item, was: item === null ? null : (wasById.get(item.id) ?? null) }
  }
}

/** Empty in a dry run for a page that would be made. */
const NOT_MADE = ''

interface ServerState {
  readonly item: ListedPage | null
  readonly was: PushedPage | null
  readonly parent: string | null
}

interface PushResult {
  readonly outcome: PageOutcome
  /** Null: nothing new is known. */
  readonly now: PushedPage | null
}

async function pushPage(
  page: SitePage,
  { item, was, parent }: ServerState,
  { making }: PushState,
  { api, project, overwrite, dryRun }: PagePushPorts,
): Promise<PushResult> {
  const body = updateBody(page, parent)
  const sent = { digest: digestOf(body), content: contentDigest(page) }
  const { digest } = sent
  try {
    if (item === null) return await make()
    if (item.type !== page.type) return say('failed', typeMismatch(item, page))
    const made = was?.made ?? making.includes(addressOf(page))
    if (was?.updatedAt === item.updated_at)
      return was.digest === digest ? say('unchanged') : await update(item.id, was.etag, made)

    // Somebody edited it, or a push that was broken off did not come to note it.
    const { headers, body: answer } = await api.send('GET /pages/{id}', { path: { id: item.id } })
    const etag = headers.get('etag') ?? ''
    const different = differentFields(body, page, answer.data)
    if (different.length === 0) {
      const now = { id: item.id, ...sent, updatedAt: answer.data.updated_at, etag, made }
      return { outcome: outcomeOf('unchanged'), now }
    }
    if (mayOverwrite(overwrite, page.source)) return await update(item.id, etag, made)
    return say(
      'conflict',
      `${was === null ? unknownPage(item) : editedSince(item)} ${differenceText(different, page)}`,
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.name === 'precondition_failed')
      return say('conflict', 'Somebody edited it on the server just now.')
    if (ONE_PAGE_ERRORS.includes(error.name)) return say('failed', error.message)
    throw error
  }

  async function make(): Promise<PushResult> {
    if (dryRun) return { outcome: { ...outcomeOf('created'), id: NOT_MADE }, now: null }
    const { headers, body: answer } = await api.send('POST /pages', {
      body: { ...createBody(page, parent), type: page.type, project_id: project },
    })
    const { id, updated_at: updatedAt } = answer.data
    const now = { id, ...sent, updatedAt, etag: headers.get('etag') ?? '', made: true }
    return { outcome: { ...outcomeOf('created'), id }, now }
  }

  async function update(id: string, ifMatch: string, made: boolean): Promise<PushResult> {
    if (dryRun) return say('updated')
    const { headers, body: answer } = await api.send('PUT /pages/{id}', { path: { id }, body, ifMatch })
    const now = { id, ...sent, updatedAt: answer.data.updated_at, etag: headers.get('etag') ?? '', made }
    return { outcome: outcomeOf('updated'), now }
  }

  /** What was known stays so, under the name the file has now. */
  function say(action: PageOutcome['action'], message: string | null = null): PushResult {
    return { outcome: outcomeOf(action, message), now: was }
  }

  function outcomeOf(action: PageOutcome['action'], message: string | null = null): PageOutcome {
    return { file: page.source, action, id: item?.id ?? null, message }
  }
}

function typeMismatch({ id, type }: ListedPage, page: SitePage): string {
  return `${id} on the server is of the type ${type}, not ${page.type}, and a type cannot change. Delete it there, and push again.`
}

function unknownPage({ id, url }: ListedPage): string {
  return `There is another page at ${url} on the server (${id}), which no push of this folder made.`
}

function editedSince({ id }: ListedPage): string {
  return `${id} was edited on the server since it was pushed.`
}

function differenceText(fields: readonly string[], { source }: SitePage): string {
  return `Other there than here: ${fields.join(', ')}. --force ${source} writes over it.`
}

/** The same wherever the page lies. */
function contentDigest(page: SitePage): string {
  return digestOf({ ...updateBody(page, null), type: page.type, slug: '', subroute: '', parent_page: null })
}

/** The same for the same content. */
function digestOf(body: UpdateBody & { readonly type?: string }): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url')
}

function addressOf({ subroute, slug }: Addressed): string {
  return `${subroute}/${slug}`
}
