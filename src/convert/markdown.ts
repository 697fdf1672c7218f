import type { Generator, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { bareName, routeOf } from './page-route.ts'

const ASSET = /\.(png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|webm)$/i

/** A folder of Markdown that no generator has made a site of, such as the `docs/` of a repository. */
export const markdown: Generator = {
  name: 'markdown',
  title: 'Markdown',
  detects: ({ paths }) => paths.some((path) => path.endsWith('.md')) && !paths.includes('site.yaml'),
  read,
  protectVerbatim: (body) => body,
  tags: [],
}

function read({ paths }: SourceFiles): SourceSite {
  const shown = paths.filter((path) => !/(^|\/)\./.test(path))
  const pages = shown.filter((path) => path.endsWith('.md')).map((path) => [path, targetOf(path)] as const)
  return {
    contentRoot: '',
    fields: {},
    pages: new Map(pages),
    assets: new Map(shown.filter((path) => ASSET.test(path)).map((path) => [path, path])),
    order: new Map(),
    losses: shown
      .filter((path) => !path.endsWith('.md') && !ASSET.test(path))
      .map((file) => ({ file, line: null, what: 'It is neither Markdown nor a picture: left out.' })),
  }
}

function targetOf(path: string): PageTarget {
  const bare = bareName(path)
  return { route: routeOf(bare), type: bare === '' ? 'page' : 'docs' }
}
