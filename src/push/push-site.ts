import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { Site } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { awaitVariants, type VariantPorts } from './await-variants.ts'
import { type ListedPage, listPages } from './list-pages.ts'
import { type NamedFile, withMediaNames } from './media-names.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import { type AssetPruneOutcome, pruneAssets } from './prune-assets.ts'
import { prunePages } from './prune-pages.ts'
import { NOTHING_PUBLISHED, publishFolder } from './publish-folder.ts'
import type { Progress } from './publish-pages.ts'
import { type AssetsOutcome, type FolderFiles, type PushedAssets, pushAssets } from './push-assets.ts'
import type { PushWarning } from './push-diagnostic.ts'
import { addressesToCreate, type PageOutcome, type PushedPages, pushPages } from './push-pages.ts'
import { pushSettings, type SettingsOutcome } from './push-settings.ts'
import type { PushState, PushStateStore } from './push-state.ts'
import { siteAddress } from './site-address.ts'

export interface PushRequest {
  /** Id of the project. `NOT_CREATED` in a dry run that would create it. */
  readonly project: string
  /** Publish pages that are not live in their current version, and unpublish drafts. */
  readonly publish: boolean
  /** Remove pages and files that a push created, and the folder no longer has. */
  readonly prune: boolean
  /** Replace what was changed on the server. */
  readonly overwrite: Overwrite
  /** Report what would be done, without doing it. */
  readonly dryRun: boolean
}

export interface PushPorts extends VariantPorts {
  readonly state: PushStateStore
  readonly onSent: Progress
  readonly onPublished: Progress
  /** The files of the folder. Absent: only pages and settings are sent, and name files as they are. */
  readonly files?: FolderFiles
  readonly onFile?: Progress
}

/** Files that pages and settings name, by their paths in the folder. */
export interface PushedFiles extends Pick<AssetsOutcome, 'sent' | 'unchanged' | 'refused' | 'undecoded'> {
  /** All of them. */
  readonly named: readonly string[]
  /** Names of assets, as those of `unpruned`. */
  readonly removed: readonly string[]
  /** Assets that a push uploaded, that the folder no longer has and nothing names, but that remain on the server. */
  readonly unpruned: readonly string[]
  /** Pictures that were published before all their smaller ones were derived. */
  readonly unfinished: number
}

/** The result of a push or of a dry run. Pages are named by their files. */
export interface PushReport {
  /** By their names in `site.yaml`. */
  readonly settings: readonly string[]
  readonly files: PushedFiles
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly unchanged: number
  readonly published: readonly string[]
  readonly unpublished: readonly string[]
  readonly removed: readonly string[]
  /** Pages that a push created and that are no longer in the folder, but remain on the server. */
  readonly unpruned: readonly string[]
  /** Pages and settings that were changed on the server, and not replaced. */
  readonly conflicts: readonly Diagnostic[]
  readonly failures: readonly Diagnostic[]
  /** Warnings about published pages. The server lists only the first of many. */
  readonly warnings: readonly PushWarning[]
  readonly warningCount: number
  /** The paths of all live pages of the folder. */
  readonly live: readonly string[]
  /** The address of the site; null without `publish`, in a dry run, if no page is live, and if it is not known. */
  readonly address: string | null
}

/** Time between two saves of the push state during a push. */
const SAVE_INTERVAL_MS = 2_000

/**
 * Pushes a content folder to a project through the API. Sends only what differs. Does not replace what was changed
 * on the server since the last push, but reports it as a conflict. An interrupted push continues with the next one.
 *
 * @throws {ApiError} for an error that does not concern one page alone.
 * @throws {ServiceError} `validation_error` when `overwrite` names an unknown file.
 */
export async function pushSite(read: Site, request: PushRequest, ports: PushPorts): Promise<PushReport> {
  const previous = await ports.state.read()
  assertKnownFiles(request.overwrite, read, previous)
  const { site, files } = ports.files === undefined ? { site: read, files: [] } : withMediaNames(read)
  const listed = await listPages(ports.api, request.project)
  // Pages may be published as soon as they are sent, by others too, and show only what is there.
  const assets = await sendAssets(files, previous, request, ports)
  const withAssets = { ...previous, assets: Object.fromEntries(assets.pushed) }
  const settings = await sendSettings(site, withAssets, request, ports)
  const start = { ...withAssets, settings: settings.pushed }
  const { outcomes, pushed } = await sendPages(site, listed, start, request, ports)
  // Prune before publishing: lists and free addresses depend on the pages that exist.
  const pruned = await prunePages(site.pages, listed, pushed, { ...request, api: ports.api })
  const unfinished = await awaitVariants(assets.processing, request, ports)
  const published = request.publish
    ? await publishFolder(site.pages, outcomes, listed, request, ports)
    : NOTHING_PUBLISHED
  const prunedFiles = await prunedAssets(read, assets.pushed, request, ports)
  const end = { ...start, assets: Object.fromEntries(prunedFiles.pushed), pages: pruned.pushed, making: [] }
  if (!request.dryRun) await ports.state.write(end)
  const [livePage] = published.live

  const withAction = (action: PageOutcome['action']) =>
    outcomes.filter((outcome) => outcome.action === action)
  return {
    settings: settings.sent,
    files: {
      named: files.map(({ source }) => source),
      sent: assets.sent,
      unchanged: assets.unchanged,
      refused: assets.refused,
      undecoded: assets.undecoded,
      removed: prunedFiles.removed,
      unpruned: prunedFiles.unpruned,
      unfinished,
    },
    created: withAction('created').map(({ file }) => file),
    updated: withAction('updated').map(({ file }) => file),
    unchanged: withAction('unchanged').length,
    published: published.published,
    unpublished: published.unpublished,
    removed: pruned.removed,
    unpruned: pruned.unpruned,
    conflicts: [
      ...assets.conflicts,
      ...settings.conflicts,
      ...withAction('conflict').map(diagnosticOf),
      ...published.conflicts,
      ...pruned.conflicts,
    ],
    failures: [...settings.failures, ...withAction('failed').map(diagnosticOf), ...published.failures],
    warnings: published.warnings,
    warningCount: published.warningCount,
    live: published.live.map(({ url }) => url),
    address: livePage === undefined ? null : await siteAddress(ports.api, livePage.id),
  }
}

/** @throws {ServiceError} `validation_error`, before anything is sent. */
function assertKnownFiles(overwrite: Overwrite, { pages, assets }: Site, previous: PushState): void {
  if (typeof overwrite === 'boolean') return
  const sources = [...pages, ...assets].map(({ source }) => source)
  const files = new Set([SITE_FILE, ...sources, ...Object.keys(previous.pages)])
  const unknown = [...overwrite].filter((file) => !files.has(file))
  if (unknown.length > 0)
    throw new ServiceError(
      'validation_error',
      `--force: ${unknown.join(', ')} is neither ${SITE_FILE} nor a page or another file of the site.`,
    )
}

const NO_ASSETS: AssetsOutcome = {
  sent: [],
  unchanged: 0,
  conflicts: [],
  refused: new Map(),
  undecoded: 0,
  processing: [],
  pushed: new Map(),
}

/** Saves the push state regularly and at the end, as `sendPages` does. */
async function sendAssets(
  named: readonly NamedFile[],
  previous: PushState,
  request: PushRequest,
  { api, state, monotonic, files, onFile = () => {} }: PushPorts,
): Promise<AssetsOutcome> {
  let pushed: PushedAssets = new Map(Object.entries(previous.assets))
  if (files === undefined || named.length === 0) return { ...NO_ASSETS, pushed }
  let savedAt = monotonic()
  let saving: Promise<void> = Promise.resolve()
  // Files end at any time, and two saves must not meet.
  const save = () => {
    savedAt = monotonic()
    if (!request.dryRun)
      saving = saving.then(() => state.write({ ...previous, assets: Object.fromEntries(pushed) }))
    return saving
  }
  try {
    return await pushAssets(named, previous.assets, {
      ...request,
      api,
      files,
      onFile,
      async onPushed(current) {
        pushed = current
        if (monotonic() - savedAt >= SAVE_INTERVAL_MS) await save()
      },
    })
  } finally {
    await save()
  }
}

async function prunedAssets(
  { assets }: Site,
  pushed: PushedAssets,
  request: PushRequest,
  { api, files }: PushPorts,
): Promise<AssetPruneOutcome> {
  if (files === undefined) return { removed: [], unpruned: [], pushed }
  return pruneAssets(assets, pushed, { ...request, api })
}

interface SettingsReport extends Pick<SettingsOutcome, 'sent' | 'pushed'> {
  readonly conflicts: readonly Diagnostic[]
  readonly failures: readonly Diagnostic[]
}

async function sendSettings(
  { settings }: Site,
  { settings: pushed }: PushState,
  request: PushRequest,
  { api }: PushPorts,
): Promise<SettingsReport> {
  const { conflicts, refused, ...outcome } = await pushSettings(settings, pushed, {
    ...request,
    overwrite: mayOverwrite(request.overwrite, SITE_FILE),
    api,
  })
  return {
    ...outcome,
    conflicts: conflicts.map((field) =>
      diagnostic('QN-CONFLICT', SITE_FILE, conflictOf(field, pushed), { field }),
    ),
    failures: [...refused].map(([field, message]) => diagnostic('QN-REFUSED', SITE_FILE, message, { field })),
  }
}

function conflictOf(name: string, pushed: PushState['settings']): string {
  const what =
    pushed[name] === undefined
      ? 'has a value on the server that this folder did not set'
      : 'was changed on the server since the last push'
  return `\`${name}\` ${what}. Replace it with --force ${SITE_FILE}.`
}

/** Saves the push state regularly and at the end, even after an error, so that the next push knows what was sent. */
async function sendPages(
  { pages }: Site,
  listed: readonly ListedPage[],
  previous: PushState,
  request: PushRequest,
  { api, state, monotonic, onSent }: PushPorts,
): Promise<{ readonly outcomes: readonly PageOutcome[]; readonly pushed: PushState['pages'] }> {
  const outcomes: PageOutcome[] = []
  const making = [...previous.making, ...addressesToCreate(pages, listed, previous)]
  let pushed: PushedPages = new Map(Object.entries(previous.pages))
  let savedAt = monotonic()
  const save = async () => {
    if (!request.dryRun) await state.write({ ...previous, pages: Object.fromEntries(pushed), making })
    savedAt = monotonic()
  }
  await save()
  try {
    pushed = await pushPages(pages, listed, previous, {
      ...request,
      api,
      async onPage(outcome, current) {
        outcomes.push(outcome)
        pushed = current
        onSent(outcomes.length, pages.length)
        if (monotonic() - savedAt >= SAVE_INTERVAL_MS) await save()
      },
    })
  } finally {
    await save()
  }
  return { outcomes, pushed: Object.fromEntries(pushed) }
}

function diagnosticOf({ file, action, message, field }: PageOutcome): Diagnostic {
  return diagnostic(action === 'conflict' ? 'QN-CONFLICT' : 'QN-REFUSED', file, message ?? '', { field })
}
