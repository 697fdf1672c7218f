import type { FormerFiles, FormerSite, Generator, Place } from './conversion.ts'
import { bareName, routeOf } from './page-route.ts'

const ASSET = /\.(png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|webm)$/i

/** A folder of Markdown that no generator has made a site of, such as the `docs/` of a repository. */
export const markdown: Generator = {
  name: 'markdown',
  title: 'Markdown',
  owns: ({ paths }) => paths.some((path) => path.endsWith('.md')) && !paths.includes('site.yaml'),
  read,
  literals: (body) => body,
  constructs: [],
}

function read({ paths }: FormerFiles): FormerSite {
  const shown = paths.filter((path) => !/(^|\/)\./.test(path))
  const pages = shown.filter((path) => path.endsWith('.md')).map((path) => [path, placeOf(path)] as const)
  return {
    source: '',
    fields: {},
    pages: new Map(pages),
    assets: new Map(shown.filter((path) => ASSET.test(path)).map((path) => [path, path])),
    order: new Map(),
    losses: shown
      .filter((path) => !path.endsWith('.md') && !ASSET.test(path))
      .map((file) => ({ file, line: null, what: 'It is neither Markdown nor a picture: left out.' })),
  }
}

function placeOf(path: string): Place {
  const bare = bareName(path)
  return { route: routeOf(bare), type: bare === '' ? 'page' : 'docs' }
}
