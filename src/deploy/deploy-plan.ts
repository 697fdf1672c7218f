import { STAGES } from '../domain/artifact.ts'
import type { BuiltObject } from './built-folder.ts'
import type { Deployed, DeployedFile } from './deployed.ts'

/** The changes that a deploy would make to its target. */
export interface DeployPlan {
  readonly uploads: readonly DeployUpload[]
  /** Number of unchanged files. */
  readonly kept: number
  /** Keys to remove; files that name others come first. */
  readonly deletes: readonly string[]
  /** Files that stay for a day after the site no longer has them. */
  readonly retired: Readonly<Record<string, DeployedFile>>
  /** Keys to upload where the target has a file that no deploy stored. */
  readonly foreign: readonly string[]
}

export interface DeployUpload extends BuiltObject {
  /** `missing`: a deploy stored it, and it is gone. `again`: uploaded because `--all` was given. */
  readonly reason: 'new' | 'changed' | 'missing' | 'again'
}

/** Pages that were opened before a deploy still ask for the styles and scripts they name. */
const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * Compares a built site with the record of deployed files. Pure.
 *
 * @param there every key in the target.
 * @param now ISO 8601 UTC.
 * @param all uploads unchanged files as well.
 */
export function planDeploy(
  built: readonly BuiltObject[],
  { files }: Deployed,
  there: ReadonlySet<string>,
  { now, all }: { readonly now: string; readonly all: boolean },
): DeployPlan {
  const before = new Map(Object.entries(files))
  const wanted = new Set(built.map(({ key }) => key))
  const uploads = built.flatMap((object): DeployUpload[] => {
    const reason = reasonToPut(object, before.get(object.key), there) ?? (all ? 'again' : null)
    return reason === null ? [] : [{ ...object, reason }]
  })
  const gone = [...before].filter(([key]) => !wanted.has(key) && there.has(key))
  const retired = gone.filter(([key, file]) => isKept(key, file, now))
  const deletes = gone.filter(([key, file]) => !isKept(key, file, now))
  return {
    uploads,
    kept: built.length - uploads.length,
    deletes: deletes.sort(namersFirst).map(([key]) => key),
    retired: Object.fromEntries(
      retired.map(([key, file]) => [key, { ...file, goneSince: file.goneSince ?? now }]),
    ),
    foreign: uploads.map(({ key }) => key).filter((key) => there.has(key) && !before.has(key)),
  }
}

function reasonToPut(
  { key, digest }: BuiltObject,
  before: DeployedFile | undefined,
  there: ReadonlySet<string>,
): DeployUpload['reason'] | null {
  if (before === undefined) return 'new'
  if (!there.has(key)) return before.digest === null ? 'new' : 'missing'
  return before.digest === digest ? null : 'changed'
}

function isKept(key: string, { goneSince = '' }: DeployedFile, now: string): boolean {
  if (!key.startsWith('_assets/')) return false
  return goneSince === '' || Date.parse(now) - Date.parse(goneSince) < KEPT_MS
}

/** Files of the last upload stage are removed first. */
function namersFirst(
  [a, { stage: of }]: [string, DeployedFile],
  [b, { stage }]: [string, DeployedFile],
): number {
  return STAGES.indexOf(stage) - STAGES.indexOf(of) || (a < b ? -1 : 1)
}
