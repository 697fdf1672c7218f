import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../app/config.ts'

/**
 * The absolute path of a folder that an argument names.
 *
 * @param otherwise what to do when the path is right, e.g. `build the site with quoin build`.
 * @throws {ConfigError} when it does not exist.
 */
export function folderArgument(path: string, otherwise = 'create a site there with quoin init'): string {
  const folder = resolve(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  throw new ConfigError(`The folder ${folder} does not exist. Check the path, or ${otherwise}.`)
}
