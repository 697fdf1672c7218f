import type { Element, ElementContent } from 'hast'
import { type AlertKind, alert } from './alert.ts'
import { element } from './element.ts'
import { type Polishing, word } from './enhance-context.ts'

/** What was written between `:::` as what it is on a page. */
export function polishContainer(box: Element, polishing: Polishing): readonly ElementContent[] {
  const { dataContainer: name, ...properties } = box.properties
  if (name === undefined) return [box]
  box.properties = properties
  if (name === 'tabs') return [{ ...box, properties: { className: ['tabs'] } }]
  if (name === 'steps') return [{ ...box, properties: { className: ['walk'] } }]

  const { title, body } = taken(box)
  if (name === 'tab') return [tab(title, body, polishing)]
  if (name === 'details') return [details(title, body, polishing)]
  return [alert(name as AlertKind, title, body, polishing)]
}

/** The title, which is a paragraph marked as one at the start, and the rest. */
function taken(box: Element): {
  readonly title: readonly ElementContent[] | null
  readonly body: readonly ElementContent[]
} {
  const first = box.children.findIndex((child) => child.type === 'element')
  const line = box.children[first]
  if (line?.type !== 'element' || line.properties['dataContainer'] !== 'title') {
    return { title: null, body: box.children }
  }
  return { title: line.children, body: box.children.slice(first + 1) }
}

function details(
  title: readonly ElementContent[] | null,
  body: readonly ElementContent[],
  polishing: Polishing,
): Element {
  const summary = title ?? [{ type: 'text', value: word('details', polishing) }]
  return element('details', {}, [element('summary', {}, summary), ...body])
}

/** One below the other under their labels; the theme's script makes a choice of them. */
function tab(
  title: readonly ElementContent[] | null,
  body: readonly ElementContent[],
  polishing: Polishing,
): Element {
  const named = title ?? titleOfCode(body)
  polishing.tabs += 1
  const unnamed = word('tab', polishing).replace('{n}', String(polishing.tabs))
  const label = element('p', { className: ['tab-label'] }, named ?? [{ type: 'text', value: unnamed }])
  return element('div', { className: ['tab'] }, [label, ...body])
}

/** A code block alone in a tab gives it its title, else its language. */
function titleOfCode(body: readonly ElementContent[]): readonly ElementContent[] | null {
  const blocks = body.filter((child) => child.type === 'element')
  const [block] = blocks
  if (block === undefined || blocks.length > 1) return null
  const caption = block.children.findIndex(
    (child) => child.type === 'element' && child.tagName === 'figcaption',
  )
  const found = block.children[caption]
  if (found?.type === 'element') {
    block.children.splice(caption, 1)
    block.tagName = 'div'
    return found.children
  }
  const { dataLang } = block.properties
  return typeof dataLang === 'string' ? [{ type: 'text', value: dataLang }] : null
}
