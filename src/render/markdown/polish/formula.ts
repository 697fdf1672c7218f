import type { Element, ElementContent } from 'hast'
import type { Polishing } from './polishing.ts'

/** A formula as MathML; one that cannot be set stays as it was written. */
export function polishFormula(code: Element, polishing: Polishing): readonly ElementContent[] {
  const { dataMath, ...properties } = code.properties
  if (dataMath === undefined) return [code]
  code.properties = properties
  const [source] = code.children
  const { tools } = polishing.options
  if (source?.type !== 'text' || tools === undefined) return [code]
  if (source.value.length > polishing.mathLeft) {
    polishing.faults.push(`The formula ${shown(source.value)} was left as it is: the page has too many.`)
    return [code]
  }

  polishing.mathLeft -= source.value.length
  const set = tools.typeset(source.value, dataMath === 'display')
  if ('math' in set) return [set.math]
  polishing.faults.push(`The formula ${shown(source.value)} was left as it is: ${set.fault}.`)
  return [code]
}

function shown(tex: string): string {
  return JSON.stringify(tex.slice(0, 100))
}
