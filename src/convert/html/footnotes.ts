import type { Element, ElementContent, Root, RootContent } from 'hast'
import { attribute, element, isElement, isVisible, lineOf, outermost } from './elements.ts'
import { parseHtml } from './parse-html.ts'

/*
 * Footnotes: a link to an element below that links back. The elements become the notes, and the list that held them goes.
 * `q-note-mark` is the number in the text, `q-note` the text of a note.
 */

const MAX_NOTES = 1_000

/** @param given texts of notes that are stored next to the page, as HTML, by the ids that the page refers to. */
export function withFootnotes(tree: Root, given: ReadonlyMap<string, string>): Root {
  const marks = outermost(tree, isMark)
  if (marks.length === 0) return tree
  const byId = new Map(outermost(tree, (each) => isElement(each, 'li', 'p', 'div', 'dd')).flatMap(idsIn))
  const names = new Map<string, string>()
  const notes: Element[] = []
  const taken = new Set<Element>()
  for (const mark of marks.slice(0, MAX_NOTES)) {
    const id = targetOf(mark)
    if (names.has(id)) continue
    const target = byId.get(id)
    const content = given.get(id) ?? null
    const children =
      content !== null
        ? ((parseHtml(content)?.children ?? []) as ElementContent[])
        : target !== undefined && leadsBack(target)
          ? withoutBackLinks(target.children)
          : null
    if (children === null) continue
    if (target !== undefined && content === null) taken.add(target)
    const name = String(names.size + 1)
    names.set(id, name)
    notes.push(element('q-note', { name }, children))
  }
  if (notes.length === 0) return tree
  return { ...tree, children: [...(withoutNotes(tree.children, names, taken) as RootContent[]), ...notes] }
}

/** A raised number, or a link to one, that leads to a note. */
function isMark(node: Element): boolean {
  if (!isElement(node, 'sup', 'a')) return false
  return targetOf(node) !== '' && /^[[(]?(?:\d{1,4}|[*†‡]|[a-z])[\])]?$/i.test(lineOf(node))
}

function targetOf(mark: Element): string {
  const [link = null] = mark.tagName === 'a' ? [mark] : outermost(mark, (each) => isElement(each, 'a'))
  const href = link === null ? '' : attribute(link, 'href')
  return /^#.+/.test(href) ? href.slice(1) : ''
}

function idsIn(node: Element): readonly (readonly [string, Element])[] {
  const own = noteId(node)
  const inner = outermost(node, (each) => isElement(each, 'li', 'p', 'div', 'dd')).flatMap(idsIn)
  return own === '' ? inner : [...inner, [own, node]]
}

/** Returns the id of an element. A note of Substack begins with its link back, and the link has the id. */
function noteId(node: Element): string {
  const own = attribute(node, 'id')
  const start = own === '' && isElement(node, 'div') ? node.children.find(isVisible) : undefined
  return isElement(start) && isBackLink(start) ? attribute(start, 'id') : own
}

/** Reports whether a note has a link back to the text. */
function leadsBack(note: Element): boolean {
  return outermost(note, isBackLink).length > 0
}

function isBackLink(node: Element): boolean {
  return (
    isElement(node, 'a') &&
    attribute(node, 'href').startsWith('#') &&
    /^[^\p{L}\p{N}]*$|^\^|^\d{1,4}[.)]?$|back/iu.test(lineOf(node))
  )
}

function withoutBackLinks(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (!isElement(node)) return [node]
    return isBackLink(node) ? [] : [{ ...node, children: withoutBackLinks(node.children) }]
  })
}

/** The page with marks in place of links to notes, and without the lists that are empty then. */
function withoutNotes(
  nodes: readonly (ElementContent | RootContent)[],
  names: ReadonlyMap<string, string>,
  taken: ReadonlySet<Element>,
): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (!isElement(node)) return node.type === 'text' ? [node] : []
    if (taken.has(node)) return []
    const name = isMark(node) ? names.get(targetOf(node)) : undefined
    if (name !== undefined) return [element('q-note-mark', { name })]
    const children = withoutNotes(node.children, names, taken)
    const rest = { ...node, children }
    const isEmptied =
      children.length < node.children.length &&
      children.every((child) => isElement(child, 'hr') || !isVisible(child))
    return isEmptied ? [] : [rest]
  })
}
