import type { Home } from '../../db/repositories/projects.ts'
import type { SettingsFields } from '../../db/repositories/settings.ts'
import type { Repositories } from '../../db/repositories.ts'
import { settingsAt } from '../../domain/announcement.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { readId } from '../../domain/ids.ts'
import type { SiteIdentity, Snapshot } from '../../domain/live-page.ts'
import type { MediaSource } from '../../domain/media.ts'
import { pageMediaNames, settingsMediaNames } from '../../domain/media-names.ts'
import type { Page } from '../../domain/page.ts'
import { type Project, type PublicAddresses, siteOrigin } from '../../domain/project.ts'
import type { Settings } from '../../domain/settings.ts'
import { snapshotOf } from '../../page-text/snapshot.ts'
import type { ServiceContext } from '../context.ts'
import { withIncludedPages } from './included-pages.ts'

/**
 * The snapshot of a page with its project's current settings, and the texts of the pages that it includes.
 *
 * @param how as of `withIncludedPages`.
 * @param readFields reads settings in place of the stored ones, which it gets.
 * @throws {ServiceError} as `withIncludedPages`.
 */
export async function readSnapshot(
  repositories: Repositories,
  page: Page,
  { project }: Home,
  { addresses, now }: Pick<ServiceContext, 'addresses' | 'now'>,
  how: Parameters<typeof withIncludedPages>[3],
  readFields: (stored: Settings) => SettingsFields = () => ({}),
): Promise<Snapshot> {
  const { settings: stored } = await repositories.settings.find(project.id)
  const given = Object.entries(readFields(stored)).filter(([, value]) => value !== undefined)
  const settings: Settings = settingsAt({ ...stored, ...Object.fromEntries(given) }, now())
  return completeSnapshot(repositories, page, settings, siteOfProject(project, addresses), how)
}

/**
 * The snapshot of a page with these settings, with the texts that it includes, the values of its variables and its
 * media.
 *
 * @param how as of `withIncludedPages`.
 * @throws {ServiceError} as `withIncludedPages`; `validation_error` when the values of variables are too long.
 */
export async function completeSnapshot(
  repositories: Repositories,
  page: Page,
  settings: Settings,
  site: SiteIdentity,
  how: Parameters<typeof withIncludedPages>[3],
): Promise<Snapshot> {
  const whole = await withIncludedPages(repositories, page, settings, how)
  const shown = await how.texts.shown(whole.page, whole.includes ?? [], settings.variables)
  if (shown === null) throw tooManyValues()
  const media = await readMedia(repositories, whole.page, settings)
  return snapshotOf(shown, settings, site, media, whole.includes)
}

function tooManyValues(): ServiceError {
  const message = 'shows more than 2 MiB of values of variables. Name them less often, or shorten them.'
  return fieldFailure('validation_error', [{ path: 'markdown_content', message, code: 'out_of_range' }])
}

/** The assets that a page and the settings of its site name, as they are now; undefined for none. */
export async function readMedia(
  { assets }: Pick<Repositories, 'assets'>,
  page: Page,
  settings: Settings,
): Promise<MediaSource | undefined> {
  const names = [...new Set([...pageMediaNames(page), ...settingsMediaNames(settings)])]
  if (names.length === 0) return undefined
  const media = await assets.published(page.projectId, names)
  return Object.keys(media).length === 0 ? undefined : media
}

/** The site of a project as its pages and indexes name it. The release decides mode and key when it is claimed. */
export function siteOfProject(project: Project, addresses: PublicAddresses): SiteIdentity {
  return {
    projectId: project.id,
    name: project.name,
    origin: siteOrigin(project, addresses),
    hostingMode: project.hosting.mode,
    keyId: null,
    manifest: project.hosting.manifest,
  }
}

/**
 * A page as one of its releases published it.
 *
 * @throws {ServiceError} `not_found` when the page has no such release.
 */
export async function readReleased(
  { releases }: Pick<Repositories, 'releases'>,
  page: Pick<Page, 'id'>,
  release: string,
): Promise<Snapshot> {
  const id = readId('rel', release)
  const found = id === null ? null : await releases.find(id)
  if (found === null || found.pageId !== page.id)
    throw new ServiceError('not_found', 'The page has no such release.')
  return found.snapshot
}
