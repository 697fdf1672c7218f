import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { PACKAGE_ROOT } from '../platform/package-paths.ts'
import type * as BuildProgram from './build-program.ts'

/*
 * Loads everything that builds a site from one script, with V8's code cache for it. Without the cache, compiling takes
 * a sixth of a build of one changed page. `docs/PERFORMANCE.md` has the figures; `scripts/bundle.mjs` writes both
 * files.
 */

/** `build-program.ts` bundled, in ASCII, as a function of `exports`, `require`, `load` and `__filename`. @public */
export const SCRIPT = join(PACKAGE_ROOT, 'dist/build-program.cjs')
/** V8's code cache of the script. @public */
export const CODE_CACHE = join(PACKAGE_ROOT, 'dist/build-program.cache')

/**
 * Modules, by their paths in `src/`, that the script takes from the program around it: two with classes for
 * `instanceof` in both, and one that imports a native module. @public
 */
export const SHARED: Readonly<Record<string, () => Promise<object>>> = {
  'domain/errors.ts': () => import('../domain/errors.ts'),
  'storage/storage.ts': () => import('../storage/storage.ts'),
  'render/markdown/parser.ts': () => import('../render/markdown/parser.ts'),
}

/** The same instance for all callers. If V8 rejects the cache, it compiles the script as any other. */
export async function loadBuildProgram(): Promise<typeof BuildProgram> {
  loading ??= evaluateProgram(existsSync(CODE_CACHE) ? readFileSync(CODE_CACHE) : undefined)
  return (await loading).exports
}

let loading: Promise<Evaluated> | null = null

interface Evaluated {
  readonly exports: typeof BuildProgram
  /** True if V8 rejected the cache: another version of V8, other flags, damaged bytes. Undefined without a cache. */
  readonly isRejected: boolean | undefined
  /** A code cache with every function that has been called so far. */
  createCache(): Uint8Array
}

/** @param cache what `createCache` returned in another process. @public */
export async function evaluateProgram(cache: Buffer | undefined): Promise<Evaluated> {
  const imports = Object.entries(SHARED).map(async ([path, load]) => [path, await load()] as const)
  const shared = new Map<string, object>(await Promise.all(imports))
  const script = new Script(readFileSync(SCRIPT, 'latin1'), {
    filename: SCRIPT,
    ...(cache !== undefined && { cachedData: cache }),
  })
  const require = createRequire(SCRIPT)
  const exports = {} as typeof BuildProgram
  const load = (name: string) => import(name)
  script.runInThisContext()(exports, (name: string) => shared.get(name) ?? require(name), load, SCRIPT)
  return { exports, isRejected: script.cachedDataRejected, createCache: () => script.createCachedData() }
}
