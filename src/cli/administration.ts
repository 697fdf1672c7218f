import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Administration } from '../app/administration.ts'
import { type Config, ConfigError } from '../app/config.ts'
import type { ServiceError } from '../domain/errors.ts'
import { type Id, type IdPrefix, readId, type UserId } from '../domain/ids.ts'
import { configOf } from './settings.ts'

/** Run a command of the operator on the database its flags name, and close it again. */
export async function withAdministration<T>(
  command: Command,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  const { openAdministration } = await import('../app/administration.ts')
  const administration = await openAdministration(configOf(command))
  try {
    return await work(administration)
  } finally {
    await administration.close()
  }
}

/** The same for a command that only finds what is there: it makes no database. @throws {ConfigError} */
export async function withExistingDatabase<T>(
  command: Command,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  assertDatabase(configOf(command))
  return withAdministration(command, work)
}

/** @throws {ConfigError} where no service has made a database yet. */
export function assertDatabase({ databaseFile }: Pick<Config, 'databaseFile'>): void {
  if (existsSync(databaseFile)) return
  throw new ConfigError(`QUOIN_DATA: there is no database at ${databaseFile}; nothing was made here yet.`)
}

/** The user an argument names by id or e-mail address; null when it names nobody. @throws when there is none. */
export async function userArgument(
  { userByEmail }: Administration['accounts'],
  text: string | undefined,
): Promise<UserId | null> {
  if (text === undefined) return null
  return text.includes('@') ? (await userByEmail(text)).id : idArgument('usr', text)
}

const printed = new WeakSet<Command>()

/** Whether `print` was called for the command: what fails after that has its object already. */
export function hasPrinted(command: Command): boolean {
  return printed.has(command)
}

/** One JSON object for machines, else lines for people, if there are any; nothing else goes to standard output. */
export function print(command: Command, json: unknown, lines: readonly string[]): void {
  printed.add(command)
  if (command.opts()['json']) console.log(JSON.stringify(json))
  else if (lines.length > 0) console.log(lines.join('\n'))
}

/**
 * As `print`, and `ok` with it: whether all went well, and what did not.
 *
 * @throws {ServiceError} the failure, if there is one.
 */
export function printOutcome(
  command: Command,
  failure: ServiceError | null,
  json: object,
  lines: readonly string[],
): void {
  const outcome = failure === null ? { ok: true } : { ok: false, error: failure.message }
  print(command, { ...outcome, ...json }, lines)
  if (failure !== null) throw failure
}

/** @throws {ConfigError} when the text is no id of this kind. */
export function idArgument<K extends IdPrefix>(prefix: K, text: string): Id<K> {
  const id = readId(prefix, text)
  if (id === null) throw new ConfigError(`${JSON.stringify(text)} is not an id such as ${prefix}_….`)
  return id
}
