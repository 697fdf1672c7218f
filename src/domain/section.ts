import type { JsonObject } from './json.ts'

/** A section with its names made uniform: what `sections/` hands to rendering. Stored content stays as it was sent. */
export interface Section {
  /** Normalised and looked up, e.g. `hero`; an unknown type keeps its normalised name. */
  readonly type: string
  /** False for a type the catalogue does not have: it is rendered generically. */
  readonly known: boolean
  /** What the client asked for, if anything; rendering makes it a slug and unique. */
  readonly id: string | null
  /** Canonical names; aliases, flat pairs and camelCase are resolved. */
  readonly props: JsonObject
}

/** A fault in the structure of a request, with the path of its field, e.g. `config.sections[2].type`. */
export interface InvalidField {
  readonly path: string
  readonly message: string
}
