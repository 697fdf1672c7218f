import type { Knex } from 'knex'
import type { ProjectId } from '../domain/ids.ts'
import {
  MAX_NAMES_OF_DAY,
  RARE_TERM_DAYS,
  SHOWN_SEARCHES,
  VISIT_DAYS,
  type VisitCount,
  type VisitKind,
} from '../domain/visits.ts'
import { rowAddress } from './dialect.ts'
import type { CountedDay, CountedName, VisitReport, VisitRepository } from './repositories/visits.ts'

interface VisitRow {
  readonly project_id: ProjectId
  readonly day: string
  readonly kind: VisitKind
  readonly name: string
  readonly people: number
  readonly agents: number
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Rows per insert, and names per condition; SQLite accepts at most 500 rows. */
const ROWS_PER_STATEMENT = 200
/** Rows per call of `prune`. */
const PRUNED = 500

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createVisitRepository(db: Knex): VisitRepository {
  const rows = () => db<VisitRow>('visits')

  return {
    async counting(projectIds) {
      return db('settings')
        .join('projects', 'projects.id', 'settings.project_id')
        .whereIn('settings.project_id', [...projectIds])
        .where('settings.visits', 'count')
        .whereNull('projects.deleted_at')
        .pluck('settings.project_id')
    },

    async add(counts) {
      const fitting: VisitCount[] = []
      for (const sameDay of groupsOf(counts)) fitting.push(...(await withinLimit(sameDay)))
      for (let start = 0; start < fitting.length; start += ROWS_PER_STATEMENT)
        await rows()
          .insert(fitting.slice(start, start + ROWS_PER_STATEMENT).map(toRow))
          .onConflict(['project_id', 'day', 'kind', 'name'])
          .merge({
            people: db.raw('visits.people + excluded.people'),
            agents: db.raw('visits.agents + excluded.agents'),
          })
    },

    async report(projectId, { from, to }, limit) {
      const counted = () => rows().where({ project_id: projectId }).whereBetween('day', [from, to])
      const sums = { people: 'people', agents: 'agents' }
      const days = await counted()
        .where({ kind: 'page' })
        .groupBy('day')
        .orderBy('day')
        .select('day')
        .sum(sums)
      const totals = await counted().groupBy('kind').select('kind').sum(sums)
      const names = async (kind: VisitKind, least: number): Promise<readonly CountedName[]> => {
        const found = await counted()
          .where({ kind })
          .groupBy('name')
          .havingRaw('sum(people) + sum(agents) >= ?', [least])
          .orderByRaw("CASE WHEN name = '' THEN 1 ELSE 0 END, sum(people) DESC, sum(agents) DESC, name")
          .limit(limit)
          .select('name')
          .sum(sums)
        return found.map((row) => ({ name: String(row['name']), ...toCount(row) }))
      }
      const totalOf = (kind: VisitKind) => toCount(totals.find((row) => row['kind'] === kind) ?? {})
      const report: VisitReport = {
        days: days.map((row): CountedDay => ({ day: String(row['day']), ...toCount(row) })),
        totals: { page: totalOf('page'), missing: totalOf('missing'), search: totalOf('search') },
        names: {
          page: await names('page', 1),
          missing: await names('missing', 1),
          search: await names('search', SHOWN_SEARCHES),
        },
      }
      return report
    },

    async prune(now) {
      const address = rowAddress(db)
      const old = rows().where('day', '<', dayBefore(now, VISIT_DAYS)).limit(PRUNED).select(address)
      const rare = rows()
        .where({ kind: 'search' })
        .whereNot({ name: '' })
        .groupBy('project_id', 'name')
        .havingRaw('sum(people) + sum(agents) < ?', [SHOWN_SEARCHES])
        .havingRaw('max(day) < ?', [dayBefore(now, RARE_TERM_DAYS)])
        .limit(PRUNED)
        .select('project_id', 'name')
      const deleted = [
        await rows()
          .whereIn(address as 'name', old)
          .delete(),
        await rows().where({ kind: 'search' }).whereIn(['project_id', 'name'], rare).delete(),
      ]
      return deleted.some((count) => count >= PRUNED)
    },

    async deleteOf(projectId) {
      await rows().where({ project_id: projectId }).delete()
    },
  }

  /** @param counts of one project, day and kind. */
  async function withinLimit(counts: readonly VisitCount[]): Promise<readonly VisitCount[]> {
    const [first] = counts
    if (first === undefined) return []
    const { projectId: project_id, day, kind } = first
    const ofDay = () => rows().where({ project_id, day, kind }).whereNot({ name: '' })
    const stored = Number((await ofDay().count({ total: '*' }).first())?.['total'])
    const known = new Set<string>()
    for (let start = 0; start < counts.length; start += ROWS_PER_STATEMENT) {
      const names = counts.slice(start, start + ROWS_PER_STATEMENT).map(({ name }) => name)
      for (const name of await ofDay().whereIn('name', names).pluck('name')) known.add(name)
    }
    let free = Math.max(0, MAX_NAMES_OF_DAY[kind] - stored)
    const fitting: VisitCount[] = []
    let [people, agents] = [0, 0]
    for (const count of counts.toSorted((a, b) => b.people - a.people)) {
      const fits = count.name !== '' && (known.has(count.name) || free-- > 0)
      if (fits) fitting.push(count)
      else {
        people += count.people
        agents += count.agents
      }
    }
    return people + agents === 0 ? fitting : [...fitting, { ...first, name: '', people, agents }]
  }
}

function groupsOf(counts: readonly VisitCount[]): readonly (readonly VisitCount[])[] {
  const groups = new Map<string, VisitCount[]>()
  for (const count of counts) {
    const key = `${count.projectId} ${count.day} ${count.kind}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [count])
    else group.push(count)
  }
  return [...groups.values()]
}

function toRow({ projectId, ...count }: VisitCount): VisitRow {
  return { project_id: projectId, ...count }
}

/** PostgreSQL returns sums as texts. */
function toCount(row: Readonly<Record<string, unknown>>): Omit<CountedDay, 'day'> {
  return { people: Number(row['people'] ?? 0), agents: Number(row['agents'] ?? 0) }
}

function dayBefore(now: string, days: number): string {
  return new Date(Date.parse(now) - days * DAY_MS).toISOString().slice(0, 10)
}
