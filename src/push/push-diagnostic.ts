/** Something that is left for whoever pushes to settle. */
export interface PushTrouble {
  /** Relative to the folder. */
  readonly file: string
  readonly message: string
}

/** Something that went live, and that whoever wrote it should know of. */
export interface PushWarning extends PushTrouble {
  /** As in `config.sections[2]`; null when it is about the whole page. */
  readonly at: string | null
  /** The text it is about, or the beginning of it; undefined where it is about none. */
  readonly written: string | undefined
}
