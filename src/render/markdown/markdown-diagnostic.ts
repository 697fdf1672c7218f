import type { PageWarning } from '../../domain/diagnostic.ts'

/** A part of the Markdown that is not shown as intended. */
export interface MarkdownDiagnostic extends Pick<PageWarning, 'code' | 'message'> {
  /** The affected text, or its beginning, as written. */
  readonly excerpt: string
  /** Diagnostics of one page with equal values are reported once. */
  readonly once?: string
}

/** Maximum number of diagnostics per text. Hostile input could cause millions. */
export const MAX_DIAGNOSTICS = 100
