import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client/client.ts'
import { addressText } from '../content-folder/parents.ts'
import type { SitePage } from '../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { type ListedPage, listPages } from '../push/list-pages.ts'
import type { ReadExport } from './read-export.ts'
import { readSchedule } from './read-project.ts'

/** The result of importing page states that a push does not set. Pages are named by their files. */
export interface StatesOutcome {
  readonly archived: readonly string[]
  readonly scheduled: readonly string[]
  readonly failures: readonly Diagnostic[]
}

interface StatePorts {
  readonly api: Client
  readonly project: string
  /** Archive live pages, and schedule pages. */
  readonly publish: boolean
  readonly dryRun: boolean
  /** Current time, ISO 8601 UTC. */
  readonly now: string
}

/** Archives and schedules pages as in the export. Pages that already have the state are left alone. */
export async function importStates(
  pages: readonly SitePage[],
  { archived, scheduled }: Pick<ReadExport, 'archived' | 'scheduled'>,
  ports: StatePorts,
): Promise<StatesOutcome> {
  const toArchive = pages.filter(({ source }) => archived.has(source))
  const toSchedule = ports.publish ? pages.filter(({ source }) => scheduled.has(source)) : []
  if (toArchive.length + toSchedule.length === 0) return { archived: [], scheduled: [], failures: [] }

  const listed = await listPages(ports.api, ports.project)
  const items = new Map(listed.map((item) => [addressText(item), item]))
  return {
    archived: await archive(toArchive, items, ports),
    ...(await schedule(toSchedule, items, scheduled, ports)),
  }
}

/** Pages on the server by address. In a dry run some do not exist. */
type Items = ReadonlyMap<string, ListedPage>

/** Leaves a live page alone without `publish`. */
async function archive(
  pages: readonly SitePage[],
  items: Items,
  { api, publish, dryRun }: StatePorts,
): Promise<readonly string[]> {
  const done: string[] = []
  for (const page of pages) {
    const item = items.get(addressText(page))
    if (item?.status === 'archived' || (item?.status === 'published' && !publish)) continue
    if (item !== undefined && !dryRun) await api.pages.update(item.id, { status: 'archived' })
    done.push(page.source)
  }
  return done
}

async function schedule(
  pages: readonly SitePage[],
  items: Items,
  scheduled: ReadExport['scheduled'],
  { api, project, dryRun, now }: StatePorts,
): Promise<Pick<StatesOutcome, 'scheduled' | 'failures'>> {
  const done: string[] = []
  const failures: Diagnostic[] = []
  const current = pages.length === 0 ? new Map() : await readSchedule(api, project)
  for (const page of pages) {
    const wanted = scheduled.get(page.source)
    const item = items.get(addressText(page))
    if (wanted === undefined || isDeepStrictEqual(current.get(item?.id ?? ''), wanted)) continue
    if (wanted.at <= now) {
      failures.push(
        diagnostic(
          'QN-REFUSED',
          page.source,
          `The page was scheduled for ${wanted.at}, which is in the past. It is not scheduled.`,
        ),
      )
      continue
    }
    const body = { publish_at: wanted.at, strict: wanted.strict }
    if (item !== undefined && !dryRun) await api.pages.publish(item.id, body)
    done.push(page.source)
  }
  return { scheduled: done, failures }
}
