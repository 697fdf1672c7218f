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
  return (file === undefined ? (process.env[variable] ?? '') : readSecretFile(file)).trim()
}

function readSecretFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`--key-file: ${file} cannot be read (${messageOf(error)}).`)
  }
}
