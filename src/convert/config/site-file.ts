import { stringify } from 'yaml'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { humanise } from '../../page-text/humanise.ts'
import type { SourceSite } from '../conversion.ts'
import type { ResolveLink } from '../links/link-resolver.ts'
import { firstCharacters } from '../page/field-text.ts'
import type { DocsNav } from './site-nav.ts'

/** The most links that `nav_links`, the footer, and a group of the footer hold. */
const MAX_LINKS = 50
const MAX_SITE_NAME_LENGTH = 100
const MAX_META_DESCRIPTION_LENGTH = 160
const MAX_FOOTER_TEXT_LENGTH = 2_000
const MAX_COPYRIGHT_LENGTH = 500

/** `site.yaml` of the new folder, and what of its lists and texts is left out. */
export function writeSiteFile(
  { fields }: Pick<SourceSite, 'fields'>,
  name: string,
  docsNav: DocsNav,
  resolve: (...link: Parameters<ResolveLink>) => string | null,
): { readonly text: string; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const lacks = (field: string, count: number, reason: string) => {
    if (count <= 0) return
    const subject = count === 1 ? '1 entry' : `${count} entries`
    report(field, `\`${field}\` lacks ${subject} of the source site: ${reason}.`)
  }
  lacks('docs_nav', docsNav.leftOut, 'it holds 2,000 entries on 8 levels')
  lacks('docs_nav', docsNav.others, 'it holds docs pages, and these lead elsewhere')
  const written: JsonObject = {
    name: humanise(name),
    ...changed(aroundPages(fields, ''), {
      by_locale: (value) =>
        isJsonObject(value)
          ? Object.fromEntries(
              Object.entries(value).map(([code, own]) => [
                code,
                isJsonObject(own) ? aroundPages(own, `by_locale.${code}.`) : own,
              ]),
            )
          : value,
    }),
    ...(docsNav.entries.length > 0 && { docs_nav: docsNav.entries }),
  }
  return { text: stringify(written), diagnostics }

  /** Shortens the fields around pages, of the site or of a language. */
  function aroundPages(given: JsonObject, prefix: string): JsonObject {
    return changed(given, {
      site_name: (value) => textOf(`${prefix}site_name`, value, MAX_SITE_NAME_LENGTH),
      meta_description: (value) => textOf(`${prefix}meta_description`, value, MAX_META_DESCRIPTION_LENGTH),
      footer_text: (value) => textOf(`${prefix}footer_text`, value, MAX_FOOTER_TEXT_LENGTH),
      nav_links: (value) => linksOf(`${prefix}nav_links`, value),
      shared_footer: (value) =>
        isJsonObject(value)
          ? changed(value, {
              links: (links) => linksOf(`${prefix}shared_footer.links`, links),
              copyright: (text) => textOf(`${prefix}shared_footer.copyright`, text, MAX_COPYRIGHT_LENGTH),
            })
          : value,
    })
  }

  function report(field: string, message: string): void {
    diagnostics.push(diagnostic('QN-PARTLY-CONVERTED', 'site.yaml', message, { field }))
  }

  function textOf(field: string, value: JsonValue, maxLength: number): JsonValue {
    if (typeof value !== 'string') return value
    const shown = firstCharacters(value, maxLength)
    if (shown !== value) report(field, `\`${field}\` is cut after ${maxLength} characters.`)
    return shown
  }

  /** Links, and groups of links. */
  function linksOf(field: string, value: JsonValue): JsonValue {
    if (!Array.isArray(value)) return value
    lacks(field, value.length - MAX_LINKS, `it holds ${MAX_LINKS} links`)
    return value.slice(0, MAX_LINKS).map((link, index) => {
      if (!isJsonObject(link)) return link
      return changed(link, {
        href: (href) =>
          typeof href === 'string' ? (resolve(href, '', { route: '', type: 'page' }) ?? href) : href,
        links: (links) => linksOf(`${field}[${index}].links`, links),
      })
    })
  }
}

/** The object with some of its values changed, where it has them. */
function changed(
  given: JsonObject,
  changes: Readonly<Record<string, (value: JsonValue) => JsonValue>>,
): JsonObject {
  const values = Object.entries(changes).flatMap(([name, change]) => {
    const value = given[name]
    return value === undefined ? [] : [[name, change(value)] as const]
  })
  return { ...given, ...Object.fromEntries(values) }
}
