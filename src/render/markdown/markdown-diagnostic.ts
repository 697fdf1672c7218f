/** Something that is not shown as it was meant, as a sentence for who wrote it. */
export interface MarkdownDiagnostic {
  /** As it stands in the text, or the beginning of it. */
  readonly excerpt: string
  readonly message: string
}

/** Told of one text; enough to see what is wrong, and a hostile one could have millions. */
export const MAX_DIAGNOSTICS = 100
