import { ApiError } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import type { SitePage } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { ListedPage } from './list-pages.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import type { PushedPage } from './push-state.ts'

export interface PruneOutcome {
  readonly removed: readonly string[]
  /** Pages that a push created and that are no longer in the folder, but remain on the server. */
  readonly unpruned: readonly string[]
  readonly conflicts: readonly Diagnostic[]
  /** The push state without the pages that no longer exist. */
  readonly pushed: Readonly<Record<string, PushedPage>>
}

/** Removes pages that a push created and the folder no longer has. A page that was edited on the server is a conflict. */
export async function prunePages(
  pages: readonly SitePage[],
  listed: readonly ListedPage[],
  pushed: Readonly<Record<string, PushedPage>>,
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
  const next = new Map(Object.entries(pushed))
  const removed: string[] = []
  const unpruned: string[] = []
  const conflicts: Diagnostic[] = []

  for (const [file, { id, made, updatedAt }] of Object.entries(pushed)) {
    if (sources.has(file)) continue
    const item = items.get(id)
    // Pages that others created or removed are not tracked any more.
    if (item === undefined || !made) next.delete(file)
    else if (!prune) unpruned.push(file)
    else if (item.updated_at !== updatedAt && !mayOverwrite(overwrite, file))
      conflicts.push(diagnostic('QN-CONFLICT', file, editedMessage(id, file)))
    else {
      if (!dryRun) await remove(api, id)
      next.delete(file)
      removed.push(file)
    }
  }
  return { removed, unpruned, conflicts, pushed: Object.fromEntries(next) }
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
