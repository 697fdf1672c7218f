import type { PageId } from '../../domain/ids.ts'

/** What is known of a live page. */
interface OfPage {
  readonly id: PageId
}

/**
 * What is known of the live pages once those touched are gone and those added there. The very same
 * array when that changes nothing, so that what was made of it need not be made again.
 */
export function mergeFacts<Facts extends OfPage>(
  live: readonly Facts[],
  touched: ReadonlySet<string>,
  added: readonly Facts[],
): readonly Facts[] {
  const before = new Map<PageId, Facts>()
  for (const facts of live) if (touched.has(facts.id)) before.set(facts.id, facts)
  const same = before.size === added.length && added.every((facts) => isSame(facts, before.get(facts.id)))
  return same ? live : [...live.filter(({ id }) => !touched.has(id)), ...added]
}

function isSame(a: OfPage, b: OfPage | undefined): boolean {
  return b !== undefined && JSON.stringify(a) === JSON.stringify(b)
}
