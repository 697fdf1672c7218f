import type { SiteAsset } from '../content-folder/site.ts'
import { SITE_ICONS } from '../domain/site-icons.ts'
import type { FileBody } from '../platform/file-body.ts'
import type { Plan } from '../publish/pipeline/plan.ts'
import { sha256 } from '../publish/pipeline/plan.ts'
import type { BuildState } from './state/build-state.ts'
import type { BuiltFile } from './state/built-page.ts'

/** The files of the site that no page renders: assets, and `.nojekyll`. */
export interface StaticPlan {
  readonly files: ReadonlyMap<string, BuiltFile>
  /** Files that are new or have changed. */
  readonly copies: readonly StaticCopy[]
}

/** The file is read when it is copied, a part at a time. */
export interface StaticCopy {
  readonly key: string
  readonly body: FileBody | Uint8Array
}

/** Without it GitHub Pages leaves out files whose names start with `_`, such as all styles and scripts. */
const NO_JEKYLL = { key: '.nojekyll', body: new Uint8Array() }

/** Generated files that an author may replace by one of the same name in `static/`. */
const REPLACEABLE: ReadonlySet<string> = new Set([
  'robots.txt',
  NO_JEKYLL.key,
  SITE_ICONS.favicon,
  SITE_ICONS.touch,
  SITE_ICONS.manifest,
])

export function isReplaceable(key: string): boolean {
  return REPLACEABLE.has(key)
}

/** The result when no asset was edited. */
export function unchangedStatics({ files }: BuildState): StaticPlan {
  return { files: new Map([...files.others].filter(([, { owner }]) => owner === null)), copies: [] }
}

/** A file of the site, which is read only if it has changed. */
export interface StaticFile extends FileBody {
  readonly key: string
}

/** @param derived files that images add, some of them in place of an asset. */
export function planStatics(
  bodies: ReadonlyMap<string, FileBody>,
  derived: readonly StaticFile[],
  { files: before }: BuildState,
): StaticPlan {
  const all = new Map<string, StaticFile>()
  for (const [key, body] of bodies) all.set(key, { key, ...body })
  for (const file of derived) all.set(file.key, file)
  const files = new Map<string, BuiltFile>([[NO_JEKYLL.key, { owner: null, digest: sha256(NO_JEKYLL.body) }]])
  const copies: StaticCopy[] = before.get(NO_JEKYLL.key)?.digest === sha256(NO_JEKYLL.body) ? [] : [NO_JEKYLL]
  for (const file of all.values()) {
    const { key, digest } = file
    files.set(key, { owner: null, digest })
    if (before.get(key)?.digest !== digest) copies.push({ key, body: file })
  }
  return { files, copies }
}

/** The plan without generated files that the author has replaced. */
export function withoutReplaced(plan: Plan, { files }: StaticPlan): Plan {
  const isReplaced = ({ artifact }: Plan['uploads'][number]) => files.has(artifact.key)
  return plan.uploads.some(isReplaced)
    ? { ...plan, uploads: plan.uploads.filter((upload) => !isReplaced(upload)) }
    : plan
}

/** Reports whether the author removed a file in place of a generated one. The generated one is due again. */
export function isGeneratedDue(assets: readonly SiteAsset[], { files }: BuildState): boolean {
  const paths = new Set(assets.map(({ path }) => path))
  return [...REPLACEABLE].some(
    (key) => key !== NO_JEKYLL.key && files.get(key)?.owner === null && !paths.has(key),
  )
}
