import { readFileSync, statSync } from 'node:fs'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { messageOf } from '../domain/errors.ts'
import { ConfigError, SETTINGS, type SettingName } from './config.ts'

/** A file of settings has some lines. A larger one is another file. */
const MOST_BYTES = 256 * 1024
/** Settings whose value is or may hold a secret. */
const SECRETS: readonly SettingName[] = [
  'QUOIN_DATABASE_URL',
  'QUOIN_DATABASE_DIRECT_URL',
  'QUOIN_DATABASE_REPLICA_URL',
  'QUOIN_MASTER_KEY',
  'QUOIN_PURGE_TOKEN',
  'QUOIN_SMTP_URL',
]
/** Permission bits of users other than the owner and the group of a file. */
const OTHERS = 0o007

/**
 * Reads settings from a YAML file. Its names are those of the environment variables without their prefix, in lower
 * case: `base_url: https://example.com` is `QUOIN_BASE_URL`.
 *
 * @throws {ConfigError} with one line: for an unreadable file, for an invalid entry (with its line), and for secrets
 *   that every user of the machine can read.
 */
export function readConfigFile(file: string): Readonly<Partial<Record<SettingName, string>>> {
  const { text, mode } = readText(file)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [error] = document.errors
  if (error !== undefined) throw new ConfigError(`${file}: ${error.message.split('\n')[0]}`)
  const { contents } = document
  if (contents === null) return {}
  if (!isMap(contents))
    throw new ConfigError(`${file}: must be a list of settings such as base_url: https://example.com.`)
  const values: Partial<Record<SettingName, string>> = {}
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? String(key.value) : ''
    const line = isScalar(key) && key.range ? lines.linePos(key.range[0]).line : 1
    const setting = SETTINGS.find((known) => nameInFile(known.name) === name)
    if (setting === undefined)
      throw new ConfigError(
        `${file}:${line}: ${JSON.stringify(name)} is no setting. Settings are those of quoin serve --help, such as base_url for QUOIN_BASE_URL.`,
      )
    if (!isScalar(value)) throw new ConfigError(`${file}:${line}: ${name} must be one value, without a list.`)
    // The source text is read: a port of 08 or a version of 1.10 is no number here.
    if (value.value !== null) values[setting.name] = value.source ?? String(value.value)
  }
  assertPrivate(file, mode, values)
  return values
}

/** The name of a setting in the file. */
export function nameInFile(name: SettingName): string {
  return name.slice('QUOIN_'.length).toLowerCase()
}

function readText(file: string): { readonly text: string; readonly mode: number } {
  try {
    const { size, mode } = statSync(file)
    if (size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES / 1024} KiB`)
    return { text: readFileSync(file, 'utf8'), mode }
  } catch (error) {
    throw new ConfigError(`QUOIN_CONFIG: the file ${file} cannot be read: ${messageOf(error)}.`)
  }
}

function assertPrivate(
  file: string,
  mode: number,
  values: Readonly<Partial<Record<SettingName, string>>>,
): void {
  const secret = SECRETS.find((name) => values[name] !== undefined)
  if (secret === undefined || (mode & OTHERS) === 0 || process.platform === 'win32') return
  throw new ConfigError(
    `${file}: holds ${nameInFile(secret)}, and every user of this machine can read it. Run chmod 600 ${file}.`,
  )
}
