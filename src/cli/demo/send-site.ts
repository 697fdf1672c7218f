import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LegacyUpdateSettings } from '../../client/api-types.ts'
import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { readId } from '../../domain/ids.ts'
import type { Addressed } from '../../domain/route.ts'
import { storageKey } from '../../domain/storage-key.ts'
import type { Site, SitePage } from '../../site/site.ts'
import type { Storage } from '../../storage/storage.ts'

/** How often a job is asked how far it has come. */
const POLL_MS = 100

export interface SentPage {
  readonly id: string
  readonly page: SitePage
}

/** Called after each step of something long. */
export type Progress = (done: number, total: number) => void

/** The project of this name: the caller's, made when there is none. */
export async function ensureProject(api: Client, name: string): Promise<ProjectId> {
  const id =
    (await findProject(api, name)) ?? (await api.request('POST /projects', { body: { name } })).data.id
  const projectId = readId('proj', id)
  if (projectId === null) throw new Error(`The API answered ${id}, which is no project id.`)
  return projectId
}

async function findProject(api: Client, name: string): Promise<string | null> {
  for await (const project of api.items('GET /projects')) if (project.name === name) return project.id
  return null
}

/** Settings go to the resource that has the field. */
export async function sendSettings(api: Client, project: string, { settings }: Site): Promise<void> {
  const path = { id: project }
  await api.request('PUT /projects/{id}/settings', {
    path,
    body: {
      theme: settings.theme,
      favicon_url: settings.faviconUrl,
      og_image_url: settings.ogImageUrl,
      meta_title: settings.metaTitle,
      meta_description: settings.metaDescription,
      google_analytics_id: settings.googleAnalyticsId,
      custom_head_html: settings.customHeadHtml,
      footer_text: settings.footerText,
      nav_links: settings.navLinks,
    },
  })
  await api.request('PUT /projects/{id}', {
    path,
    body: {
      settings: { logo: settings.logoUrl, custom_css: settings.customCss },
    },
  })
  await api.request('PUT /v1/projects/{id}/settings', {
    path,
    body: {
      docs_nav: settings.docsNav,
      // What the site's file holds was read by the same rules as the API's.
      shared_footer: settings.sharedFooter as LegacyUpdateSettings['shared_footer'],
      branding: settings.branding,
      site_routes: settings.siteRoutes,
    },
  })
}

/** Files that are served as they are lie beside the pages. */
export async function placeAssets(
  storage: Storage,
  projectId: ProjectId,
  folder: string,
  { assets }: Site,
): Promise<void> {
  for (const { path, source } of assets) {
    await storage.put({ key: storageKey(projectId, path), body: await readFile(join(folder, source)) })
  }
}

/** Create or update each page, parents first. Resolves with those that are no drafts, in the order of the site. */
export async function sendPages(
  api: Client,
  project: string,
  { pages }: Site,
  progress: Progress,
): Promise<readonly SentPage[]> {
  const ids = new Map(await existing(api, project))
  const sent: SentPage[] = []
  for (const page of pages) {
    const id = ids.get(addressOf(page))
    const body = bodyOf(page, page.parent === null ? undefined : ids.get(addressOf(page.parent)))
    const { data } =
      id === undefined
        ? await api.request('POST /pages', { body: { ...body, type: page.type, project_id: project } })
        : await api.request('PUT /pages/{id}', { path: { id }, body })
    ids.set(addressOf(page), data.id)
    sent.push({ id: data.id, page })
    progress(sent.length, pages.length)
  }
  return sent.filter(({ page }) => !page.draft)
}

/**
 * Publish these pages together; resolves with the paths they are read at.
 *
 * @throws {ServiceError} naming the first page that could not be published.
 */
export async function publishPages(
  api: Client,
  project: string,
  sent: readonly SentPage[],
  progress: Progress,
): Promise<readonly string[]> {
  const ids = new Set(sent.map(({ id }) => id))
  if (ids.size === 0) return []
  await publishAndWait(api, project, [...ids], progress)
  // Of a large site, the pages that went first did not know all their neighbours yet.
  await publishAndWait(api, project, 'stale', () => {})
  const paths: string[] = []
  const query = { project_id: project, status: 'published', limit: 100, sort: 'created_at' } as const
  for await (const page of api.items('GET /pages', { query })) if (ids.has(page.id)) paths.push(page.url)
  return paths
}

async function publishAndWait(
  api: Client,
  project: string,
  pages: 'stale' | readonly string[],
  progress: Progress,
): Promise<void> {
  let { data: job } = await api.request('POST /projects/{id}/publish', {
    path: { id: project },
    body: { pages },
  })
  while (job.finished_at === null) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    job = (await api.request('GET /jobs/{id}', { path: { id: job.id } })).data
    if (job.done > 0) progress(job.done, job.total)
  }
  const [failed] = job.failed
  if (failed !== undefined) {
    throw new ServiceError('internal_error', `Page ${failed.page_id} was not published: ${failed.message}`)
  }
}

/** Ids of the project's pages by their address. */
async function existing(api: Client, project: string): Promise<readonly (readonly [string, string])[]> {
  const found: [string, string][] = []
  const query = { project_id: project, limit: 100, sort: 'created_at' } as const
  for await (const page of api.items('GET /pages', { query })) found.push([addressOf(page), page.id])
  return found
}

function addressOf({ subroute, slug }: Addressed): string {
  return `${subroute}/${slug}`
}

function bodyOf(page: SitePage, parent: string | undefined) {
  const { publishDate, author, navOrder } = page.ownFields
  return {
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    description: page.description,
    og_image_url: page.ogImageUrl,
    meta: page.meta,
    config: page.config,
    markdown_content: page.markdown,
    publish_date: publishDate,
    author,
    nav_order: navOrder,
    parent_page: parent,
  }
}
