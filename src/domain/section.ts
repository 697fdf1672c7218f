import type { JsonObject } from './json.ts'

/** A section with canonical names, as `sections/` passes it to rendering. Stored content is not changed. */
export interface Section {
  /** Canonical name, e.g. `hero`; an unknown type keeps its normalised name. */
  readonly type: string
  /** False for a type outside the catalogue. It is rendered generically. */
  readonly known: boolean
  /** The id that the author asked for; null when none. Rendering converts it to a unique slug. */
  readonly id: string | null
  /** Canonical names; aliases, flat pairs and camelCase are resolved. */
  readonly props: JsonObject
}
