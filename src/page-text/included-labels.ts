import { mapProse } from './map-prose.ts'

/** Text in brackets, and what follows it: the label of a reference, the target of a link, or the colon of a definition. */
const BRACKETS = /\[([^[\]\n]+)\](?:\[([^[\]\n]*)\]|(\()|(:))?/g

/** The labels of a document, each with the last number that was tried behind it. */
export type TakenLabels = Map<string, number>

/**
 * Renames the labels of footnotes and link definitions that are taken: in one document the first definition of a label
 * would serve all its references. Adds the labels of the text to `taken`.
 */
export function withFreeLabels(text: string, taken: TakenLabels): string {
  const defined = labelsIn(text)
  const doubled = [...defined].filter((label) => taken.has(label))
  for (const label of defined) if (!taken.has(label)) taken.set(label, 1)
  const others = new Map(doubled.map((label) => [label, takeFree(label, taken)]))
  if (others.size === 0) return text
  return mapProse(text, (prose) =>
    prose.replace(
      BRACKETS,
      (
        whole,
        words: string,
        label: string | undefined,
        target: string | undefined,
        colon = '',
        at: number,
      ) => {
        if (target !== undefined) return whole
        const other = others.get(normalised(label || words))
        if (other === undefined) return whole
        const isDefinition = colon !== '' && isAtStart(prose, at)
        if (isDefinition || words.startsWith('^')) return `[${other}]${colon}`
        return `[${words}][${other}]${colon}`
      },
    ),
  )
}

/** The labels that a text defines. */
export function labelsIn(text: string): ReadonlySet<string> {
  const labels = new Set<string>()
  mapProse(text, (prose) => {
    for (const { 1: label = '', 4: colon, index } of prose.matchAll(BRACKETS))
      if (colon !== undefined && isAtStart(prose, index)) labels.add(normalised(label))
    return prose
  })
  return labels
}

/** Reports whether only blanks and signs of quotes precede the place on its line. */
function isAtStart(prose: string, at: number): boolean {
  let before = at - 1
  while (prose[before] === ' ' || prose[before] === '>') before -= 1
  return before < 0 || prose[before] === '\n'
}

/** Labels are equal whatever their case and blanks. */
function normalised(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase()
}

/** The label with the next number that makes it free. Adds it to `taken`. */
function takeFree(label: string, taken: TakenLabels): string {
  for (let number = (taken.get(label) ?? 1) + 1; ; number += 1) {
    const free = `${label}-${number}`
    if (taken.has(free)) continue
    taken.set(label, number)
    taken.set(free, 1)
    return free
  }
}
