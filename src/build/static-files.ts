import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../publish/plan.ts'
import type { SiteAsset } from '../site/site.ts'
import type { BuildState, BuiltFile } from './build-state.ts'

/** Files of `static/` as they are to lie in the site. */
export interface StaticFiles {
  readonly files: Readonly<Record<string, BuiltFile>>
  /** Those that are new or have changed. */
  readonly copies: readonly StaticCopy[]
}

/** Its bytes are read again when it is copied, so that they are not all in memory at once. */
export interface StaticCopy {
  readonly key: string
  /** The file itself. */
  readonly file: string
  /** In bytes. */
  readonly size: number
}

export async function staticFiles(
  folder: string,
  assets: readonly SiteAsset[],
  { files: before }: BuildState,
): Promise<StaticFiles> {
  const files: Record<string, BuiltFile> = {}
  const copies: StaticCopy[] = []
  for (const { path: key, source } of assets) {
    const file = join(folder, source)
    const body = await readFile(file)
    const digest = sha256(body)
    files[key] = { owner: null, digest }
    if (before[key]?.digest !== digest) copies.push({ key, file, size: body.byteLength })
  }
  return { files, copies }
}
