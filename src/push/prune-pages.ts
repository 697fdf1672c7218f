import { ApiError } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { SitePage } from '../content-folder/site.ts'
import type { ListedPage } from './list-pages.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import type { PushTrouble } from './push-diagnostic.ts'
import type { PushedPage } from './push-state.ts'

export interface PruneOutcome {
  readonly removed: readonly string[]
  /** Made by a push, no longer in the folder, and still there. */
  readonly unpruned: readonly string[]
  readonly conflicts: readonly PushTrouble[]
  /** What is known of the pages that are there. */
  readonly known: Readonly<Record<string, PushedPage>>
}

/** Remove the pages that pushes made and the folder no longer has, unless somebody has edited them since. */
export async function prunePages(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  known: Readonly<Record<string, PushedPage>>,
  {
    api,
    prune,
    overwrite,
    dryRun,
  }: {
    readonly api: Client
    readonly prune: boolean
    readonly overwrite: Overwrite
    readonly dryRun: boolean
  },
): Promise<PruneOutcome> {
  const sources = new Set(pages.map(({ source }) => source))
  const items = new Map(listed.map((item) => [item.id, item]))
  const after = new Map(Object.entries(known))
  const removed: string[] = []
  const unpruned: string[] = []
  const conflicts: PushTrouble[] = []

  for (const [file, { id, made, updatedAt }] of Object.entries(known)) {
    if (sources.has(file)) continue
    const item = items.get(id)
    // What somebody else made, or has removed, is no longer of interest.
    if (item === undefined || !made) after.delete(file)
    else if (!prune) unpruned.push(file)
    else if (item.updated_at !== updatedAt && !mayOverwrite(overwrite, file))
      conflicts.push({ file, message: edited(id, file) })
    else {
      if (!dryRun) await remove(api, id)
      after.delete(file)
      removed.push(file)
    }
  }
  return { removed, unpruned, conflicts, known: Object.fromEntries(after) }
}

function edited(id: string, file: string): string {
  return `The file is gone, but ${id} was edited on the server since it was pushed. --force ${file} removes it.`
}

/** One that is gone already is as wanted. */
async function remove(api: Client, id: string): Promise<void> {
  try {
    await api.request('DELETE /pages/{id}', { path: { id } })
  } catch (error) {
    if (!(error instanceof ApiError && error.name === 'not_found')) throw error
  }
}
