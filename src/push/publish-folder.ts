import type { Client } from '../client/client.ts'
import type { SitePage } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { type ListedPage, listPages } from './list-pages.ts'
import { type Progress, type PublishResult, publishPages } from './publish-pages.ts'
import type { PushWarning } from './push-diagnostic.ts'
import type { PageOutcome } from './push-pages.ts'

/** The result of publishing the pages of a folder, or of a dry run. Pages are named by their files. */
export interface PublishOutcome {
  readonly published: readonly string[]
  readonly unpublished: readonly string[]
  /** The live pages of the folder. */
  readonly live: readonly ListedPage[]
  readonly conflicts: readonly Diagnostic[]
  readonly failures: readonly Diagnostic[]
  readonly warnings: readonly PushWarning[]
  /** Counts all warnings. The server lists only the first of many. */
  readonly warningCount: number
}

export const NOTHING_PUBLISHED: PublishOutcome = {
  published: [],
  unpublished: [],
  live: [],
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
 * Publishes the pages of the folder that are not live in their current version, and unpublishes its drafts.
 * Pages that could not be sent and pages that are not in the folder are left alone.
 *
 * @param listed all pages of the project before this push.
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
  const wanted = sent.filter(({ file }) => !drafts.has(file))
  const archived = wanted.filter(({ item }) => item?.status === 'archived')
  const due = wanted.filter(({ item, isSent }) => item?.status !== 'archived' && (isSent || isDue(item)))
  const toUnpublish = sent.filter(({ file, item }) => drafts.has(file) && item?.status === 'published')
  const plan = {
    published: due.map(({ file }) => file),
    unpublished: toUnpublish.map(({ file }) => file),
    conflicts: archived.map(({ file }) =>
      diagnostic(
        'QN-CONFLICT',
        file,
        'The page is archived on the server and was not published. Restore it on the server to publish it.',
      ),
    ),
  }
  if (dryRun) return { ...NOTHING_PUBLISHED, ...plan }

  const files = new Map(
    sent.flatMap(({ file, item }) => (item === undefined ? [] : [[item.id, file] as const])),
  )
  const first = await publishPages(api, project, idsOf(due), onPublished)
  for (const id of idsOf(toUnpublish)) await api.pages.unpublish(id)
  const wantedIds = new Set(idsOf(wanted))
  const live = (await listPages(api, project)).filter(
    ({ id, status }) => wantedIds.has(id) && status === 'published',
  )
  // The first pages were published before their neighbours, so their lists and links may be stale. Publish them again.
  const failedIds = new Set(first.failed.map(({ pageId }) => pageId))
  const published = idsOf(due).filter((id) => !failedIds.has(id))
  const uncertain = uncertainWarnings(first, published)
  const again = new Set(
    live.filter(({ id, stale }) => stale.length > 0 || uncertain.has(id)).map(({ id }) => id),
  )
  const second = await publishPages(api, project, [...again], () => {})
  const final = finalWarnings(first, second, published, again)

  return {
    ...plan,
    published: due
      .filter(({ item }) => item !== undefined && !failedIds.has(item.id))
      .map(({ file }) => file),
    live,
    failures: [...first.failed, ...second.failed].map(({ pageId, message }) =>
      diagnostic('QN-REFUSED', files.get(pageId) ?? '', `The page was not published: ${message}`),
    ),
    warnings: final.warnings.map(({ pageId, ...warning }) => ({ file: files.get(pageId) ?? '', ...warning })),
    warningCount: final.warningCount,
  }
}

/** Pages whose warnings may be outdated once the other pages are live. All pages when the list of warnings is incomplete. */
function uncertainWarnings(
  { warnings, warningCount }: PublishResult,
  published: readonly string[],
): ReadonlySet<string> {
  if (published.length < 2) return new Set()
  return new Set(warningCount > warnings.length ? published : warnings.map(({ pageId }) => pageId))
}

/** The warnings of the second publish for pages that it repeated, and those of the first for the others. */
function finalWarnings(
  first: PublishResult,
  second: PublishResult,
  published: readonly string[],
  again: ReadonlySet<string>,
): Pick<PublishResult, 'warnings' | 'warningCount'> {
  const current = first.warnings.filter(({ pageId }) => !again.has(pageId))
  const unlisted = published.every((id) => again.has(id)) ? 0 : first.warningCount - first.warnings.length
  return {
    warnings: [...current, ...second.warnings],
    warningCount: current.length + unlisted + second.warningCount,
  }
}

/** Whether publishing the page would change the live site. */
function isDue(item: ListedPage | undefined): boolean {
  return (
    item === undefined || item.status !== 'published' || item.has_unpublished_changes || item.stale.length > 0
  )
}

function idsOf(pages: readonly { readonly item: ListedPage | undefined }[]): readonly string[] {
  return pages.flatMap(({ item }) => (item === undefined ? [] : [item.id]))
}
