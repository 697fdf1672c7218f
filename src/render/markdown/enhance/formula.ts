import type { Element, ElementContent } from 'hast'
import type { EnhanceContext } from './enhance-context.ts'

/** A formula as MathML; one that cannot be set stays as it was written. */
export function enhanceFormula(code: Element, context: EnhanceContext): readonly ElementContent[] {
  const { dataMath, ...properties } = code.properties
  if (dataMath === undefined) return [code]
  code.properties = properties
  const [source] = code.children
  const { tools } = context.options
  if (source?.type !== 'text' || tools === undefined) return [code]
  const written = source.value
  if (written.length > context.mathBudget) {
    fault('the page has too many')
    return [code]
  }

  context.mathBudget -= written.length
  const set = tools.typeset(written, dataMath === 'display')
  if ('math' in set) return [set.math]
  fault(set.fault)
  return [code]

  function fault(reason: string): void {
    const message = `The formula ${excerptOf(written)} was left as it is: ${reason}.`
    context.diagnostics.push({ excerpt: written, message })
  }
}

function excerptOf(tex: string): string {
  return JSON.stringify(tex.slice(0, 100))
}
