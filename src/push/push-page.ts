import { ApiError, type ApiErrorName } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { BodyOf, DataOf } from '../client/routes.ts'
import type { Site, SitePage } from '../content-folder/site.ts'
import type { Addressed } from '../domain/route.ts'
import { digestsOfFields } from '../page-text/field-digests.ts'
import { decide } from './decide.ts'
import type { FoundPage } from './find-pages.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import { differentFields, digestsOf, newBody, sourceOf, storedDigests, updateBody } from './page-body.ts'
import { outcomeOf, type PageOutcome } from './page-outcome.ts'

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
}

/** Errors that concern one page. The other pages are still sent. */
export const ONE_PAGE_ERRORS: readonly ApiErrorName[] = [
  'validation_error',
  'missing_required_field',
  'conflict',
  'payload_too_large',
]

/** Attempts to push a page that is edited on the server during the push. */
const MAX_ATTEMPTS = 3

type PageFields = BodyOf<'PUT /pages/{id}'>

/**
 * Pushes one page with requests of its own: creates it, or reads it on the server and decides by its content.
 *
 * @param found null for a new page.
 * @param parent the id of its parent page.
 */
export async function pushPage(
  page: SitePage,
  found: FoundPage | null,
  parent: string | null,
  ports: PagePushPorts,
): Promise<PageOutcome> {
  const { api, project, folder, overwrite, dryRun } = ports
  const source = sourceOf(page, folder)
  try {
    if (found === null) return outcomeOf(page, 'created', (await create()).id)
    for (let attempt = 1; ; attempt++) {
      try {
        return await decideByContent(page, found)
      } catch (error) {
        if (!isEditedMeanwhile(error)) throw error
        if (attempt === MAX_ATTEMPTS)
          return outcomeOf(page, 'conflict', found.id, { message: EDITED_MEANWHILE })
      }
    }
  } catch (error) {
    if (!(error instanceof ApiError) || !ONE_PAGE_ERRORS.includes(error.name)) throw error
    const { message, errors } = error
    return outcomeOf(page, 'failed', found?.id ?? null, { message, field: errors[0]?.field })
  }

  /** A moved article may have the id that the article of a new file would get in feeds. */
  async function create(): Promise<{ readonly id: string }> {
    const { feed_guid: given, ...others } = { ...newBody(page, parent, ports), project_id: project }
    try {
      return await api.pages.create(given === undefined ? others : { ...others, feed_guid: given })
    } catch (error) {
      const isStated = page.ownFields.feedGuid != null
      const isTaken = error instanceof ApiError && error.errors.some(({ field }) => field === 'feed_guid')
      if (isStated || !isTaken) throw error
      return api.pages.create(others)
    }
  }

  async function decideByContent(page: SitePage, { id, pushed }: FoundPage): Promise<PageOutcome> {
    const file = digestsOf(page)
    const body = updateBody(page, parent)
    const { headers, body: answer } = await api.send('GET /pages/{id}', { path: { id } })
    const etag = headers.get('etag') ?? ''
    const different = differentFields(body, page, answer.data)
    if (different.length === 0) return folder === null ? outcomeOf(page, 'unchanged', id) : adopt()
    const isForced = mayOverwrite(overwrite, page.source)
    if (pushed === null)
      return isForced
        ? update(body)
        : conflictOf(fieldNames(different), `${foreignPage(answer.data)} ${differenceText(different, page)}`)
    const stored = await storedDigests(answer.data, file, addressOfPage)
    const decision = decide(file.fields, pushed.fields, stored.fields, isForced)
    if (decision.action === 'unchanged') return outcomeOf(page, 'unchanged', id)
    if (decision.action === 'keep') return outcomeOf(page, 'kept', id)
    if (decision.action === 'adopt') return adopt()
    if (decision.action === 'send') return update(fieldsOf(body, decision.fields))
    return conflictOf(decision.fields, `${editedSince(id)} ${differenceText(decision.fields, page)}`)

    function conflictOf(fields: readonly string[], message: string): PageOutcome {
      const differing = { digests: digestsOfFields(file, fields), values: fieldsOf(body, fields) }
      return { ...outcomeOf(page, 'conflict', id, { message }), differing }
    }

    async function update(fields: PageFields): Promise<PageOutcome> {
      if (!dryRun) await put({ ...fields, ...source })
      return outcomeOf(page, 'updated', id)
    }

    /** Records the stored page as pushed. */
    async function adopt(): Promise<PageOutcome> {
      if (!dryRun) await put(source)
      return outcomeOf(page, 'adopted', id)
    }

    async function put(fields: PageFields): Promise<void> {
      await api.send('PUT /pages/{id}', { path: { id }, body: fields, ifMatch: etag })
    }
  }

  async function addressOfPage(id: string): Promise<Addressed> {
    return api.pages.get(id, { include_sections: false, include_markdown: false })
  }
}

const EDITED_MEANWHILE = 'The page was edited on the server during this push. Push again.'

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

function foreignPage({ id, url }: DataOf<'GET /pages/{id}'>): string {
  return `Another page exists at ${url} on the server (${id}). No push of this folder created it.`
}

function editedSince(id: string): string {
  return `The page ${id} was edited on the server since the last push.`
}

function differenceText(fields: readonly string[], { source }: SitePage): string {
  return `These fields differ: ${fields.join(', ')}. Replace the page with --force ${source}.`
}
