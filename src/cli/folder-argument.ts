import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../app/config.ts'

/** The absolute path of a folder that an argument names. @throws {ConfigError} when it does not exist. */
export function folderArgument(path: string): string {
  const folder = resolve(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new ConfigError(
    `The folder ${folder} does not exist. Check the path, or create a site there with quoin init.`,
  )
}
