import type { Client } from '../client/client.ts'
import type { Site } from '../content-folder/site.ts'
import { SITE_FILE } from '../content-folder/site-file.ts'
import { ServiceError } from '../domain/errors.ts'
import { type ListedPage, listPages } from './list-pages.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import { prunePages } from './prune-pages.ts'
import { NOTHING_PUBLISHED, publishFolder } from './publish-folder.ts'
import type { Progress } from './publish-pages.ts'
import type { PushTrouble, PushWarning } from './push-diagnostic.ts'
import { addressesToCreate, type KnownPages, type PageOutcome, pushPages } from './push-pages.ts'
import { pushSettings, type SettingsOutcome } from './push-settings.ts'
import type { PushState, PushStateStore } from './push-state.ts'

export interface PushRequest {
  /** Id of the project; `NOT_CREATED` in a dry run that would make it. */
  readonly project: string
  /** Publish what is not live as the folder says, and take drafts off. */
  readonly publish: boolean
  /** Remove pages that pushes made and the folder no longer has. */
  readonly prune: boolean
  /** Write also over what somebody else has written. */
  readonly overwrite: Overwrite
  /** Tell what would be done, and do none of it. */
  readonly dryRun: boolean
}

export interface PushPorts {
  readonly api: Client
  readonly state: PushStateStore
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly onSent: Progress
  readonly onPublished: Progress
}

/** What a push did, or would do. Pages are named by their files. */
export interface PushReport {
  /** By their names in `site.yaml`. */
  readonly settings: readonly string[]
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly unchanged: number
  readonly published: readonly string[]
  readonly unpublished: readonly string[]
  readonly removed: readonly string[]
  /** Made by a push, no longer in the folder, and still there. */
  readonly unpruned: readonly string[]
  /** Left alone, because somebody else wrote there. */
  readonly conflicts: readonly PushTrouble[]
  readonly failures: readonly PushTrouble[]
  /** What was to be said of what went live; of very many the first. */
  readonly warnings: readonly PushWarning[]
  readonly warningCount: number
  /** Paths at which pages of the folder are read now. */
  readonly live: readonly string[]
}

/** How often what is known is written down meanwhile. */
const SAVE_INTERVAL_MS = 2_000

/**
 * Bring a project up to a content folder through the API: what is there as the folder says is left as
 * it is, and what somebody else wrote since is told of, not written over. Broken off, the next push
 * goes on where it was.
 *
 * @throws {ApiError} for an answer that is not about one page alone.
 * @throws {ServiceError} `validation_error` when `overwrite` names a file that is not pushed.
 */
export async function pushSite(site: Site, request: PushRequest, ports: PushPorts): Promise<PushReport> {
  const before = await ports.state.read()
  assertKnownFiles(request.overwrite, site, before)
  const listed = await listPages(ports.api, request.project)
  const settings = await sendSettings(site, before, request, ports)
  const start = { ...before, settings: settings.known }
  const { outcomes, known } = await sendPages(site, listed, start, request, ports)
  // Before anything goes live: what a page lists, and which addresses are free, depends on what is there.
  const pruned = await prunePages(site.pages, listed, known, { ...request, api: ports.api })
  const live = request.publish
    ? await publishFolder(site.pages, outcomes, listed, request, ports)
    : NOTHING_PUBLISHED
  if (!request.dryRun) await ports.state.write({ ...start, pages: pruned.known, making: [] })

  const told = (action: PageOutcome['action']) => outcomes.filter((outcome) => outcome.action === action)
  return {
    settings: settings.sent,
    created: told('created').map(({ file }) => file),
    updated: told('updated').map(({ file }) => file),
    unchanged: told('unchanged').length,
    published: live.published,
    unpublished: live.unpublished,
    removed: pruned.removed,
    unpruned: pruned.unpruned,
    conflicts: [
      ...settings.conflicts,
      ...told('conflict').map(diagnosticOf),
      ...live.conflicts,
      ...pruned.conflicts,
    ],
    failures: [...settings.failures, ...told('failed').map(diagnosticOf), ...live.failures],
    warnings: live.warnings,
    warningCount: live.warningCount,
    live: live.paths,
  }
}

/** @throws {ServiceError} `validation_error`, before anything is sent. */
function assertKnownFiles(overwrite: Overwrite, { pages }: Site, before: PushState): void {
  if (typeof overwrite === 'boolean') return
  const files = new Set([SITE_FILE, ...pages.map(({ source }) => source), ...Object.keys(before.pages)])
  const unknown = [...overwrite].filter((file) => !files.has(file))
  if (unknown.length > 0)
    throw new ServiceError(
      'validation_error',
      `--force: ${unknown.join(', ')} is no file of a page here, nor ${SITE_FILE}.`,
    )
}

interface SettingsReport extends Pick<SettingsOutcome, 'sent' | 'known'> {
  readonly conflicts: readonly PushTrouble[]
  readonly failures: readonly PushTrouble[]
}

async function sendSettings(
  { settings }: Site,
  { settings: known }: PushState,
  request: PushRequest,
  { api }: PushPorts,
): Promise<SettingsReport> {
  const { conflicts, refused, ...outcome } = await pushSettings(settings, known, {
    ...request,
    overwrite: mayOverwrite(request.overwrite, SITE_FILE),
    api,
  })
  return {
    ...outcome,
    conflicts: conflicts.map((name) => ({ file: SITE_FILE, message: conflictOf(name, known) })),
    failures: refused.map((message) => ({ file: SITE_FILE, message })),
  }
}

function conflictOf(name: string, known: PushState['settings']): string {
  const what =
    known[name] === undefined
      ? 'has a value on the server that no push of this folder wrote'
      : 'was edited on the server since it was pushed'
  return `${name} ${what}. --force ${SITE_FILE} writes over it.`
}

/** Whatever ends it, what was sent until then is known to the next push. */
async function sendPages(
  { pages }: Site,
  listed: readonly ListedPage[],
  before: PushState,
  request: PushRequest,
  { api, state, monotonic, onSent }: PushPorts,
): Promise<{ readonly outcomes: readonly PageOutcome[]; readonly known: PushState['pages'] }> {
  const outcomes: PageOutcome[] = []
  const making = [...before.making, ...addressesToCreate(pages, listed, before)]
  let known: KnownPages = new Map(Object.entries(before.pages))
  let noted = monotonic()
  const note = async () => {
    if (!request.dryRun) await state.write({ ...before, pages: Object.fromEntries(known), making })
    noted = monotonic()
  }
  await note()
  try {
    known = await pushPages(pages, listed, before, {
      ...request,
      api,
      async onPage(outcome, now) {
        outcomes.push(outcome)
        known = now
        onSent(outcomes.length, pages.length)
        if (monotonic() - noted >= SAVE_INTERVAL_MS) await note()
      },
    })
  } finally {
    await note()
  }
  return { outcomes, known: Object.fromEntries(known) }
}

function diagnosticOf({ file, message }: PageOutcome): PushTrouble {
  return { file, message: message ?? '' }
}
