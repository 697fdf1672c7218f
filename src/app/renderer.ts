import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { AccountOf } from '../platform/fair-queue.ts'
import { PACKAGE_ROOT } from '../platform/package-paths.ts'
import { createRendererPool } from '../renderer/pool.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { Config } from './config.ts'
import type { InstalledThemes } from './server-themes.ts'

/** The compiled program, also when the rest runs from source: Node cannot start a TypeScript file. */
const RENDER_CHILD = join(PACKAGE_ROOT, 'dist/child.js')
/** One more than an account may use, so that costly pages of one account do not block the others. */
const RENDERERS = Math.max(2, availableParallelism()) + 1

/** Starts the processes that render pages. */
export function openRenderer({ data }: Config, installed: InstalledThemes, accountOf: AccountOf): Renderer {
  return createRendererPool({
    ...installed,
    accountOf,
    entry: RENDER_CHILD,
    size: RENDERERS,
    tokenCache: join(data, 'tokens'),
  })
}
