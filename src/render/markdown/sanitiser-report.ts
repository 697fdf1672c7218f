import type { Element, Nodes, Root } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { AUTHOR_CLASS } from './author-classes.ts'
import { MAX_DIAGNOSTICS, type MarkdownDiagnostic } from './markdown-diagnostic.ts'
import { isAllowedTag, isStrippedTag, SCHEMAS } from './schema.ts'
import { hasSafeScheme } from './urls.ts'
import { walk } from './walk.ts'

/**
 * Everything the sanitiser removes from a page, in document order. Does not list the content of removed elements.
 */
export interface SanitiserReport {
  /** URLs of links and media with unsafe schemes. */
  readonly droppedUrls: readonly string[]
  /** Elements and attributes that pages may not contain. */
  readonly diagnostics: readonly MarkdownDiagnostic[]
}

/** Properties with a URL, and how the URL is used. */
const URLS = { href: 'link', src: 'image', poster: 'image' } as const

/** Attributes without an effect on a rendered page: nothing is lost without them. */
const WITHOUT_EFFECT =
  /^(?:data[A-Z]|aria|xmlns)|^(?:class|className|crossOrigin|decoding|fetchPriority|loading|referrerPolicy|rel|role|tabIndex|target)$/

export function reportRemovals(unsafe: Root): SanitiserReport {
  const droppedUrls: string[] = []
  const diagnostics: MarkdownDiagnostic[] = []
  for (const node of walk(unsafe, keepsContent)) {
    if (node.type !== 'element') continue
    const isAllowed = isAllowedTag(node.tagName)
    const urls = isAllowed ? unsafeUrls(node) : NO_URLS
    droppedUrls.push(...urls)
    if (diagnostics.length >= MAX_DIAGNOSTICS) continue
    const found = isAllowed ? removedAttributes(node, new Set(urls)) : [removedElement(node.tagName)]
    diagnostics.push(...found.slice(0, MAX_DIAGNOSTICS - diagnostics.length))
  }
  return { droppedUrls, diagnostics }
}

const NO_URLS: readonly string[] = []

function unsafeUrls({ properties }: Element): readonly string[] {
  return Object.entries(URLS).flatMap(([name, kind]) => {
    const url = properties[name]
    return typeof url === 'string' && !hasSafeScheme(url, kind) ? [url] : []
  })
}

function removedElement(tagName: string): MarkdownDiagnostic {
  const written = `<${tagName.slice(0, 100)}`
  const fate = isStrippedTag(tagName) ? 'was removed with its content' : 'was removed; its content was kept'
  return { code: 'QN-DROPPED-HTML', excerpt: written, message: `The HTML element ${written}> ${fate}.` }
}

/** @param reported URLs that are reported as such. */
function removedAttributes(node: Element, reported: ReadonlySet<string>): readonly MarkdownDiagnostic[] {
  if (Object.keys(node.properties).length === 0) return []
  // The sanitiser itself decides, so that the report matches it.
  const safe = sanitize({ ...node, children: [] }, ONE_ELEMENT)
  const kept = safe.type === 'element' ? safe.properties : {}
  const keptClasses = new Set(classesOf({ properties: kept }))
  return [
    ...Object.entries(node.properties).flatMap(([name, value]) => {
      const isLost = value !== null && value !== undefined && value !== false && kept[name] === undefined
      if (!isLost || WITHOUT_EFFECT.test(name) || reported.has(String(value))) return []
      return [removedAttribute(node.tagName, name, String(value))]
    }),
    ...classesOf(node).flatMap((name) => (keptClasses.has(name) ? [] : [removedClass(node.tagName, name)])),
  ]
}

/** The rules for an element by itself, without those about the elements around it. */
const ONE_ELEMENT = { ...SCHEMAS.block, ancestors: {} }

function classesOf({ properties }: Pick<Element, 'properties'>): readonly string[] {
  const { className } = properties
  return Array.isArray(className) ? className.map(String) : []
}

function removedAttribute(tagName: string, property: string, value: string): MarkdownDiagnostic {
  const name = property.toLowerCase().slice(0, 50)
  const message = `The attribute ${name} of <${tagName}> was removed.`
  return { code: 'QN-DROPPED-HTML', excerpt: value.trim() === '' ? name : value.slice(0, 100), message }
}

function removedClass(tagName: string, name: string): MarkdownDiagnostic {
  const shown = JSON.stringify(name.slice(0, 100))
  const reason = AUTHOR_CLASS.test(name) ? '' : ': it is not a name that texts may use'
  const message = `The class ${shown} of <${tagName}> was removed${reason}.`
  return { code: 'QN-DROPPED-HTML', excerpt: name.slice(0, 100), message }
}

/** False for elements that are removed together with their content. */
function keepsContent(node: Nodes): boolean {
  return node.type !== 'element' || !isStrippedTag(node.tagName)
}
