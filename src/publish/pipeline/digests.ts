import { hash } from 'node:crypto'
import type { Collections, DocsContext, NavNode, SiteIdentity } from '../../domain/live-page.ts'
import type { Settings } from '../../domain/settings.ts'

/** What was made last of settings: thousands of pages have the same. */
const made = new WeakMap<Settings, { readonly name: string; readonly digest: string }>()

/** Of what a page shows of its project, but for the theme and the navigation, which have reasons of their own. */
export function settingsDigest(settings: Settings, { name }: SiteIdentity): string {
  const last = made.get(settings)
  if (last?.name === name) return last.digest
  const { theme: _, docsNav: __, branding, siteRoutes, ...rest } = settings
  const fresh = digest([name, rest, sortedByKey(branding), sortedByKey(siteRoutes)])
  made.set(settings, { name, digest: fresh })
  return fresh
}

/** All pages that are published together are of the same site. */
const hostingDigests = new WeakMap<SiteIdentity, string>()

/** Of where the site is found. */
export function hostingDigest(site: SiteIdentity): string {
  const known = hostingDigests.get(site)
  if (known !== undefined) return known
  const fresh = digest([site.origin, site.hostingMode])
  hostingDigests.set(site, fresh)
  return fresh
}

/** Of `JSON.stringify(docs)`. */
export function navDigest(docs: DocsContext | null): string | null {
  return docs === null ? null : digestOf(withInside({ ...docs, branch: [] }, 'branch', docs.branch))
}

/** Siblings show each other, so that most nodes stand in the navigation of many pages. */
const leafTexts = new WeakMap<NavNode, string>()

function nodeText(node: NavNode): string {
  if (node.children.length > 0) return withInside({ ...node, children: [] }, 'children', node.children)
  const known = leafTexts.get(node)
  if (known !== undefined) return known
  const text = JSON.stringify(node)
  leafTexts.set(node, text)
  return text
}

/** @param outer with an empty list where the nodes are; no text in it has quotes of its own. */
function withInside(outer: object, name: string, nodes: readonly NavNode[]): string {
  return JSON.stringify(outer).replace(`"${name}":[]`, () => `"${name}":[${nodes.map(nodeText).join()}]`)
}

export function collectionDigest(collections: Collections): string {
  return digest([...collections])
}

/** Merging key by key leaves the keys in the order they were last added in. */
function sortedByKey(object: object): readonly (readonly [string, unknown])[] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
}

function digest(value: unknown): string {
  return digestOf(JSON.stringify(value))
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url')
}
