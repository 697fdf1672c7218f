import type { SiteIdentity, Snapshot } from '../domain/live-page.ts'
import type { MediaSource } from '../domain/media.ts'
import type { Page } from '../domain/page.ts'
import type { Settings } from '../domain/settings.ts'
import { withSiteAuthor } from '../domain/site-author.ts'
import { resolvedFields } from './derive.ts'
import { withVariables } from './page-variables.ts'

/** The frozen copy of a page and its site that a release publishes, with the values of variables. */
export function snapshotOf(
  written: Page,
  settings: Settings,
  site: SiteIdentity,
  media?: MediaSource,
): Snapshot {
  const page = withVariables(written, settings.variables)
  const fields = withSiteAuthor(resolvedFields(page), settings.data)
  return { page, fields, settings, site, ...(media !== undefined && { media }) }
}
