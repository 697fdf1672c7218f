import type { Home, Repositories } from '../db/repositories.ts'
import type { SiteIdentity, Snapshot } from '../domain/live-page.ts'
import type { Page } from '../domain/page.ts'
import { type Project, type PublicAddresses, siteOrigin } from '../domain/project.ts'
import type { Settings } from '../domain/settings.ts'
import { resolvedFields } from '../page-text/derive.ts'

/** The frozen copy of a page and its site as they are now. */
export async function snapshotOf(
  repositories: Repositories,
  page: Page,
  { project }: Home,
  addresses: PublicAddresses,
): Promise<Snapshot> {
  const { settings } = await repositories.settings.find(project.id)
  return snapshotWith(page, settings, siteIdentity(project, addresses))
}

/** The frozen copy of a page within a site that was read before. */
export function snapshotWith(page: Page, settings: Settings, site: SiteIdentity): Snapshot {
  return { page, fields: resolvedFields(page), settings, site }
}

export function siteIdentity(project: Project, addresses: PublicAddresses): SiteIdentity {
  return {
    projectId: project.id,
    name: project.name,
    origin: siteOrigin(project, addresses),
    hostingMode: project.hosting.mode,
    // Decided when the release is carried out.
    keyId: null,
    manifest: project.hosting.manifest,
  }
}
