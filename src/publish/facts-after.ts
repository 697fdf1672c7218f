import type { PageId } from '../domain/ids.ts'
import type { LiveFacts } from '../domain/live-page.ts'

/**
 * What indexes know of the live pages once those touched are gone and those added there. The very same
 * array when that changes nothing, so that what was made of it need not be made again.
 */
export function factsAfter(
  live: readonly LiveFacts[],
  touched: ReadonlySet<string>,
  added: readonly LiveFacts[],
): readonly LiveFacts[] {
  const before = new Map<PageId, LiveFacts>()
  for (const facts of live) if (touched.has(facts.id)) before.set(facts.id, facts)
  const same = before.size === added.length && added.every((facts) => isSame(facts, before.get(facts.id)))
  return same ? live : [...live.filter(({ id }) => !touched.has(id)), ...added]
}

function isSame(a: LiveFacts, b: LiveFacts | undefined): boolean {
  return b !== undefined && JSON.stringify(a) === JSON.stringify(b)
}
