import type { Client } from '../client/client.ts'
import { ServiceError } from '../domain/errors.ts'
import { type ListedPage, listPages } from '../push/list-pages.ts'
import { type PushPorts, type PushReport, pushSite } from '../push/push-site.ts'
import { createNoMemory } from '../push/pushed.ts'
import { addressText } from '../site/parents.ts'
import { importHome } from './import-home.ts'
import type { ReadExport } from './read-export.ts'
import { readHome } from './read-project.ts'

export interface ImportRequest {
  /** Id of the project. */
  readonly project: string
  /** Publish the pages that were live. */
  readonly publish: boolean
  /** Write also over what is otherwise there. */
  readonly force: boolean
  /** Tell what would be done, and do none of it. */
  readonly dryRun: boolean
}

export type ImportPorts = Omit<PushPorts, 'memory'>

/** What an import did, or would do. Pages are named by their files. */
export interface ImportReport extends Omit<PushReport, 'removed' | 'left' | 'live'> {
  readonly archived: readonly string[]
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
  { site, home, archived, lost }: ReadExport,
  request: ImportRequest,
  ports: ImportPorts,
): Promise<ImportReport> {
  const { home: there } = await readHome(ports.api, request.project)
  const isShown = request.publish && home.hosting.mode === 'data_mode' && there.hosting.mode !== 'data_mode'
  if (isShown) throw new ServiceError('conflict', wasSealed(request.project))

  const own = await importHome(home, { ...request, api: ports.api })
  const push = { ...request, prune: false }
  const {
    removed: _,
    left: __,
    live: ___,
    ...report
  } = await pushSite(site, push, { ...ports, memory: createNoMemory() })
  const conflicts = [...own.conflicts, ...report.conflicts]
  const failures = [...lost, ...own.failures, ...report.failures]
  const troubled = new Set([...conflicts, ...failures].map(({ file }) => file))
  const due = site.pages.filter(({ source }) => archived.has(source) && !troubled.has(source))
  const isProjectArchived = home.status === 'archived' && there.status !== 'archived' && troubled.size === 0
  const put = await archivePages(due.map((page) => ({ file: page.source, address: addressText(page) })))
  if (isProjectArchived && !request.dryRun)
    await ports.api.request('PUT /projects/{id}', {
      path: { id: request.project },
      body: { status: 'archived' },
    })
  return {
    ...report,
    settings: [...own.sent, ...report.settings],
    archived: put,
    isProjectArchived,
    conflicts,
    failures,
  }

  /** One that is live stays so unless it may be taken off. */
  async function archivePages(
    pages: readonly { readonly file: string; readonly address: string }[],
  ): Promise<readonly string[]> {
    if (pages.length === 0) return []
    const items = new Map(
      (await listPages(ports.api, request.project)).map((item) => [addressText(item), item]),
    )
    const done: string[] = []
    for (const { file, address } of pages) {
      const item = items.get(address)
      if (item?.status === 'archived' || (item?.status === 'published' && !request.publish)) continue
      if (item !== undefined && !request.dryRun) await archive(ports.api, item)
      done.push(file)
    }
    return done
  }
}

async function archive(api: Client, { id }: ListedPage): Promise<void> {
  await api.request('PUT /pages/{id}', { path: { id }, body: { status: 'archived' } })
}

function wasSealed(project: string): string {
  return `The project was in Data Mode, and ${project} is not: its pages would be readable by everybody. Import without --publish, switch Data Mode on there, and import again with it.`
}
