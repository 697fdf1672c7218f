import { readAsset } from '../../content-folder/asset-file.ts'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { SourceSite } from '../conversion.ts'
import { isHostFile } from '../links/host-redirects.ts'

export interface ServedAssets {
  /** The path of each asset in the new site, by its path in the source folder. */
  readonly served: ReadonlyMap<string, string>
  readonly diagnostics: readonly Diagnostic[]
}

/** Assets under their own names, or, where a content folder refuses those, under similar ones. */
export function servedAssets({ assets, pages }: Pick<SourceSite, 'assets' | 'pages'>): ServedAssets {
  const served = new Map<string, string>()
  const diagnostics: Diagnostic[] = []
  const taken = new Set(
    [...pages.values()].map(({ route }) => `${route === '' ? '' : `${route}/`}index.html`),
  )
  for (const [path, at] of assets) {
    if (isHostFile(path)) continue
    const own = readAsset(`static/${at}`).asset
    const { asset, errors } =
      own === null ? readAsset(`static/${at.split('/').map(safeName).join('/')}`) : { asset: own, errors: [] }
    if (asset === null) diagnostics.push(diagnostic('QN-NOT-CONVERTED', path, errors[0]?.message ?? ''))
    else if (taken.has(asset.path.toLowerCase()))
      diagnostics.push(
        diagnostic(
          'QN-NOT-CONVERTED',
          path,
          `A page or another file is served at /${asset.path}. This one is left out.`,
        ),
      )
    else {
      served.set(path, asset.path)
      taken.add(asset.path.toLowerCase())
    }
  }
  return { served, diagnostics }
}

function safeName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^[^a-z0-9]+/i, '')
}
