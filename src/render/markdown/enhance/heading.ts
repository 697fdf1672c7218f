import { slug } from 'github-slugger'
import type { Element, ElementContent, Nodes, RootContent } from 'hast'
import { normalForm } from '../../../domain/normal-form.ts'
import { AUTHOR_ID_PREFIX } from '../schema.ts'
import { isTag } from './element.ts'
import { type EnhanceContext, label, prefixedId } from './enhance-context.ts'

/** Removes a first `h1` whose text equals the page's title. */
export function dropRepeatedTitle(
  nodes: readonly RootContent[],
  title: string | undefined,
): readonly RootContent[] {
  const first = nodes.findIndex(({ type }) => type === 'element')
  const heading = nodes[first]
  if (title === undefined || !isTag(heading, 'h1')) return nodes
  return sameText(textOf(heading), title) ? nodes.toSpliced(first, 1) : nodes
}

/** Gives a heading its id and a link to itself, and records it for the table of contents. */
export function enhanceHeading(heading: Element, context: EnhanceContext): readonly ElementContent[] {
  // The screen-reader label of the footnotes.
  if (Array.isArray(heading.properties['className']) && heading.properties['className'].includes('sr-only')) {
    heading.children = [{ type: 'text', value: label('footnotes', context) }]
    return [heading]
  }
  if (heading.children.length === 0) return []

  const demoted = heading.tagName === 'h1' && context.options.title !== undefined
  if (demoted) heading.tagName = 'h2'

  const depth = Math.min(6, Number(heading.tagName.slice(1)) + (context.options.headingShift ?? 0))
  heading.tagName = `h${depth}`
  const text = textOf(heading)
  const { id: given, dataHeadingId: named, ...others } = heading.properties
  const id = String(given ?? prefixedId(explicitId(named, context) ?? generatedId(text, context), context))
  context.headings.push({ depth, id, text })
  heading.properties = { id, ...others }
  if (context.options.pageUrl === undefined) heading.children = linkedToItself(heading.children, id)
  return [heading]
}

/**
 * Makes the text of a heading a link to it, whose address readers copy. A link after the text would be read out as a
 * part of the heading. Where authors wrote links or other controls, which a link cannot contain, it ends at the first
 * one or begins after it; a heading without other text has none.
 */
function linkedToItself(children: readonly ElementContent[], id: string): ElementContent[] {
  const start = children.findIndex((child) => !hasControls(child) && innerText(child).trim() !== '')
  if (start === -1) return [...children]
  const next = children.findIndex((child, index) => index > start && hasControls(child))
  const end = next === -1 ? children.length : next
  const link: Element = {
    type: 'element',
    tagName: 'a',
    properties: { className: ['anchor'], href: `#${id}` },
    children: children.slice(start, end),
  }
  return [...children.slice(0, start), link, ...children.slice(end)]
}

const CONTROLS: ReadonlySet<string> = new Set([
  'a',
  'audio',
  'button',
  'details',
  'iframe',
  'input',
  'label',
  'video',
])

function hasControls(node: Nodes): boolean {
  if (node.type !== 'element') return false
  return CONTROLS.has(node.tagName) || node.children.some(hasControls)
}

/** Returns the id that a heading sets itself; null when it sets none or the id is already taken. */
function explicitId(named: unknown, { explicitIds, usedIds, reserved }: EnhanceContext): string | null {
  if (typeof named !== 'string' || !explicitIds.has(named) || named.startsWith(AUTHOR_ID_PREFIX)) return null
  if (usedIds.has(named) || reserved.has(named)) return null
  usedIds.add(named)
  return named
}

function generatedId(text: string, { slugger, explicitIds, usedIds, reserved }: EnhanceContext): string {
  // Headings without letters, e.g. emoji alone, would get an empty slug. One ASCII letter rules that out.
  const name = /[a-z\d]/i.test(text) || slug(text) !== '' ? text : 'section'
  let id = slugger.slug(name)
  while (usedIds.has(id) || explicitIds.has(id) || reserved.has(id)) id = slugger.slug(name)
  usedIds.add(id)
  return id
}

/** Text of an element on one line. Images count as their alternative text, footnote references as nothing. */
function textOf(element: Element): string {
  return innerText(element).replace(/\s+/g, ' ').trim()
}

function innerText(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element' || node.properties['dataFootnoteRef'] !== undefined) return ''
  if (node.tagName === 'img') return String(node.properties['alt'] ?? '')
  if (node.tagName === 'math') return String(node.properties['alttext'])
  return node.children.map(innerText).join('')
}

function sameText(one: string, other: string): boolean {
  const plain = (text: string): string => normalForm(text).replace(/\s+/g, ' ').trim().toLowerCase()
  return plain(one) === plain(other)
}
