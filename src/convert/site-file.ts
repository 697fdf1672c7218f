import { stringify } from 'yaml'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { humanise } from '../page-text/humanise.ts'
import type { SourceSite } from './conversion.ts'
import type { ResolveLink } from './link-resolver.ts'
import type { DocsNav } from './site-nav.ts'

/** The most links that `nav_links`, and a group of the footer, hold. */
const MAX_LINKS = 50

/** `site.yaml` of the new folder, and what of its lists is left out. */
export function writeSiteFile(
  { fields }: SourceSite,
  name: string,
  docsNav: DocsNav,
  resolve: ResolveLink,
): { readonly text: string; readonly diagnostics: readonly Diagnostic[] } {
  const given = Array.isArray(fields['nav_links']) ? fields['nav_links'] : null
  const written: JsonObject = {
    name: humanise(name),
    ...fields,
    ...(given !== null && {
      nav_links: given.slice(0, MAX_LINKS).map((link) => resolvedLink(link, resolve)),
    }),
    ...(docsNav.entries.length > 0 && { docs_nav: docsNav.entries }),
  }
  return {
    text: stringify(written),
    diagnostics: [
      ...leftOut('nav_links', (given ?? []).slice(MAX_LINKS).length, 'it holds 50 links'),
      ...leftOut('docs_nav', docsNav.leftOut, 'it holds 2,000 entries on 8 levels'),
    ],
  }
}

function leftOut(field: string, count: number, reason: string): readonly Diagnostic[] {
  if (count === 0) return []
  const subject = count === 1 ? '1 entry' : `${count} entries`
  const message = `\`${field}\` lacks ${subject} of the source site: ${reason}.`
  return [diagnostic('QN-PARTLY-CONVERTED', 'site.yaml', message, { field })]
}

function resolvedLink(link: JsonValue, resolve: ResolveLink): JsonValue {
  if (!isJsonObject(link) || typeof link['href'] !== 'string') return link
  return { ...link, href: resolve(link['href'], '', { route: '', type: 'page' }) ?? link['href'] }
}
