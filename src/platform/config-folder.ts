import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Folder of the user's settings of Quoin. It may not exist. Source: XDG Base Directory Specification. */
export function configFolder(): string {
  const { XDG_CONFIG_HOME: given = '' } = process.env
  return join(isAbsolute(given) ? given : join(homedir(), '.config'), 'quoin')
}
