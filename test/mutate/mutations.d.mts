/** A change of the source: the text from `start` to `end` becomes `replacement`. */
export interface Mutation {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

export function mutationsOf(source: string): readonly Mutation[]
