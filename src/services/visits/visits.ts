import type { Days, VisitReport } from '../../db/repositories/visits.ts'
import type { Caller } from '../../domain/caller.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { VISIT_DAYS } from '../../domain/visits.ts'
import { accessProject } from '../access.ts'
import type { ServiceContext } from '../context.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Days of a report without a start. */
const USUAL_DAYS = 30
/** Names of each kind in a report. */
const LISTED = 100

export type VisitService = ReturnType<typeof createVisitService>

export interface Visits extends VisitReport, Days {
  /** True when the project counts visits now. */
  readonly isCounting: boolean
}

interface AskedDays {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export function createVisitService({ db, now }: Pick<ServiceContext, 'db' | 'now'>) {
  return {
    /**
     * The counts of a project, each day of the range among them.
     *
     * @param asked days as `2026-11-28`; today and 29 days before by default.
     * @throws {ServiceError} `invalid_request` for a range that ends before it starts, or is longer than counts are
     *   stored.
     */
    async report(caller: Caller, ref: string, asked: AskedDays): Promise<Visits> {
      const { project } = await accessProject(db.read, caller, ref, ['read'])
      const to = asked.to ?? now().slice(0, 10)
      const from = asked.from ?? dayAfter(to, 1 - USUAL_DAYS)
      const days = daysIn({ from, to })
      const report = await db.read.visits.report(project.id, { from, to }, LISTED)
      const counted = new Map(report.days.map((day) => [day.day, day]))
      const { settings } = await db.read.settings.find(project.id)
      return {
        ...report,
        from,
        to,
        isCounting: settings.visits === 'count',
        days: days.map((day) => counted.get(day) ?? { day, people: 0, agents: 0 }),
      }
    },
  }
}

/** @throws {ServiceError} `invalid_request`. */
function daysIn({ from, to }: Days): readonly string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (count < 1) throw fieldFailure('invalid_request', [{ path: 'from', message: 'must not be after `to`.' }])
  if (count > VISIT_DAYS)
    throw fieldFailure('invalid_request', [
      { path: 'from', message: `must be at most ${VISIT_DAYS} days before \`to\`.` },
    ])
  return Array.from({ length: count }, (_, index) => dayAfter(from, index))
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}
