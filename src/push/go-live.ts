import type { Client } from '../client/client.ts'
import type { SitePage } from '../site/site.ts'
import { type ListedPage, listPages } from './list-pages.ts'
import { type Progress, publishPages } from './publish-pages.ts'
import type { PageOutcome } from './push-pages.ts'
import type { PushTrouble } from './push-trouble.ts'

/** What publishing the pages of a folder did, or would do. */
export interface WentLive {
  readonly published: readonly string[]
  readonly unpublished: readonly string[]
  /** Paths at which pages of the folder are read now. */
  readonly paths: readonly string[]
  readonly conflicts: readonly PushTrouble[]
  readonly failures: readonly PushTrouble[]
}

export const NOT_LIVE: WentLive = { published: [], unpublished: [], paths: [], conflicts: [], failures: [] }

interface GoLivePorts {
  readonly api: Client
  readonly onPublished: Progress
}

/**
 * Publish the pages of the folder that are not live as they are now, and take those off that it calls
 * drafts. Pages that could not be sent are left as they are, and so are others' pages.
 *
 * @param listed every page of the project, before this push.
 */
export async function goLive(
  pages: readonly SitePage[],
  outcomes: readonly PageOutcome[],
  listed: readonly ListedPage[],
  { project, dryRun }: { readonly project: string; readonly dryRun: boolean },
  { api, onPublished }: GoLivePorts,
): Promise<WentLive> {
  const items = new Map((dryRun ? listed : await listPages(api, project)).map((item) => [item.id, item]))
  const drafts = new Set(pages.filter(({ draft }) => draft).map(({ source }) => source))
  const sent = outcomes.flatMap(({ file, id, action, message }) =>
    id === null || message !== null ? [] : [{ file, item: items.get(id), isSent: action !== 'unchanged' }],
  )
  const open = sent.filter(({ file }) => !drafts.has(file))
  const archived = open.filter(({ item }) => item?.status === 'archived')
  const due = open.filter(({ item, isSent }) => item?.status !== 'archived' && (isSent || isDue(item)))
  const off = sent.filter(({ file, item }) => drafts.has(file) && item?.status === 'published')
  const conflicts = archived.map(({ file }) => ({
    file,
    message: 'It is archived on the server, and was not published. Take it out of the archive there.',
  }))
  const plan = { published: due.map(({ file }) => file), unpublished: off.map(({ file }) => file), conflicts }
  if (dryRun) return { ...plan, paths: [], failures: [] }

  const files = new Map(
    sent.flatMap(({ file, item }) => (item === undefined ? [] : [[item.id, file] as const])),
  )
  const failed = await publishPages(api, project, idsOf(due), onPublished)
  for (const id of idsOf(off)) await api.request('POST /pages/{id}/unpublish', { path: { id } })
  const isOpen = new Set(idsOf(open))
  const live = (await listPages(api, project)).filter(
    ({ id, status }) => isOpen.has(id) && status === 'published',
  )
  // Of many pages, those that went first did not know all their neighbours yet.
  const stale = live.filter((item) => item.stale.length > 0).map(({ id }) => id)
  const failedAgain = await publishPages(api, project, stale, () => {})

  const isFailed = new Set(failed.map(({ pageId }) => pageId))
  return {
    ...plan,
    published: due.filter(({ item }) => item !== undefined && !isFailed.has(item.id)).map(({ file }) => file),
    paths: live.map(({ url }) => url),
    failures: [...failed, ...failedAgain].map(({ pageId, message }) => ({
      file: files.get(pageId) ?? '',
      message: `It was not published: ${message}`,
    })),
  }
}

/** Whether publishing the page would change what is live. */
function isDue(item: ListedPage | undefined): boolean {
  return (
    item === undefined || item.status !== 'published' || item.has_unpublished_changes || item.stale.length > 0
  )
}

function idsOf(pages: readonly { readonly item: ListedPage | undefined }[]): readonly string[] {
  return pages.flatMap(({ item }) => (item === undefined ? [] : [item.id]))
}
