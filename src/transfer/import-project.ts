import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { Site } from '../content-folder/site.ts'
import { diagnostic } from '../domain/diagnostic.ts'
import { ServiceError } from '../domain/errors.ts'
import type { FileBody } from '../platform/file-body.ts'
import { awaitVariants } from '../push/await-variants.ts'
import { withMediaNames } from '../push/media-names.ts'
import { NOT_CREATED } from '../push/project.ts'
import { type PushPorts, type PushReport, pushSite } from '../push/push-site.ts'
import { type AssetToImport, type ImportedAssets, importAssets } from './import-assets.ts'
import { importDetails } from './import-details.ts'
import { importStates } from './import-page-states.ts'
import type { ReadExport } from './read-export.ts'
import { readDetails } from './read-project.ts'

export interface ImportRequest {
  /** Id of the project. `NOT_CREATED` in a dry run that would create it. */
  readonly project: string
  /** Publish the pages that were live, and schedule pages with a scheduled publish. */
  readonly publish: boolean
  /** Replace values that differ on the server. */
  readonly overwrite: boolean
  /** Report what would be done, without doing it. */
  readonly dryRun: boolean
  readonly allow: FileAllowances
}

/** Permissions to import without files, or with changed ones. */
export interface FileAllowances {
  /** Import without files that are missing in the folder or rejected by the server. */
  readonly missing: boolean
  /** Import those with other bytes than were exported. */
  readonly changed: boolean
}

export interface ImportPorts extends Omit<PushPorts, 'files'> {
  /** Reads a file of the folder that is no part of the export. */
  readonly readFile: (source: string) => Promise<FileBody>
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/** The result of an import or of a dry run. Pages are named by their files. */
export interface ImportReport
  extends Omit<
    PushReport,
    'removed' | 'unpruned' | 'live' | 'files' | 'kept' | 'adopted' | 'unscheduled' | 'pageConflicts'
  > {
  readonly files: Pick<ImportedAssets, 'sent' | 'unchanged' | 'described' | 'undecoded'> & {
    /** Images whose smaller ones were not derived when the pages were published. */
    readonly unfinished: number
  }
  readonly archived: readonly string[]
  readonly scheduled: readonly string[]
  /** The project itself was archived. */
  readonly isProjectArchived: boolean
  /**
   * The reason why pages and settings were not imported: `failures` about files of the folder, or about files that the
   * server refused.
   */
  readonly stoppedBy: 'folder' | 'server' | null
}

/**
 * Imports an export into a project: sends the files, pushes the folder, then adds what only the manifest holds. Values
 * that are the same on the server are not sent, so an interrupted import continues with the next one. Values that differ
 * are conflicts. Without all of its files, unless that is allowed, nothing else is imported.
 *
 * @throws {ServiceError} `conflict` when publishing would make pages of Data Mode readable to everyone, and as
 *   `importAssets`.
 */
export async function importProject(
  read: ReadExport,
  request: ImportRequest,
  ports: ImportPorts,
): Promise<ImportReport> {
  const { details, outdated } = read
  const { details: current } = await readDetails(ports.api, request.project)
  const exposesDataMode =
    request.publish && details.hosting.mode === 'data_mode' && current.hosting.mode !== 'data_mode'
  if (exposesDataMode) throw new ServiceError('conflict', dataModeMessage(request.project))
  const damaged = [
    ...(request.allow.missing ? [] : read.missingAssets),
    ...(request.allow.changed ? [] : read.changedAssets),
  ]
  if (damaged.length > 0) return { ...NOTHING_IMPORTED, stoppedBy: 'folder', failures: damaged }

  const { site, files } = await mediaOf(read, ports.readFile)
  const { onFile = () => {} } = ports
  const {
    refused,
    conflicts: fileConflicts,
    processing,
    ...sent
  } = await importAssets(files, { ...request, ...ports, onFile })
  const refusals = [...refused].map(([file, message]) => diagnostic('QN-REFUSED', file, message))
  if (refusals.length > 0 && !request.allow.missing)
    return {
      ...NOTHING_IMPORTED,
      stoppedBy: 'server',
      files: { ...sent, unfinished: 0 },
      conflicts: fileConflicts,
      failures: refusals,
    }

  const detailsOutcome = await importDetails(details, { ...request, api: ports.api })
  const unfinished = await awaitVariants(processing, request, ports)
  const push = { ...request, folder: null, prune: false, redirects: true }
  const {
    removed: _,
    unpruned: __,
    live: ___,
    files: ____,
    kept: _____,
    adopted: ______,
    unscheduled: _______,
    pageConflicts: ________,
    ...report
  } = await pushSite(site, push, ports)
  const withProblems = new Set([...report.conflicts, ...report.failures].map(({ file }) => file))
  const imported = site.pages.filter(({ source }) => !withProblems.has(source))
  const states = await importStates(imported, read, { ...request, api: ports.api, now: ports.now() })
  const conflicts = [...detailsOutcome.conflicts, ...fileConflicts, ...report.conflicts]
  const failures = [
    ...outdated,
    ...read.missingAssets,
    ...refusals,
    ...detailsOutcome.failures,
    ...report.failures,
    ...states.failures,
  ]
  const isProjectArchived =
    details.status === 'archived' && current.status !== 'archived' && conflicts.length + failures.length === 0
  if (isProjectArchived && !request.dryRun)
    await ports.api.projects.update(request.project, { status: 'archived' })
  return {
    ...report,
    settings: [...detailsOutcome.sent, ...report.settings],
    files: { ...sent, unfinished },
    archived: states.archived,
    scheduled: states.scheduled,
    isProjectArchived,
    stoppedBy: null,
    conflicts,
    failures,
  }
}

const NOTHING_IMPORTED: ImportReport = {
  settings: [],
  files: { sent: [], unchanged: 0, described: [], undecoded: 0, unfinished: 0 },
  created: [],
  updated: [],
  unchanged: 0,
  published: [],
  unpublished: [],
  archived: [],
  scheduled: [],
  redirects: [],
  isProjectArchived: false,
  stoppedBy: null,
  conflicts: [],
  failures: [],
  warnings: [],
  warningCount: 0,
  address: null,
}

/**
 * The site with the addresses that its assets have on a service. Pages that were not edited since the export are as they
 * were, to the letter; others may name files of the folder that are no part of the export.
 */
async function mediaOf(
  { site, assets, unedited }: ReadExport,
  readFile: ImportPorts['readFile'],
): Promise<{ readonly site: Site; readonly files: readonly AssetToImport[] }> {
  const exported = new Map(assets.map(({ source, name }) => [source, name]))
  const named = withMediaNames(site, exported)
  const added = named.files.filter(({ source }) => !exported.has(source))
  return {
    site: {
      ...site,
      settings: unedited.has(SITE_FILE) ? site.settings : named.site.settings,
      pages: site.pages.map((page, index) =>
        unedited.has(page.source) ? page : (named.site.pages[index] ?? page),
      ),
    },
    files: [
      ...assets,
      ...(await Promise.all(added.map(async (file) => ({ ...file, body: await readFile(file.source) })))),
    ],
  }
}

function dataModeMessage(project: string): string {
  const target = project === NOT_CREATED ? 'the new one' : project
  return `The exported project is in Data Mode and ${target} is not, so everyone could read its pages. Import without --publish, switch Data Mode on, and import again with --publish.`
}
