import { Command } from 'commander'
import type { JobCounts } from '../jobs/job-queue.ts'
import type { Status } from '../services/operating/operations.ts'
import { print, withExistingDatabase } from './administration.ts'
import { count } from './format-numbers.ts'
import { DATA_SETTINGS, withSettings } from './settings.ts'

export function statusCommand(): Command {
  return withSettings(new Command('status'), DATA_SETTINGS)
    .description('print the state of an installation: projects, live pages, queue, failures')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin status --data /var/lib/quoin\n')
    .action(async (_: object, command: Command) => {
      const status = await withExistingDatabase(command, ({ operations }) => operations.status())
      print(command, presentStatus(status), linesOf(status))
    })
}

function presentStatus({ projects, pages, releases, webhooks, failures, queue, mails }: Status) {
  return {
    projects,
    pages,
    releases,
    webhooks,
    mails: { waiting: mails.waiting, failed_24h: mails.problems },
    queue: queue.map(({ kind, running, due, waiting, dueSince }) => ({
      kind,
      running,
      due,
      waiting,
      due_since: dueSince,
    })),
    failures_24h: failures,
  }
}

function linesOf({ projects, pages, releases, webhooks, failures, queue, mails }: Status): readonly string[] {
  const { active, archived, suspended } = projects
  const kinds = queue.map(kindLine)
  return [
    `Projects    ${active + archived + suspended}: ${active} active, ${archived} archived, ${suspended} suspended`,
    `Pages       ${pages.total}, ${pages.live} live`,
    `Publishing  ${releases.waiting} in progress, ${releases.reverting} being reverted`,
    `Webhooks    ${webhooks.active} active, ${webhooks.failing} failing, ${webhooks.off} disabled by Quoin`,
    `Mail        ${mails.waiting} waiting, ${failures.mails} failed in the last 24 hours${reasonsOf(mails.problems)}`,
    `Queue       ${kinds[0] ?? 'empty'}`,
    ...kinds.slice(1).map((line) => `            ${line}`),
    `Failures    ${count(failures.jobs, 'job')} and ${failures.deliveries} ${failures.deliveries === 1 ? 'delivery' : 'deliveries'} in the last 24 hours`,
  ]
}

function reasonsOf(problems: Status['mails']['problems']): string {
  const reasons = Object.entries(problems).map(([problem, number]) => `${problem} ${number}`)
  return reasons.length === 0 ? '' : ` (${reasons.sort().join(', ')})`
}

function kindLine({ kind, running, due, waiting, dueSince }: JobCounts): string {
  const since = dueSince === null ? '' : ` since ${dueSince}`
  return `${kind}: ${running} running, ${due} due${since}, ${waiting} scheduled`
}
