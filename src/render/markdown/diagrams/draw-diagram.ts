import type { Element, ElementContent } from 'hast'
import { svgElements } from '../svg-elements.ts'

/** Returns a drawing, or the reason for none as a sentence without full stop. */
export type DrawDiagram = (
  source: string,
) => { readonly svg: Element; readonly title: string | null } | { readonly error: string }

/** In UTF-16 code units. A text of this length has about 200 nodes, whose layout takes a second. */
const MAX_SOURCE = 5_000
const MAX_ELEMENTS = 10_000

const MERMAID_FENCE = /^[ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*\{?\.?mermaid\b/im

/** Loads the renderer of diagrams if `source` may contain one. */
export async function loadDrawDiagram(source: string): Promise<DrawDiagram> {
  if (!MERMAID_FENCE.test(source)) return () => ({ error: 'the renderer of diagrams is not loaded' })
  const library = await import('beautiful-mermaid').catch((error: { readonly code?: string }) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  })
  if (library === null)
    return () => ({
      error:
        'the package "beautiful-mermaid" is not installed. Run npm install beautiful-mermaid, in the folder where Quoin is installed',
    })
  return (written) => drawDiagram(written, library.renderMermaidSVG)
}

function drawDiagram(written: string, render: (source: string) => string): ReturnType<DrawDiagram> {
  if (written.length > MAX_SOURCE)
    return { error: `it has more than ${MAX_SOURCE} characters. Split it into several` }
  const { source, title } = withoutDirectives(written)
  if (/^\s*xychart/.test(source)) return { error: 'charts are not drawn' }
  try {
    const svg = svgElements(render(source), attribute, ELEMENTS).find(({ tagName }) => tagName === 'svg')
    if (svg === undefined || !svg.children.some(({ type }) => type === 'element'))
      return { error: 'it is empty' }
    if (countElements(svg) > MAX_ELEMENTS) return { error: 'it has too many parts. Split it into several' }
    return { svg, title }
  } catch (error) {
    return { error: reasonOf(error) }
  }
}

/**
 * Removes directives about the look of Mermaid's own renderer, and the title, which becomes the name of the drawing.
 */
function withoutDirectives(written: string): { readonly source: string; readonly title: string | null } {
  const [head = ''] = /^\s*---\n[\s\S]*?\n---\n/.exec(written) ?? []
  const lines = written
    .slice(head.length)
    .replace(/%%\{[\s\S]*?\}%%/g, '')
    .split('\n')
  const named = /^\s*(?:accTitle|title)\s*:\s*(.+)$/s
  const title = [...head.split('\n'), ...lines].map((line) => named.exec(line)?.[1]?.trim()).find(Boolean)
  const source = lines.filter((line) => !/^\s*(?:accTitle|accDescr|title)\s*:/.test(line)).join('\n')
  return { source: /^\s*(?:graph|flowchart)\b/.test(source) ? spaced(source) : source, title: title ?? null }
}

/** Text in quotes, brackets or bars, or else the text between them. */
const QUOTED_OR_BETWEEN = /("[^"]*"|\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|\|[^|]*\|)|([^"[({|]+|.)/g
const ARROW = /[^\S\n]{0,99}(<?(?:-{2,}>|-{3,}|={2,}>|={3,}|-\.+->?))[^\S\n]*/g

/**
 * Writes a flowchart as the renderer reads it: spaces around arrows, none before the text of one, one statement a line.
 */
function spaced(source: string): string {
  return source
    .replace(QUOTED_OR_BETWEEN, (_, quoted?: string, between?: string) =>
      quoted === undefined ? (between ?? '').replaceAll(';', '\n').replace(ARROW, ' $1 ') : quoted,
    )
    .replace(/(->|-{3}|={2}>|={3}) +\|/g, '$1|')
}

const ELEMENTS: ReadonlySet<string> = new Set(
  'svg defs marker polygon polyline g rect text tspan line circle ellipse path'.split(' '),
)

/** Numbers, points, paths and rotations. */
const GEOMETRY = /^[\w\s.,()+-]*$/
const ATTRIBUTES: ReadonlySet<string> = new Set(
  [
    'viewBox width height x y rx ry x1 y1 x2 y2 cx cy r d dx dy points transform markerWidth markerHeight refX refY',
    'orient font-size font-weight font-style text-anchor stroke-width stroke-dasharray stroke-linejoin',
    'stroke-linecap opacity fill-opacity stroke-opacity',
  ].flatMap((line) => line.split(' ')),
)
const COLOUR = /^(?:#[\da-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\([\d\s.,%/]+\))$/i

/**
 * The theme's colours in place of the renderer's, so that a diagram follows dark mode; with fallbacks for a page
 * without styles.
 */
const COLOURS: Readonly<Record<string, string>> = {
  '--bg': 'var(--bg,#fff)',
  '--_text': 'var(--text,#222)',
  '--_text-sec': 'var(--muted,#555)',
  '--_text-muted': 'var(--muted,#555)',
  '--_text-faint': 'var(--muted,#555)',
  '--_line': 'var(--muted,#555)',
  '--_arrow': 'var(--muted,#555)',
  '--_node-fill': 'var(--tint,#f3f4f6)',
  '--_node-stroke': 'var(--accent,#555)',
  '--_group-fill': 'none',
  '--_group-hdr': 'var(--soft,#f3f4f6)',
  '--_inner-stroke': 'var(--line,#ddd)',
  '--_key-badge': 'var(--soft,#f3f4f6)',
}

function attribute(name: string, value: string): string | null {
  if (name === 'fill' || name === 'stroke') {
    const [, token] = /^var\((--[\w-]+)\)$/.exec(value) ?? []
    return token === undefined ? (COLOUR.test(value) ? value : null) : (COLOURS[token] ?? null)
  }
  if (name === 'id') return /^[\w-]+$/.test(value) ? value : null
  if (name === 'marker-start' || name === 'marker-end') return /^url\(#[\w-]+\)$/.test(value) ? value : null
  if (!ATTRIBUTES.has(name) || !GEOMETRY.test(value)) return null
  return value.replace(/(?<!\d)\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100))
}

function countElements(node: ElementContent): number {
  if (node.type !== 'element') return 0
  return node.children.reduce((sum, child) => sum + countElements(child), 1)
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is too large'
  const [line = ''] = error instanceof Error ? error.message.split('\n') : []
  return (
    line
      .replace(/(?<![\s:.])[\s:.]+$/, '')
      .trim()
      .slice(0, 160) || 'it is invalid'
  )
}
