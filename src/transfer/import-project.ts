import { ServiceError } from '../domain/errors.ts'
import { NOT_CREATED } from '../push/project.ts'
import { type PushPorts, type PushReport, pushSite } from '../push/push-site.ts'
import { createNullStateStore } from '../push/push-state.ts'
import { importDetails } from './import-details.ts'
import { importStates } from './import-page-states.ts'
import type { ReadExport } from './read-export.ts'
import { readDetails } from './read-project.ts'

export interface ImportRequest {
  /** Id of the project. `NOT_CREATED` in a dry run that would create it. */
  readonly project: string
  /** Publish the pages that were live, and schedule those that were scheduled. */
  readonly publish: boolean
  /** Replace values that differ on the server. */
  readonly overwrite: boolean
  /** Report what would be done, without doing it. */
  readonly dryRun: boolean
}

export interface ImportPorts extends Omit<PushPorts, 'state'> {
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/** The result of an import or of a dry run. Pages are named by their files. */
export interface ImportReport extends Omit<PushReport, 'removed' | 'unpruned' | 'live' | 'files'> {
  readonly archived: readonly string[]
  readonly scheduled: readonly string[]
  /** Whether the project itself was archived. */
  readonly isProjectArchived: boolean
}

/**
 * Imports an export into a project: pushes the folder, then adds what only the manifest holds. Values that are the
 * same on the server are not sent, so an interrupted import continues with the next one. Values that differ are
 * conflicts.
 *
 * @throws {ServiceError} `conflict` when publishing would make pages of Data Mode readable to everyone.
 */
export async function importProject(
  read: ReadExport,
  request: ImportRequest,
  ports: ImportPorts,
): Promise<ImportReport> {
  const { site, details, outdated } = read
  const { details: current } = await readDetails(ports.api, request.project)
  const exposesDataMode =
    request.publish && details.hosting.mode === 'data_mode' && current.hosting.mode !== 'data_mode'
  if (exposesDataMode) throw new ServiceError('conflict', dataModeMessage(request.project))

  const detailsOutcome = await importDetails(details, { ...request, api: ports.api })
  const push = { ...request, prune: false }
  const {
    removed: _,
    unpruned: __,
    live: ___,
    files: ____,
    ...report
  } = await pushSite(site, push, { ...ports, state: createNullStateStore() })
  const withProblems = new Set([...report.conflicts, ...report.failures].map(({ file }) => file))
  const imported = site.pages.filter(({ source }) => !withProblems.has(source))
  const states = await importStates(imported, read, { ...request, api: ports.api, now: ports.now() })
  const conflicts = [...detailsOutcome.conflicts, ...report.conflicts]
  const failures = [...outdated, ...detailsOutcome.failures, ...report.failures, ...states.failures]
  const isProjectArchived =
    details.status === 'archived' && current.status !== 'archived' && conflicts.length + failures.length === 0
  if (isProjectArchived && !request.dryRun)
    await ports.api.projects.update(request.project, { status: 'archived' })
  return {
    ...report,
    settings: [...detailsOutcome.sent, ...report.settings],
    archived: states.archived,
    scheduled: states.scheduled,
    isProjectArchived,
    conflicts,
    failures,
  }
}

function dataModeMessage(project: string): string {
  const target = project === NOT_CREATED ? 'the new one' : project
  return `The exported project is in Data Mode and ${target} is not, so everyone could read its pages. Import without --publish, switch Data Mode on, and import again with --publish.`
}
