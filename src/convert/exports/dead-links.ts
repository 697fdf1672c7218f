import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { entryDiagnostic } from './convert-entry.ts'
import { foldedPath } from './entry-routes.ts'
import type { EntryOutline, ExportedEntry, ExportedSite } from './exported-site.ts'
import type { SiteLinks } from './site-links.ts'

/** The first entry with a link. */
type Place = Pick<ExportedEntry, 'address' | 'line'>

/** Links that a report names. All are counted. */
const MAX_NAMED = 1_000
/** An address that WordPress looks up. Without what it names it shows the front page. */
const NUMBERED = /^\/\?(?:.*&)?(?:p|page_id|attachment_id|cat|author)=\d/
const ELSEWHERE = 'it was dead on the source site, or leads to something that exports do not have'

/**
 * Collects the links of entries to their own site that lead to no page of it.
 *
 * @param isPage reports whether a path of the new site is a page.
 */
export function createDeadLinks(
  { file, outlines }: Pick<ExportedSite, 'file' | 'outlines'>,
  links: SiteLinks,
  isPage: (path: string) => boolean,
) {
  const unknown = new Map<string, Place>()
  return {
    /** The links of the site as an entry has them, which are noted. */
    linksOf(entry: ExportedEntry): SiteLinks {
      let ids: ReadonlySet<string> | null = null
      return {
        ...links,
        addressOf(written, kind) {
          const to = links.addressOf(written, kind)
          if (to === null || kind === 'file' || unknown.has(to)) return to
          if (to.startsWith('#')) {
            ids ??= idsIn(entry)
            if (to.length > 1 && !ids.has(to.slice(1))) unknown.set(to, entry)
          } else if (/^\/(?!\/)/.test(to) && (NUMBERED.test(to) || !isPage(pathOf(to))))
            unknown.set(to, entry)
          return to
        },
      }
    },

    /** @param isKnown reports whether a list, a redirect or a file of the new site is at a path. */
    diagnostics(isKnown: (path: string) => boolean): readonly Diagnostic[] {
      const drafts = draftsIn(outlines)
      const dead = [...unknown].filter(
        ([to]) => to.startsWith('#') || NUMBERED.test(to) || !isKnown(pathOf(to)),
      )
      const named = dead
        .slice(0, MAX_NAMED)
        .map(([to, place]) => entryDiagnostic(file, place, 'QN-DEADLINK', messageOf(to, drafts)))
      if (dead.length <= MAX_NAMED) return named
      return [
        ...named,
        diagnostic('QN-DEADLINK', file, `${dead.length - MAX_NAMED} more links lead to nothing.`),
      ]
    },
  }
}

function pathOf(address: string): string {
  return address.replace(/[?#].*$/s, '')
}

function draftsIn(outlines: readonly EntryOutline[]): ReadonlySet<string> {
  return new Set(
    outlines.flatMap(({ address, hidden }) => (hidden === undefined ? [] : [foldedPath(address)])),
  )
}

function messageOf(to: string, drafts: ReadonlySet<string>): string {
  if (to.startsWith('#')) return `The link to ${to} leads to no part of the text: ${ELSEWHERE}.`
  return drafts.has(foldedPath(pathOf(to)))
    ? `The link to ${to} leads to a page that is a draft.`
    : `The link to ${to} leads to no page of the export: ${ELSEWHERE}.`
}

/** Names that links lead to within an entry. */
function idsIn({ html, footnotes }: ExportedEntry): ReadonlySet<string> {
  const written = [...html.matchAll(/\b(?:id|name)\s*=\s*["']?([^\s"'<>=]+)/gi)].map(([, id = '']) => id)
  return new Set([...written, ...(footnotes?.keys() ?? [])])
}
