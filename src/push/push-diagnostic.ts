/** A warning of the server about a page that was published. */
export interface PushWarning {
  /** The file of the page, relative to the folder. */
  readonly file: string
  readonly message: string
  /** The field, e.g. `config.sections[2]`. Null when the warning concerns the whole page. */
  readonly at: string | null
  /** The text that the warning is about, or its beginning. Undefined when there is none. */
  readonly written: string | undefined
}
