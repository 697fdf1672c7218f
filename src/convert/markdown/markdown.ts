import { diagnostic } from '../../domain/diagnostic.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { isAsset } from '../files/asset-names.ts'
import { isHostFile } from '../links/host-redirects.ts'
import { bareName, routeOf } from '../page/page-route.ts'

/** A folder of Markdown without a generator, such as the `docs/` of a repository. */
export const markdown: Generator = {
  name: 'markdown',
  title: 'Markdown',
  detects: ({ paths }) => paths.some((path) => path.endsWith('.md')) && !paths.includes('site.yaml'),
  read,
  protectVerbatim: (body) => body,
  tags: [],
}

function read({ paths }: SourceFiles): SourceSite {
  const visible = paths.filter((path) => !/(^|\/)\./.test(path))
  const pages = visible.filter((path) => path.endsWith('.md')).map((path) => [path, targetOf(path)] as const)
  const others = visible.filter((path) => !path.endsWith('.md') && !isAsset(path) && !isHostFile(path))
  return {
    contentRoot: '',
    fields: {},
    pages: new Map(pages),
    assets: new Map(visible.filter((path) => isAsset(path)).map((path) => [path, path])),
    order: new Map(),
    diagnostics: others.map((file) =>
      diagnostic(
        'QN-NOT-CONVERTED',
        file,
        'The file is neither Markdown nor a file that pages show or link to. It is left out.',
      ),
    ),
  }
}

function targetOf(path: string): PageTarget {
  const bare = bareName(path)
  return { route: routeOf(bare), type: bare === '' ? 'page' : 'docs' }
}
