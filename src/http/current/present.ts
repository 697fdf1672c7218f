import type { PageStats } from '../../db/repositories/pages.ts'
import type { Home } from '../../db/repositories/projects.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { DryRun } from '../../domain/dry-run.ts'
import { prefixed } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { type Page, type PageSummary, sectionsOf } from '../../domain/page.ts'
import { type HostingMode, type Project, type PublicAddresses, siteOrigin } from '../../domain/project.ts'
import type { PastRelease, ReleaseState } from '../../domain/release.ts'
import { publicUrlPath, urlPath } from '../../domain/route.ts'
import { settingsToFields } from '../../fields/settings-record.ts'
import type { DocumentContent } from '../../page-text/page-document.ts'
import { differenceOf, type PageDetails, type PageList } from '../../services/pages/pages.ts'
import type { ProjectWithProgress } from '../../services/projects/projects.ts'
import type { ChangedDataMode } from '../../services/publishing/data-mode.ts'
import type { Published, Timings } from '../../services/publishing/publishing.ts'
import type { LiveDifference } from '../../services/publishing/staleness.ts'
import { presentTypeFields } from '../page-fields.ts'
import { presentSource } from './present-push.ts'

/* The only file that names the response fields of the current surface. */

export function presentCreatedPage({ page, home }: PageDetails, addresses: PublicAddresses) {
  return {
    id: prefixed('page', page.id),
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    status: page.status,
    url: absoluteUrl(page, home, addresses),
    project_id: prefixed('proj', page.projectId),
    created_at: page.createdAt,
    updated_at: page.updatedAt,
    published_at: page.publishedAt,
  }
}

/** The `Link` header of a page. Its body has the path alone. */
export function linkToPublic({ page, home }: PageDetails, addresses: PublicAddresses): string {
  return `<${absoluteUrl(page, home, addresses)}>; rel="alternate"`
}

/** Parts of a page's content to include. */
interface Show {
  readonly sections: boolean
  readonly markdown: boolean
}

export function presentPage(
  { page, fields, home, difference, scheduledAt, source }: PageDetails,
  show: Show = { sections: true, markdown: true },
) {
  return {
    id: prefixed('page', page.id),
    project_id: prefixed('proj', page.projectId),
    page_name: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    status: page.status,
    url: publicUrlPath(page, home.siteRoutes),
    description: page.description,
    og_image_url: page.ogImageUrl,
    meta: presentMeta(page),
    config: shownConfig(page, show),
    ...(show.markdown && { markdown_content: presentMarkdown(page) }),
    sections_count: sectionsOf(page).length,
    word_count: page.wordCount,
    published_at: page.publishedAt,
    scheduled_at: scheduledAt,
    ...presentDifference(difference),
    ...presentTypeFields(page.type, fields),
    ...(page.type === 'article' && { feed_id: page.feedGuid ?? page.feedId }),
    created_at: page.createdAt,
    updated_at: page.updatedAt,
    source: presentSource(source),
  }
}

/** The front matter of a page's Markdown document. */
export function presentFrontMatter({ page, fields, home }: PageDetails) {
  return {
    id: prefixed('page', page.id),
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    status: page.status,
    url: publicUrlPath(page, home.siteRoutes),
    description: page.description,
    og_image_url: page.ogImageUrl,
    meta: presentMeta(page),
    ...presentTypeFields(page.type, fields),
    published_at: page.publishedAt,
    updated_at: page.updatedAt,
  }
}

/** The content of a page's Markdown document. */
export function shownContent(page: Page, show: Show): DocumentContent {
  const { type, title } = page
  return { type, title, config: shownConfig(page, show), markdown: show.markdown ? page.markdown : '' }
}

function shownConfig({ config }: Page, show: Show): JsonObject {
  const { sections: _, ...withoutSections } = config
  return show.sections ? config : withoutSections
}

type PageContext = Pick<PageList<PageSummary>, 'home' | 'differences' | 'schedules'>

function presentDifference({ hasUnpublishedChanges, stale }: LiveDifference) {
  return { has_unpublished_changes: hasUnpublishedChanges, stale }
}

/** The answer to an update, with the title under `title`. */
export function presentUpdatedPage(found: PageDetails) {
  const { page_name: title, ...rest } = presentPage(found)
  return { ...rest, title }
}

/** @param list the list that contains the page. */
export function presentPageItem(page: PageSummary, { home, differences, schedules }: PageContext) {
  return {
    id: prefixed('page', page.id),
    page_name: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    status: page.status,
    url: publicUrlPath(page, home.siteRoutes),
    meta: {
      title: page.meta.title ?? null,
      description: page.meta.description ?? null,
      image: page.ogImageUrl,
    },
    tags: page.tags,
    sections_count: page.sectionsCount,
    word_count: page.wordCount,
    scheduled_at: schedules.get(page.id) ?? null,
    ...presentDifference(differenceOf(page, differences)),
    created_at: page.createdAt,
    updated_at: page.updatedAt,
  }
}

export function presentPageItemWithContent(page: Page, list: PageContext) {
  return {
    ...presentPageItem({ ...page, sectionsCount: sectionsOf(page).length }, list),
    config: page.config,
    markdown_content: presentMarkdown(page),
  }
}

/** Contents of a project that the request includes. */
export function presentContents(pages: PageList<PageSummary> | null, stats: PageStats | null) {
  return {
    ...(pages !== null && { pages: pages.items.map((page) => presentPageItem(page, pages)) }),
    ...(stats !== null && { stats: presentStats(stats) }),
  }
}

function presentStats({ byStatus, byType, wordCount, lastPublishedAt }: PageStats) {
  const { draft, published, archived } = byStatus
  return {
    pages: { total: draft + published + archived, draft, published, archived },
    by_type: byType,
    word_count: wordCount,
    last_published_at: lastPublishedAt,
  }
}

export function presentPublished({ page, outcome, timings }: Published, showTimings = false) {
  return {
    id: prefixed('page', page.id),
    status: 'published',
    published_at: outcome.publishedAt,
    url: outcome.url,
    release_id: prefixed('rel', outcome.releaseId),
    ...(!outcome.changed && { changed: false }),
    ...(outcome.warnings.length > 0 && { warnings: outcome.warnings.map(presentWarning) }),
    ...(showTimings && { timings: presentTimings(timings) }),
  }
}

function presentWarning({ code, at, message }: PageWarning) {
  return { code, at, message }
}

/** Time outside the phases is the wait for other publishes of the project. */
function presentTimings({ phases, totalMs }: Timings) {
  const { claim = 0, render = 0, upload = 0, commit = 0 } = phases ?? {}
  const waited = Math.max(0, totalMs - claim - render - upload - commit)
  const shown = { wait: waited, claim, render, upload, commit, total: totalMs }
  return Object.fromEntries(
    Object.entries(shown).map(([name, ms]) => [`${name}_ms`, Math.round(ms * 10) / 10]),
  )
}

/** The plan of a dry run. */
export function presentDryRun({ page, plan: { outcome, objects } }: { page: Page; plan: DryRun }) {
  return {
    id: prefixed('page', page.id),
    dry_run: true,
    status: page.status,
    url: outcome.url,
    changed: outcome.changed,
    objects: objects.map(({ key, action, reason, size }) => ({ key, action, reason, size })),
    warnings: outcome.warnings.map(presentWarning),
  }
}

export function presentRelease(release: PastRelease) {
  return {
    id: prefixed('rel', release.id),
    op: release.op === 'delete-page' ? 'delete' : release.op,
    state: RELEASE_STATES[release.state],
    title: release.title,
    url: urlPath(release.path),
    restores: release.restores && prefixed('rel', release.restores),
    error: release.failure?.message ?? null,
    created_at: release.createdAt,
    finished_at: release.finishedAt,
    current: release.isCurrent,
  }
}

/** States of releases in terms of jobs. Clients need no details about how a failure is reverted. */
const RELEASE_STATES: Readonly<Record<ReleaseState, string>> = {
  queued: 'queued',
  claimed: 'running',
  live: 'succeeded',
  failed: 'failed',
  reverting: 'failed',
  reverted: 'failed',
}

export function presentUnpublished(page: Page, unpublishedAt: string) {
  return { id: prefixed('page', page.id), status: 'draft', unpublished_at: unpublishedAt }
}

export function presentUnscheduled(page: Page) {
  return { id: prefixed('page', page.id), status: page.status, publish_at: null }
}

/** Names of the hosting modes in the settings resource. */
const SETTINGS_MODES: Readonly<Record<HostingMode, string>> = {
  full_host: 'fullhost',
  rewrite: 'rewrite',
  data_mode: 'data',
}

export function presentSettings(
  { project, settings: { settings }, plaintextPages }: ProjectWithProgress,
  addresses: PublicAddresses,
) {
  const enabled = project.hosting.mode === 'data_mode'
  return {
    project_id: prefixed('proj', project.id),
    ...settingsToFields('api', settings),
    custom_domain: project.hosting.customDomain,
    data_mode: enabled
      ? { enabled, cdn_base: cdnBase(project, addresses), plaintext_pages: plaintextPages }
      : { enabled, cdn_base: null },
    hosting_mode: SETTINGS_MODES[project.hosting.mode],
  }
}

export function presentChangedDataMode({ project, contentKey }: ChangedDataMode, addresses: PublicAddresses) {
  const id = prefixed('proj', project.id)
  if (contentKey === null) return { project_id: id, data_mode: { enabled: false, cdn_base: null } }
  return {
    project_id: id,
    data_mode: { enabled: true, cdn_base: cdnBase(project, addresses) },
    encryption_key: contentKey,
  }
}

function cdnBase({ id }: Pick<Project, 'id'>, { contentUrl }: PublicAddresses): string {
  return `${contentUrl}/${prefixed('proj', id)}/`
}

function presentMeta({ meta }: Page) {
  return {
    title: meta.title ?? null,
    description: meta.description ?? null,
    keywords: meta.keywords ?? null,
    robots: meta.robots ?? null,
  }
}

/** Pages and items without Markdown have null. */
function presentMarkdown({ type, markdown }: Page): string | null {
  const byConfig = type === 'page' || type === 'item'
  return byConfig && markdown === '' ? null : markdown
}

function absoluteUrl(page: Page, { project, siteRoutes }: Home, addresses: PublicAddresses): string {
  return siteOrigin(project, addresses) + publicUrlPath(page, siteRoutes)
}
