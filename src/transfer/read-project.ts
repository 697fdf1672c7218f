import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { DataOf } from '../client/routes.ts'
import type { SitePage } from '../content-folder/site.ts'
import { textsOf } from '../domain/asset.ts'
import { ServiceError } from '../domain/errors.ts'
import type { JsonObject } from '../domain/json.ts'
import { readMediaName } from '../domain/media-name.ts'
import { DEFAULT_HOSTING, type Hosting } from '../domain/project.ts'
import { type Addressed, readSubroute } from '../domain/route.ts'
import { readRedirectTarget } from '../domain/site-redirect.ts'
import { readSlug } from '../domain/slug.ts'
import { readTypeFields } from '../fields/page-fields.ts'
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
  const redirects = await readRedirects(api, project)
  return { name, settings, details, isSuspended, pages: pages.toSorted(byFile), assets, redirects }
}

/**
 * Reads the redirects of the project, and previous paths of moved pages. The live one of several with one path counts.
 * Redirects to deleted pages are left out.
 */
async function readRedirects(api: Client, project: string): Promise<ExportedProject['redirects']> {
  const found = new Map<string, string>()
  for await (const { kind, from, to, live } of api.redirects.list(project, { limit: 100 })) {
    const isLost = readRedirectTarget(to) === null
    if (kind !== 'stated' && !isLost && (live || !found.has(from))) found.set(from, to)
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** @throws {ServiceError} `internal_error` for an invalid name in an answer, which must not become a file name. */
async function readAssets(api: Client, project: string): Promise<readonly ExportedAsset[]> {
  const assets = new Map<string, ExportedAsset>()
  // An asset that appears or disappears meanwhile moves others in the list. They may then be listed twice.
  for await (const asset of api.assets.list(project, { limit: 100, sort: 'created_at' })) {
    const { id, name } = asset
    if (readMediaName(name) !== name)
      throw new ServiceError('internal_error', `The server returned an invalid name for the asset ${id}.`)
    assets.set(name, { id, name, texts: textsOf(asset) })
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

/** The names of hosting in the API. */
export const HOSTING_NAMES = {
  mode: 'mode',
  subdomain: 'subdomain',
  customDomain: 'custom_domain',
  sslEnabled: 'ssl_enabled',
  cdnEnabled: 'cdn_enabled',
  basePath: 'base_path',
  manifest: 'manifest',
  slugs: 'slugs',
} as const satisfies { readonly [Key in keyof Hosting]: keyof ApiProject['hosting'] }

type ApiProject = DataOf<'GET /projects/{id}'>

function detailsOf({ status, hosting }: ApiProject): Pick<ProjectDetails, 'status' | 'hosting'> {
  const values = Object.entries(HOSTING_NAMES).map(([key, name]) => [key, hosting[name]])
  return { status: status === 'archived' ? 'archived' : 'active', hosting: Object.fromEntries(values) }
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
  shown: ApiPage,
): SitePage['ownFields'] {
  const derived = resolvedFields({ ...content, ownFields: {}, firstPublishedAt: null })
  // The id in the feed is kept too when the article does not state it, so that readers of its feeds know it wherever it
  // goes.
  const { feed_id: feedId } = shown
  const stated = { ...shown, ...(feedId !== undefined && { feed_guid: feedId }) }
  const { parentPage: _, ...fields } = readTypeFields(stated)
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => !isDeepStrictEqual(value, derived[key as keyof typeof fields]),
    ),
  )
}

function withoutNulls(meta: ApiPage['meta']): SitePage['meta'] {
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== null))
}

function byFile(a: ExportedPage, b: ExportedPage): number {
  return a.page.source < b.page.source ? -1 : 1
}
