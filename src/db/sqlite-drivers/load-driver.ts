import { createRequire, isBuiltin } from 'node:module'
import { messageOf } from '../../domain/errors.ts'
import { dependencyVersion } from '../../platform/package-paths.ts'
import type { SqliteDriver } from './driver.ts'
import { createNodeSqliteDriver } from './node-sqlite.ts'
import { createSqlite3Driver } from './sqlite3.ts'

const NEWER_NODE = 'Use Node 22.13 or later, which brings SQLite.'

/** npm refuses `--allow-scripts` in a project: it is for global installations. */
const HOW_TO_ALLOW =
  'Or allow its install script: in a project, npm install-scripts approve sqlite3 && npm rebuild sqlite3; globally, npm install -g --allow-scripts=sqlite3 quoin.'

let loaded: SqliteDriver | null = null

/**
 * The module `sqlite3`, or Node's own one where the binary of the other is missing: npm 12 does not run the script that
 * fetches or compiles it.
 *
 * @throws {Error} in one line, with what to do, if neither can be loaded.
 */
export function loadSqliteDriver(): SqliteDriver {
  loaded ??= chooseDriver()
  return loaded
}

function chooseDriver(): SqliteDriver {
  try {
    // Loaded here: Knex would log a stack trace before it throws.
    return createSqlite3Driver(createRequire(import.meta.url)('sqlite3'))
  } catch (error) {
    // Node 22.5 to 22.12 have the module behind a flag, and do not list it without.
    if (isBuiltin('node:sqlite')) return createNodeSqliteDriver()
    const [reason = ''] = messageOf(error).split('\n')
    throw new Error(
      `The SQLite module cannot be loaded (${reason}). ${NEWER_NODE} ${isLeftOut(reason) ? howToInstall() : HOW_TO_ALLOW}`,
    )
  }
}

/** npm removes an optional package whose install script fails, and reports nothing. */
function isLeftOut(reason: string): boolean {
  return reason === "Cannot find module 'sqlite3'"
}

function howToInstall(): string {
  const install = `npm install --no-save sqlite3@${dependencyVersion('sqlite3')} --foreground-scripts`
  return `Or install it again, because npm left it out: ${install} shows why. Without a prebuilt binary it needs python3, make, a C++ compiler and the headers of Node; npm_config_nodedir=/usr uses those that are installed.`
}
