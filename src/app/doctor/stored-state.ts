import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { databaseTime, rowsOf } from '../../db/dialect.ts'
import type { User } from '../../db/repositories/accounts.ts'
import { createServerPresence, type RunningServer } from '../../db/server-presence.ts'
import { messageOf } from '../../domain/errors.ts'
import { prefixed } from '../../domain/ids.ts'
import { fallbackOn } from '../../platform/fs-errors.ts'
import { version } from '../../platform/package-paths.ts'
import { randomId } from '../../services/new-id.ts'
import { createOperations, type Status } from '../../services/operating/operations.ts'
import { type Config, ConfigError } from '../config.ts'
import { type OpenDatabase, openDatabase } from '../database.ts'
import { findMasterKey, masterKeyFile } from '../installation.ts'
import { versionOf } from '../membership.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** Clocks of machines may differ by this much. */
const CLOCK_MS = 60_000
/** Work that is due for longer waits for a missing worker, or for too few workers. */
const LATE_MS = 10 * 60_000
/** The permissions of other users of the machine in the mode of a file. */
const OTHERS = 0o077

/** Opens the database without creating or migrating anything. A database that cannot be opened is a finding. */
export async function openExisting(config: Config): Promise<OpenDatabase | Finding> {
  const { database } = config
  if (database.kind === 'sqlite' && !existsSync(database.file))
    return warning(
      'database',
      `There is no database at ${database.file}.`,
      'quoin serve creates it. If there should be one, correct QUOIN_DATA.',
    )
  try {
    return await openDatabase({ ...config, migrates: false })
  } catch (error) {
    if (error instanceof ConfigError) return failure('database', error.message)
    throw error
  }
}

/** Examines the database, its secrets, the processes that use it, and the waiting work. */
export async function* examineStoredState(
  config: Config,
  open: OpenDatabase,
  now: () => number,
): AsyncGenerator<Finding> {
  const findings = await examineDatabase(config, open)
  yield* findings
  if (config.database.kind === 'postgres') yield await examineClock(open, now)
  yield* await examineMasterKey(config, open)
  yield* examineProcessesAndWork(open, now)
  // The rows of a damaged database may not be readable.
  if (findings.every(({ level }) => level !== 'error'))
    yield* examineAccounts(await open.db.read.users.withoutAddress())
}

/** Examines the processes that use the database, and the waiting work. */
export async function* examineProcessesAndWork(
  open: OpenDatabase,
  now: () => number,
): AsyncGenerator<Finding> {
  yield* examineProcesses(await createServerPresence(open.connections.writer).others(''))
  const context = { db: open.db, newId: randomId, now: () => new Date(now()).toISOString() }
  yield* examineWork(await createOperations(context).status(), now())
}

async function examineDatabase(
  { database }: Config,
  { db, connections, description }: OpenDatabase,
): Promise<readonly Finding[]> {
  const name = description?.name ?? (database.kind === 'sqlite' ? `SQLite at ${database.file}` : 'PostgreSQL')
  const skipped = await db.checkFile()
  try {
    await connections.check(10_000)
  } catch (error) {
    return [
      failure(
        'database',
        `${name} does not work: ${messageOf(error).replace(/\.$/, '')}.`,
        database.kind === 'sqlite'
          ? 'Restore a backup: quoin restore.'
          : 'Check that the server accepts writes, and its disk.',
      ),
    ]
  }
  const warnings = description?.warning ? [warning('database', description.warning)] : []
  if (skipped.length > 0)
    return [
      ...warnings,
      warning(
        'database',
        `Tables that are too large to be read for damage here: ${skipped.join(', ')}.`,
        'Run PRAGMA quick_check on a backup.',
      ),
    ]
  return [...warnings, ok('database', `${name} has the schema of this version and can be written.`)]
}

async function examineClock({ connections: { writer } }: OpenDatabase, now: () => number): Promise<Finding> {
  const [row] = rowsOf<{ readonly now: string }>(await writer.raw(`SELECT ${databaseTime(writer)} AS now`))
  const difference = Math.abs(Date.parse(row?.now ?? '') - now())
  const seconds = Math.round(difference / 1000)
  if (difference < CLOCK_MS) return ok('clock', `This machine and the database differ by ${seconds} s.`)
  return failure(
    'clock',
    `The clocks of this machine and of the database differ by ${seconds} s; a minute is allowed.`,
    'Set both by NTP.',
  )
}

async function examineMasterKey(config: Config, { db }: OpenDatabase): Promise<readonly Finding[]> {
  try {
    const key = await findMasterKey(config, db)
    if (key === null) return [ok('keys', 'There is no master key yet. The first start creates it.')]
  } catch (error) {
    if (error instanceof ConfigError) return [failure('keys', error.message)]
    throw error
  }
  const file = masterKeyFile(config)
  const mode = config.masterKey === null ? (await fallbackOn(['ENOENT'], stat(file), null))?.mode : undefined
  if (((mode ?? 0) & OTHERS) !== 0)
    return [warning('keys', `Other users of this machine can read ${file}.`, `Run chmod 600 ${file}.`)]
  return [ok('keys', 'The master key opens every secret of the database.')]
}

function examineProcesses(servers: readonly RunningServer[]): readonly Finding[] {
  if (servers.length === 0) return [ok('processes', 'No process of Quoin runs.')]
  const others = new Set(servers.map(versionOf).filter((other) => other !== null && other !== version()))
  if (others.size > 0)
    return [
      warning(
        'processes',
        `Running processes are of version ${[...others].join(', ')}, and this is ${version()}.`,
        'Restart them with this version, or use the command of theirs.',
      ),
    ]
  if (servers.every(({ role }) => role === 'api'))
    return [
      failure(
        'processes',
        'No worker runs, so nothing is published.',
        'Start quoin worker, or set QUOIN_ROLE=all.',
      ),
    ]
  return [
    ok('processes', `${servers.length === 1 ? 'One process runs' : `${servers.length} processes run`}.`),
  ]
}

function* examineWork({ queue, releases, failures, mails }: Status, now: number): Generator<Finding> {
  const late = queue.filter(({ dueSince }) => dueSince !== null && now - Date.parse(dueSince) > LATE_MS)
  for (const { kind, due, dueSince } of late)
    yield warning(
      'work',
      `Late jobs of the kind ${kind}: ${due}, the first due since ${dueSince}.`,
      'Start a service, or another worker.',
    )
  if (releases.reverting > 0)
    yield warning(
      'work',
      `Failed publishes that are still being reverted: ${releases.reverting}.`,
      'Check the store; the service tries again until it succeeds.',
    )
  if (failures.jobs > 0)
    yield warning(
      'work',
      `Jobs that failed within 24 hours: ${failures.jobs}.`,
      'quoin jobs list --state failed shows why.',
    )
  if (failures.mails > 0)
    yield warning(
      'mail',
      `Mails that were given up within 24 hours: ${failures.mails} (${Object.keys(mails.problems).sort().join(', ')}).`,
      'The log names the answer of the mail server for each. People can be given the links of invitations by hand.',
    )
  if (late.length + releases.reverting + failures.jobs === 0)
    yield ok('work', 'No work is late, and none has failed.')
}

function* examineAccounts(withoutAddress: readonly User[]): Generator<Finding> {
  if (withoutAddress.length === 0) yield ok('accounts', 'Every account has an address of its own.')
  for (const { id, email } of withoutAddress)
    yield warning(
      'accounts',
      `The account ${prefixed('usr', id)} has the address ${email}, which another account has in another spelling. Its password is refused; passkeys and set-up links are not.`,
      `quoin users merge ${prefixed('usr', id)} ${email} gives its projects, memberships and keys to the other account.`,
    )
}

/** Returns the served custom domains, and a finding for each one that is not served. */
export async function examineDomains({
  db,
}: OpenDatabase): Promise<{ readonly findings: readonly Finding[]; readonly active: readonly string[] }> {
  const named = (await db.read.projects.all()).flatMap(({ project, domainProof }) => {
    const { customDomain } = project.hosting
    return customDomain === null || domainProof === null
      ? []
      : [{ domain: customDomain, id: prefixed('proj', project.id), proof: domainProof }]
  })
  const findings = named
    .filter(({ proof }) => proof.status !== 'active' || proof.problem !== null)
    .map(({ domain, id, proof: { status, problem } }) =>
      warning(
        'domains',
        `${domain} of ${id} is ${status}. ${problem ?? 'It was not checked yet.'}`,
        `quoin domains verify ${domain} checks it again.`,
      ),
    )
  const active = named.filter(({ proof }) => proof.status === 'active').map(({ domain }) => domain)
  return { findings, active }
}
