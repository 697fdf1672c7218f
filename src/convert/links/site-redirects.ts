import { stringify } from 'yaml'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { readRedirectPath } from '../../domain/redirect-path.ts'
import { MAX_SITE_REDIRECTS } from '../../domain/site-redirect.ts'
import { foldedAddress } from '../../domain/slug.ts'
import type { SourceSite } from '../conversion.ts'
import { type ListedArticle, listedAddresses } from './listed-addresses.ts'

/** Redirects of a site that lead to no page, as `redirects.yaml` has them. */
export interface SiteRedirects {
  readonly lines: ReadonlyMap<string, string>
  readonly diagnostics: readonly Diagnostic[]
}

/** Addresses that one diagnostic names. */
const NAMED = 5
const REDIRECTS_FILE = 'redirects.yaml'

/**
 * Redirects the paths of the configuration, and the feeds and lists of the source site to the ones of the new site with
 * the same articles.
 *
 * @param stated the targets of the configured paths that lead to no page of the new site, by path.
 * @param articles of the new site, without drafts.
 * @param taken paths that pages, files and redirects of the new site have.
 */
export function siteRedirects(
  site: Pick<SourceSite, 'lists' | 'fields'>,
  stated: ReadonlyMap<string, string>,
  articles: readonly ListedArticle[],
  taken: ReadonlySet<string>,
): SiteRedirects {
  const lines = new Map<string, string>()
  const lost: string[] = []
  const reserved: string[] = []
  const inUse: string[] = []
  const spread: string[] = []
  const used = new Set([...taken].map(foldedAddress))
  const lead = (from: string, to: string | null) => {
    const path = readRedirectPath(from)
    if (path !== null && foldedAddress(path) === to) return
    if (path === null) return void reserved.push(from)
    if (used.has(foldedAddress(path))) return void (stated.has(from) && inUse.push(from))
    if (to === null || lines.size === MAX_SITE_REDIRECTS) return void lost.push(from)
    used.add(foldedAddress(path))
    lines.set(from.replace(/(?<=.)\/$/, ''), to)
  }
  for (const [from, to] of stated) lead(from, to)
  for (const { from, to, isSpread } of listedAddresses(site, articles)) {
    if (isSpread) spread.push(from)
    lead(from, to)
  }
  return {
    lines,
    diagnostics: [
      ...report('QN-UNUSED-REDIRECT', lost, 'no feed or list of the new site has the same articles'),
      ...report('QN-UNUSED-REDIRECT', inUse, 'another page or file has this path'),
      ...report(
        'QN-UNUSED-REDIRECT',
        reserved,
        'Quoin writes files of this name itself, or the path is not valid',
      ),
      ...report(
        'QN-PARTLY-CONVERTED',
        spread,
        'each blog has a list of its own, and the redirect leads to that with most articles',
      ),
    ],
  }
}

/** The text of `redirects.yaml`. */
export function redirectsFile(lines: ReadonlyMap<string, string>): string {
  return stringify(Object.fromEntries(lines), { lineWidth: 0 })
}

function report(
  code: 'QN-UNUSED-REDIRECT' | 'QN-PARTLY-CONVERTED',
  paths: readonly string[],
  reason: string,
): readonly Diagnostic[] {
  if (paths.length === 0) return []
  const others = paths.length > NAMED ? ` and ${paths.length - NAMED} others` : ''
  const named = paths.slice(0, NAMED).join(', ')
  return [diagnostic(code, REDIRECTS_FILE, `${named}${others}: ${reason}.`)]
}
