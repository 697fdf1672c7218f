import type { PageWarning } from '../domain/diagnostic.ts'

/** A warning of the server about a page that was published. */
export interface PushWarning extends PageWarning {
  /** The file of the page, relative to the folder. */
  readonly file: string
}
