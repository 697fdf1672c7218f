import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Runs a command of git in a folder; null when it fails, e.g. because git is not installed. */
export type Git = (...args: readonly string[]) => string | null

/** Bytes that git may print. */
const MAX_OUTPUT = 256 * 1024 * 1024
const TIMEOUT_MS = 30_000

/**
 * Git for reading a repository that others may have configured. The configuration of a repository names programs: for
 * the contents of files, for signatures, for changes of the file system and for the download of missing objects. None
 * of them runs. Commands that compare files must also be given `--ignore-submodules=all`, since a submodule has a
 * configuration of its own.
 */
export function gitIn(folder: string): Git {
  let settings: readonly string[] | null | undefined
  // Looking for a repository takes less than starting Git twice.
  if (!isInRepository(resolve(folder))) return () => null
  return (...args) => {
    settings = settings === undefined ? safeSettings(folder) : settings
    if (settings === null) return null
    const { status, stdout } = run(folder, settings, args)
    return status === 0 ? stdout : null
  }
}

function isInRepository(folder: string): boolean {
  const parent = dirname(folder)
  if (process.env['GIT_DIR'] !== undefined || existsSync(join(folder, '.git'))) return true
  return parent !== folder && isInRepository(parent)
}

const SETTINGS = ['core.fsmonitor=false', 'core.quotePath=false', 'log.showSignature=false']

/** Settings that override the repository's settings of programs. Null if some cannot be overridden. */
function safeSettings(folder: string): readonly string[] | null {
  const { status, stdout } = run(folder, SETTINGS, [
    ...['config', '--null', '--name-only', '--get-regexp'],
    '^filter\\..*\\.(clean|process|required)$',
  ])
  const NOT_FOUND = 1
  if (status !== 0 && status !== NOT_FOUND) return null
  const filters = [...new Set(stdout.split('\0').slice(0, -1))]
  // Git takes the text before the first equals sign for the name.
  if (filters.some((name) => name.includes('='))) return null
  return [...SETTINGS, ...filters.map((name) => `${name}=${name.endsWith('.required') ? 'false' : ''}`)]
}

function run(folder: string, settings: readonly string[], args: readonly string[]) {
  return spawnSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    timeout: TIMEOUT_MS,
    env: {
      ...process.env,
      LC_ALL: 'C',
      // Builds run next to other git commands: none waits for a lock of this one.
      GIT_OPTIONAL_LOCKS: '0',
      // No transport, so that missing objects are not downloaded.
      GIT_ALLOW_PROTOCOL: 'none',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
