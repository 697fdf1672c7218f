import type { JsonObject } from '../domain/json.ts'

/**
 * The language the catalogue is written in. From one table per section type come the reading of
 * aliases, the faults of a request, the words that count and, in rendering, what may be looked up.
 */
export type Prop = PropKind & {
  /** Other names that mean this prop, in the order they are tried. camelCase needs no alias. */
  readonly aliases: readonly string[]
}

type PropKind =
  /** Words a visitor reads: plain, inline Markdown, or Markdown with blocks. */
  | { readonly kind: 'text' | 'inline' | 'markdown' }
  /** A short string that is not read as words: an icon, a link's target. */
  | { readonly kind: 'token' }
  /** A URL as its author wrote it; rendering checks it. */
  | { readonly kind: 'link' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  /** A choice or, where the value looks like one, an image. */
  | { readonly kind: 'choice-or-image'; readonly of: readonly string[]; readonly image: Shape }
  | { readonly kind: 'object'; readonly shape: Shape }
  | { readonly kind: 'list'; readonly of: Prop }

/** Props by canonical name, in snake_case. */
export type Props = Readonly<Record<string, Prop>>

export interface Shape {
  readonly props: Props
  /** Names of props without which there is little to show: a warning at publish, never a fault. */
  readonly requires: readonly string[]
  /** The prop a bare string stands for: an image given as a string is its `src`. */
  readonly shorthand: string | null
  /** What is said otherwise in Markdown than one prop after the other. */
  readonly sentences?: readonly Sentence[]
}

/** Props that are one saying: `29`, `EUR` and `month` are a price. */
export interface Sentence {
  /** It stands where the first of these would, and they are not said again. */
  readonly of: readonly string[]
  /** A line of Markdown, or a block; null when there is nothing to say. */
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

/** A whole number from `min` to `max`, both included. */
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
