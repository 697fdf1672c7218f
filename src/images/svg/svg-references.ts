import { badImage } from '../image-error.ts'

/**
 * Copies that a browser draws of all parts together. Ten parts that each use the next one ten times would be ten
 * billion.
 */
const MAX_COPIES = 20_000

/** Counts how often parts of an SVG are drawn because others refer to them. */
export function createReferences() {
  /** What each part with an id refers to; the whole picture under the empty id. */
  const uses = new Map<string, string[]>()

  return {
    /** @param inside ids of the elements around the one that refers. */
    add(inside: readonly string[], attributes: ReadonlyMap<string, string>): void {
      for (const target of targetsOf(attributes)) for (const id of ['', ...inside]) usesOf(id).push(target)
    },
    /** @throws {ServiceError} `validation_error` if parts are drawn too often. */
    assertBounded(): void {
      const counted = new Map<string, number>()
      if (copies('', counted, 0) > MAX_COPIES)
        throw badImage('The SVG draws its parts too often: they refer to each other many times. Simplify it.')
    },
  }

  function usesOf(id: string): string[] {
    const known = uses.get(id) ?? []
    uses.set(id, known)
    return known
  }

  function copies(id: string, counted: Map<string, number>, depth: number): number {
    const known = counted.get(id)
    if (known !== undefined) return known
    // Browsers do not draw a part inside itself.
    counted.set(id, 0)
    if (depth > MAX_CHAIN) return Number.POSITIVE_INFINITY
    let sum = 0
    for (const target of uses.get(id) ?? []) sum += 1 + copies(target, counted, depth + 1)
    counted.set(id, sum)
    return sum
  }
}

/** Parts that refer to one another in a row. */
const MAX_CHAIN = 200

function targetsOf(attributes: ReadonlyMap<string, string>): readonly string[] {
  return [...attributes].flatMap(([name, value]) => {
    if (name === 'href') return value.startsWith('#') ? [value.slice(1)] : []
    return [...value.matchAll(/url\(\s*["']?\s*#([^"')\s]+)/gi)].map(([, id = '']) => id)
  })
}
