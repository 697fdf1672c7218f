import type { Element, ElementContent, RootContent } from 'hast'
import type { Glossary, Term } from '../../../domain/glossary.ts'
import { literalPattern } from '../../../domain/literal-pattern.ts'
import { element } from './element.ts'
import { type EnhanceContext, prefixedId } from './enhance-context.ts'

/** Elements whose text is never explained: it is a name, a control, code or a part of a drawing. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'a', 'code', 'pre', 'kbd', 'samp', 'var', 'math', 'svg', 'button'],
  ...['summary', 'dt', 'th', 'caption', 'figcaption', 'abbr', 'dfn', 'video', 'audio'],
])

/** Classes of elements that label the content next to them. Some are shown as the text of a control. */
const NAMES: ReadonlySet<unknown> = new Set([
  ...['alert-title', 'badge', 'embed-title', 'field-name', 'file-tree', 'tab-label', 'tile-title'],
])

/**
 * Explains the first occurrence of each term of the glossary: a button shows the explanation in a popover, which needs
 * no script, stays until it is closed, and closes with Escape.
 */
export function explainTerms(nodes: readonly RootContent[], context: EnhanceContext): void {
  const { glossary } = context.options
  if (glossary === undefined) return
  const { pattern, terms } = patternOf(glossary)
  if (pattern === null) return
  const explained = new Set<Term>()
  let number = 0
  for (const node of nodes) if (node.type === 'element') visit(node)

  function visit(node: Element): void {
    if (isName(node) || explained.size === glossary?.terms.length) return
    const component = context.components.get(node)
    if (component !== undefined) {
      // Its template may print the label in a link or an attribute.
      for (const part of component.body) if (part.type === 'element') visit(part)
      return
    }
    node.children = node.children.flatMap((child): ElementContent[] => {
      if (child.type === 'text') return explain(child.value)
      if (child.type === 'element') visit(child)
      return [child]
    })
  }

  function explain(text: string): ElementContent[] {
    const parts: ElementContent[] = []
    let end = 0
    for (const { 0: found, index } of text.matchAll(pattern as RegExp)) {
      const term = terms.get(found) ?? terms.get(found.charAt(0).toLowerCase() + found.slice(1))
      if (term === undefined || explained.has(term)) continue
      explained.add(term)
      if (index > end) parts.push({ type: 'text', value: text.slice(end, index) })
      parts.push(...explanation(found, term, nextId(), context))
      end = index + found.length
    }
    if (end === 0 && parts.length === 0) return [{ type: 'text', value: text }]
    return end === text.length ? parts : [...parts, { type: 'text', value: text.slice(end) }]
  }

  function nextId(): string {
    do number += 1
    while (context.usedIds.has(`term-${number}`))
    context.usedIds.add(`term-${number}`)
    return `term-${number}`
  }
}

function isName({ tagName, properties: { className } }: Element): boolean {
  return PLAIN.has(tagName) || (Array.isArray(className) && className.some((name) => NAMES.has(name)))
}

function explanation(
  found: string,
  { text, href }: Term,
  id: string,
  context: EnhanceContext,
): ElementContent[] {
  const more = href === null ? null : context.options.href(href, 'link')
  const words: ElementContent[] = [{ type: 'text', value: text }]
  const link =
    more === null
      ? []
      : [
          { type: 'text', value: ' ' } as const,
          element('a', { href: more }, [{ type: 'text', value: found }]),
        ]
  const target = prefixedId(id, context)
  return [
    element('button', { type: 'button', className: ['term'], popovertarget: target }, [
      { type: 'text', value: found },
    ]),
    element('span', { className: ['term-text'], id: target, popover: 'auto', role: 'note' }, [
      ...words,
      ...link,
    ]),
  ]
}

interface Pattern {
  /** Matches every form of the terms; null for a glossary without terms. */
  readonly pattern: RegExp | null
  /** Terms by each of their forms. */
  readonly terms: ReadonlyMap<string, Term>
}

/** The pages of a site share one glossary. */
const patterns = new WeakMap<Glossary, Pattern>()

function patternOf(glossary: Glossary): Pattern {
  const known = patterns.get(glossary)
  if (known !== undefined) return known
  const terms = new Map<string, Term>()
  for (const term of glossary.terms)
    for (const form of term.forms) if (!terms.has(form)) terms.set(form, term)
  const pattern = terms.size === 0 ? null : anyOf([...terms.keys()])
  const made = { pattern, terms }
  patterns.set(glossary, made)
  return made
}

/** Scripts that do not separate words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/**
 * Matches every form, as a whole word where its script separates words. All forms share the look-arounds: with separate
 * ones for each form, every form would be tried at every letter of a text.
 */
function anyOf(forms: readonly string[]): RegExp {
  // Longer forms first, so that "content key" is not found as "content".
  const sorted = forms.toSorted((a, b) => b.length - a.length)
  const unspaced = sorted.filter((form) => UNSPACED.test(form)).map(formPattern)
  const spaced = sorted.filter((form) => !UNSPACED.test(form)).map(formPattern)
  const words = spaced.length === 0 ? [] : [`(?<![\\p{L}\\p{N}_])(?:${spaced.join('|')})(?![\\p{L}\\p{N}_])`]
  // A matching unspaced form is longer than any matching spaced one.
  return new RegExp([...unspaced, ...words].join('|'), 'gu')
}

/** A form that begins with a small letter may begin a sentence too. */
function formPattern(form: string): string {
  const [first = '', ...rest] = [...form]
  const capital = first.toUpperCase()
  const start =
    capital.length === first.length && capital !== first ? `[${first}${capital}]` : literalPattern(first)
  return start + literalPattern(rest.join(''))
}
