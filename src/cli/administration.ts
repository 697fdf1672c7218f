import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Administration } from '../app/administration.ts'
import { type Config, ConfigError } from '../app/config.ts'
import type { ServiceError } from '../domain/errors.ts'
import { type Id, type IdPrefix, readId, type UserId } from '../domain/ids.ts'
import { configOf } from './settings.ts'

/** Opens the database that the flags of an operator's command name, runs the work, and closes the database. */
export async function withAdministration<T>(
  command: Command,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  const { openAdministration } = await import('../app/administration.ts')
  const config = configOf(command)
  const { database, data } = config
  const isNew = database.kind === 'sqlite' && !existsSync(database.file)
  const administration = await openAdministration(config)
  // On standard error: a command may print JSON, and a wrong path would otherwise look like success.
  if (isNew)
    console.error(
      `Created a new installation in ${data}, which had none. Give --data to use that of a running service.`,
    )
  try {
    return await work(administration)
  } finally {
    await administration.close()
  }
}

/** The same for a command that needs an existing database. @throws {ConfigError} when there is none. */
export async function withExistingDatabase<T>(
  command: Command,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  assertDatabase(configOf(command))
  return withAdministration(command, work)
}

/** @throws {ConfigError} when the database does not exist. */
export function assertDatabase({ database }: Pick<Config, 'database'>): void {
  // Opening finds out whether a server has it.
  if (database.kind === 'postgres' || existsSync(database.file)) return
  throw new ConfigError(
    `QUOIN_DATA: there is no database at ${database.file}. Start quoin serve once, or correct the path.`,
  )
}

/** The id of the user that an argument names by id or e-mail address. @throws {ServiceError} `not_found`. */
export async function userArgument(
  { userByEmail }: Administration['accounts'],
  text: string,
): Promise<UserId> {
  return text.includes('@') ? (await userByEmail(text)).id : idArgument('usr', text)
}

/** The e-mail addresses of all users. */
export async function emailsByUser({
  listUsers,
}: Administration['accounts']): Promise<ReadonlyMap<UserId, string>> {
  return new Map((await listUsers()).map(({ id, email }) => [id, email]))
}

const printed = new WeakSet<Command>()

/** Reports whether the command has printed its result. An error after that prints no second JSON object. */
export function hasPrinted(command: Command): boolean {
  return printed.has(command)
}

/** Prints one JSON object with --json, or else the lines. Nothing else goes to standard output. */
export function print(command: Command, json: unknown, lines: readonly string[]): void {
  printed.add(command)
  const { json: isJson, format } = command.opts()
  if (isJson || format === 'json') console.log(JSON.stringify(json))
  else if (lines.length > 0) console.log(lines.join('\n'))
}

/**
 * Prints like `print`, with `ok` and the message of the failure in the JSON object.
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

/** @throws {ConfigError} when the text is not an id with this prefix. */
export function idArgument<K extends IdPrefix>(prefix: K, text: string): Id<K> {
  const id = readId(prefix, text)
  if (id === null)
    throw new ConfigError(`${JSON.stringify(text)} is not an id. Ids of this kind begin with ${prefix}_.`)
  return id
}
