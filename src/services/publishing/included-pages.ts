import { createHash } from 'node:crypto'
import type { Repositories } from '../../db/repositories.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { IncludedPage } from '../../domain/live-page.ts'
import type { Page } from '../../domain/page.ts'
import { publicPath } from '../../domain/route.ts'
import type { Settings } from '../../domain/settings.ts'
import type { LiveDigests } from '../../domain/staleness.ts'
import { mayInclude } from '../../page-text/includes.ts'
import type { PublishedText } from '../../page-text/page-includes.ts'
import type { PageTexts } from './page-texts.ts'

/** Pages that a page includes, directly or through others. */
const MAX_PAGES = 200
/** UTF-16 code units of the stored pages that one page names. Reading them takes the main thread 10 ms per MiB. */
const MAX_READ = 8 * 2 ** 20

/** A page with its included texts, and the pages of these texts. */
export interface WithIncluded {
  readonly page: Page
  /** Pages of the included texts; absent for none. */
  readonly includes?: readonly IncludedPage[]
}

/**
 * The page with the texts of the pages that it includes, as they are published: a draft is part of no site. Their texts
 * hold what they include themselves.
 *
 * @param how.isStrict whether a line whose page cannot be included is an error. It stays text otherwise, as in a
 *   preview.
 * @throws {ServiceError} `validation_error` for such a line, and for more text than a page may include; as `texts`.
 */
export async function withIncludedPages(
  { pages, releases }: Pick<Repositories, 'pages' | 'releases'>,
  page: Page,
  { siteRoutes }: Pick<Settings, 'siteRoutes'>,
  { texts, isStrict }: { readonly texts: PageTexts; readonly isStrict: boolean },
): Promise<WithIncluded> {
  if (!mayInclude(page.markdown)) return { page }
  const path = publicPath(page, siteRoutes)
  const live = await pages.liveAt(page.projectId, await texts.paths(page, path))
  const digests = await pages.liveDigests([...live.values()])
  const sources: PublishedText[] = []
  let read = 0
  for (const [named, id] of live) {
    const published = await releases.liveText(id)
    const digest = digests.get(id)
    if (published === null || digest === undefined) continue
    read += published.size
    if (read > MAX_READ) throw tooMuch()
    const included = { id, path: named, digest: includedDigest(digest), includes: published.includes }
    sources.push({ page: included, markdown: published.markdown })
  }
  const { markdown, includes, fault } = await texts.whole(page, path, sources)
  // A line that names a file stays text, and its page is published with a warning.
  if (isStrict && fault !== null) {
    const message = `Line ${fault.line}: ${fault.message} (${fault.code})`
    throw fieldFailure('validation_error', [{ path: 'markdown_content', message, code: 'not_allowed' }])
  }
  if (isStrict && countOf(includes) > MAX_PAGES) {
    const message = `includes more than ${MAX_PAGES} pages, with those that they include.`
    throw fieldFailure('validation_error', [{ path: 'markdown_content', message, code: 'out_of_range' }])
  }
  return { page: { ...page, markdown }, ...(includes.length > 0 && { includes }) }
}

/** Identifies the text that a live page has to include. */
export function includedDigest({ content, includes }: Pick<LiveDigests, 'content' | 'includes'>): string {
  return createHash('sha256')
    .update(JSON.stringify([content, includes ?? null]))
    .digest('base64url')
}

function countOf(pages: readonly IncludedPage[]): number {
  return pages.reduce((sum, { includes }) => sum + 1 + countOf(includes), 0)
}

function tooMuch() {
  const message = `includes pages that have more than ${MAX_READ / 2 ** 20} MiB together. Include fewer or shorter ones.`
  return fieldFailure('validation_error', [{ path: 'markdown_content', message, code: 'out_of_range' }])
}
