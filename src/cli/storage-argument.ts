import { ConfigError } from '../app/config.ts'
import { parseStorageUrl, type StorageTarget } from '../storage/storage-url.ts'

/** The folder or bucket that a flag names. Text without a scheme is a folder. @throws {ConfigError} */
export function storageArgument(flag: string, text: string): StorageTarget {
  try {
    return parseStorageUrl(/^[a-z][a-z0-9+.-]+:/i.test(text) ? text : `file:${text}`)
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`${flag}: ${error.message}.`)
    throw error
  }
}
