import type { Element, ElementContent } from 'hast'
import { element } from './element.ts'
import type { EnhanceContext } from './enhance-context.ts'
import { enhanceFormula } from './formula.ts'

/** Renders a badge or formula from its placeholder, which is code. Other code stays. */
export function enhanceInlineCode(code: Element, context: EnhanceContext): readonly ElementContent[] {
  const { dataBadge: tone, ...properties } = code.properties
  if (typeof tone !== 'string') return enhanceFormula(code, context)
  return [element('span', { ...properties, className: ['badge', `badge-${tone}`] }, code.children)]
}
