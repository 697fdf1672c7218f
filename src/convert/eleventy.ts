import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { permalinkOf } from './jekyll.ts'
import { LIQUID_TAGS, protectRawBlocks } from './liquid.ts'
import { bareName, routeOf } from './page-route.ts'
import { folderLeftOut } from './source-files.ts'
import { splitSourcePage } from './source-front-matter.ts'

const CONFIG = /^(?:\.eleventy|eleventy\.config)\.(?:c|m)?[jt]s$/
const ASSET = /\.(png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|webm|woff2?|txt|zip)$/i
const ARTICLES = /(^|\/)(posts?|blog|news|articles?|notes?|journal)\//i
const NOT_PAGES = /(^|\/)(README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)\.md$/i

/** Eleventy: Markdown in the input folder. The configuration is a program, which is not run. */
export const eleventy: Generator = {
  name: 'eleventy',
  title: 'Eleventy',
  detects: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  protectVerbatim: protectRawBlocks,
  tags: LIQUID_TAGS,
}

function read(files: SourceFiles): SourceSite {
  const config = files.paths.find((path) => CONFIG.test(path)) ?? ''
  const text = files.text(config) ?? ''
  const input = (/\binput:\s*['"`]\.?\/?([^'"`]*)/.exec(text)?.[1] ?? '').replace(/\/+$/, '')
  const contentRoot = input === '' ? '' : `${input}/`
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const message = 'The configuration is a program, which is not run. Only its input folder is read.'
  const diagnostics: Diagnostic[] = [diagnostic('QN-PARTLY-CONVERTED', config, message)]
  for (const path of files.paths) {
    if (!path.startsWith(contentRoot)) continue
    const name = path.slice(contentRoot.length)
    if (name.startsWith('_') || NOT_PAGES.test(name)) continue
    if (name.endsWith('.md')) pages.set(path, targetOf(name, files.text(path) ?? ''))
    else if (/\.(njk|liquid|html|hbs|webc|11ty\.\w+)$/.test(name))
      diagnostics.push(diagnostic('QN-NOT-CONVERTED', path, 'Templates are not converted. Markdown is.'))
    else if (ASSET.test(name)) assets.set(path, name.replace(/^public\//, ''))
  }
  diagnostics.push(...folderLeftOut(files, `${contentRoot}_`, `${contentRoot}_*`, 'the theme or its data'))
  return { contentRoot, fields: {}, pages, assets, order: new Map(), diagnostics }
}

function targetOf(name: string, text: string): PageTarget {
  const { fields } = splitSourcePage(text)
  const bare = bareName(name.replace(/(^|\/)\d{4}-\d{2}-\d{2}-([^/]+)$/, '$1$2'))
  const isIndex = /(^|\/)index\.md$/.test(name) && !ARTICLES.test(`${bare}/`.replace(/[^/]*\/$/, ''))
  const isArticle = !isIndex && (ARTICLES.test(name) || isPost(fields) || fields['date'] !== undefined)
  return {
    route: permalinkOf(fields) ?? routeOf(bare),
    type: bare === '' ? 'page' : isArticle ? 'article' : 'docs',
  }
}

function isPost({ tags }: JsonObject): boolean {
  return [tags ?? []].flat().some((tag) => tag === 'post' || tag === 'posts')
}
