/** The CSS type of a token's value. */
export type TokenKind = 'colour' | 'font' | 'length' | 'weight' | 'shadow'

export interface Token {
  /** CSS custom property without leading dashes. */
  readonly name: string
  readonly kind: TokenKind
  /** The shared style has a fallback for it. */
  readonly isOptional?: true
}

/** Tokens that the shared style reads. A theme that extends no other must set all but the optional ones. */
export const TOKENS: readonly Token[] = [
  { name: 'brand', kind: 'colour' },
  { name: 'bg', kind: 'colour' },
  { name: 'soft', kind: 'colour' },
  { name: 'surface', kind: 'colour' },
  { name: 'text', kind: 'colour' },
  { name: 'muted', kind: 'colour' },
  { name: 'line', kind: 'colour' },
  { name: 'line-strong', kind: 'colour' },
  { name: 'night', kind: 'colour' },
  { name: 'code', kind: 'colour' },
  { name: 'code-type', kind: 'colour' },
  { name: 'note', kind: 'colour' },
  { name: 'tip', kind: 'colour' },
  { name: 'important', kind: 'colour' },
  { name: 'warning', kind: 'colour' },
  { name: 'caution', kind: 'colour' },
  { name: 'footer', kind: 'colour', isOptional: true },
  { name: 'quote', kind: 'colour', isOptional: true },
  { name: 'font', kind: 'font' },
  { name: 'font-heading', kind: 'font', isOptional: true },
  { name: 'font-text', kind: 'font', isOptional: true },
  { name: 'font-mono', kind: 'font' },
  { name: 'heading-weight', kind: 'weight' },
  { name: 'heading-tracking', kind: 'length' },
  { name: 'label-tracking', kind: 'length' },
  { name: 'hero-size', kind: 'length', isOptional: true },
  { name: 'article-size', kind: 'length', isOptional: true },
  { name: 'wide', kind: 'length' },
  { name: 'radius-small', kind: 'length' },
  { name: 'radius', kind: 'length' },
  { name: 'radius-large', kind: 'length' },
  { name: 'radius-button', kind: 'length', isOptional: true },
  { name: 'shadow', kind: 'shadow' },
]

const NAMES: ReadonlySet<string> = new Set(TOKENS.map(({ name }) => name))

/**
 * Reports whether the shared style reads the token. Other tokens belong to a theme or are derived by the shared style.
 */
export function isToken(name: string): boolean {
  return NAMES.has(name)
}
