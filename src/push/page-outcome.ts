import type { BodyOf } from '../client/routes.ts'
import type { SitePage } from '../content-folder/site.ts'

/** The result of pushing the page of one file. */
export interface PageOutcome {
  /** The file, relative to the folder. */
  readonly file: string
  /** `adopted`: only the file of the page was recorded. `kept`: the page was edited on the server alone. */
  readonly action: 'created' | 'updated' | 'adopted' | 'unchanged' | 'kept' | 'conflict' | 'failed'
  /** The id of the page. Null when it was not created. */
  readonly id: string | null
  /** Describes a conflict or a failure. Null otherwise. */
  readonly message: string | null
  /** The field that the server refused, e.g. `config.theme`. Null when it names none. */
  readonly field: string | null
  /** The fields of a page that was changed in both places, for the server to show. Null otherwise. */
  readonly differing: DifferingFields | null
}

/** The fields of a file with other values than its page. */
export interface DifferingFields {
  /** The first 16 hex digits of the digest of each; null for a field that the file does not have. */
  readonly digests: Readonly<Record<string, string | null>>
  /** The values in the form of `PUT /pages/:id`. */
  readonly values: BodyOf<'PUT /pages/{id}'>
}

/** @param id the id of the page; null when there is none. */
export function outcomeOf(
  { source }: SitePage,
  action: PageOutcome['action'],
  id: string | null,
  problem: { readonly message?: string; readonly field?: string | undefined } = {},
): PageOutcome {
  return {
    file: source,
    action,
    id,
    message: problem.message ?? null,
    field: problem.field || null,
    differing: null,
  }
}
