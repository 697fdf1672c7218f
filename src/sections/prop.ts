import type { JsonObject } from '../domain/json.ts'

/**
 * The language of the catalogue. One table per section type defines its aliases, validation, visible text,
 * Markdown and JSON Schema.
 */
export type Prop = PropKind & {
  /** Other names of the prop, in order of preference. camelCase spellings are implied. */
  readonly aliases: readonly string[]
}

type PropKind =
  /** Text that visitors read: plain, inline Markdown, or Markdown with blocks. */
  | { readonly kind: 'text' | 'inline' | 'markdown' }
  /** A short string that is not shown as text: an icon, a link's `target`. */
  | { readonly kind: 'token' }
  /** A URL as written. Rendering checks it. */
  | { readonly kind: 'link' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  /** A choice, or an image when the value looks like one. */
  | { readonly kind: 'choice-or-image'; readonly of: readonly string[]; readonly image: Shape }
  | { readonly kind: 'object'; readonly shape: Shape }
  /** At most `max` entries; without it, as many as a request may hold. */
  | { readonly kind: 'list'; readonly of: Prop; readonly max?: number }

/** Props by canonical name, in snake_case. */
export type Props = Readonly<Record<string, Prop>>

export interface Shape {
  readonly props: Props
  /** Props without which there is little to show. Missing ones cause a warning at publish. */
  readonly requires: readonly string[]
  /** The prop that a bare string stands for: an image given as a string is its `src`. */
  readonly shorthand: string | null
  /** Props that form one statement in Markdown. */
  readonly sentences?: readonly Sentence[]
}

/** Several props as one statement: `29`, `EUR` and `month` form a price. */
export interface Sentence {
  /** The statement takes the position of the first of these; the others are not printed again. */
  readonly of: readonly string[]
  /** One line or block of Markdown; null for none. */
  readonly markdown: (values: JsonObject) => string | null
}

export interface SectionType {
  readonly name: string
  readonly aliases: readonly string[]
  readonly shape: Shape
}

export function text(...aliases: string[]): Prop {
  return { kind: 'text', aliases }
}

export function inline(...aliases: string[]): Prop {
  return { kind: 'inline', aliases }
}

export function markdown(...aliases: string[]): Prop {
  return { kind: 'markdown', aliases }
}

export function token(...aliases: string[]): Prop {
  return { kind: 'token', aliases }
}

export function link(...aliases: string[]): Prop {
  return { kind: 'link', aliases }
}

export function boolean(...aliases: string[]): Prop {
  return { kind: 'boolean', aliases }
}

/** A whole number from `min` to `max`, inclusive. */
export function number(min: number, max: number, ...aliases: string[]): Prop {
  return { kind: 'number', min, max, aliases }
}

export function choice(of: readonly string[], ...aliases: string[]): Prop {
  return { kind: 'choice', of, aliases }
}

export function choiceOrImage(of: readonly string[], image: Shape, ...aliases: string[]): Prop {
  return { kind: 'choice-or-image', of, image, aliases }
}

export function object(shape: Shape, ...aliases: string[]): Prop {
  return { kind: 'object', shape, aliases }
}

export function list(of: Prop, ...aliases: string[]): Prop {
  return { kind: 'list', of, aliases }
}

/** A list that is refused when it has more than `max` entries. */
export function shortList(of: Prop, max: number, ...aliases: string[]): Prop {
  return { kind: 'list', of, max, aliases }
}
