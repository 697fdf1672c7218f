import type { DiagnosticCode } from '../../domain/diagnostic-codes.ts'
import type { SourceFiles, UnreadRedirect } from '../conversion.ts'
import type { Conversion } from '../convert-site.ts'
import { type NewSite, plainAddress, readNewSite } from './new-site.ts'
import { PUBLISHED_KINDS, type Published, type PublishedKind, publishedBy } from './published.ts'

/** The outcome for one kind of published content. */
export interface Account {
  readonly kind: PublishedKind
  readonly total: number
  /** The number of items in another form, by a description of the form. */
  readonly changed: ReadonlyMap<string, number>
  readonly lost: readonly Published[]
}

export type Fate = 'kept' | 'lost' | { readonly changed: string }

export const REDIRECT: Fate = { changed: 'by a redirect' }
/** Diagnostics that report a line of a page as missing in the new page. */
const LEFT_OUT: ReadonlySet<DiagnosticCode> = new Set(['QN-NOT-CONVERTED', 'QN-SOURCE-UNREADABLE'])

/**
 * Follows each thing that the source site publishes into the new folder. Empty kinds are left out.
 *
 * @param textOf reads a file of the new folder. Null when there is none.
 * @param hasFile whether the new folder has a file.
 */
export function accountsOf(
  files: SourceFiles,
  conversion: Conversion,
  textOf: (path: string) => string | null,
  hasFile: (path: string) => boolean,
): readonly Account[] {
  const site = readNewSite(
    [...conversion.texts.keys()].filter((path) => path.endsWith('.md')),
    textOf,
  )
  const copies = new Map([...conversion.copies].map(([at, path]) => [path, at]))
  const leftOut = new Set(
    conversion.diagnostics
      .filter(({ code, line }) => LEFT_OUT.has(code) && line !== null)
      .map(({ file, line }) => `${file}:${line}`),
  )
  const unread = new Set((conversion.source.unreadRedirects ?? []).map(placed))
  const texts = new Map<string, string>()
  const newText = (file: string) => {
    const known = texts.get(file) ?? textOf(conversion.pages.get(file) ?? '') ?? ''
    return texts.set(file, known).get(file) ?? ''
  }
  const fates: Record<PublishedKind, (each: Published) => Fate> = {
    // Only exports count headings: their pages are compared one by one.
    Headings: () => 'kept',
    Addresses: ({ name }) => addressFate(name, site),
    'Front page': ({ name }) => addressFate(name, site),
    Feeds: ({ name }) => addressFate(name, site),
    'Lists of terms': ({ name }) => addressFate(name, site),
    'Other lists': ({ name }) => addressFate(name, site),
    Redirects: (each) =>
      unread.has(placed({ ...each, from: each.name })) ||
      addressFate(`/${each.name.replace(/^\//, '')}`, site) === 'lost'
        ? 'lost'
        : 'kept',
    'Menu entries': ({ name }) => (site.labels.has(name) ? 'kept' : 'lost'),
    Languages: ({ name }) => (languageIn(site, name) ? 'kept' : 'lost'),
    Fields: ({ file, name }) => conversion.fieldFates.get(file)?.get(name) ?? 'kept',
    Includes: ({ file, line, name }) =>
      leftOut.has(`${file}:${line}`) || newText(file).includes(name) ? 'lost' : 'kept',
    Files: ({ file }) => {
      const copy = copies.get(file)
      return copy !== undefined && hasFile(copy) ? 'kept' : 'lost'
    },
  }
  const all = publishedBy(files, conversion)
  return PUBLISHED_KINDS.flatMap((kind): Account[] => {
    const own = all.filter((each) => each.kind === kind)
    return own.length === 0 ? [] : [accountOf(kind, own, fates[kind])]
  })
}

/** Counts the fates of all items of one kind. */
export function accountOf(
  kind: PublishedKind,
  all: readonly Published[],
  fateOf: (each: Published) => Fate,
): Account {
  const changed = new Map<string, number>()
  const lost: Published[] = []
  for (const each of all) {
    const fate = fateOf(each)
    if (fate === 'lost') lost.push(each)
    else if (fate !== 'kept') changed.set(fate.changed, (changed.get(fate.changed) ?? 0) + 1)
  }
  return { kind, total: all.length, changed, lost }
}

function addressFate(name: string, { addresses, redirects }: NewSite): Fate {
  const address = plainAddress(name)
  return addresses.has(address) ? 'kept' : redirects.has(address) ? REDIRECT : 'lost'
}

/** A language without a region is that with one, such as `en` and `en-us`. */
function languageIn({ languages }: NewSite, name: string): boolean {
  const base = (code: string) => code.replace(/[-_].*$/, '')
  return languages.has(name.replace('_', '-')) || [...languages].some((code) => base(code) === base(name))
}

/** A redirect as one text: two of one path may have other conditions. */
function placed({ from, file, line }: UnreadRedirect): string {
  return `${file}:${line}: ${from}`
}
