import type { Element, ElementContent } from 'hast'
import type { EnhanceContext } from './enhance-context.ts'

/** Renders a formula as MathML. One that fails stays as source, with a diagnostic. */
export function enhanceFormula(code: Element, context: EnhanceContext): readonly ElementContent[] {
  const { dataMath, ...properties } = code.properties
  if (dataMath === undefined) return [code]
  code.properties = properties
  const [source] = code.children
  const { tools } = context.options
  if (source?.type !== 'text' || tools === undefined) return [code]
  const written = source.value
  if (written.length > context.mathBudget) {
    reportFailure('the page has too many formulas')
    return [code]
  }

  context.mathBudget -= written.length
  const result = tools.typeset(written, dataMath === 'display')
  if ('math' in result) return [result.math]
  reportFailure(result.error)
  return [code]

  function reportFailure(reason: string): void {
    const message = `The formula ${excerptOf(written)} was not rendered: ${reason}.`
    context.diagnostics.push({ code: 'QN-BAD-FORMULA', excerpt: written, message })
  }
}

function excerptOf(tex: string): string {
  return JSON.stringify(tex.slice(0, 100))
}
