import type { Element, ElementContent } from 'hast'
import { drawnIcon, nearestIcon } from '../../icons/drawn-icon.ts'
import { MAX_DIAGNOSTICS } from '../markdown-diagnostic.ts'
import { svgElements } from '../svg-elements.ts'
import { element, isTag } from './element.ts'
import { type EnhanceContext, label } from './enhance-context.ts'

/* The blocks that documentation is built of: cards, fields and trees of files. */

/** A card. If its title is a link, the theme makes the whole card lead there. */
export function card(
  title: readonly ElementContent[] | null,
  body: readonly ElementContent[],
  icon: unknown,
  context: EnhanceContext,
): Element {
  return element('div', { className: ['tile'] }, [
    ...iconOf(icon, context).map((svg) =>
      element('span', { className: ['tile-icon'], ariaHidden: 'true' }, [svg]),
    ),
    element('p', { className: ['tile-title'] }, [...(title ?? [])]),
    ...body,
  ])
}

/** The drawing of a name of the icon sets; none, with a diagnostic, for an unknown one. */
export function iconOf(name: unknown, { diagnostics }: EnhanceContext): readonly Element[] {
  if (typeof name !== 'string') return []
  const svg = drawnIcon(name)
  if (svg !== null) return svgElements(svg)
  const message = `An icon is left out: none has the name ${JSON.stringify(name.slice(0, 100))}.${nearestIcon(name)}`
  if (diagnostics.length < MAX_DIAGNOSTICS)
    diagnostics.push({ code: 'QN-BAD-DIRECTIVE', excerpt: name, message })
  return []
}

/** A field of an API or a configuration: its name, type, default and whether it must be given. */
export function field(
  title: readonly ElementContent[] | null,
  body: readonly ElementContent[],
  flags: unknown,
  context: EnhanceContext,
): Element {
  const [first, ...details] = title ?? []
  const isPlain = first?.type === 'text'
  const name = isPlain ? first.value.trimEnd() : ''
  const stated = typeof flags === 'string' ? flags.split(' ') : []
  return element('div', { className: ['field-entry'] }, [
    element('p', { className: ['field-name'] }, [
      ...(isPlain
        ? [element('code', {}, [{ type: 'text', value: name }])]
        : first === undefined
          ? []
          : [first]),
      ...(isPlain && details.length > 0 ? [BLANK, ...details] : details),
      ...(stated.includes('required') ? [BLANK, flag('caution', label('required', context))] : []),
      ...(stated.includes('deprecated') ? [BLANK, flag('warning', label('deprecated', context))] : []),
    ]),
    ...body,
  ])
}

const BLANK: ElementContent = { type: 'text', value: ' ' }

function flag(tone: string, word: string): Element {
  return element('span', { className: ['badge', `badge-${tone}`] }, [{ type: 'text', value: word }])
}

/** A nested list as a tree of files. Folders, which hold others or end with a slash, can be closed. */
export function fileTree(box: Element): Element {
  return element('div', { className: ['file-tree'] }, box.children.map(asBranch))
}

function asBranch(node: ElementContent): ElementContent {
  if (!isTag(node, 'ul')) return node
  return { ...node, children: node.children.map((child) => (isTag(child, 'li') ? asEntry(child) : child)) }
}

function asEntry(entry: Element): Element {
  const list = entry.children.findIndex((child) => isTag(child, 'ul'))
  const line = list === -1 ? entry.children : entry.children.slice(0, list)
  const isFolder = list !== -1 || /\/\s*$/.test(firstText(line))
  if (!isFolder) return { ...entry, properties: { className: ['tree-file'] } }
  if (list === -1) return { ...entry, properties: { className: ['tree-folder'] } }
  const summary = element('summary', { className: ['tree-folder'] }, [...line])
  const branch = entry.children.slice(list).map(asBranch)
  return { ...entry, children: [element('details', { open: true }, [summary, ...branch])] }
}

/** The first text of a line, which is the name. */
function firstText(nodes: readonly ElementContent[]): string {
  for (const node of nodes) {
    if (node.type === 'text' && node.value.trim() !== '') return node.value
    if (node.type === 'element') return firstText(node.children)
  }
  return ''
}
