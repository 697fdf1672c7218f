import type { JsonObject } from '../domain/json.ts'
import type { FormerFiles, FormerSite, Generator, Loss, Place } from './conversion.ts'
import { permalinkOf } from './jekyll.ts'
import { LIQUID, liquidLiterals } from './liquid.ts'
import { bareName, routeOf } from './page-route.ts'
import { splitFormer } from './source-front-matter.ts'

const CONFIG = /^(?:\.eleventy|eleventy\.config)\.(?:c|m)?[jt]s$/
const ASSET = /\.(png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|webm|woff2?|txt|zip)$/i
const ARTICLES = /(^|\/)(posts?|blog|news|articles?|notes?|journal)\//i
const NOT_PAGES = /(^|\/)(README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)\.md$/i

/** Eleventy: Markdown beneath the input folder that its configuration, a program that is not run, names. */
export const eleventy: Generator = {
  name: 'eleventy',
  title: 'Eleventy',
  owns: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  literals: liquidLiterals,
  constructs: LIQUID,
}

function read(files: FormerFiles): FormerSite {
  const config = files.paths.find((path) => CONFIG.test(path)) ?? ''
  const text = files.text(config) ?? ''
  const input = (/\binput:\s*['"`]\.?\/?([^'"`]*)/.exec(text)?.[1] ?? '').replace(/\/+$/, '')
  const source = input === '' ? '' : `${input}/`
  const pages = new Map<string, Place>()
  const assets = new Map<string, string>()
  const losses: Loss[] = [
    {
      file: config,
      line: null,
      what: 'The configuration is a program; of it only the input folder was read.',
    },
  ]
  for (const path of files.paths) {
    if (!path.startsWith(source)) continue
    const name = path.slice(source.length)
    if (name.startsWith('_') || NOT_PAGES.test(name)) continue
    if (name.endsWith('.md')) pages.set(path, placeOf(name, files.text(path) ?? ''))
    else if (/\.(njk|liquid|html|hbs|webc|11ty\.\w+)$/.test(name))
      losses.push({ file: path, line: null, what: 'It is a template, not Markdown.' })
    else if (ASSET.test(name)) assets.set(path, name.replace(/^public\//, ''))
  }
  const templates = files.paths.filter((path) => path.startsWith(`${source}_`)).length
  if (templates > 0)
    losses.push({
      file: `${source}_*`,
      line: null,
      what: `${templates === 1 ? '1 file' : `${templates} files`} of the theme or its data: left out.`,
    })
  return { source, fields: {}, pages, assets, order: new Map(), losses }
}

function placeOf(name: string, text: string): Place {
  const { fields } = splitFormer(text)
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
