import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { Site } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import { SETTINGS_FIELDS } from '../fields/settings-fields.ts'
import { SETTING_KEYS, settingFileName } from '../fields/settings-record.ts'
import { awaitVariants, type VariantPorts } from './await-variants.ts'
import { needsListing } from './find-pages.ts'
import { listPages } from './list-pages.ts'
import { type NamedFile, withMediaNames } from './media-names.ts'
import { mayOverwrite, type Overwrite } from './overwrite.ts'
import type { DifferingFields, PageOutcome } from './page-outcome.ts'
import { type AssetPruneOutcome, pruneAssets } from './prune-assets.ts'
import { prunePages } from './prune-pages.ts'
import { NOTHING_PUBLISHED, type PublishedItem, publishFolder } from './publish-folder.ts'
import type { Progress } from './publish-pages.ts'
import { type AssetsOutcome, type FolderFiles, pushAssets } from './push-assets.ts'
import type { PushWarning } from './push-diagnostic.ts'
import { pushPages } from './push-pages.ts'
import { NO_REDIRECTS_SENT, pushRedirects } from './push-redirects.ts'
import { pushSettings, type SettingsOutcome } from './push-settings.ts'
import {
  NOTHING_PUSHED,
  type PushedRecord,
  type PushedState,
  readPushedRecords,
  toPushedState,
} from './pushed-state.ts'
import { siteAddress } from './site-address.ts'

export interface PushRequest {
  /** Id of the project. `NOT_CREATED` in a dry run that would create it. */
  readonly project: string
  /** The identity of the folder, by which the server records its pushes; null for none. */
  readonly folder: string | null
  /** Publish pages that are not live in their current version, and unpublish drafts. */
  readonly publish: boolean
  /** Refuse pages that would go live with a warning. */
  readonly strict?: boolean
  /**
   * Publish times of articles with a date in the future, ISO 8601 UTC by file. The articles count as drafts until then.
   * Absent: schedules on the server are left alone.
   */
  readonly schedule?: ReadonlyMap<string, string>
  /** Remove pages and files that a push sent, and the folder no longer has. */
  readonly prune: boolean
  /** Replace what was changed on the server. */
  readonly overwrite: Overwrite
  /** Send the redirects of the site that belong to no page. They are live at once. By default with `publish` only. */
  readonly redirects?: boolean
  /** Report what would be done, without doing it. */
  readonly dryRun: boolean
}

export interface PushPorts extends VariantPorts {
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
  /** Unreferenced assets of earlier pushes without a file in the folder. They remain on the server. */
  readonly unpruned: readonly string[]
  /** Images that were published before all their smaller ones were derived. */
  readonly unfinished: number
}

/** A page that was changed in its file and on the server. */
export interface PageConflict extends DifferingFields {
  readonly id: string
  readonly file: string
}

/** The result of a push or of a dry run. Pages are named by their files. */
export interface PushReport {
  /** By their names in `site.yaml`. */
  readonly settings: readonly string[]
  readonly files: PushedFiles
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly unchanged: number
  /** Pages, files, and settings as `site.yaml: name`, that were edited on the server alone, and stay as they are there. */
  readonly kept: readonly string[]
  /** Pages, files and settings whose values the server has already. Only their file was recorded. */
  readonly adopted: readonly string[]
  readonly published: readonly string[]
  readonly unpublished: readonly string[]
  readonly scheduled: readonly string[]
  readonly unscheduled: readonly string[]
  /** Paths of created or changed redirects that belong to no page. */
  readonly redirects: readonly string[]
  readonly removed: readonly string[]
  /** Pages of the folder without a file, which remain on the server. */
  readonly unpruned: readonly string[]
  /** Changes in the folder and on the server that were not replaced. */
  readonly conflicts: readonly Diagnostic[]
  /** Conflicts of pages, as the server shows them. */
  readonly pageConflicts: readonly PageConflict[]
  readonly failures: readonly Diagnostic[]
  /** Warnings about published pages. The server lists only the first of many. */
  readonly warnings: readonly PushWarning[]
  readonly warningCount: number
  /** The paths of all live pages of the folder. */
  readonly live: readonly string[]
  /** The address of the site; null without `publish`, in a dry run, if no page is live, and if it is not known. */
  readonly address: string | null
}

/**
 * Pushes a content folder to a project through the API. Sends only changes since the last push of the folder: edits on
 * the server alone stay, and changes in both places are conflicts. A push that was killed anywhere continues with the
 * next one.
 *
 * @throws {ApiError} for an error that does not concern one page alone.
 * @throws {ServiceError} `validation_error` when `overwrite` names an unknown file.
 */
export async function pushSite(read: Site, request: PushRequest, ports: PushPorts): Promise<PushReport> {
  const { project, folder } = request
  const { site, files } = ports.files === undefined ? { site: read, files: [] } : withMediaNames(read)
  const records = folder === null ? [] : await readPushedRecords(ports.api, project, folder)
  const state = records.length > 0 ? toPushedState(records) : NOTHING_PUSHED
  assertKnownFiles(request.overwrite, read, state)
  const listed = needsListing(site.pages, state) ? await listPages(ports.api, project) : []
  // Files first: pages may be published as soon as they are sent, by others too, and need their files then.
  const assets = await sendAssets(files, state, request, ports)
  const settings = await sendSettings(site, state, request, ports)
  const outcomes: PageOutcome[] = []
  await pushPages(site.pages, listed, state, {
    ...request,
    site,
    api: ports.api,
    onPage(outcome) {
      outcomes.push(outcome)
      ports.onSent(outcomes.length, site.pages.length)
    },
  })
  // Prune before publishing: lists and free addresses depend on the pages that exist.
  const found = new Set(outcomes.flatMap(({ id }) => id ?? []))
  const pruned = await prunePages(found, state.pages, { ...request, api: ports.api })
  const unfinished = await awaitVariants(assets.processing, request, ports)
  const isUnchanged =
    folder !== null &&
    !needsListing(site.pages, state) &&
    settings.sent.length + assets.sent.length + assets.processing.length + pruned.removed.length === 0 &&
    outcomes.every(({ action }) => action === 'unchanged' || action === 'kept')
  const published = request.publish
    ? await publishFolder(
        site.pages,
        outcomes,
        { ...request, strict: request.strict ?? false, schedule: request.schedule ?? null },
        { ...ports, readItems: itemReader(isUnchanged ? records : null, request, ports) },
      )
    : NOTHING_PUBLISHED
  const redirects =
    (request.redirects ?? request.publish)
      ? await pushRedirects(site.redirects ?? [], request, ports.api)
      : NO_REDIRECTS_SENT
  const prunedFiles = await prunedAssets(read, state, request, ports)
  const [livePage] = published.live

  const withAction = (...actions: readonly PageOutcome['action'][]) =>
    outcomes.filter(({ action }) => actions.includes(action)).map(({ file }) => file)
  const failed = (action: PageOutcome['action']) =>
    outcomes.filter((outcome) => outcome.action === action).map(diagnosticOf)
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
    created: withAction('created'),
    updated: withAction('updated'),
    unchanged: withAction('unchanged', 'adopted').length,
    kept: [...assets.kept, ...settings.kept.map(ofSiteFile), ...withAction('kept')],
    adopted: [...assets.adopted, ...settings.adopted.map(ofSiteFile), ...withAction('adopted')],
    published: published.published,
    unpublished: published.unpublished,
    scheduled: published.scheduled,
    unscheduled: published.unscheduled,
    redirects: redirects.sent,
    removed: pruned.removed,
    unpruned: pruned.unpruned,
    conflicts: [
      ...assets.conflicts,
      ...settings.conflicts,
      ...failed('conflict'),
      ...published.conflicts,
      ...pruned.conflicts,
    ],
    pageConflicts: outcomes.flatMap(pageConflict),
    failures: [...settings.failures, ...failed('failed'), ...published.failures, ...redirects.failures],
    warnings: published.warnings,
    warningCount: published.warningCount,
    live: published.live.flatMap(({ url }) => url ?? []),
    address: livePage === undefined ? null : await siteAddress(ports.api, livePage.id),
  }
}

/**
 * Reports whether a push would change nothing on the server. Conflicts count as changes, because the server stores
 * them.
 */
export function writesNothing(plan: PushReport): boolean {
  return [
    ...[plan.settings, plan.files.sent, plan.files.removed, plan.created, plan.updated, plan.adopted],
    ...[plan.published, plan.unpublished, plan.scheduled, plan.unscheduled, plan.removed],
    plan.redirects,
    plan.pageConflicts,
  ].every((changes) => changes.length === 0)
}

function ofSiteFile(setting: string): string {
  return `${SITE_FILE}: ${setting}`
}

/** Reads the pages to publish. @param known the records of a folder whose push has written nothing. */
function itemReader(
  known: readonly PushedRecord[] | null,
  { project, folder, dryRun }: PushRequest,
  { api }: PushPorts,
): () => Promise<readonly PublishedItem[]> {
  let first = known
  return async () => {
    const records =
      first ?? (folder === null || dryRun ? null : await readPushedRecords(api, project, folder))
    first = null
    return records?.filter(({ record }) => record === 'page') ?? listPages(api, project)
  }
}

/** @throws {ServiceError} `validation_error`, before anything is sent. */
function assertKnownFiles(overwrite: Overwrite, { pages, assets }: Site, state: PushedState): void {
  if (typeof overwrite === 'boolean') return
  const sources = [...pages, ...assets].map(({ source }) => source)
  const files = new Set([SITE_FILE, ...sources, ...state.pages.keys()])
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
  kept: [],
  adopted: [],
  conflicts: [],
  refused: new Map(),
  undecoded: 0,
  processing: [],
}

async function sendAssets(
  named: readonly NamedFile[],
  state: PushedState,
  request: PushRequest,
  { api, files, variants, onFile = () => {} }: PushPorts,
): Promise<AssetsOutcome> {
  if (files === undefined || named.length === 0) return NO_ASSETS
  return pushAssets(named, state.assets, {
    ...request,
    api,
    files,
    onFile,
    awaitsVariants: request.publish && !request.dryRun && variants !== undefined,
  })
}

async function prunedAssets(
  { assets }: Site,
  state: PushedState,
  request: PushRequest,
  { api, files }: PushPorts,
): Promise<AssetPruneOutcome> {
  if (files === undefined) return { removed: [], unpruned: [] }
  return pruneAssets(assets, state.assets, { ...request, api })
}

interface SettingsReport extends Pick<SettingsOutcome, 'sent' | 'adopted' | 'kept'> {
  readonly conflicts: readonly Diagnostic[]
  readonly failures: readonly Diagnostic[]
}

async function sendSettings(
  { settings }: Site,
  { settings: pushed }: PushedState,
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

function conflictOf(fileName: string, pushed: PushedState['settings']): string {
  const key = SETTING_KEYS.find((one) => settingFileName(one) === fileName)
  const isPushed = key !== undefined && pushed[SETTINGS_FIELDS[key].name] !== undefined
  const what = isPushed
    ? 'was changed on the server since the last push'
    : 'has a value on the server that this folder did not set'
  return `\`${fileName}\` ${what}. Replace it with --force ${SITE_FILE}.`
}

function pageConflict({ id, file, differing }: PageOutcome): PageConflict[] {
  return id === null || differing === null ? [] : [{ id, file, ...differing }]
}

function diagnosticOf({ file, action, message, field }: PageOutcome): Diagnostic {
  return diagnostic(action === 'conflict' ? 'QN-CONFLICT' : 'QN-REFUSED', file, message ?? '', { field })
}
