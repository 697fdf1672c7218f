import type { Element, ElementContent } from 'hast'
import { MAX_DIAGNOSTICS } from '../markdown-diagnostic.ts'
import { element } from './element.ts'
import { type EnhanceContext, label, prefixedId } from './enhance-context.ts'

/** In UTF-16 code units. */
const MAX_NAME = 500
const MAX_EXCERPT = 50

/** Draws a diagram of Mermaid. Null, with a diagnostic, when it cannot be drawn and its source is shown. */
export function diagram(source: string, caption: string | null, context: EnhanceContext): Element | null {
  const { tools } = context.options
  if (tools === undefined) return null
  if (source.length > context.diagramBudget) return failed('the page has too many diagrams')
  context.diagramBudget -= source.length
  const drawn = tools.drawDiagram(source)
  if ('error' in drawn) return failed(drawn.error)

  context.diagrams += 1
  const { svg, title } = drawn
  const ids = prefixedId(`diagram-${context.diagrams}-`, context)
  const words = [...new Set(textsOf(svg))].join(', ').slice(0, MAX_NAME)
  prefixIds(svg, ids)
  svg.properties = {
    ...svg.properties,
    role: 'img',
    ariaLabel: `${title ?? label('diagram', context)}: ${words}`,
  }
  const shown = caption ?? title
  return element('figure', { className: ['diagram'], tabIndex: 0 }, [
    svg,
    ...(shown === null ? [] : [element('figcaption', {}, [{ type: 'text', value: shown }])]),
  ])

  function failed(reason: string): null {
    const start = source.trimStart().slice(0, MAX_EXCERPT)
    const [line = ''] = start.split('\n')
    const message = `The diagram ${JSON.stringify(line.trimEnd())} is shown as its source: ${reason}.`
    if (context.diagnostics.length < MAX_DIAGNOSTICS)
      context.diagnostics.push({ code: 'QN-BAD-DIAGRAM', excerpt: `\`\`\`mermaid\n${start}`, message })
    return null
  }
}

/** Returns its texts in the order of the drawing. */
function textsOf(node: Element): readonly string[] {
  if (node.tagName === 'text') return [wordsOf(node).trim()].filter((words) => words !== '')
  return node.children.flatMap((child) => (child.type === 'element' ? textsOf(child) : []))
}

function wordsOf(node: ElementContent): string {
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(wordsOf).join(node.tagName === 'text' ? ' ' : '') : ''
}

/** Several diagrams of a page have arrowheads of the same names. */
function prefixIds(node: Element, prefix: string): void {
  for (const name of ['id', 'marker-start', 'marker-end']) {
    const value = node.properties[name]
    if (typeof value === 'string')
      node.properties[name] = name === 'id' ? prefix + value : value.replace('#', () => `#${prefix}`)
  }
  for (const child of node.children) if (child.type === 'element') prefixIds(child, prefix)
}
