import type { Site } from '../content-folder/site.ts'
import { isJsonObject, type JsonValue } from '../domain/json.ts'
import { parseUrl } from '../domain/parse-url.ts'
import { withoutReferences } from '../page-text/character-references.ts'
import { mapProse } from '../page-text/map-prose.ts'

/** An address of another site, and the files that link to it. */
export interface ForeignLink {
  /** Without its fragment. */
  readonly url: string
  readonly places: readonly LinkPlace[]
}

export interface LinkPlace {
  readonly file: string
  /** The address as it is written. */
  readonly written: string
}

const ADDRESS = /https?:\/\/[^\s<>"`\]|\\]+/gi
/** Punctuation after an address in a sentence. */
const TRAILING = /(?<![.,;:!?*_~'])[.,;:!?*_~']+$/
/** Names that are reserved for documentation and tests (RFC 2606, RFC 6761), and this machine. */
const RESERVED = /(^|\.)(example\.(com|net|org)|example|test|invalid|localhost|local|internal)$/i

/**
 * The addresses that the pages, the settings and the redirects of a site lead to, in the order of their first file. Code
 * is left out.
 */
export function foreignLinks(
  { pages, settings, origin, redirects = [] }: Site,
  settingsFile: string,
  redirectsFile: string,
): readonly ForeignLink[] {
  const shown = pages.filter(({ draft }) => !draft)
  const sources = shown.map(
    ({ source, generatedFrom, markdown, config, ogImageUrl, ownFields }): LinkSource => ({
      name: generatedFrom ?? source,
      markdown,
      values: [config, ogImageUrl ?? null, ownFields.author?.url ?? null],
    }),
  )
  const targets = redirects.flatMap(({ to }) => (to.kind === 'url' ? [to.url] : []))
  const all = [
    ...sources,
    { name: settingsFile, markdown: '', values: [settings as JsonValue] },
    { name: redirectsFile, markdown: '', values: targets },
  ]
  return linksIn(all, origin)
}

/** A text and values that may hold addresses. */
export interface LinkSource {
  /** The name in results. */
  readonly name: string
  readonly markdown: string
  readonly values: readonly JsonValue[]
}

/** @param front the URL of the front page of the site itself, whose addresses are left out; null if it is not known. */
export function linksIn(sources: readonly LinkSource[], front: string | null): readonly ForeignLink[] {
  const found = new Map<string, LinkPlace[]>()
  const own = front === null ? null : parseUrl(front)
  for (const { name: file, markdown, values } of sources) {
    mapProse(markdown, (prose) => {
      for (const { 0: written, index } of prose.matchAll(ADDRESS))
        add(file, withoutRest(prose[index - 1] === "'" ? (written.split("'")[0] ?? '') : written))
      return prose
    })
    for (const written of urlsIn(values)) add(file, written)
  }
  return [...found].map(([url, places]) => ({ url, places }))

  /** Another site may be on the same host, next to the folder of this one. */
  function isOwn({ host, pathname }: URL): boolean {
    return own?.host === host && `${pathname}/`.startsWith(`${own.pathname.replace(/\/$/, '')}/`)
  }

  function add(file: string, written: string): void {
    const url = parseUrl(withoutReferences(written))
    if (url === null || RESERVED.test(url.hostname) || isOwn(url) || /[{}]/.test(decodedText(written))) return
    url.hash = ''
    const places = found.get(url.href) ?? []
    found.set(url.href, places)
    if (!places.some((place) => place.file === file)) places.push({ file, written })
  }
}

/** A template such as `https://api.test/{id}` is no address. */
function decodedText(written: string): string {
  return written.replace(/%7b/gi, '{').replace(/%7d/gi, '}')
}

/** Without what follows an address in Markdown: punctuation, and brackets that were opened before it. */
function withoutRest(written: string): string {
  const text = written.replace(TRAILING, '')
  const count = (sign: string) => text.split(sign).length - 1
  if (!text.includes(')') || count('(') >= count(')')) return text
  let open = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '(') open += 1
    if (sign === ')' && open === 0) return withoutRest(text.slice(0, at))
    if (sign === ')') open -= 1
  }
  return text
}

function urlsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return /^https?:\/\/\S+$/i.test(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(urlsIn)
  if (!isJsonObject(value)) return []
  // The link to the file of a page is the same for all of them.
  return Object.entries(value).flatMap(([name, inner]) => (name === 'edit_url' ? [] : urlsIn(inner)))
}
