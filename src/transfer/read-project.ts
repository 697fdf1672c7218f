import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { DataOf } from '../client/routes.ts'
import type { SitePage } from '../content-folder/site.ts'
import { ServiceError } from '../domain/errors.ts'
import type { JsonObject } from '../domain/json.ts'
import { readMediaName } from '../domain/media-name.ts'
import { DEFAULT_HOSTING } from '../domain/project.ts'
import { type Addressed, readSubroute } from '../domain/route.ts'
import { readSlug } from '../domain/slug.ts'
import { resolvedFields } from '../page-text/derive.ts'
import { listPages } from '../push/list-pages.ts'
import { NOT_CREATED } from '../push/project.ts'
import type { Progress } from '../push/publish-pages.ts'
import { readSettings } from '../push/push-settings.ts'
import type {
  ExportedAsset,
  ExportedPage,
  ExportedProject,
  ProjectDetails,
  ScheduledPublish,
} from './exported-project.ts'
import { fileName } from './file-name.ts'

type ApiPage = DataOf<'GET /pages/{id}'>

/**
 * Reads a project through the API, with one request for each page, and without the bytes of its files. A page that changes meanwhile is read in its
 * previous or its next version. A page that is deleted meanwhile is left out.
 *
 * @param project its id.
 * @throws {ServiceError} `internal_error` for an invalid address in an answer, which must not become a file name.
 */
export async function readProject(api: Client, project: string, onPage: Progress): Promise<ExportedProject> {
  const { name, details, isSuspended } = await readDetails(api, project)
  const settings = await readSettings(api, project)
  const listed = await listPages(api, project)
  const schedule = await readSchedule(api, project)
  const shown: ApiPage[] = []
  for (const [index, { id }] of listed.entries()) {
    const page = await findPage(api, id)
    if (page !== null) shown.push(page)
    onPage(index + 1, listed.length)
  }
  const addresses = new Map(shown.map((page) => [page.id, addressOf(page)]))
  const pages = shown.map((page) => ({
    ...exportedPage(page, addresses.get(page.parent_page ?? '') ?? null),
    scheduled: schedule.get(page.id) ?? null,
  }))
  const assets = await readAssets(api, project)
  return { name, settings, details, isSuspended, pages: pages.toSorted(byFile), assets }
}

/** @throws {ServiceError} `internal_error` for an invalid name in an answer, which must not become a file name. */
async function readAssets(api: Client, project: string): Promise<readonly ExportedAsset[]> {
  const assets = new Map<string, ExportedAsset>()
  // Those that come or go meanwhile move others in the list, which may then be listed twice.
  for await (const { id, name, alt, title, focus } of api.assets.list(project, {
    limit: 100,
    sort: 'created_at',
  })) {
    if (readMediaName(name) !== name)
      throw new ServiceError('internal_error', `The server returned an invalid name for the asset ${id}.`)
    assets.set(name, { id, name, texts: { alt, title, focus } })
  }
  return [...assets.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The details of a new project. */
const INITIAL_DETAILS: ProjectDetails = {
  status: 'active',
  hosting: DEFAULT_HOSTING,
  context: '',
  legacySettings: {},
}

/** The name of a project, its details and whether it is suspended. */
export async function readDetails(
  api: Client,
  project: string,
): Promise<Pick<ExportedProject, 'name' | 'details' | 'isSuspended'>> {
  if (project === NOT_CREATED) return { name: '', details: INITIAL_DETAILS, isSuspended: false }
  const path = { id: project }
  const own = await api.projects.get(project)
  const { data: legacy } = await api.request('GET /v1/projects/{id}', { path })
  const { custom_domain: _, ...legacySettings } = legacy.settings as JsonObject
  const details = { ...detailsOf(own), context: legacy.context, legacySettings }
  return { name: own.name, details, isSuspended: own.status === 'suspended' }
}

function detailsOf({
  status,
  hosting,
}: Pick<DataOf<'GET /projects/{id}'>, 'status' | 'hosting'>): Pick<ProjectDetails, 'status' | 'hosting'> {
  return {
    status: status === 'archived' ? 'archived' : 'active',
    hosting: {
      mode: hosting.mode,
      subdomain: hosting.subdomain,
      customDomain: hosting.custom_domain,
      sslEnabled: hosting.ssl_enabled,
      cdnEnabled: hosting.cdn_enabled,
      basePath: hosting.base_path,
      manifest: hosting.manifest,
      slugs: hosting.slugs,
    },
  }
}

/** Scheduled publishes, by the id of the page. */
export async function readSchedule(
  api: Client,
  project: string,
): Promise<ReadonlyMap<string, ScheduledPublish>> {
  const scheduled = new Map<string, ScheduledPublish>()
  if (project === NOT_CREATED) return scheduled
  const due = api.projects.schedule(project, { limit: 100 })
  for await (const { page_id: id, publish_at: at, strict } of due) scheduled.set(id, { at, strict })
  return scheduled
}

async function findPage(api: Client, id: string): Promise<ApiPage | null> {
  try {
    return await api.pages.get(id)
  } catch (error) {
    if (error instanceof ApiError && error.name === 'not_found') return null
    throw error
  }
}

/** @throws {ServiceError} */
function addressOf({ id, subroute, slug }: ApiPage): Addressed {
  if (readSlug(slug, 'wide') === slug && readSubroute(subroute, 'wide') === subroute)
    return { subroute, slug }
  throw new ServiceError('internal_error', `The server returned an invalid address for the page ${id}.`)
}

function exportedPage(shown: ApiPage, parent: Addressed | null): Omit<ExportedPage, 'scheduled'> {
  const { type, status } = shown
  const markdown = shown.markdown_content ?? ''
  const content = {
    ...addressOf(shown),
    type,
    title: shown.page_name,
    description: shown.description,
    ogImageUrl: shown.og_image_url,
    meta: withoutNulls(shown.meta),
    config: shown.config as JsonObject,
    markdown,
  }
  const isProse = type === 'article' || type === 'docs'
  return {
    page: {
      ...content,
      source: fileName(content, isProse || markdown !== '' ? 'md' : 'yaml'),
      ownFields: ownFields(content, shown),
      parent,
      draft: status !== 'published',
    },
    isArchived: status === 'archived',
    isEdited: status === 'published' && shown.has_unpublished_changes,
  }
}

/** Fields of the page's type that do not already follow from its config or Markdown. */
function ownFields(
  content: Omit<SitePage, 'ownFields' | 'parent' | 'source' | 'draft'>,
  { publish_date: publishDate = null, author = null, nav_order: navOrder = 0, tags = [] }: ApiPage,
): SitePage['ownFields'] {
  const derived = resolvedFields({ ...content, ownFields: {}, firstPublishedAt: null })
  return {
    ...(!isDeepStrictEqual(publishDate, derived.publishDate) && { publishDate }),
    ...(!isDeepStrictEqual(author, derived.author) && { author }),
    ...(navOrder !== derived.navOrder && { navOrder }),
    ...(!isDeepStrictEqual(tags, derived.tags) && { tags }),
  }
}

function withoutNulls(meta: ApiPage['meta']): SitePage['meta'] {
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== null))
}

function byFile(a: ExportedPage, b: ExportedPage): number {
  return a.page.source < b.page.source ? -1 : 1
}
