import type { Client } from '../client/client.ts'
import type { SitePage } from '../content-folder/site.ts'
import { type ListedPage, listPages } from './list-pages.ts'
import { type Progress, type PublishResult, publishPages } from './publish-pages.ts'
import type { PushTrouble, PushWarning } from './push-diagnostic.ts'
import type { PageOutcome } from './push-pages.ts'

/** What publishing the pages of a folder did, or would do. */
export interface PublishOutcome {
  readonly published: readonly string[]
  readonly unpublished: readonly string[]
  /** Paths at which pages of the folder are read now. */
  readonly paths: readonly string[]
  readonly conflicts: readonly PushTrouble[]
  readonly failures: readonly PushTrouble[]
  /** What the owner should know of what went live. */
  readonly warnings: readonly PushWarning[]
  /** Of very many the server lists the first. */
  readonly warningCount: number
}

export const NOTHING_PUBLISHED: PublishOutcome = {
  published: [],
  unpublished: [],
  paths: [],
  conflicts: [],
  failures: [],
  warnings: [],
  warningCount: 0,
}

interface PublishPorts {
  readonly api: Client
  readonly onPublished: Progress
}

/**
 * Publish the pages of the folder that are not live as they are now, and take those off that it calls
 * drafts. Pages that could not be sent are left as they are, and so are others' pages.
 *
 * @param listed every page of the project, before this push.
 */
export async function publishFolder(
  pages: readonly SitePage[],
  outcomes: readonly PageOutcome[],
  listed: readonly ListedPage[],
  { project, dryRun }: { readonly project: string; readonly dryRun: boolean },
  { api, onPublished }: PublishPorts,
): Promise<PublishOutcome> {
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
  if (dryRun) return { ...NOTHING_PUBLISHED, ...plan }

  const files = new Map(
    sent.flatMap(({ file, item }) => (item === undefined ? [] : [[item.id, file] as const])),
  )
  const first = await publishPages(api, project, idsOf(due), onPublished)
  for (const id of idsOf(off)) await api.request('POST /pages/{id}/unpublish', { path: { id } })
  const isOpen = new Set(idsOf(open))
  const live = (await listPages(api, project)).filter(
    ({ id, status }) => isOpen.has(id) && status === 'published',
  )
  // Of many pages, those that went first did not know all their neighbours yet: what to list, where links lead.
  const isFailed = new Set(first.failed.map(({ pageId }) => pageId))
  const published = idsOf(due).filter((id) => !isFailed.has(id))
  const unsure = uncertainWarnings(first, published)
  const again = new Set(
    live.filter(({ id, stale }) => stale.length > 0 || unsure.has(id)).map(({ id }) => id),
  )
  const second = await publishPages(api, project, [...again], () => {})
  const said = finalWarnings(first, second, published, again)

  return {
    ...plan,
    published: due.filter(({ item }) => item !== undefined && !isFailed.has(item.id)).map(({ file }) => file),
    paths: live.map(({ url }) => url),
    failures: [...first.failed, ...second.failed].map(({ pageId, message }) => ({
      file: files.get(pageId) ?? '',
      message: `It was not published: ${message}`,
    })),
    warnings: said.warnings.map(({ pageId, ...warning }) => ({ file: files.get(pageId) ?? '', ...warning })),
    warningCount: said.warningCount,
  }
}

/** Pages of which the warnings may hold no longer once the others are live: all, where not all warnings are listed. */
function uncertainWarnings(
  { warnings, warningCount }: PublishResult,
  published: readonly string[],
): ReadonlySet<string> {
  if (published.length < 2) return new Set()
  return new Set(warningCount > warnings.length ? published : warnings.map(({ pageId }) => pageId))
}

/** Of the pages that went live again, what was said then. */
function finalWarnings(
  first: PublishResult,
  second: PublishResult,
  published: readonly string[],
  again: ReadonlySet<string>,
): Pick<PublishResult, 'warnings' | 'warningCount'> {
  const kept = first.warnings.filter(({ pageId }) => !again.has(pageId))
  const unlisted = published.every((id) => again.has(id)) ? 0 : first.warningCount - first.warnings.length
  return {
    warnings: [...kept, ...second.warnings],
    warningCount: kept.length + unlisted + second.warningCount,
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
