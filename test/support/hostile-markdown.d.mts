/** Markdown that is meant to be costly: each of `kind`, repeated until it is about so many bytes long. */
export const HOSTILE_KINDS: readonly string[]
export function hostileMarkdown(kind: string, bytes: number): string
