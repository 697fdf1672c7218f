import { ServiceError } from '../domain/errors.ts'
import { NOT_CREATED } from '../push/project.ts'
import { type PushPorts, type PushReport, pushSite } from '../push/push-site.ts'
import { createNullStateStore } from '../push/push-state.ts'
import { importDetails } from './import-details.ts'
import { importStates } from './import-page-states.ts'
import type { ReadExport } from './read-export.ts'
import { readDetails } from './read-project.ts'

export interface ImportRequest {
  /** Id of the project; `NOT_CREATED` in a dry run that would make it. */
  readonly project: string
  /** Publish the pages that were live, and schedule those that were. */
  readonly publish: boolean
  /** Write also over what is otherwise there. */
  readonly overwrite: boolean
  /** Tell what would be done, and do none of it. */
  readonly dryRun: boolean
}

export interface ImportPorts extends Omit<PushPorts, 'state'> {
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

/** What an import did, or would do. Pages are named by their files. */
export interface ImportReport extends Omit<PushReport, 'removed' | 'unpruned' | 'live'> {
  readonly archived: readonly string[]
  readonly scheduled: readonly string[]
  /** Whether the project itself went into the archive. */
  readonly isProjectArchived: boolean
}

/**
 * Bring a project up to what was exported: a push of the folder, with what only its manifest says. What
 * is there as it is to be is not written again, so that an import that was broken off is ended by the
 * next; what is there otherwise is told of and left.
 *
 * @throws {ServiceError} `conflict` when publishing would show everybody what Data Mode hid.
 */
export async function importProject(
  read: ReadExport,
  request: ImportRequest,
  ports: ImportPorts,
): Promise<ImportReport> {
  const { site, details, lost } = read
  const { details: current } = await readDetails(ports.api, request.project)
  const isShown =
    request.publish && details.hosting.mode === 'data_mode' && current.hosting.mode !== 'data_mode'
  if (isShown) throw new ServiceError('conflict', dataModeMessage(request.project))

  const own = await importDetails(details, { ...request, api: ports.api })
  const push = { ...request, prune: false }
  const {
    removed: _,
    unpruned: __,
    live: ___,
    ...report
  } = await pushSite(site, push, { ...ports, state: createNullStateStore() })
  const troubled = new Set([...report.conflicts, ...report.failures].map(({ file }) => file))
  const sound = site.pages.filter(({ source }) => !troubled.has(source))
  const states = await importStates(sound, read, { ...request, api: ports.api, now: ports.now() })
  const conflicts = [...own.conflicts, ...report.conflicts]
  const failures = [...lost, ...own.failures, ...report.failures, ...states.failures]
  const isProjectArchived =
    details.status === 'archived' && current.status !== 'archived' && conflicts.length + failures.length === 0
  if (isProjectArchived && !request.dryRun)
    await ports.api.request('PUT /projects/{id}', {
      path: { id: request.project },
      body: { status: 'archived' },
    })
  return {
    ...report,
    settings: [...own.sent, ...report.settings],
    archived: states.archived,
    scheduled: states.scheduled,
    isProjectArchived,
    conflicts,
    failures,
  }
}

function dataModeMessage(project: string): string {
  const goal = project === NOT_CREATED ? 'a new one' : project
  return `The project was in Data Mode, and ${goal} is not: its pages would be readable by everybody. Import without --publish, switch Data Mode on there, and import again with it.`
}
