/** Created on first use, because creating a collator takes longer than rendering a page. */
let collator: Intl.Collator | null = null

/**
 * Compares names in the order that users expect: `Part 2` before `Part 10`, and `apple` before `Zebra`. Zero for equal
 * names.
 */
export function naturalOrder(a: string, b: string): number {
  // A fixed locale, so that the order does not depend on the machine.
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(a, b)
}
