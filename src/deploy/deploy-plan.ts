import { SHARED_PREFIXES, STAGES } from '../domain/artifact.ts'
import type { BuiltObject } from './built-folder.ts'
import type { DeployedFile, DeployRecord } from './deploy-record.ts'

/** The changes that a deploy makes in its target. */
export interface DeployPlan {
  readonly uploads: readonly DeployUpload[]
  /** Number of files that are up to date in the target. */
  readonly unchanged: number
  /** Keys to remove. A file is removed before the files it references. */
  readonly deletes: readonly string[]
  /** Files that are no longer in the site and stay in the target for a day. */
  readonly retired: Readonly<Record<string, DeployedFile>>
  /** Keys to upload whose current object in the target was not uploaded by a deploy. */
  readonly foreign: readonly string[]
}

export interface DeployUpload extends BuiltObject {
  /**
   * `missing`: uploaded by an earlier deploy, but not in the target; `again`: unchanged, uploaded because of `--all`.
   */
  readonly reason: 'new' | 'changed' | 'missing' | 'again'
}

/**
 * Time for which a removed asset stays. Pages that were opened before a deploy still load the assets they reference.
 */
const ASSET_RETENTION_MS = 24 * 60 * 60 * 1000

/**
 * Compares a built site with the record of earlier deploys. Pure.
 *
 * @param existing every key in the target.
 * @param now ISO 8601 UTC.
 * @param all uploads unchanged files, too.
 */
export function planDeploy(
  built: readonly BuiltObject[],
  { files }: DeployRecord,
  existing: ReadonlySet<string>,
  { now, all }: { readonly now: string; readonly all: boolean },
): DeployPlan {
  const recorded = new Map(Object.entries(files))
  const wanted = new Set(built.map(({ key }) => key))
  const uploads = built.flatMap((object): DeployUpload[] => {
    const reason = reasonToUpload(object, recorded.get(object.key), existing) ?? (all ? 'again' : null)
    return reason === null ? [] : [{ ...object, reason }]
  })
  const removed = [...recorded].filter(([key]) => !wanted.has(key) && existing.has(key))
  const retired = removed.filter(([key, file]) => isRetained(key, file, now))
  const deletes = removed.filter(([key, file]) => !isRetained(key, file, now))
  return {
    uploads,
    unchanged: built.length - uploads.length,
    deletes: deletes.sort(lastStageFirst).map(([key]) => key),
    retired: Object.fromEntries(
      retired.map(([key, file]) => [key, { ...file, goneSince: file.goneSince ?? now }]),
    ),
    foreign: uploads.map(({ key }) => key).filter((key) => existing.has(key) && !recorded.has(key)),
  }
}

function reasonToUpload(
  { key, digest }: BuiltObject,
  previous: DeployedFile | undefined,
  existing: ReadonlySet<string>,
): DeployUpload['reason'] | null {
  if (previous === undefined) return 'new'
  if (!existing.has(key)) return previous.digest === null ? 'new' : 'missing'
  return previous.digest === digest ? null : 'changed'
}

function isRetained(key: string, { goneSince = '' }: DeployedFile, now: string): boolean {
  if (!SHARED_PREFIXES.some((prefix) => key.startsWith(prefix))) return false
  return goneSince === '' || Date.parse(now) - Date.parse(goneSince) < ASSET_RETENTION_MS
}

/** Orders removals: the reverse of the order of uploads. */
function lastStageFirst(
  [a, { stage: stageA }]: [string, DeployedFile],
  [b, { stage: stageB }]: [string, DeployedFile],
): number {
  return STAGES.indexOf(stageB) - STAGES.indexOf(stageA) || (a < b ? -1 : 1)
}
