import type { Client } from '../client/client.ts'
import type { SitePage } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { PageOutcome } from './page-outcome.ts'
import { type Progress, type PublishResult, publishPages } from './publish-pages.ts'
import type { PushWarning } from './push-diagnostic.ts'

/** A page on the server, as far as publishing depends on it. */
export interface PublishedItem {
  readonly id: string
  readonly status: string | null
  readonly url: string | null
  readonly has_unpublished_changes: boolean | null
  readonly stale: readonly string[] | null
  readonly scheduled_at: string | null
}

/** The result of publishing the pages of a folder, or of a dry run. Pages are named by their files. */
export interface PublishOutcome {
  readonly published: readonly string[]
  readonly unpublished: readonly string[]
  /** Articles whose publish was scheduled, or moved to another time. */
  readonly scheduled: readonly string[]
  /** Drafts whose scheduled publish was cancelled. */
  readonly unscheduled: readonly string[]
  /** The live pages of the folder. */
  readonly live: readonly PublishedItem[]
  readonly conflicts: readonly Diagnostic[]
  readonly failures: readonly Diagnostic[]
  readonly warnings: readonly PushWarning[]
  /** Counts all warnings. The server lists only the first of many. */
  readonly warningCount: number
}

export const NOTHING_PUBLISHED: PublishOutcome = {
  published: [],
  unpublished: [],
  scheduled: [],
  unscheduled: [],
  live: [],
  conflicts: [],
  failures: [],
  warnings: [],
  warningCount: 0,
}

interface PublishRequest {
  readonly project: string
  readonly dryRun: boolean
  /** Refuse pages that would go live with a warning. */
  readonly strict: boolean
  /**
   * Publish times of articles with a date in the future, ISO 8601 UTC by file. Their pages count as drafts until then.
   * Null: schedules on the server are left alone.
   */
  readonly schedule: ReadonlyMap<string, string> | null
}

interface PublishPorts {
  readonly api: Client
  readonly onPublished: Progress
  /** Reads the pages of the folder as they are now. */
  readonly readItems: () => Promise<readonly PublishedItem[]>
}

/**
 * Publishes the pages of the folder that are not live in their current version, schedules its articles of the future,
 * and unpublishes its drafts. Pages that could not be sent and pages outside of the folder are left alone.
 */
export async function publishFolder(
  pages: readonly SitePage[],
  outcomes: readonly PageOutcome[],
  { project, dryRun, strict, schedule: stated }: PublishRequest,
  { api, onPublished, readItems }: PublishPorts,
): Promise<PublishOutcome> {
  const schedule = stated ?? new Map<string, string>()
  const items = byId(await readItems())
  const drafts = new Set(pages.filter(({ draft }) => draft).map(({ source }) => source))
  const sent = outcomes.flatMap(({ file, id, action, message }) =>
    id === null || message !== null ? [] : [{ file, item: items.get(id), isSent: isWritten(action) }],
  )
  // An edit that a person has not published is not the push's to publish.
  const others = new Set(
    outcomes.flatMap(({ file, id, action }) =>
      action === 'kept' && id !== null && items.get(id)?.has_unpublished_changes !== false ? [file] : [],
    ),
  )
  const wanted = sent.filter(({ file }) => !drafts.has(file))
  const archived = sent.filter(
    ({ file, item }) => item?.status === 'archived' && (!drafts.has(file) || schedule.has(file)),
  )
  const due = wanted.filter(
    ({ file, item, isSent }) => item?.status !== 'archived' && !others.has(file) && (isSent || isDue(item)),
  )
  const toUnpublish = sent.filter(({ file, item }) => drafts.has(file) && item?.status === 'published')
  const toSchedule = sent.filter(
    ({ file, item }) =>
      schedule.has(file) &&
      item?.status !== 'archived' &&
      (item?.status === 'published' || item?.scheduled_at !== schedule.get(file)),
  )
  const toCancel = sent.filter(
    ({ file, item }) =>
      stated !== null && drafts.has(file) && !stated.has(file) && item !== undefined && isScheduled(item),
  )
  const plan = {
    published: due.map(({ file }) => file),
    unpublished: toUnpublish.map(({ file }) => file),
    scheduled: toSchedule.map(({ file }) => file),
    unscheduled: toCancel.map(({ file }) => file),
    conflicts: archived.map(({ file }) =>
      diagnostic(
        'QN-CONFLICT',
        file,
        'The page is archived on the server and was not published. Restore it on the server to publish it.',
      ),
    ),
  }
  const liveOf = (current: ReadonlyMap<string, PublishedItem>) =>
    wanted.flatMap(({ item }) => {
      const now = item && current.get(item.id)
      return now?.status === 'published' ? [now] : []
    })
  const isNothingDue = due.length + toUnpublish.length + toSchedule.length + toCancel.length === 0
  if (dryRun || isNothingDue) return { ...NOTHING_PUBLISHED, ...plan, live: dryRun ? [] : liveOf(items) }

  const files = new Map(
    sent.flatMap(({ file, item }) => (item === undefined ? [] : [[item.id, file] as const])),
  )
  const first = await publishPages(api, project, { ids: idsOf(due), strict }, onPublished)
  for (const id of idsOf(toUnpublish)) await api.pages.unpublish(id)
  // After the unpublishing, which cancels a schedule.
  for (const { file, item } of toSchedule) {
    const time = schedule.get(file)
    if (item !== undefined && time !== undefined)
      await api.pages.publish(item.id, { publish_at: time, ...(strict && { strict }) })
  }
  for (const id of idsOf(toCancel)) await api.pages.publish(id, { publish_at: null })
  const live = liveOf(byId(await readItems()))
  // The first pages were published before their neighbours, so their lists and links may be stale. Publish them again.
  // A page that was refused for a dead link may find it live now.
  const failedIds = new Set(first.failed.map(({ pageId }) => pageId))
  const attempted = idsOf(due)
  const published = attempted.filter((id) => !failedIds.has(id))
  const refused = strict && published.length > 0 ? [...failedIds] : []
  const uncertain = uncertainWarnings(first, published)
  const again = new Set([
    ...refused,
    ...live.filter(({ id, stale }) => (stale ?? []).length > 0 || uncertain.has(id)).map(({ id }) => id),
  ])
  const second = await publishAgain()
  const final = finalWarnings(first, second, published, again)
  const failures = [...first.failed.filter(({ pageId }) => !again.has(pageId)), ...second.failed]
  const lost = new Set(failures.map(({ pageId }) => pageId))

  return {
    ...plan,
    published: due.filter(({ item }) => item !== undefined && !lost.has(item.id)).map(({ file }) => file),
    live,
    failures: failures.map(({ pageId, message }) =>
      diagnostic('QN-REFUSED', files.get(pageId) ?? '', `The page was not published: ${message}`),
    ),
    warnings: final.warnings.map(({ pageId, ...warning }) => ({ file: files.get(pageId) ?? '', ...warning })),
    warningCount: final.warningCount,
  }

  /** Repeats rejected pages as long as other pages go live: they may be the targets of their links. */
  async function publishAgain(): Promise<PublishResult> {
    let result = await publishPages(api, project, { ids: [...again], strict }, () => {})
    for (let before = again.size; strict && result.failed.length > 0 && result.failed.length < before; ) {
      before = result.failed.length
      const ids = result.failed.map(({ pageId }) => pageId)
      const next = await publishPages(api, project, { ids, strict }, () => {})
      result = {
        failed: next.failed,
        warnings: [...result.warnings, ...next.warnings],
        warningCount: result.warningCount + next.warningCount,
      }
    }
    return result
  }
}

function byId(items: readonly PublishedItem[]): ReadonlyMap<string, PublishedItem> {
  return new Map(items.map((item) => [item.id, item]))
}

function isWritten(action: PageOutcome['action']): boolean {
  return action === 'created' || action === 'updated'
}

function isScheduled({ scheduled_at: time }: PublishedItem): boolean {
  return time !== null
}

/** Pages whose warnings may be outdated once the other pages are live. All pages when the list of warnings is incomplete. */
function uncertainWarnings(
  { warnings, warningCount }: PublishResult,
  published: readonly string[],
): ReadonlySet<string> {
  if (published.length < 2) return new Set()
  return new Set(warningCount > warnings.length ? published : warnings.map(({ pageId }) => pageId))
}

/** The warnings of the second publish for its pages, and the warnings of the first for the others. */
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

/** Reports whether publishing the page would change the live site. */
function isDue(item: PublishedItem | undefined): boolean {
  return (
    item === undefined ||
    item.status !== 'published' ||
    item.has_unpublished_changes === true ||
    (item.stale ?? []).length > 0
  )
}

function idsOf(pages: readonly { readonly item: PublishedItem | undefined }[]): readonly string[] {
  return pages.flatMap(({ item }) => (item === undefined ? [] : [item.id]))
}
