import type { Element, ElementContent } from 'hast'

/** A formula as MathML, or why it cannot be shown, as a sentence without its full stop. */
export type Typeset = (
  tex: string,
  isDisplay: boolean,
) => { readonly math: Element } | { readonly fault: string }

const MAX_DEPTH = 64
const MAX_NODES = 5_000

/** A formula could define a word that stands for a thousand others. */
const DEFINES = /\\(?:[gex]?def|let|futurelet|global|(?:re)?newcommand|providecommand)(?![a-z])/i

/** Every formula has two on one line, `$$` for one; a price and a shell's variable have one. */
const TWO_DOLLARS = /\$[^\r\n]*\$/

/** Loads what sets formulas, where `source` may hold one. */
export async function loadTypeset(source: string): Promise<Typeset> {
  if (!TWO_DOLLARS.test(source)) return () => ({ fault: 'formulas are not loaded' })
  // Its types describe the module for `require`, where what is the default here is the module itself.
  const { default: temml } = (await import('temml')) as unknown as { readonly default: Temml }
  return (tex, isDisplay) => typeset(tex, isDisplay, temml)
}

interface Temml {
  /** @throws {Error} where `tex` cannot be read. */
  __renderToMathMLTree(tex: string, options: Readonly<Record<string, unknown>>): MathNode
}

function typeset(tex: string, isDisplay: boolean, temml: Temml): ReturnType<Typeset> {
  if (DEFINES.test(tex)) return { fault: 'it may not define commands' }
  try {
    const tree = temml.__renderToMathMLTree(tex, { ...OPTIONS, displayMode: isDisplay, maxSize: [20, 20] })
    const left = { nodes: MAX_NODES }
    const [math] = toHast(tree, MAX_DEPTH, left)
    if (math?.type !== 'element' || math.tagName !== 'math') return { fault: 'it is no formula' }
    // What is read aloud, copied and listed where formulas are not shown.
    return { math: { ...math, properties: { ...math.properties, alttext: tex.trim() } } }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** No links, classes, ids, styles or images; a fault is thrown, not painted. */
const OPTIONS = { trust: false, throwOnError: true, annotate: false, maxExpand: 200 } as const

class TooLarge extends Error {}

function faultOf(error: unknown): string {
  if (error instanceof TooLarge || error instanceof RangeError) return 'it is too large'
  const [line = ''] = error instanceof Error ? error.message.split('\n') : []
  return (
    line
      .replace(/[\s:.]+$/, '')
      .trim()
      .slice(0, 120) || 'it cannot be read'
  )
}

/** What temml makes: elements, texts, and groups that are no element. */
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
/** Those of temml's classes that the themes know: the columns of aligned equations, and lines over and under. */
const CLASSES = new Set(['tml-left', 'tml-right', 'tml-overline', 'tml-underline'])
const SAFE_VALUE = /^[\w#%.,+\- ]{0,80}$/

/** Nothing but elements of formulas, and of their attributes those that neither style nor lead anywhere. */
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
