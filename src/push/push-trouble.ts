/** Something that is left for whoever pushes to settle. */
export interface PushTrouble {
  /** Relative to the folder. */
  readonly file: string
  readonly message: string
}
