import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { PACKAGE_ROOT } from '../platform/package-paths.ts'
import type * as Compiled from './build-program.ts'

/**
 * All modules that `compiled.ts` needs, as one script in ASCII: a function of `exports`, `require`, `load` and
 * `__filename`.
 */
const SCRIPT = join(PACKAGE_ROOT, 'dist/compiled.cjs')
/** What V8 made of it when Quoin was built. @public */
export const CODE = join(PACKAGE_ROOT, 'dist/compiled.code')

/** Modules that there may only be one of, or that a script cannot hold, by their paths in `src/`. @public */
export const SHARED: Readonly<Record<string, () => Promise<object>>> = {
  'domain/errors.ts': () => import('../domain/errors.ts'),
  'storage/storage.ts': () => import('../storage/storage.ts'),
  'render/markdown/parser.ts': () => import('../render/markdown/parser.ts'),
}

/**
 * What a build of a site needs, without compiling it: that takes longer than to build one page anew. Another
 * Node than the one that Quoin was built with compiles it all the same, and so does one with other options.
 */
export async function loadCompiled(): Promise<typeof Compiled> {
  loaded ??= evaluated(existsSync(CODE) ? readFileSync(CODE) : undefined)
  return (await loaded).exports
}

/** One for all who ask: modules of two do not know what is each other's. */
let loaded: Promise<Evaluated> | null = null

interface Evaluated {
  readonly exports: typeof Compiled
  /** Whether what was kept is of use to this Node; undefined where nothing was. */
  readonly isRejected: boolean | undefined
  /** What V8 has made of it so far: of all functions that were called. */
  code(): Uint8Array
}

/** @param code what `code()` returned before. @public */
export async function evaluated(code: Buffer | undefined): Promise<Evaluated> {
  const loading = Object.entries(SHARED).map(async ([path, load]) => [path, await load()] as const)
  const shared = new Map<string, object>(await Promise.all(loading))
  const script = new Script(readFileSync(SCRIPT, 'latin1'), {
    filename: SCRIPT,
    ...(code !== undefined && { cachedData: code }),
  })
  const require = createRequire(SCRIPT)
  const exports = {} as typeof Compiled
  const load = (name: string) => import(name)
  script.runInThisContext()(exports, (name: string) => shared.get(name) ?? require(name), load, SCRIPT)
  return { exports, isRejected: script.cachedDataRejected, code: () => script.createCachedData() }
}
