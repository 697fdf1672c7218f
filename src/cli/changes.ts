import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { Client } from '../client/client.ts'
import { sleep } from '../platform/sleep.ts'
import { print } from './administration.ts'
import { openApi, readKey, serverArgument } from './api-access.ts'
import { namedProject } from './project-argument.ts'
import { stopSignal } from './stop-signal.ts'

/** Changes of one request. */
const PER_REQUEST = 1_000
/** Between two questions for new changes, so that a key has requests left for other work. */
const PAUSE_MS = 2_000

interface ChangesFlags {
  readonly project?: string
  readonly since?: string
  readonly records?: string
  readonly follow: boolean
  readonly server?: string
  readonly keyFile?: string
  readonly json: boolean
}

export function changesCommand(): Command {
  return new Command('changes')
    .description('list what changed in a project, one JSON object a line, oldest first')
    .option('--project <id>', 'the project [QUOIN_PROJECT]')
    .option('--since <position>', 'only changes after this position, or from now on with now')
    .option('--records <names>', 'only of these records, such as page,asset')
    .option('--follow', 'wait for new changes until the command is stopped', false)
    .option('--server <url>', 'address of the API [QUOIN_URL]')
    .option('--key-file <file>', 'file with the API key, instead of the variable QUOIN_KEY')
    .option('--json', 'print one JSON object with all changes and the next position', false)
    .addHelpText(
      'after',
      `
Standard error has the position at the end, for --since of the next call.

Examples:
  quoin changes --project proj_k3v9q2m7x4tz8wpa --server https://quoin.example.com
  quoin changes --project proj_k3v9q2m7x4tz8wpa --since now --follow
`,
    )
    .action(async (flags: ChangesFlags, command: Command) => {
      const project = namedProject(flags)
      if (project === null)
        throw new ConfigError('--project: name the project with this flag or in QUOIN_PROJECT.')
      if (flags.follow && flags.json)
        throw new ConfigError(
          '--json: prints one object at the end, which --follow never reaches. Give one of both.',
        )
      const api = openApi(serverArgument(flags.server), readKey(flags.keyFile))
      const query = {
        limit: PER_REQUEST,
        ...(flags.records !== undefined && { records: flags.records }),
      }
      if (flags.json) return printAll(api, project, { query, since: flags.since }, command)
      const next = await printLines(api, project, { query, since: flags.since }, flags.follow)
      console.error(`Continue with --since ${next}`)
    })
}

interface Reading {
  readonly query: { readonly limit: number; readonly records?: string }
  readonly since: string | undefined
}

type Part = Awaited<ReturnType<Client['projects']['changes']>>

async function printAll(api: Client, project: string, reading: Reading, command: Command): Promise<void> {
  const changes: Part['data'][number][] = []
  let next = reading.since ?? ''
  for await (const { data, meta } of partsOf(api, project, reading)) {
    changes.push(...data)
    next = meta.next
  }
  print(command, { ok: true, changes, next }, [])
}

/** @returns the position after the last change. */
async function printLines(
  api: Client,
  project: string,
  reading: Reading,
  isFollowing: boolean,
): Promise<string> {
  const stopping = new AbortController()
  if (isFollowing) void stopSignal().then(() => stopping.abort())
  let since = reading.since
  do {
    for await (const { data, meta } of partsOf(api, project, { ...reading, since })) {
      for (const change of data) console.log(JSON.stringify(change))
      since = meta.next
      if (stopping.signal.aborted) break
    }
    if (isFollowing) await sleep(PAUSE_MS, stopping.signal)
  } while (isFollowing && !stopping.signal.aborted)
  return since ?? ''
}

/** The changes that are there, in parts. */
async function* partsOf(api: Client, project: string, { query, since }: Reading): AsyncGenerator<Part, void> {
  for (let from = since; ; ) {
    const part = await api.projects.changes(project, { ...query, ...(from !== undefined && { since: from }) })
    yield part
    if (!part.meta.has_more) return
    from = part.meta.next
  }
}
