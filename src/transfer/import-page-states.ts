import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client/client.ts'
import { addressText } from '../content-folder/parents.ts'
import type { SitePage } from '../content-folder/site.ts'
import { type ListedPage, listPages } from '../push/list-pages.ts'
import type { PushTrouble } from '../push/push-diagnostic.ts'
import type { ReadExport } from './read-export.ts'
import { readSchedule } from './read-project.ts'

/** What became of the states that pushing a folder does not reach, by the files of the pages. */
export interface StatesOutcome {
  readonly archived: readonly string[]
  readonly scheduled: readonly string[]
  readonly failures: readonly PushTrouble[]
}

interface StatePorts {
  readonly api: Client
  readonly project: string
  /** Whether pages may be taken off, and have their time set to go live. */
  readonly publish: boolean
  readonly dryRun: boolean
  /** Current time, ISO 8601 UTC. */
  readonly now: string
}

/** Archive and schedule those of these pages that were, and are not yet. */
export async function importStates(
  pages: readonly SitePage[],
  { archived, scheduled }: Pick<ReadExport, 'archived' | 'scheduled'>,
  ports: StatePorts,
): Promise<StatesOutcome> {
  const put = pages.filter(({ source }) => archived.has(source))
  const timed = ports.publish ? pages.filter(({ source }) => scheduled.has(source)) : []
  if (put.length + timed.length === 0) return { archived: [], scheduled: [], failures: [] }

  const listed = await listPages(ports.api, ports.project)
  const items = new Map(listed.map((item) => [addressText(item), item]))
  return { archived: await archive(put, items, ports), ...(await schedule(timed, items, scheduled, ports)) }
}

/** By their addresses; in a dry run some are not there yet. */
type Items = ReadonlyMap<string, ListedPage>

/** A page that is live stays so unless it may be taken off. */
async function archive(
  pages: readonly SitePage[],
  items: Items,
  { api, publish, dryRun }: StatePorts,
): Promise<readonly string[]> {
  const done: string[] = []
  for (const page of pages) {
    const item = items.get(addressText(page))
    if (item?.status === 'archived' || (item?.status === 'published' && !publish)) continue
    if (item !== undefined && !dryRun)
      await api.request('PUT /pages/{id}', { path: { id: item.id }, body: { status: 'archived' } })
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
  const failures: PushTrouble[] = []
  const there = pages.length === 0 ? new Map() : await readSchedule(api, project)
  for (const page of pages) {
    const wanted = scheduled.get(page.source)
    const item = items.get(addressText(page))
    if (wanted === undefined || isDeepStrictEqual(there.get(item?.id ?? ''), wanted)) continue
    if (wanted.at <= now) {
      failures.push({ file: page.source, message: `It was to go live at ${wanted.at}, which has passed.` })
      continue
    }
    const body = { publish_at: wanted.at, strict: wanted.strict }
    if (item !== undefined && !dryRun)
      await api.request('POST /pages/{id}/publish', { path: { id: item.id }, body })
    done.push(page.source)
  }
  return { scheduled: done, failures }
}
