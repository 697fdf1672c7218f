import type { Element, ElementContent } from 'hast'
import type { Polishing } from './enhance-context.ts'

/** A formula as MathML; one that cannot be set stays as it was written. */
export function polishFormula(code: Element, polishing: Polishing): readonly ElementContent[] {
  const { dataMath, ...properties } = code.properties
  if (dataMath === undefined) return [code]
  code.properties = properties
  const [source] = code.children
  const { tools } = polishing.options
  if (source?.type !== 'text' || tools === undefined) return [code]
  const written = source.value
  if (written.length > polishing.mathLeft) {
    fault('the page has too many')
    return [code]
  }

  polishing.mathLeft -= written.length
  const set = tools.typeset(written, dataMath === 'display')
  if ('math' in set) return [set.math]
  fault(set.fault)
  return [code]

  function fault(reason: string): void {
    const message = `The formula ${shown(written)} was left as it is: ${reason}.`
    polishing.faults.push({ written, message })
  }
}

function shown(tex: string): string {
  return JSON.stringify(tex.slice(0, 100))
}
