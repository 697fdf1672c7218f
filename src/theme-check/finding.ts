/** Something in a theme that its author should mend. */
export interface Finding {
  /** An error breaks pages, or shuts readers out; a warning is something nobody needs, or that wants a second look. */
  readonly severity: 'error' | 'warning'
  /** What was looked at, e.g. `contrast`; `quoin theme check` documents them. */
  readonly rule: Rule
  /** Absolute. */
  readonly file: string
  /** From 1; null when the finding is about the file as a whole. */
  readonly line: number | null
  readonly message: string
  /** What was being rendered, in words; null where nothing was. */
  readonly on: string | null
}

export type Rule =
  | 'manifest'
  | 'template'
  | 'rendering'
  | 'unknown-name'
  | 'unescaped'
  | 'accessibility'
  | 'policy'
  | 'contrast'
  | 'token'
  | 'style'
  | 'size'
  | 'unused-file'

/** Each once, in the order of their places. */
export function sorted(findings: readonly Finding[]): readonly Finding[] {
  const once = new Map(
    findings
      .toReversed()
      .map((finding) => [
        JSON.stringify([finding.file, finding.line, finding.rule, finding.message]),
        finding,
      ]),
  )
  return [...once.values()].sort((a, b) =>
    a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1,
  )
}
