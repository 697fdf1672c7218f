import { badImage } from '../image-error.ts'

/**
 * Copies that a browser draws of all parts together. Ten parts that each use the next one ten times would be ten
 * billion.
 */
const MAX_COPIES = 20_000

/**
 * Counts how often parts of an SVG are drawn because others refer to them. Its time grows with the references alone.
 */
export function createReferences() {
  /** References of each part with an id, and the parts with ids in it; the whole image under the empty id. */
  const parts = new Map<string, Part>([['', { uses: new Map(), contains: new Set() }]])

  return {
    /**
     * @param inside id of the nearest ancestor with one; empty for none.
     * @param attributes of an element.
     */
    add(inside: string, attributes: ReadonlyMap<string, string>): void {
      const { uses, contains } = partOf(inside)
      const id = attributes.get('id') ?? ''
      if (id !== '' && id !== inside) {
        partOf(id)
        contains.add(id)
      }
      for (const target of targetsOf(attributes)) uses.set(target, (uses.get(target) ?? 0) + 1)
    },
    /** @throws {ServiceError} `validation_error` if parts are drawn too often. */
    assertBounded(): void {
      const counted = new Map<string, number>()
      if (copies('', counted, 0) > MAX_COPIES)
        throw badImage('The SVG draws its parts too often: they refer to each other many times. Simplify it.')
    },
  }

  function partOf(id: string): Part {
    const known = parts.get(id) ?? { uses: new Map(), contains: new Set() }
    parts.set(id, known)
    return known
  }

  function copies(id: string, counted: Map<string, number>, depth: number): number {
    const known = counted.get(id)
    if (known !== undefined) return known
    // Browsers do not draw a part inside itself.
    counted.set(id, 0)
    if (depth > MAX_CHAIN) return Number.POSITIVE_INFINITY
    const { uses, contains } = parts.get(id) ?? NOTHING
    let sum = 0
    for (const [target, times] of uses) sum += times * (1 + copies(target, counted, depth + 1))
    for (const inner of contains) sum += copies(inner, counted, depth + 1)
    counted.set(id, sum)
    return sum
  }
}

interface Part {
  /** Ids that it refers to, with how often. */
  readonly uses: Map<string, number>
  readonly contains: Set<string>
}

const NOTHING: Part = { uses: new Map(), contains: new Set() }

/** Parts that refer to one another, or are in one another, in a row. */
const MAX_CHAIN = 500

function targetsOf(attributes: ReadonlyMap<string, string>): readonly string[] {
  return [...attributes].flatMap(([name, value]) => {
    if (name === 'href') return value.startsWith('#') ? [value.slice(1)] : []
    return [...value.matchAll(/url\(\s*(?:["']\s*)?#([^"')\s]+)/gi)].map(([, id = '']) => id)
  })
}
