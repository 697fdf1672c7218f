import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../domain/json.ts'
import type {
  Collections,
  DocsContext,
  NavNode,
  Neighbours,
  PageContext,
  SiteIdentity,
} from '../../domain/live-page.ts'
import type { MediaSource } from '../../domain/media.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../domain/settings.ts'

/** Settings digests; thousands of pages share one settings object. */
const settingsDigests = new WeakMap<Settings, { readonly name: string; readonly digest: string }>()

/** Settings not shown by pages, or with a digest and a stale reason of their own. */
const ELSEWHERE: readonly string[] = [
  'theme',
  'docsNav',
  'mcp',
  'mediaRefresh',
] satisfies readonly (keyof Settings)[]

/** Digest of the settings of a page. A default counts as absent, so that a new setting makes no page stale. */
export function settingsDigest(settings: Settings, { name }: SiteIdentity): string {
  const last = settingsDigests.get(settings)
  if (last?.name === name) return last.digest
  const shown = sortedByKey(settings).filter(
    ([key, value]) =>
      value !== undefined &&
      !ELSEWHERE.includes(key) &&
      !isDeepStrictEqual(value, DEFAULT_SETTINGS[key as keyof Settings]),
  )
  const fresh = digest([
    name,
    shown.map(([key, value]) => [key, isJsonObject(value) ? sortedByKey(value) : value]),
  ])
  settingsDigests.set(settings, { name, digest: fresh })
  return fresh
}

/** Hosting digests; the pages of a batch share one site object. */
const hostingDigests = new WeakMap<SiteIdentity, string>()

/** Digest of the site's address and mode. */
export function hostingDigest(site: SiteIdentity): string {
  const known = hostingDigests.get(site)
  if (known !== undefined) return known
  const fresh = digest([site.origin, site.hostingMode])
  hostingDigests.set(site, fresh)
  return fresh
}

/** Digest of `JSON.stringify(docs)`. */
export function navDigest(docs: DocsContext | null): string | null {
  return docs === null ? null : digestOf(withInside({ ...docs, branch: [] }, 'branch', docs.branch))
}

/** JSON of leaf nodes. Siblings show each other, so most nodes occur in the navigation of many pages. */
const leafTexts = new WeakMap<NavNode, string>()

function nodeText(node: NavNode): string {
  if (node.children.length > 0) return withInside({ ...node, children: [] }, 'children', node.children)
  const known = leafTexts.get(node)
  if (known !== undefined) return known
  const text = JSON.stringify(node)
  leafTexts.set(node, text)
  return text
}

/** @param outer an object with an empty array in place of the nodes. JSON escapes quotes, so the pattern matches only that array. */
function withInside(outer: object, name: string, nodes: readonly NavNode[]): string {
  return JSON.stringify(outer).replace(`"${name}":[]`, () => `"${name}":[${nodes.map(nodeText).join()}]`)
}

export function collectionDigest(collections: Collections): string {
  return digest([...collections])
}

export function mediaDigest(media: MediaSource): string {
  return digest(sortedByKey(media))
}

export function neighboursDigest(neighbours: Neighbours | null): string | null {
  return neighbours === null ? null : digest(neighbours)
}

/** Digest of the same page in other languages and versions, and of where the links around it lead; none if there are none. */
export function translationsDigest({
  translations = [],
  switchPaths = [],
  surroundings,
}: Pick<PageContext, 'translations' | 'switchPaths' | 'surroundings'>): { readonly translations?: string } {
  if (translations.length + switchPaths.length === 0 && surroundings === undefined) return {}
  const around = surroundings === undefined ? [] : [surroundings]
  return { translations: digest([translations, switchPaths, ...around]) }
}

/** Settings are merged key by key, so the order of their keys depends on the history of edits. */
function sortedByKey(object: object): readonly (readonly [string, unknown])[] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
}

function digest(value: unknown): string {
  return digestOf(JSON.stringify(value))
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url')
}
