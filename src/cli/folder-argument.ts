import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../app/config.ts'

/** The folder that an argument names, as an absolute path. @throws {ConfigError} when there is none. */
export function folderArgument(path: string): string {
  const folder = resolve(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new ConfigError(`There is no folder ${folder}.`)
}
