import { ApiError } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import type { PushedState } from './pushed-state.ts'

export interface PruneOutcome {
  readonly removed: readonly string[]
  /** Pages of the folder without a file, which remain on the server. */
  readonly unpruned: readonly string[]
  readonly conflicts: readonly Diagnostic[]
}

/**
 * Removes pages that a push created from deleted files. A page that was edited on the server is a conflict. Pages of
 * other folders and users stay.
 *
 * @param found ids of the pages that belong to files of the folder now.
 */
export async function prunePages(
  found: ReadonlySet<string>,
  pushed: PushedState['pages'],
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
  const removed: string[] = []
  const unpruned: string[] = []
  const conflicts: Diagnostic[] = []
  for (const [file, { id, created, digest, current }] of pushed) {
    if (found.has(id) || !created) continue
    if (!prune) unpruned.push(file)
    else if (current !== digest && !mayOverwrite(overwrite, file))
      conflicts.push(diagnostic('QN-CONFLICT', file, editedMessage(id, file)))
    else {
      if (!dryRun) await remove(api, id)
      removed.push(file)
    }
  }
  return { removed, unpruned, conflicts }
}

function editedMessage(id: string, file: string): string {
  return `The file was removed, but its page ${id} was edited on the server since the last push. Remove the page with --force ${file}.`
}

/** Removes a page. A page that no longer exists is not an error. */
async function remove(api: Client, id: string): Promise<void> {
  try {
    await api.pages.delete(id)
  } catch (error) {
    if (!(error instanceof ApiError && error.name === 'not_found')) throw error
  }
}
