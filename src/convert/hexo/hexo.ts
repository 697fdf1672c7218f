import { posix } from 'node:path'
import type { Diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { keepHeadingIds } from '../body/heading-ids.ts'
import { fenceLiquidPairs } from '../body/paired-code.ts'
import { brandingOf, listNames, navLink, objectOf, textOf } from '../config/config-values.ts'
import { prefixOf } from '../config/configured-folder.ts'
import { readDataFile } from '../config/data-file.ts'
import { defined } from '../config/source-config.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { isAsset } from '../files/asset-names.ts'
import { folderLeftOut } from '../files/source-files.ts'
import { matchesAnyGlob } from '../files/source-glob.ts'
import { protectRawBlocks } from '../liquid/tags.ts'
import { bareName, routeOf } from '../page/page-route.ts'
import { hiddenByDate } from '../page/publication.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { hexoConfigDiagnostics } from './config.ts'
import { pageAddress, postAddress } from './permalinks.ts'
import { slugized } from './slug.ts'
import { HEXO_TAGS, rewriteHexo } from './tags.ts'
import { categoryPaths, hexoLists } from './terms.ts'

const CONFIG = '_config.yml'
const PAGE = /\.(md|markdown|html)$/
/** `:year-:month-:day-:title.md`, a usual name of new posts. */
const DATED = /^(?:(.*)\/)?(\d{4}-\d{1,2}-\d{1,2})-([^/]+)$/
/** Pages that the theme fills with a list of all terms. */
const TERM_PAGES = /^(tags|categories|archives?)$/

/** Hexo: posts in `source/_posts`, other pages in any folder of `source`. Source: https://hexo.io/docs/. */
export const hexo: Generator = {
  name: 'hexo',
  title: 'Hexo',
  detects: (files) =>
    files.paths.includes(CONFIG) &&
    (packagesOf(files).has('hexo') ||
      files.paths.some((path) => /^(?:source\/_posts\/|scaffolds\/[^/]+\.md$)/.test(path))),
  read,
  feedGuid: (address) => address,
  protectVerbatim: protectRawBlocks,
  rewrite: (body, { report }) => fenceLiquidPairs(keepHeadingIds(rewriteHexo(body), slugized), report),
  tags: HEXO_TAGS,
}

/** The packages that the site depends on. */
function packagesOf(files: SourceFiles): ReadonlySet<string> {
  const { hexo: own, dependencies, devDependencies } = readDataFile(files, 'package.json', [])
  return new Set([
    ...(own === undefined ? [] : ['hexo']),
    ...Object.keys(objectOf(dependencies)),
    ...Object.keys(objectOf(devDependencies)),
  ])
}

function read(files: SourceFiles, now: Date): SourceSite {
  const diagnostics: Diagnostic[] = []
  const config = readDataFile(files, CONFIG, diagnostics, 'The configuration')
  const source = prefixOf((textOf(config['source_dir']) ?? 'source').replace(/^\.?\/|\/+$/g, ''))
  const skipped = listNames(config['skip_render'])
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const defaults = new Map<string, JsonObject>()
  const categories = new Map<string, string>()
  for (const path of files.paths) {
    const name = path.startsWith(source) ? path.slice(source.length) : null
    if (name === null || isLeftOut(name, config)) continue
    const isPage = isRendered(name, files.text(path)) && !matchesAnyGlob(name, skipped)
    if (!isPage && !name.startsWith('_')) assets.set(path, name)
    if (!isPage) continue
    const { fields } = splitSourcePage(files.text(path) ?? '')
    const [, kind = '', file = ''] = /^_(posts|drafts)\/(.*)$/.exec(name) ?? []
    if (kind === '') {
      if (!/(^|\/)_/.test(name)) pages.set(path, pageTarget(name, fields))
      continue
    }
    const [, folder = '', date = null, title] = DATED.exec(file.replace(PAGE, '')) ?? []
    const post = { name: posix.join(folder, title ?? file.replace(PAGE, '')), date, fields }
    const hidden = hiddenPost(kind, post.date, fields, { config, now })
    const originalPath = postAddress(post, config)
    pages.set(path, {
      route: routeOf(originalPath?.replace(/\.html$/, '') ?? post.name),
      type: 'article',
      // Lists of posts are at the top of the site, as is that of the front page.
      blog: '',
      ...(originalPath !== null && { originalPath }),
      ...(hidden !== undefined && { hidden }),
    })
    if (date !== null) defaults.set(path, { date })
    for (const [term, at] of categoryPaths(fields, config))
      if (!categories.has(term)) categories.set(term, at)
  }
  for (const [path, at] of postAssets(files, source, pages)) assets.set(path, at)
  const theme = textOf(config['theme'])
  const themeConfig = {
    ...readDataFile(files, `themes/${theme}/_config.yml`, diagnostics),
    ...readDataFile(files, `_config.${theme}.yml`, diagnostics),
    ...objectOf(config['theme_config']),
  }
  for (const [folder, contents] of LEFT_OUT)
    diagnostics.push(...folderLeftOut(files, `${folder}/`, folder, contents))
  diagnostics.push(...folderLeftOut(files, `${source}_data/`, `${source}_data`, 'data'))
  diagnostics.push(...hexoConfigDiagnostics(config))
  const [lang] = listNames(config['language'])
  const url = textOf(config['url'])?.replace(/\/$/, '')
  const root = textOf(config['root']) ?? '/'
  const links = menuOf(themeConfig['menu'])
  return {
    contentRoot: source,
    config: CONFIG,
    fields: defined({
      name: config['title'],
      url:
        url === undefined || !/^https?:\/\//.test(url)
          ? undefined
          : url.endsWith(root.replace(/\/$/, ''))
            ? url
            : url + root,
      meta_description: config['description'] ?? config['subtitle'],
      nav_links: links.length === 0 ? undefined : links,
      branding: brandingOf(lang),
    }),
    base: root,
    ...(![...pages.values()].some(({ route }) => route === '') && { frontList: CONFIG }),
    pages,
    assets,
    order: new Map(),
    lists: hexoLists(config, packagesOf(files), categories),
    defaults: (path) => defaults.get(path) ?? {},
    overrides: (path) => flatCategories(splitSourcePage(files.text(path) ?? '').fields),
    diagnostics,
  }
}

/** Folders that are no content. */
const LEFT_OUT = [
  ['scaffolds', 'templates of new posts'],
  ['themes', 'the theme or its data'],
] as const

/** HTML without front matter is a file that is served as it is. */
function isRendered(name: string, text: string | null): boolean {
  return PAGE.test(name) && (!name.endsWith('.html') || /^---[ \t]*\r?\n/.test(text ?? ''))
}

function isLeftOut(name: string, { exclude, ignore, include }: JsonObject): boolean {
  if (/(^|\/)\./.test(name)) return true
  const isNamed = (patterns: JsonValue | undefined) => matchesAnyGlob(name, listNames(patterns))
  return (isNamed(exclude) || isNamed(ignore)) && !isNamed(include)
}

function pageTarget(name: string, fields: JsonObject): PageTarget {
  const bare = bareName(name)
  const kind = textOf(fields['type']) ?? textOf(fields['layout']) ?? ''
  const isList = TERM_PAGES.test(bare) && TERM_PAGES.test(kind)
  return {
    route: routeOf(bare),
    type: isList ? 'list' : 'page',
    originalPath: pageAddress(name, fields),
    ...(fields['published'] === false && { hidden: '`published` is false.' }),
  }
}

function hiddenPost(
  kind: string,
  date: string | null,
  fields: JsonObject,
  { config, now }: { readonly config: JsonObject; readonly now: Date },
): string | undefined {
  if (kind === 'drafts' && config['render_drafts'] !== true) return 'It is in `_drafts`.'
  if (fields['published'] === false) return '`published` is false.'
  // Hexo publishes posts of the future, unless told otherwise.
  if (config['future'] !== false) return undefined
  return hiddenByDate({ ...(date !== null && { date }), ...fields }, now, { starts: ['date'] })
}

/** Files in the folder with the name of a post, served next to the post. */
function postAssets(
  { paths }: SourceFiles,
  source: string,
  pages: ReadonlyMap<string, PageTarget>,
): ReadonlyMap<string, string> {
  const folders = [...pages].flatMap(([path, { originalPath }]): [string, string][] =>
    path.startsWith(`${source}_posts/`) && originalPath !== undefined
      ? [[`${path.replace(PAGE, '')}/`, originalPath.replace(/[^/]*$/, '').slice(1)]]
      : [],
  )
  return new Map(
    paths.flatMap((path): [string, string][] => {
      if (!isAsset(path)) return []
      const own = folders.find(([folder]) => path.startsWith(folder))
      return own === undefined ? [] : [[path, own[1] + path.slice(own[0].length)]]
    }),
  )
}

/** The links of the header, which usual themes have by their labels, with an icon after bars. */
function menuOf(menu: JsonValue | undefined): readonly JsonObject[] {
  return Object.entries(objectOf(menu)).flatMap(([label, target]) => {
    const link = navLink(label, textOf(target)?.split('||')[0]?.trim())
    return link === null ? [] : [link]
  })
}

/** Categories as a list of their names, without the ones above them twice. */
function flatCategories({ categories, category }: JsonObject): JsonObject {
  const names = [categories ?? category ?? []].flat(2).map(String)
  return names.length === 0 ? {} : { categories: [...new Set(names)] }
}
