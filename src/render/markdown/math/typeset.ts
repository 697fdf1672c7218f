import type { Element, ElementContent } from 'hast'

/** Returns a formula as MathML, or why it cannot be rendered, as a sentence without full stop. */
export type Typeset = (
  tex: string,
  isDisplay: boolean,
) => { readonly math: Element } | { readonly error: string }

const MAX_DEPTH = 64
const MAX_NODES = 5_000

/** Definitions are rejected: a defined command could expand to thousands of others. */
const DEFINES = /\\(?:[gex]?def|let|futurelet|global|(?:re)?newcommand|providecommand)(?![a-z])/i

/** A formula has two dollar signs on one line (`$$` counts as two); prices and shell variables have one. */
const TWO_DOLLARS = /\$[^\r\n]*\$/
const MATH_CODE = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*math\b/im

/** Loads the formula renderer if `source` may contain a formula. */
export async function loadTypeset(source: string): Promise<Typeset> {
  if (!TWO_DOLLARS.test(source) && !MATH_CODE.test(source))
    return () => ({ error: 'formulas are not loaded' })
  // The package's types describe the CommonJS module. In an ES module its exports are in `default`.
  const { default: temml } = (await import('temml')) as unknown as { readonly default: Temml }
  return (tex, isDisplay) => typeset(tex, isDisplay, temml)
}

interface Temml {
  /** @throws {Error} when `tex` is invalid. */
  __renderToMathMLTree(tex: string, options: Readonly<Record<string, unknown>>): MathNode
}

function typeset(tex: string, isDisplay: boolean, temml: Temml): ReturnType<Typeset> {
  if (DEFINES.test(tex)) return { error: 'it must not define commands' }
  try {
    const tree = temml.__renderToMathMLTree(tex, { ...OPTIONS, displayMode: isDisplay, maxSize: [20, 20] })
    const left = { nodes: MAX_NODES }
    const [math] = toHast(tree, MAX_DEPTH, left)
    if (math?.type !== 'element' || math.tagName !== 'math') return { error: 'it is empty' }
    // Read aloud by screen readers, copied, and used in the table of contents.
    return { math: { ...math, properties: { ...math.properties, alttext: tex.trim() } } }
  } catch (error) {
    return { error: reasonOf(error) }
  }
}

/** Allows no links, classes, ids, styles or images, and throws on errors instead of printing them in red. */
const OPTIONS = { trust: false, throwOnError: true, annotate: false, maxExpand: 200 } as const

class TooLarge extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof TooLarge || error instanceof RangeError) return 'it is too large'
  const [line = ''] = error instanceof Error ? error.message.split('\n') : []
  return (
    line
      .replace(/(?<![\s:.])[\s:.]+$/, '')
      .trim()
      .slice(0, 120) || 'it is invalid'
  )
}

/** Temml's output: elements, text, and fragments without a tag. */
interface MathNode {
  readonly type?: string
  readonly text?: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly classes?: readonly string[]
  readonly children?: readonly MathNode[]
}

const ELEMENTS = new Set(
  [
    'math maction menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms',
    'mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics',
  ].flatMap((line) => line.split(' ')),
)
const ATTRIBUTES = new Set(
  [
    'accent accentunder align columnalign columnlines columnspacing depth display displaystyle fence form',
    'height largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize',
    'minsize movablelimits notation rowlines rowspacing rspace scriptlevel separator stretchy symmetric',
    'voffset width',
  ].flatMap((line) => line.split(' ')),
)
/** Temml's classes that the themes style: columns of aligned equations, overlines and underlines. */
const CLASSES = new Set(['tml-left', 'tml-right', 'tml-overline', 'tml-underline'])
const SAFE_VALUE = /^[\w#%.,+\- ]{0,80}$/

/** Keeps MathML elements only, and of their attributes none that style or link. */
function toHast(node: MathNode, depth: number, left: { nodes: number }): ElementContent[] {
  left.nodes -= 1
  if (depth === 0 || left.nodes < 0) throw new TooLarge()
  if (typeof node.text === 'string') return [{ type: 'text', value: node.text }]
  const children = (node.children ?? []).flatMap((child) => toHast(child, depth - 1, left))
  if (node.type === undefined) return children
  if (!ELEMENTS.has(node.type)) return []
  return [{ type: 'element', tagName: node.type, properties: propertiesOf(node), children }]
}

function propertiesOf({ attributes = {}, classes = [] }: MathNode): Element['properties'] {
  const safe = Object.entries(attributes).filter(
    ([name, value]) => ATTRIBUTES.has(name) && SAFE_VALUE.test(String(value)),
  )
  const known = classes.filter((name) => CLASSES.has(name))
  return {
    ...(known.length > 0 && { className: known }),
    ...Object.fromEntries(safe.map(([name, value]) => [name, String(value)])),
  }
}
