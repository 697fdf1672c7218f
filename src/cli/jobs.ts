import { Command, Option } from 'commander'
import { ConfigError } from '../app/config.ts'
import { prefixed } from '../domain/ids.ts'
import type { Job, JobState } from '../domain/job.ts'
import { idArgument, print, withExistingDatabase } from './administration.ts'
import { DATA_SETTINGS, withSettings } from './settings.ts'

const STATES: readonly JobState[] = ['queued', 'running', 'failed', 'succeeded', 'cancelled']
/** States of jobs that an operator may have to act on. */
const UNFINISHED: readonly JobState[] = ['queued', 'running', 'failed']
const MAX_LIMIT = 1_000

export function jobsCommand(): Command {
  const list = new Command('list')
    .description('list queued, running and failed jobs, newest first')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(STATES))
    .option('--limit <number>', 'maximum number of jobs', '50')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin jobs list --state failed\n')
    .action(async ({ state, limit }: { state?: JobState; limit: string }, command: Command) => {
      const most = readLimit(limit)
      const { items, total } = await withExistingDatabase(command, ({ operations }) =>
        operations.jobs(state === undefined ? UNFINISHED : [state], most),
      )
      const jobs = items.map(presentJob)
      const rest = total - jobs.length
      const lines = [...jobs.map(jobLine), ...(rest > 0 ? [`And ${rest} more.`] : [])]
      print(command, { jobs, total }, lines.length === 0 ? ['No jobs.'] : lines)
    })

  const retry = new Command('retry')
    .description('run a queued or failed job as soon as possible')
    .argument('<id>', 'id of the job, job_…')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin jobs retry job_abcdefghjkmnpqrs\n')
    .action(async (ref: string, _: object, command: Command) => {
      const id = idArgument('job', ref)
      const job = presentJob(await withExistingDatabase(command, ({ operations }) => operations.retry(id)))
      print(command, job, [`${job.id} (${job.kind}) will run as soon as a server is free.`])
    })

  const cancel = new Command('cancel')
    .description('cancel the pages of a bulk or scheduled publish that have not been published yet')
    .argument('<id>', 'id of the job, job_…')
    .option('--json', 'print one JSON object', false)
    .addHelpText('after', '\nExample:\n  quoin jobs cancel job_abcdefghjkmnpqrs\n')
    .action(async (ref: string, _: object, command: Command) => {
      const id = idArgument('job', ref)
      const job = presentJob(await withExistingDatabase(command, ({ operations }) => operations.cancel(id)))
      print(command, job, [
        `${job.id} (${job.kind}) is cancelled; ${counted(job.failed.length)} did not go live.`,
      ])
    })

  const jobs = new Command('jobs')
    .description('list, retry and cancel background jobs')
    .addHelpText('after', '\nExample:\n  quoin jobs list\n')
  for (const command of [list, retry, cancel]) jobs.addCommand(withSettings(command, DATA_SETTINGS))
  return jobs
}

function counted(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`
}

function readLimit(text: string): number {
  const limit = Number(text)
  if (/^\d{1,4}$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new ConfigError(`--limit: must be a number from 1 to ${MAX_LIMIT}.`)
}

function presentJob(job: Job) {
  return {
    id: prefixed('job', job.id),
    kind: job.kind,
    project_id: prefixed('proj', job.projectId),
    state: job.state,
    total: job.total,
    done: job.done,
    attempts: job.attempts,
    due_at: job.dueAt,
    created_at: job.createdAt,
    finished_at: job.finishedAt,
    failed: job.failed.map(({ pageId, message }) => ({ page_id: prefixed('page', pageId), message })),
  }
}

function jobLine(job: ReturnType<typeof presentJob>): string {
  const { id, kind, project_id: project, state } = job
  const when = state === 'queued' ? `due ${job.due_at}` : (job.finished_at ?? `${job.done} of ${job.total}`)
  const [failure] = job.failed
  const others = job.failed.length > 1 ? ` (and ${job.failed.length - 1} more)` : ''
  return `${id}  ${kind}  ${project}  ${state}  ${when}${failure ? `  ${failure.message}${others}` : ''}`
}
