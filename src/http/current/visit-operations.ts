import { z } from 'zod'
import type { CountedName } from '../../db/repositories/visits.ts'
import { MAX_NAMES_OF_DAY, SHOWN_SEARCHES, VISIT_DAYS } from '../../domain/visits.ts'
import type { Visits as CountedVisits, VisitService } from '../../services/visits/visits.ts'
import { idParam } from '../answer-fields.ts'
import { GetVisits } from '../bodies/visit-schemas.ts'
import { type Endpoint, endpointsWith, record } from '../endpoint.ts'
import { json } from '../openapi/operation.ts'
import { enveloped } from './envelopes.ts'

export interface VisitOperationPorts {
  readonly visits: VisitService
}

const endpoint = endpointsWith<VisitOperationPorts>()

const count = z.int().min(0)
const counts = { people: count, agents: count }
const day = z.string().meta({ examples: ['2026-11-28'] })

const paths = z.array(
  z
    .strictObject({
      path: z
        .string()
        .nullable()
        .meta({ description: 'Null: those beyond the limit of their day.', examples: ['/docs/install'] }),
      ...counts,
    })
    .meta({ id: 'VisitedPath' }),
)

const Visits = z
  .strictObject({
    counting: z.boolean().meta({ description: 'Whether the project counts visits now.' }),
    from: day,
    to: day,
    totals: z.strictObject({
      pages: z.strictObject(counts),
      not_found: z.strictObject(counts),
      searches: count,
    }),
    days: z
      .array(z.strictObject({ day, ...counts }))
      .meta({ description: 'Reads of pages on each day, in UTC.' }),
    pages: paths,
    not_found: paths.meta({ description: 'Addresses without a page.' }),
    searches: z
      .array(
        z.strictObject({
          term: z
            .string()
            .nullable()
            .meta({ examples: ['single sign-on'] }),
          count,
        }),
      )
      .meta({
        description: `Searches that found nothing, if there were at least ${SHOWN_SEARCHES} for the term.`,
      }),
  })
  .meta({ id: 'Visits' })

export const VISIT_OPERATIONS: readonly Endpoint<VisitOperationPorts>[] = [
  endpoint({
    id: 'getVisits',
    method: 'get',
    path: '/projects/{id}/visits',
    tag: 'Projects',
    summary: 'Get how often pages were read',
    client: 'visits.get',
    description: `Counts by day of a project whose setting \`visits\` is \`count\`: reads of pages, addresses without a page, and searches without a result; people and agents apart. The 100 largest of each. Nothing about visitors is stored. A day has at most ${MAX_NAMES_OF_DAY.page} pages, ${MAX_NAMES_OF_DAY.missing} other addresses and ${MAX_NAMES_OF_DAY.search} terms; the rest is counted together. Counts are stored for ${VISIT_DAYS} days and appear within some seconds.`,
    params: idParam('proj'),
    query: GetVisits,
    answers: [json(200, 'The counts.', enveloped(Visits))],
    async run({ caller, query, param }, { visits }) {
      return record(presentVisits(await visits.report(caller, param('id'), query)))
    },
  }),
]

function presentVisits({ isCounting, from, to, days, totals, names }: CountedVisits) {
  return {
    counting: isCounting,
    from,
    to,
    totals: { pages: totals.page, not_found: totals.missing, searches: totals.search.people },
    days,
    pages: names.page.map(presentPath),
    not_found: names.missing.map(presentPath),
    searches: names.search.map(({ name, people }) => ({ term: name === '' ? null : name, count: people })),
  }
}

function presentPath({ name, people, agents }: CountedName) {
  return { path: name === '' ? null : name, people, agents }
}
