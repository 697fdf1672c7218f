import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { normalForm } from '../domain/normal-form.ts'
import { type FileReference, fileReferences, mayReferToFiles } from '../page-text/file-references.ts'
import { assetKey, isAssetFile, readAsset } from './asset-file.ts'
import { fileKind } from './file-kind.ts'
import { type Addresses, addressesOf, linkedFile } from './file-links.ts'
import type { FileList } from './list-files.ts'
import type { SiteAsset } from './site.ts'

/** The files of a folder that are served always, or when something names them. */
export interface AssetFiles {
  readonly served: readonly Pick<SiteAsset, 'path' | 'source'>[]
  /** The addresses of these files alone. */
  readonly addresses: Addresses
  /** Errors of files that cannot be served, by file. Those of attachments count where something names them. */
  readonly refused: ReadonlyMap<string, readonly Diagnostic[]>
}

/** @param downloads YAML and JSON files that are no pages. */
export function readAssets(
  { files, refused }: Pick<FileList, 'files' | 'refused'>,
  downloads: ReadonlySet<string>,
): AssetFiles {
  const isAsset = (path: string) => isAssetFile(path) || downloads.has(path)
  const readings = files.filter(isAsset).map((source) => ({ source, ...readAsset(source) }))
  const faulty = readings.filter(({ errors }) => errors.length > 0)
  // A link to a file with errors resolves too, so that the error of the file is reported rather than a dead link.
  const served = readings.map(({ source, asset }) => asset ?? { source, path: source })
  return {
    served,
    addresses: addressesOf([], served, {}),
    refused: new Map([
      ...faulty.map(({ source, errors }) => [source, errors] as const),
      ...[...refused].map(([source, error]) => [source, [error]] as const),
    ]),
  }
}

interface Naming {
  readonly source: string
  readonly attachments?: readonly string[]
}

/** The assets of a site: all of `static/`, and the attachments that these files name. */
export function siteAssets(
  { served, refused }: AssetFiles,
  naming: readonly Naming[],
): { readonly assets: readonly SiteAsset[]; readonly errors: readonly Diagnostic[] } {
  const namedBy = new Map<string, string[]>()
  for (const { source, attachments = [] } of naming)
    for (const path of attachments) {
      const names = namedBy.get(path)
      if (names === undefined) namedBy.set(path, [source])
      else names.push(source)
    }
  const wanted = served.flatMap(({ path, source }): SiteAsset[] => {
    if (fileKind(source) === 'static') return [{ path, source, namedBy: null }]
    const names = namedBy.get(normalForm(source))
    return names === undefined ? [] : [{ path, source, namedBy: names }]
  })
  const assets = wanted.filter(({ source }) => !refused.has(source))
  const errors = wanted.flatMap(({ source, namedBy: names }) => {
    const [first] = names ?? []
    return (refused.get(source) ?? []).map((error) =>
      first === undefined ? error : { ...error, message: `${error.message} ${first} names it.` },
    )
  })
  return { assets, errors: [...errors, ...duplicateErrors(assets)] }
}

/** A reference in a style sheet or an SVG of a site. */
export interface AssetReference extends FileReference {
  readonly file: string
}

/**
 * The attachments that served style sheets and SVGs need, directly or through each other, as namings for `siteAssets`;
 * and their references, with dead ones apart.
 *
 * @param start the assets of the site without them.
 * @param textOf as that of a site reader.
 */
export function referredAssets(
  { served, addresses }: AssetFiles,
  start: readonly SiteAsset[],
  textOf: (path: string) => string | null | undefined,
): {
  readonly naming: readonly Naming[]
  readonly references: readonly AssetReference[]
  readonly dead: readonly AssetReference[]
} {
  const sources = new Map(served.map(({ source }) => [normalForm(source), source]))
  const paths = new Set(served.map(({ path }) => path))
  const naming: Naming[] = []
  const references: AssetReference[] = []
  const dead: AssetReference[] = []
  const seen = new Set(start.map(({ source }) => source))
  // The loop adds to this set.
  for (const file of seen) {
    if (!mayReferToFiles(file)) continue
    const attachments = fileReferences(file, textOf(file) ?? '').flatMap((reference) => {
      const named = linkedFile(reference.target, file) ?? ''
      const source = sources.get(named)
      if (source === undefined && !paths.has(named) && !isServedAt(reference.target, file, paths))
        dead.push({ ...reference, file })
      else references.push({ ...reference, file })
      if (source === undefined || !addresses.isAttachment(named)) return []
      seen.add(source)
      return [named]
    })
    if (attachments.length > 0) naming.push({ source: file, attachments })
  }
  return { naming, references, dead }
}

/**
 * Reports whether a relative target leads to a file at the address of the naming file: `static/` is no part of
 * addresses.
 */
function isServedAt(target: string, file: string, paths: ReadonlySet<string>): boolean {
  return paths.has(linkedFile(target, assetKey(file)) ?? '')
}

/** Many systems take names for the same that differ only in case or in how their accents are written. */
export function sameOnDisk(path: string): string {
  return normalForm(path).toLowerCase()
}

function duplicateErrors(assets: readonly SiteAsset[]): readonly Diagnostic[] {
  const sources = new Map<string, string>()
  return assets.flatMap(({ path, source }) => {
    const first = sources.get(sameOnDisk(path))
    if (first !== undefined)
      return [
        diagnostic(
          'QN-DUPLICATE-PATH',
          source,
          `/${path} is already the path of ${first}, or differs from it only in case or accents. Rename one of the two.`,
        ),
      ]
    sources.set(sameOnDisk(path), source)
    return []
  })
}
