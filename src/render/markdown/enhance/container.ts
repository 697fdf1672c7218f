import type { Element, ElementContent } from 'hast'
import { type AlertKind, alertBox } from './alert.ts'
import { enhanceComponent } from './component.ts'
import { card, field, fileTree, iconOf } from './doc-blocks.ts'
import { element, isTag } from './element.ts'
import { type EnhanceContext, label } from './enhance-context.ts'

/** Turns a `:::` container, or a part of one, into its final element. */
export function enhanceContainer(box: Element, context: EnhanceContext): readonly ElementContent[] {
  const {
    dataContainer: name,
    dataIcon: icon,
    dataFlags: flags,
    dataComponent: component,
    ...properties
  } = box.properties
  box.properties = properties
  if (name === undefined) return [box]
  if (name === 'cards') return [{ ...box, properties: { className: ['tiles'] } }]
  if (name === 'columns') return [{ ...box, properties: { className: ['text-columns'] } }]
  if (name === 'fields') return [{ ...box, properties: { className: ['field-list'] } }]
  if (name === 'file-tree') return [fileTree(box)]
  if (name === 'tabs') return [{ ...box, properties: { className: ['tabs'] } }]
  if (name === 'steps') return [{ ...box, properties: { className: ['walk'] } }]

  const { title, body } = splitTitle(box)
  if (name === 'component') return [enhanceComponent(component, title, body, context)]
  if (name === 'card') return [card(title, body, icon, context)]
  if (name === 'column') return [{ ...box, properties: { className: ['text-column'] } }]
  if (name === 'field') return [field(title, body, flags, context)]
  if (name === 'tab') return [tab(title, body, icon, context)]
  if (name === 'details') return [details(title, body, context)]
  return [alertBox(name as AlertKind, title, body, context)]
}

/** Splits a container into the title paragraph at its start, if any, and its body. */
function splitTitle(box: Element): {
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
  context: EnhanceContext,
): Element {
  const summary = title ?? [{ type: 'text', value: label('details', context) }]
  return element('details', {}, [element('summary', {}, summary), ...body])
}

/** Renders one tab: a label and its body, all stacked. The theme's script turns them into a tab bar. */
function tab(
  title: readonly ElementContent[] | null,
  body: readonly ElementContent[],
  icon: unknown,
  context: EnhanceContext,
): Element {
  const named = title ?? titleOfCode(body)
  context.tabs += 1
  const unnamed = label('tab', context).replace('{n}', String(context.tabs))
  const labelLine = element('p', { className: ['tab-label'] }, [
    ...iconOf(icon, context),
    ...(named ?? [{ type: 'text' as const, value: unnamed }]),
  ])
  return element('div', { className: ['tab'] }, [labelLine, ...body])
}

/** Titles an untitled tab that holds a single code block: the block's title, else its language. */
function titleOfCode(body: readonly ElementContent[]): readonly ElementContent[] | null {
  const blocks = body.filter((child) => child.type === 'element')
  const [block] = blocks
  if (block === undefined || blocks.length > 1) return null
  const caption = block.children.findIndex((child) => isTag(child, 'figcaption'))
  const found = block.children[caption]
  if (isTag(found, 'figcaption')) {
    block.children.splice(caption, 1)
    block.tagName = 'div'
    return found.children
  }
  const { dataLang } = block.properties
  return typeof dataLang === 'string' ? [{ type: 'text', value: dataLang }] : null
}
