import type { PageId } from '../../domain/ids.ts'

interface OfPage {
  readonly id: PageId
}

/**
 * Removes the facts of the touched pages and adds those of `added`. Returns the same array when nothing changes, so
 * that values derived from it stay valid.
 */
export function mergeFacts<Facts extends OfPage>(
  live: readonly Facts[],
  touched: ReadonlySet<string>,
  added: readonly Facts[],
): readonly Facts[] {
  const previous = new Map<PageId, Facts>()
  for (const facts of live) if (touched.has(facts.id)) previous.set(facts.id, facts)
  const isUnchanged =
    previous.size === added.length && added.every((facts) => isSame(facts, previous.get(facts.id)))
  return isUnchanged ? live : [...live.filter(({ id }) => !touched.has(id)), ...added]
}

function isSame(a: OfPage, b: OfPage | undefined): boolean {
  return b !== undefined && JSON.stringify(a) === JSON.stringify(b)
}
