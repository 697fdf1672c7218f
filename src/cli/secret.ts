import { readFileSync } from 'node:fs'
import { ConfigError } from '../app/config.ts'
import { messageOf } from '../domain/errors.ts'

/**
 * Reads a secret from the file of --key-file, or else from an environment variable, so that it never appears on a
 * command line. Empty when there is none.
 *
 * @throws {ConfigError} when the file cannot be read.
 */
export function readSecret(file: string | undefined, variable: string): string {
  return (file === undefined ? (process.env[variable] ?? '') : readSecretFile('--key-file', file)).trim()
}

/** @throws {ConfigError} that names the flag. */
export function readSecretFile(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`${flag}: ${file} cannot be read (${messageOf(error)}).`)
  }
}
