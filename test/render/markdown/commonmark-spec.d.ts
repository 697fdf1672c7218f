declare module 'commonmark-spec' {
  /** The examples of the specification, tabs printed as `→`. */
  export const tests: readonly { markdown: string; html: string; section: string; number: number }[]
}
