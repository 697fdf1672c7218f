import type { AssetId, PageId, ProjectId } from './ids.ts'

/** The kinds of records that a push writes. */
export const SOURCE_RECORDS = ['page', 'asset', 'settings'] as const
export type SourceRecord = (typeof SOURCE_RECORDS)[number]

/** The file that a record was last pushed from. */
export interface SourceFile {
  /** The identity of a content folder, see `folderIdentity`. */
  readonly folder: string
  /** Relative to the folder, with forward slashes. */
  readonly path: string
}

/** Digests of the fields of a file or a record, which the service and the command compute in the same way. */
export interface FieldDigests {
  /** SHA-256 of the fields as canonical JSON, hex. */
  readonly digest: string
  /** The first 16 hex digits of the digest of each field, by name. A field without a value is absent. */
  readonly fields: Readonly<Record<string, string>>
}

/** The last push of a record. */
export interface Source extends SourceFile, FieldDigests {
  readonly projectId: ProjectId
  readonly record: SourceRecord
  /** The page or asset, or the project of settings. */
  readonly recordId: PageId | AssetId | ProjectId
  /** True when a push of the folder created the record. Only then may a push remove it. */
  readonly created: boolean
  /** The commit of the push, if the folder is in a Git repository. */
  readonly revision: string | null
  readonly pushedAt: string
  /** The version of the record after the push. */
  readonly storedVersion: number
  /**
   * The digest of the fields of that version. It differs from the pushed one where a person had edited some of them.
   */
  readonly storedDigest: string
}

const FOLDER_ID = /^[a-z0-9-]{6,64}$/

/** Checks the form of the `id` of a content folder. */
export function isFolderId(text: string): boolean {
  return FOLDER_ID.test(text)
}

/** The longest name of a site, in characters. */
const MAX_NAME = 100
const NAME_PREFIX = 'name:'

/** The identity of a content folder: its `id`, or its name. It does not depend on where the folder is. */
export function folderIdentity({
  folderId,
  name,
}: {
  readonly folderId?: string
  readonly name: string
}): string {
  return folderId ?? NAME_PREFIX + name
}

export function isFolderIdentity(text: string): boolean {
  if (!text.startsWith(NAME_PREFIX)) return isFolderId(text)
  const name = text.slice(NAME_PREFIX.length)
  return name !== '' && [...name].length <= MAX_NAME && !/\p{Cc}/u.test(name)
}
