import type { Database } from '../../db/repositories.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { type VisitCount, type VisitKind, type Visitor, visitedKey } from '../../domain/visits.ts'

/** Time that a count may wait to be stored. A crash loses no more than this. */
const SAVE_AFTER_MS = 5_000
/** Different paths and terms in memory, of a project and of all. Further ones are not counted until they are stored. */
const MAX_NAMES_OF_PROJECT = 1_000
const MAX_NAMES = 20_000

export interface VisitCounter {
  /** Counts a read of a path, which may have a page or not. Never waits. */
  read(projectId: ProjectId, path: string, visitor: Visitor): void
  /** Counts a search without a result. Never waits. */
  searched(projectId: ProjectId, term: string): void
  /** Stores pending counts. @throws the error of the database: the counts are stored later then. */
  flush(): Promise<void>
}

export interface VisitCounterPorts {
  readonly db: Pick<Database, 'read' | 'write'>
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** Called with the error when a write failed. It is repeated later. */
  readonly onFailure: (error: unknown) => void
}

/** A count before it is stored. Only then is its path looked up among pages, so that a request does not wait for it. */
interface Count extends Omit<VisitCount, 'kind'> {
  readonly kind: 'read' | 'search'
  people: number
  agents: number
}

/**
 * Counts visits in memory and stores them every few seconds in one write. The settings of projects and the paths of
 * pages are read from the database then.
 */
export function createVisitCounter({ db, now, onFailure }: VisitCounterPorts): VisitCounter {
  let counts = new Map<string, Count>()
  let namesOf = new Map<ProjectId, number>()
  let timer: NodeJS.Timeout | null = null
  let saving = Promise.resolve()

  return {
    read: (projectId, name, visitor) =>
      add({ ...newCount(projectId, 'read', name), [visitor === 'agent' ? 'agents' : 'people']: 1 }),

    searched: (projectId, name) => add({ ...newCount(projectId, 'search', name), people: 1 }),

    async flush() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      await saving
      await save()
    },
  }

  function newCount(projectId: ProjectId, kind: Count['kind'], name: string): Count {
    return { projectId, day: now().slice(0, 10), kind, name, people: 0, agents: 0 }
  }

  function add(count: Count): void {
    const key = `${count.projectId} ${count.day} ${count.kind} ${count.name}`
    const known = counts.get(key)
    if (known !== undefined) {
      known.people += count.people
      known.agents += count.agents
      return
    }
    const names = namesOf.get(count.projectId) ?? 0
    if (names >= MAX_NAMES_OF_PROJECT || counts.size >= MAX_NAMES) return
    counts.set(key, count)
    namesOf.set(count.projectId, names + 1)
    timer ??= saveLater()
  }

  /** One timer at a time; the next one starts when the write has ended. */
  function saveLater(): NodeJS.Timeout {
    const run = () => {
      saving = save()
        .catch(onFailure)
        .finally(() => {
          timer = counts.size > 0 ? saveLater() : null
        })
    }
    return setTimeout(run, SAVE_AFTER_MS).unref()
  }

  async function save(): Promise<void> {
    const due = [...counts.values()]
    counts = new Map()
    namesOf = new Map()
    try {
      if (due.length > 0) await store(due)
    } catch (error) {
      for (const count of due) add(count)
      throw error
    }
  }

  async function store(due: readonly Count[]): Promise<void> {
    const counting = await db.read.visits.counting([...new Set(due.map(({ projectId }) => projectId))])
    const rows: VisitCount[] = []
    for (const projectId of counting) {
      const own = due.filter((count) => count.projectId === projectId)
      const keys = own.filter(({ kind }) => kind === 'read').map(({ name }) => visitedKey(name))
      const pages = await db.read.pages.documentsAt(projectId, [...new Set(keys)])
      for (const count of own) rows.push({ ...count, kind: kindOf(count, pages) })
    }
    // Two processes would add to the same rows.
    if (rows.length > 0) await db.write(({ visits }) => visits.add(rows), { alone: 'visits' })
  }
}

function kindOf({ kind, name }: Count, pages: ReadonlySet<string>): VisitKind {
  if (kind === 'search') return 'search'
  return pages.has(visitedKey(name)) ? 'page' : 'missing'
}
