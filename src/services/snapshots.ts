import type { Home, Repositories } from '../db/repositories.ts'
import type { SiteIdentity, Snapshot } from '../domain/live-page.ts'
import type { Page } from '../domain/page.ts'
import { type Project, type PublicAddresses, siteOrigin } from '../domain/project.ts'
import { snapshotOf } from '../page-text/snapshot.ts'

/** The snapshot of a page with its project's current settings. */
export async function readSnapshot(
  repositories: Repositories,
  page: Page,
  { project }: Home,
  addresses: PublicAddresses,
): Promise<Snapshot> {
  const { settings } = await repositories.settings.find(project.id)
  return snapshotOf(page, settings, siteOfProject(project, addresses))
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
