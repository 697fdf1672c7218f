import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { SourceFiles, SourceSite } from '../conversion.ts'
import { isAsset } from './asset-names.ts'

const MARKDOWN = /\.(mdx?|markdown)$/

/** Markdown, images and downloads outside of the site's folders, counted by top-level folder. */
export function outsideOfSite(
  { paths }: SourceFiles,
  { contentRoot, pages, assets, dataFiles }: SourceSite,
  included: ReadonlySet<string>,
): readonly Diagnostic[] {
  const texts = paths.filter(
    (path) => MARKDOWN.test(path) && !path.startsWith(contentRoot) && !pages.has(path) && !included.has(path),
  )
  const files = paths.filter(
    (path) =>
      isAsset(path) &&
      !assets.has(path) &&
      !pages.has(path) &&
      !included.has(path) &&
      dataFiles?.has(path) !== true,
  )
  return [
    ...leftOut(texts, 'Markdown file', 'Markdown files', 'outside of the folders of the site, and left out.'),
    ...leftOut(
      files,
      'picture or download',
      'pictures and downloads',
      'in no folder that the site serves, and left out.',
    ),
  ]
}

function leftOut(paths: readonly string[], one: string, many: string, reason: string): readonly Diagnostic[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const [top = ''] = path.split('/')
    counts.set(top, (counts.get(top) ?? 0) + 1)
  }
  return [...counts].map(([top, count]) =>
    diagnostic('QN-NOT-CONVERTED', top, `${count === 1 ? `1 ${one} is` : `${count} ${many} are`} ${reason}`),
  )
}
