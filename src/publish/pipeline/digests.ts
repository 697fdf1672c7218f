import { hash } from 'node:crypto'
import type {
  Collections,
  DocsContext,
  NavNode,
  Neighbours,
  PageContext,
  SiteIdentity,
} from '../../domain/live-page.ts'
import { localesOf } from '../../domain/locale.ts'
import type { MediaSource } from '../../domain/media.ts'
import type { Settings } from '../../domain/settings.ts'
import { versionsOf } from '../../domain/version.ts'

/** Settings digests; thousands of pages share one settings object. */
const settingsDigests = new WeakMap<Settings, { readonly name: string; readonly digest: string }>()

/**
 * Digest of the settings that a page shows. Theme and navigation have digests, and stale reasons, of their own.
 */
export function settingsDigest(settings: Settings, { name }: SiteIdentity): string {
  const last = settingsDigests.get(settings)
  if (last?.name === name) return last.digest
  const {
    theme: _,
    docsNav: __,
    // No page shows it.
    mcp: ___,
    branding,
    siteRoutes,
    data,
    socialCards,
    locales,
    versions,
    variables = {},
    visits,
    logoDarkUrl = null,
    ...rest
  } = settings
  // Without these the digest is that of pages which were published before sites had any.
  const ownData = Object.keys(data).length === 0 ? [] : [sortedByKey(data)]
  const ownVariables = Object.keys(variables).length === 0 ? [] : [{ variables: sortedByKey(variables) }]
  const counted = visits === 'count' ? [{ visits }] : []
  const logos = logoDarkUrl === null ? [] : [{ logoDarkUrl }]
  const cards = socialCards === 'none' ? [] : [socialCards]
  const languages = localesOf({ locales }).length === 0 ? [] : [{ locales }]
  const versioned = versionsOf({ versions }).length === 0 ? [] : [{ versions }]
  const fresh = digest([
    name,
    rest,
    sortedByKey(branding),
    sortedByKey(siteRoutes),
    ...ownData,
    ...cards,
    ...languages,
    ...versioned,
    ...ownVariables,
    ...counted,
    ...logos,
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

/** Digest of the same page in other languages and versions; none if there are none. */
export function translationsDigest({
  translations = [],
  switchPaths = [],
}: Pick<PageContext, 'translations' | 'switchPaths'>): { readonly translations?: string } {
  if (translations.length + switchPaths.length === 0) return {}
  return { translations: digest([translations, switchPaths]) }
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
