import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteAsset } from '../content-folder/site.ts'
import { sha256 } from '../publish/pipeline/plan.ts'
import type { BuildState } from './state/build-state.ts'
import type { BuiltFile } from './state/built-page.ts'

/** The files of `static/` in the site. */
export interface StaticPlan {
  readonly files: ReadonlyMap<string, BuiltFile>
  /** Files that are new or have changed. */
  readonly copies: readonly StaticCopy[]
}

/** The file is read when it is copied, so that not all are in memory at once. */
export interface StaticCopy {
  readonly key: string
  /** The file itself. */
  readonly file: string
  /** In bytes. */
  readonly size: number
}

/** The result when no file of `static/` was edited. */
export function unchangedStatics({ files }: BuildState): StaticPlan {
  return { files: new Map([...files.others].filter(([, { owner }]) => owner === null)), copies: [] }
}

export async function planStatics(
  folder: string,
  assets: readonly SiteAsset[],
  { files: before }: BuildState,
): Promise<StaticPlan> {
  const files = new Map<string, BuiltFile>()
  const copies: StaticCopy[] = []
  for (const { path: key, source } of assets) {
    const file = join(folder, source)
    const body = await readFile(file)
    const digest = sha256(body)
    files.set(key, { owner: null, digest })
    if (before.get(key)?.digest !== digest) copies.push({ key, file, size: body.byteLength })
  }
  return { files, copies }
}
